import { readFileSync } from 'node:fs';
import { build, type BuildOptions } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

const common: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  legalComments: 'none',
  define: { WEFT_VERSION: JSON.stringify(version) },
};

// The command: one file that holds everything but jiti, which only a `cluster.ts` needs.
await build({
  ...common,
  entryPoints: ['src/cli/main.ts'],
  outfile: 'lib/weft.cjs',
  format: 'cjs',
  minifySyntax: true,
  // cdk8s brings a copy of yaml of its own.
  alias: { yaml: './node_modules/yaml' },
  external: ['jiti'],
});

// The library: its dependencies stay imports, so that a program shares one copy of cdk8s with it.
await build({ ...common, entryPoints: ['src/index.ts'], outfile: 'lib/index.js', format: 'esm', packages: 'external' });
