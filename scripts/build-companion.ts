import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build } from 'esbuild';
import { bundledPackages, noticesText, type BundledPackage } from './notices.js';

/** The maximum size of the program as JSON text in its ConfigMap. The API server accepts objects of up to about 1 MiB. */
const PROGRAM_JSON_BYTES_MAX = 600 * 1024;

/** Bundles a file of the companion with everything that it imports, so that it needs no packages. */
export async function bundledForCompanion(entryPoint: string): Promise<string> {
  return (await bundle(entryPoint)).text;
}

/** The ConfigMap has nothing beside the program, so the notices of its packages are the program's last lines. */
async function bundle(
  entryPoint: string,
): Promise<{ readonly text: string; readonly packages: readonly BundledPackage[] }> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { outputFiles, metafile } = await build({
    entryPoints: [entryPoint],
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'warning',
    legalComments: 'none',
    define: { WEFT_VERSION: JSON.stringify(version) },
  });
  const packages = bundledPackages(metafile);
  const notices = noticesText('This program contains', packages).trimEnd().split('\n');
  const comment = notices.map((line) => `// ${line}`.trimEnd()).join('\n');
  return { text: `${outputFiles[0]?.text ?? ''}${comment}\n`, packages };
}

/** The companion's program: one file that a stock Node image runs. Returns the packages in it. */
export async function buildCompanion(outfile: string): Promise<readonly BundledPackage[]> {
  const { text, packages } = await bundle('src/companion/runtime/main.ts');
  const bytes = Buffer.byteLength(JSON.stringify(text));
  if (bytes > PROGRAM_JSON_BYTES_MAX) throw new Error(`the companion's program takes ${bytes} bytes as JSON text`);
  await mkdir(dirname(outfile), { recursive: true });
  writeFileSync(outfile, text);
  return packages;
}

// The Dockerfile builds only this file.
if (/[\\/]scripts[\\/]build-companion\.ts$/.test(process.argv[1] ?? '')) void buildCompanion(process.argv[2] ?? '');
