import { allAddOns } from '../../src/compile/addons/all.js';
import { allComponents } from '../../src/compile/components/all.js';
import { networkKinds } from '../../src/compile/networks/all.js';
import { replaceBetween } from './markdown.js';
import type { Page } from './pages.js';

/** Reads a file of the project; throws if it does not exist. */
export type ReadFile = (path: string) => string;

const OPEN = '<!-- options -->';
const CLOSE = '<!-- /options -->';

/** Generated pages, and the problems of those that could not be generated. */
export interface Readmes {
  readonly pages: readonly Page[];
  readonly problems: readonly string[];
}

/** The READMEs of components, networks and add-ons, with the links to their options filled in. */
export function readmes(readFile: (path: string) => string | undefined): Readmes {
  const components = allComponents.map(({ id, source }) => ({
    path: `src/compile/components/${id}/README.md`,
    kinds: source.scopes.map((scope) => (scope === 'cluster' ? 'NicClusterPolicy' : 'NicNodePolicy')),
    section: ['spec', ...source.path],
  }));
  const networks = networkKinds.map(({ id, kind }) => ({
    path: `src/compile/networks/${id}/README.md`,
    kinds: [kind],
    section: ['spec'],
  }));
  const addOns = allAddOns.map(({ id, source }) => ({
    path: `src/compile/addons/${id}/README.md`,
    kinds: ['Cluster'],
    section: ['spec', ...source.path],
  }));
  const pages: Page[] = [];
  const problems: string[] = [];
  for (const { path, kinds, section } of [...components, ...networks, ...addOns]) {
    const text = replaceBetween(readFile(path) ?? '', OPEN, CLOSE, optionLinks(kinds, section));
    if (text === undefined) problems.push(`${path} needs the lines \`${OPEN}\` and \`${CLOSE}\``);
    else pages.push({ path, text });
  }
  return { pages, problems };
}

/** Where the options of a section are: the pages of its kinds, which have a part for each key of `spec`, and the command. */
function optionLinks(kinds: readonly string[], section: readonly string[]): string {
  const anchor = section.length === 1 ? '' : `#${section.slice(0, 2).join('').toLowerCase()}`;
  const pages = kinds.map((kind) => `[${kind}](../../../../docs/reference/options/${kind}.md${anchor})`).join(', ');
  return `\`${section.join('.')}\` of ${pages}; or \`weft explain ${kinds[0] ?? ''}.${section.join('.')}\`.`;
}

/** The README of the project, with the lists from the registries and the embedded files. */
export function projectReadme(readFile: ReadFile): Page {
  const path = 'README.md';
  const lines = [
    `- Components: ${allComponents.map(({ id }) => `[${id}](src/compile/components/${id}/README.md)`).join(', ')}.`,
    `- Add-ons: ${allAddOns.map(({ id }) => `[${id}](src/compile/addons/${id}/README.md)`).join(', ')}.`,
    `- Networks: ${networkKinds.map(({ id, kind }) => `[${kind}](src/compile/networks/${id}/README.md)`).join(', ')}.`,
  ];
  const text = replaceBetween(readFile(path), '<!-- compiled -->', '<!-- /compiled -->', lines.join('\n'));
  if (text === undefined) throw new Error('README.md has no markers for what is compiled');
  return { path, text: withFiles(text, readFile) };
}

/** A text with real files in it: the fenced block below `<!-- file: path -->` becomes that file. */
function withFiles(page: string, readFile: ReadFile): string {
  const block = /(<!-- file: (\S+) -->\n\n(```+)[^\n]*\n)[^]*?(\n\3)/g;
  return page.replace(
    block,
    (_all, head: string, target: string, _fence: string, tail: string) => head + readFile(target).trimEnd() + tail,
  );
}
