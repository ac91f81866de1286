import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { buildCompanion } from './build-companion.js';
import { pageAssets } from './page-assets.mjs';
import { bundledPackages, noticesText, type BundledPackage } from './notices.js';

const require = createRequire(import.meta.url);

function common(): BuildOptions {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  return {
    bundle: true,
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    legalComments: 'none',
    // `npm run pack:build` gives each build a version.
    define: { WEFT_VERSION: JSON.stringify(process.env['WEFT_BUILD_VERSION'] ?? version) },
  };
}

/** The code of the thread that runs a `cluster.ts`, which the bundle of the command holds as text. */
async function buildWorker(): Promise<string> {
  const { outputFiles, metafile } = await build({
    ...common(),
    metafile: true,
    entryPoints: ['src/compile/load/program/worker.ts'],
    write: false,
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
  });
  if (bundledPackages(metafile).length > 0) throw new Error('the thread has code of packages: add them to the notices');
  return outputFiles[0]?.text ?? '';
}

/** The command, beside it the companion's program, which it puts into the output, and the licences of the packages in both. */
export async function buildCommand(outfile: string): Promise<void> {
  const folder = dirname(outfile);
  const packages = await Promise.all([buildBundle(outfile), buildCompanion(join(folder, 'companion.cjs'))]);
  const notices = noticesText('`weft.cjs` and `companion.cjs` contain', packages.flat());
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices);
}

/** Bundles everything into one file but jiti, which only a `cluster.ts` needs. Returns the packages in it. */
async function buildBundle(outfile: string): Promise<readonly BundledPackage[]> {
  const { define, ...options } = common();
  const worker = JSON.stringify(await buildWorker());
  const { outputFiles, metafile } = await build({
    ...options,
    metafile: true,
    define: {
      ...define,
      WEFT_PROGRAM_WORKER: worker,
      WEFT_PAGE_ASSETS: JSON.stringify(await pageAssets()),
      'import.meta.url': '__filename',
    },
    entryPoints: ['src/cli/main.ts'],
    write: false,
    outfile,
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    // bin/compiled-code.cjs reads it as Latin-1.
    charset: 'ascii',
    // A function of what Node gives to a module. A function that is put around the text when it is read would be a second copy of
    // the text.
    banner: { js: '(function(exports,require,module,__filename,__dirname){' },
    footer: { js: '});' },
    external: ['jiti'],
    // cdk8s brings a copy of yaml of its own; it gets ours. What esbuild would take of jsonc-parser it cannot bundle.
    // graceful-fs changes the functions of `fs`; proper-lockfile needs none of it.
    alias: {
      'graceful-fs': 'node:fs',
      'jsonc-parser': require.resolve('jsonc-parser/lib/esm/main.js'),
      yaml: yamlModules(),
    },
    // A script of node:vm cannot import(); jiti can be required too.
    supported: { 'dynamic-import': false },
  });
  const text = outputFiles[0]?.text ?? '';
  // bin/compiled-code.cjs knows by the first line whether the compiled code that it kept belongs to this bundle.
  const hash = createHash('sha256').update(text).digest('hex');
  mkdirSync(dirname(outfile), { recursive: true });
  writeFileSync(outfile, `// ${hash}\n${text}`);
  return bundledPackages(metafile);
}

/** The ES modules of yaml: calls between CommonJS modules look each function up in an object, ten thousands of times in a run. */
function yamlModules(): string {
  return join(dirname(require.resolve('yaml/package.json')), 'browser/dist/index.js');
}

/** The library, for `import` and for `require`: its dependencies stay imports, so that a program shares one copy of cdk8s with it. */
async function buildLibrary(folder: string): Promise<void> {
  const options: BuildOptions = { ...common(), entryPoints: ['src/index.ts'], packages: 'external' };
  await Promise.all([
    build({ ...options, outfile: join(folder, 'index.js'), format: 'esm' }),
    build({ ...options, outfile: join(folder, 'index.cjs'), format: 'cjs' }),
  ]);
}

/** The JSON Schemas of all documents, whole and as parts, under names and addresses that editors and SchemaStore may keep. */
async function writeSchemas(folder: string): Promise<void> {
  // Loading the schemas takes a second, which tests that build only the command do not need.
  const { partialSchema, schemaOfAll } = await import('../src/compile/config/json-schema.js');
  const { name: ofPackage } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly name: string };
  mkdirSync(folder, { recursive: true });
  const whole = schemaOfAll();
  for (const [name, schema] of Object.entries({ weft: whole, 'weft.partial': partialSchema(whole) })) {
    const file = `${name}.schema.json`;
    // The newest version of the package, from a mirror of npm.
    const $id = `https://unpkg.com/${ofPackage}/${folder}/${file}`;
    writeFileSync(join(folder, file), `${JSON.stringify({ $id, ...schema })}\n`);
  }
}

// Do not build when a test imports this file for `buildCommand`.
if (/[\\/]scripts[\\/]build\.ts$/.test(process.argv[1] ?? '')) {
  void Promise.all([buildCommand('lib/weft.cjs'), buildLibrary('lib'), writeSchemas('lib')]);
}
