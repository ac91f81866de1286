import { compareText } from '../../src/shared/lib/json.js';
import type { Page } from './pages.js';

/** The parts of the list, and the folders or files of their pages. */
const PARTS: readonly (readonly [title: string, pattern: RegExp])[] = [
  ['Guides', /^docs\/guide\/[\w-]+\.md$/],
  ['Reference', /^docs\/(?:reference\/[\w-]+|reference\/options\/\w+|errors\/README)\.md$/],
  ['Project', /^(?:SECURITY|CHANGELOG|ARCHITECTURE|CONTRIBUTING|AGENTS)\.md$/],
];

const ABOUT = `# Weft

> Weft compiles the custom resources of the NVIDIA Network Operator into plain Kubernetes manifests: \`weft synth\` renders them, \`weft diff\` says
> what a change does to nodes and pods. \`weft explain <field>\` and \`weft explain <code>\` print a field and a diagnostic.
`;

/** \`docs/llms.txt\` (llmstxt.org): each page in a line, with its first sentence. */
export function llmsPage(paths: readonly string[], read: (path: string) => string): Page {
  const parts = PARTS.map(([title, pattern]) => {
    const lines = paths.filter((path) => pattern.test(path)).sort(compareText);
    return `\n## ${title}\n\n${lines.map((path) => lineOf(path, read(path))).join('')}`;
  });
  return { path: 'docs/llms.txt', text: `${ABOUT}${parts.join('')}` };
}

function lineOf(path: string, text: string): string {
  const [, title = path] = /^# (.*)$/m.exec(text) ?? [];
  const link = path.startsWith('docs/') ? path.slice('docs/'.length) : `../${path}`;
  const sentence = firstSentence(text);
  return `- [${title.replaceAll('`', '')}](${link})${sentence === '' ? '' : `: ${sentence}`}\n`;
}

/** Of the first paragraph that is text; empty where the page begins with a table, a list or an example. */
function firstSentence(text: string): string {
  const [, first = ''] = text
    .replace(/<!--[^]*?-->\n*/g, '')
    .split(/\n\n+/)
    .map((paragraph) => paragraph.trim());
  if (/^(?:#|\||>|```|- |\d+\.)/.test(first)) return '';
  const words = first.replace(/\s+/g, ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return /^.*?(?:\.(?= [A-Z`]|$)|:$)/.exec(words)?.[0].replace(/:$/, '.') ?? '';
}
