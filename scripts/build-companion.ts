import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build } from 'esbuild';

/** The maximum size of the program as JSON text in its ConfigMap. The API server accepts objects of up to about 1 MiB. */
const PROGRAM_JSON_BYTES_MAX = 600 * 1024;

/** Bundles a file of the companion with everything that it imports, so that it needs no packages. */
export async function bundledForCompanion(entryPoint: string): Promise<string> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    write: false,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'warning',
    legalComments: 'none',
    define: { WEFT_VERSION: JSON.stringify(version) },
  });
  return outputFiles[0]?.text ?? '';
}

/** The companion's program: one file that a stock Node image runs. */
export async function buildCompanion(outfile: string): Promise<void> {
  const code = await bundledForCompanion('src/upgrade/runtime/main.ts');
  const bytes = Buffer.byteLength(JSON.stringify(code));
  if (bytes > PROGRAM_JSON_BYTES_MAX) throw new Error(`the companion's program takes ${bytes} bytes as JSON text`);
  await mkdir(dirname(outfile), { recursive: true });
  writeFileSync(outfile, code);
}

// The Dockerfile builds only this file.
if (/[\\/]scripts[\\/]build-companion\.ts$/.test(process.argv[1] ?? '')) void buildCompanion(process.argv[2] ?? '');
