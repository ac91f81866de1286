import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { resolveConfig, format } from 'prettier';
import ts from 'typescript';

/**
 * Writes the declarations of the library as one file, for `import` and for `require`, without what is marked `@internal`. With
 * `--record` the file is also the recorded surface of the library, docs/api/weft-gitops.d.ts; with
 * `--check` the script exits 1 if the surface has changed.
 */
const ROLLUP = 'lib/index.d.ts';
const RECORDED = 'docs/api/weft-gitops.d.ts';
const DOCUMENT_TYPES = ['src/compile/model/input.ts', 'src/compile/model/kubernetes-types.ts'];

const node = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, [script, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });

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

const parsed = (path: string) =>
  ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true).statements;
const nameOf = (one: ts.Statement) =>
  ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) ? one.name.text : undefined;

/** Without the types of documents, which `npm run types` writes and checks. */
function ownSurface(): string {
  const generated = new Set(DOCUMENT_TYPES.flatMap(parsed).map(nameOf));
  const own = parsed(ROLLUP).filter((one) => {
    const name = nameOf(one);
    return name === undefined || !generated.has(name);
  });
  return `// The types of documents are in ${DOCUMENT_TYPES.join(' and ')}; lib/index.d.ts of the package has them, too.\n${own.map((one) => one.getFullText()).join('')}`;
}

buildRollup();
const isCheck = process.argv.includes('--check');
if (isCheck || process.argv.includes('--record')) {
  const surface = await format(ownSurface(), {
    ...(await resolveConfig(RECORDED)),
    parser: 'typescript',
  });
  if (!isCheck) writeFileSync(RECORDED, surface);
  else if (readFileSync(RECORDED, 'utf8') !== surface) {
    process.stderr.write(`error: ${RECORDED} is stale: the library has another surface; \`npm run api\` records it\n`);
    process.exitCode = 1;
  }
}
