import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { resolveConfig, format } from 'prettier';

/**
 * Writes the declarations of the library as one file, for `import` and for `require`, without what is marked `@internal`. With
 * `--record` the file is also the recorded surface of the library, docs/api/weft-gitops.d.ts, and its reference is written; with
 * `--check` the script exits 1 if the surface or the reference has changed.
 */
const ROLLUP = 'lib/index.d.ts';
const RECORDED = 'docs/api/weft-gitops.d.ts';
const REFERENCE = 'docs/api/README.md';
const TYPEDOC_OUTPUT = 'lib/api';

const node = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, [script, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });

const formatted = async (path: string, text: string) =>
  format(text, { ...(await resolveConfig(path)), parser: 'typescript' });

function buildRollup(): void {
  node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json');
  const config = ExtractorConfig.loadFileAndPrepare('api-extractor.json');
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => (message.handled = true),
  });
  if (!succeeded) throw new Error('the declarations cannot be made one file');
  copyFileSync(ROLLUP, 'lib/index.d.cts');
}

/** Writes the reference as one page, from the declarations. */
function reference(): string {
  rmSync(TYPEDOC_OUTPUT, { recursive: true, force: true });
  node('node_modules/typedoc/bin/typedoc', '--options', 'typedoc.json', '--out', TYPEDOC_OUTPUT);
  return readFileSync(`${TYPEDOC_OUTPUT}/README.md`, 'utf8');
}

async function derived(): Promise<Readonly<Record<string, string>>> {
  return {
    [RECORDED]: await formatted(RECORDED, readFileSync(ROLLUP, 'utf8')),
    [REFERENCE]: reference(),
  };
}

buildRollup();
const isCheck = process.argv.includes('--check');
const pages = isCheck || process.argv.includes('--record') ? await derived() : {};
for (const [path, text] of Object.entries(pages)) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  if (isCheck) {
    process.stderr.write(`error: ${path} is stale: the library has another surface; \`npm run api\` records it\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
    process.stderr.write(`${path}\n`);
  }
}
