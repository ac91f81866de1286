import { readdirSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../../src/shared/lib/group-by.js';
import { isObject } from '../../src/shared/lib/json.js';
import type { Rule } from '../../src/compile/model/config.js';
import { writeGenerated } from './written.js';

// Writes the list of all rules and the registry of their codes from the files in `src/**/rules/`: every export with `check` is a rule.

const REGISTRY = 'src/compile/config/rules/rules.ts';
const CODES = 'src/shared/diagnostics/rule-codes.ts';

interface FoundRule {
  readonly path: string;
  readonly name: string;
  readonly rule: Rule;
}

const isRule = (value: unknown): value is Rule => isObject(value) && typeof value['check'] === 'function';

async function findRules(): Promise<readonly FoundRule[]> {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.split(sep).join('/')}`)
    .filter((path) => /\/rules\/.*\.ts$/.test(path) && !/\.(?:test|table)\.ts$/.test(path) && path !== REGISTRY);
  const found: FoundRule[] = [];
  for (const path of paths.sort()) {
    const exported = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
    for (const [name, rule] of Object.entries(exported)) if (isRule(rule)) found.push({ path, name, rule });
  }
  return found;
}

function registry(found: readonly FoundRule[]): string {
  const imports = [...groupBy(found, ({ path }) => path)].map(([path, rules]) => {
    const from = posix.relative(posix.dirname(REGISTRY), path).replace(/^(?!\.)/, './');
    return `import { ${rules.map(({ name }) => name).join(', ')} } from '${from.replace(/\.ts$/, '.js')}';`;
  });
  return `import type { Rule } from '../../model/config.js';
${imports.join('\n')}

/** Every rule over the whole configuration. \`npm run rules\` writes this file from the files of the rules. */
export const rules: readonly Rule[] = [${found.map(({ name }) => name).join(', ')}];
`;
}

function registryOfCodes(found: readonly FoundRule[]): string {
  const codes = new Map<string, object>();
  for (const { path, rule } of found) {
    const { code, title, severity, isOncePerRun } = rule;
    const info = { title, severity, ...(isOncePerRun === true && { isOncePerRun }) };
    const other = codes.get(code) ?? info;
    if (!isDeepStrictEqual(other, info))
      throw new Error(`${path}: another rule gives ${code} another title or severity`);
    codes.set(code, info);
  }
  const rows = [...codes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, info]) => `${code}: ${JSON.stringify(info)}`);
  return `import type { CodeInfo } from './diagnostic.js';

/** The codes of rules. \`npm run rules\` writes this file from the files of the rules. */
export const ruleCodes = {
${rows.join(',\n')}
} as const satisfies Readonly<Record<string, CodeInfo>>;
`;
}

const found = await findRules();
await writeGenerated({ [REGISTRY]: registry(found), [CODES]: registryOfCodes(found) }, 'rules');
