import { readFileSync } from 'node:fs';
import { build, type BuildOptions } from 'esbuild';

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

/** The command: one file that holds everything but jiti, which only a `cluster.ts` needs. */
export async function buildCommand(outfile: string): Promise<void> {
  await build({
    ...common(),
    entryPoints: ['src/cli/main.ts'],
    outfile,
    format: 'cjs',
    minifySyntax: true,
    // cdk8s brings a copy of yaml of its own.
    alias: { yaml: './node_modules/yaml' },
    external: ['jiti'],
  });
}

/** The library: its dependencies stay imports, so that a program shares one copy of cdk8s with it. */
async function buildLibrary(outfile: string): Promise<void> {
  await build({ ...common(), entryPoints: ['src/index.ts'], outfile, format: 'esm', packages: 'external' });
}

// Not where a test imports this file for `buildCommand`.
if (/[\\/]scripts[\\/]build\.ts$/.test(process.argv[1] ?? '')) {
  void Promise.all([buildCommand('lib/weft.cjs'), buildLibrary('lib/index.js')]);
}
