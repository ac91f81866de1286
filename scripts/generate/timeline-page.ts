import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { writeGenerated } from './written.js';

// Writes the script and the style of the timeline as texts that a page can hold, from `src/forecast/page/browser`.

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

const literal = (text: string): string => `\`${text.replace(/[\\`]|\$\{/g, (found) => `\\${found}`)}\``;

await writeGenerated(
  {
    'src/forecast/page/page-assets.ts': `// \`npm run timeline\` writes this file from \`src/forecast/page/browser\`.

/** The program of the page. */
export const SCRIPT = ${literal(script)};

/** Its style. */
export const STYLE = ${literal(style)};
`,
  },
  'timeline',
);
