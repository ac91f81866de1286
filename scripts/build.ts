import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { lazyModules } from './lazy-modules.js';

function common(): BuildOptions {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  return {
    bundle: true,
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    legalComments: 'none',
    define: { WEFT_VERSION: JSON.stringify(version) },
  };
}

/**
 * The command: one file that holds everything but jiti, which only a `cluster.ts` needs. Beside it `quick.cjs`, the same
 * without zod, which it gets from there when a document does not hold (src/quick).
 */
export async function buildCommand(outfile: string): Promise<void> {
  await Promise.all([
    buildBundle(outfile, [lazyModules]),
    buildBundle(join(dirname(outfile), 'quick.cjs'), [lazyModules, quickly(basename(outfile))]),
  ]);
}

async function buildBundle(outfile: string, plugins: Plugin[]): Promise<void> {
  const { outputFiles } = await build({
    ...common(),
    entryPoints: ['src/cli/main.ts'],
    write: false,
    outfile,
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    // bin/weft.cjs reads it as Latin-1.
    charset: 'ascii',
    external: ['jiti'],
    plugins,
    // Code that comes from V8's cache cannot import() on Node 20; jiti can be required too.
    supported: { 'dynamic-import': false },
  });
  const text = outputFiles[0]?.text ?? '';
  // bin/weft.cjs knows by the first line whether the compiled code that it kept belongs to this bundle.
  const hash = createHash('sha256').update(text).digest('hex');
  mkdirSync(dirname(outfile), { recursive: true });
  writeFileSync(outfile, `// ${hash}\n${text}`);
}

/**
 * Schemas that say yes in place of zod's, and what is left to zod from another bundle.
 *
 * @param bundle name of that bundle, in the same folder
 */
export const quickly = (bundle: string): Plugin => ({
  name: 'quickly',
  setup(build) {
    build.onResolve({ filter: /^zod$/ }, () => ({ path: resolve('src/quick/zod.ts') }));
    build.onResolve({ filter: /\/thoroughly\.js$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: `./${bundle}`, external: true } : undefined,
    );
  },
});

/** The library: its dependencies stay imports, so that a program shares one copy of cdk8s with it. */
async function buildLibrary(outfile: string): Promise<void> {
  await build({ ...common(), entryPoints: ['src/index.ts'], outfile, format: 'esm', packages: 'external' });
}

// Not where a test imports this file for `buildCommand`.
if (/[\\/]scripts[\\/]build\.ts$/.test(process.argv[1] ?? '')) {
  void Promise.all([buildCommand('lib/weft.cjs'), buildLibrary('lib/index.js')]);
}
