import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { inputTypes } from './types/input-types.js';

/** Writes the types of all input documents from their schemas; with `--check` it writes nothing, and exits 1 where they are stale. */
const PATH = 'src/model/input.ts';

const text = await format(inputTypes(), { ...(await resolveConfig(PATH)), parser: 'typescript' });
const isStale = !existsSync(PATH) || readFileSync(PATH, 'utf8') !== text;
if (isStale && process.argv.includes('--check')) {
  process.stderr.write(`error: ${PATH} is stale: run \`npm run types\`\n`);
  process.exitCode = 1;
} else if (isStale) {
  writeFileSync(PATH, text);
  process.stderr.write(`${PATH}\n`);
}
