import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

/**
 * The script and the style of the page of `weft plan --format html`, as texts that an element can hold. The build of the command and
 * the tests put them where `src/forecast/page/page.ts` finds them. JavaScript, because jest reads its configuration without a compiler.
 *
 * @returns {Promise<{ script: string, style: string }>}
 */
export async function pageAssets() {
  const { outputFiles } = await build({
    entryPoints: ['src/forecast/page/browser/main.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    platform: 'browser',
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const script = (outputFiles[0]?.text ?? '').replace(/^ *\/\/ .*\n/gm, '');
  const style = readFileSync('src/forecast/page/browser/page.css', 'utf8');
  for (const text of [script, style])
    if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error('the text would end the element that it stands in');
  return { script, style };
}
