import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { bundledForCompanion } from '../../build-companion.js';
import { bundledPackages, noticesText } from '../../notices.js';

const require = createRequire(import.meta.url);
const HERE = 'scripts/site/playground';

/** Bundles the generator for a browser, as one module that imports nothing, and the licences of the packages in it. */
export async function bundlePlayground(folder: string): Promise<void> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const program = await bundledForCompanion('src/companion/runtime/main.ts');
  const unused = Object.fromEntries(
    ['fs', 'path', 'os', 'child_process'].map((name) => [name, `./${HERE}/no-module.ts`]),
  );
  const { metafile } = await build({
    metafile: true,
    entryPoints: [`${HERE}/compile.ts`],
    outfile: join(folder, 'compile.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
    legalComments: 'none',
    define: {
      WEFT_VERSION: JSON.stringify(version),
      WEFT_COMPANION_PROGRAM: JSON.stringify(program),
      // cdk8s reads settings there.
      'process.env': '{}',
    },
    alias: {
      ...unused,
      crypto: `./${HERE}/node-crypto.ts`,
      'node:crypto': `./${HERE}/node-crypto.ts`,
      'node:util': `./${HERE}/node-util.ts`,
      // The same modules as in the command.
      'jsonc-parser': require.resolve('jsonc-parser/lib/esm/main.js'),
      yaml: join(dirname(require.resolve('yaml/package.json')), 'browser/dist/index.js'),
    },
  });
  const notices = noticesText('`compile.js` contains', bundledPackages(metafile));
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices);
}
