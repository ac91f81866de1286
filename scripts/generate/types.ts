import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { inputTypes, kubernetesTypesOfInput } from '../types/input-types.js';
import { kubernetesTypes } from '../types/kubernetes-types.js';
import { policyComponentTypes } from '../types/policy-components.js';

/**
 * Writes the types of all input documents from their schemas, types of Kubernetes, and those of policies from the registry; with `--check` it writes
 * nothing, and exits 1 if they are stale.
 */
const FILES: Readonly<Record<string, () => string>> = {
  'src/model/input.ts': inputTypes,
  'src/model/kubernetes-types.ts': () => kubernetesTypes(kubernetesTypesOfInput()),
  'src/constructs/policy-components.ts': policyComponentTypes,
};

for (const [path, types] of Object.entries(FILES)) {
  const text = await format(types(), { ...(await resolveConfig(path)), parser: 'typescript' });
  const isStale = !existsSync(path) || readFileSync(path, 'utf8') !== text;
  if (isStale && process.argv.includes('--check')) {
    process.stderr.write(`error: ${path} is stale: run \`npm run types\`\n`);
    process.exitCode = 1;
  } else if (isStale) {
    writeFileSync(path, text);
    process.stderr.write(`${path}\n`);
  }
}
