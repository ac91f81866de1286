import { escapeHtml } from '../../src/shared/lib/escape.js';
import type { Page } from './pages.js';

const SOURCE = 'examples/ci/comment.md';
const CHARACTERS = 120;
const FONT_SIZE = 12;
/** Width of a character of common monospaced fonts, as a share of the font's size. */
const CHARACTER_WIDTH = FONT_SIZE * 0.605;
const LINE_HEIGHT = 18;
const MARGIN = 16;

interface Line {
  readonly text: string;
  readonly kind: 'title' | 'text' | 'removed' | 'added' | 'heading' | 'same';
}

const FILLS: Readonly<Record<Line['kind'], string>> = {
  title: '#1f2328',
  text: '#1f2328',
  removed: '#b31d28',
  added: '#1a7f37',
  heading: '#6639ba',
  same: '#59636e',
};

/**
 * The comment of `weft diff` on a pull request as a picture: its title, its sentences and its differences. The text is that of
 * the example, which a test creates by a run of the workflow. It is not a screenshot of a browser.
 */
export function commentPicture(readFile: (path: string) => string): Page {
  const lines = commentLines(readFile(SOURCE)).flatMap(wrapped);
  const width = Math.ceil(2 * MARGIN + CHARACTERS * CHARACTER_WIDTH);
  const height = 2 * MARGIN + lines.length * LINE_HEIGHT;
  const texts = lines.map(({ text, kind }, index) => {
    const y = MARGIN + index * LINE_HEIGHT + FONT_SIZE;
    const weight = kind === 'title' ? ' font-weight="bold"' : '';
    return `  <text x="${MARGIN}" y="${y}" fill="${FILLS[kind]}"${weight} xml:space="preserve">${escapeHtml(text)}</text>`;
  });
  const text = [
    `<!-- Made by npm run docs from ${SOURCE}, do not edit. -->`,
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="${FONT_SIZE}">`,
    '  <title>The comment of weft diff on a pull request</title>',
    `  <rect width="${width}" height="${height}" rx="6" fill="#ffffff" stroke="#d1d9e0"/>`,
    ...texts,
    '</svg>',
    '',
  ].join('\n');
  return { path: 'examples/ci/comment.svg', text };
}

/** The title, the list below it and the block of differences; tables are left out. */
function commentLines(markdown: string): readonly Line[] {
  const [, title = ''] = /^### (.*)$/m.exec(markdown) ?? [];
  const sentences = [...markdown.matchAll(/^- (.*)$/gm)].map(([, text = '']) => text.replaceAll('`', ''));
  const [head = '', diff = ''] = markdown.split('```diff\n');
  const count = [...head.matchAll(/^- /gm)].length;
  const differences = diff.slice(0, diff.indexOf('```')).trimEnd().split('\n');
  return [
    { text: title, kind: 'title' },
    ...sentences.slice(0, count).map((text): Line => ({ text: `• ${text}`, kind: 'text' })),
    { text: '', kind: 'text' },
    ...differences.map((text): Line => ({ text, kind: kindOf(text) })),
  ];
}

function kindOf(line: string): Line['kind'] {
  if (line.startsWith('@@')) return 'heading';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('+') ? 'added' : 'same';
}

function wrapped({ text, kind }: Line): readonly Line[] {
  const parts: Line[] = [];
  for (let rest = text; ; rest = `      ${rest.slice(CHARACTERS)}`) {
    parts.push({ text: rest.slice(0, CHARACTERS), kind });
    if (rest.length <= CHARACTERS) return parts;
  }
}
