import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

/** Markdown files that are pages of the site, and their paths on it. The first row that matches counts. */
const PAGES: readonly (readonly [RegExp, string])[] = [
  [/^README\.md$/, 'index.md'],
  [/^([A-Z]+)\.md$/, 'project/$1.md'],
  [/^docs\/(.*\/)?README\.md$/, '$1index.md'],
  [/^docs\/(.+\.md)$/, '$1'],
  [/^src\/compile\/(components|networks|addons)\/([^/]+)\/README\.md$/, '$1/$2.md'],
  // A page of the site shows it.
  [/^examples\/ci\/comment\.md$/, 'comment.md'],
  [/^scripts\/site\/pages\/(.+\.md)$/, '$1'],
];

/** Globs of the Markdown files of the repository that are no pages. */
export const NO_PAGES = [
  '!(docs|src|scripts)/**/*',
  'src/!(compile)/**',
  'src/compile/!(components|networks|addons)/**',
  'scripts/!(site)/**',
];

/** The path on the site of a Markdown file, both relative and with `.md`; undefined if it is no page. */
export function pagePath(file: string): string | undefined {
  const row = PAGES.find(([pattern]) => pattern.test(file));
  return row && file.replace(...row);
}

/** The folder of the site that shows files and folders which pages link to and which are no pages. */
const FILES = 'files';

/**
 * Where a link of a document leads on the site. A link to a file or a folder that is no page leads to a page that shows it.
 *
 * @param source path of the document from the root of the repository
 */
export function siteLink(source: string, link: string): string {
  if (/^(?:[a-z]+:|[/#])/.test(link)) return link;
  const target = targetOf(source, link);
  const page = isFile(target) ? pagePath(target) : undefined;
  const [, hash] = link.split('#');
  return `/${page ?? `${FILES}/${target}.md`}${hash === undefined ? '' : `#${hash}`}`;
}

function targetOf(source: string, link: string): string {
  const [path = ''] = link.split('#');
  return normalize(join(dirname(source), path)).replace(/\/$/, '');
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The documents of the repository that are pages. */
function documents(): readonly string[] {
  const below = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return [...readdirSync('.'), ...below('docs'), ...below('src/compile')]
    .filter((path) => path.endsWith('.md') && pagePath(path) !== undefined)
    .sort();
}

/** The links of a document, without those in code, and without pictures. */
function linksOf(text: string): readonly string[] {
  const prose = text.replace(/^(```+)[^]*?^\1$/gm, '').replace(/`[^`\n]*`/g, 'code');
  return [...prose.matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

/** Files and folders that pages link to and which are no pages. */
export function linkedFiles(): readonly string[] {
  const targets = documents().flatMap((source) =>
    linksOf(readFileSync(source, 'utf8'))
      .filter((link) => siteLink(source, link).startsWith(`/${FILES}/`))
      .map((link) => targetOf(source, link)),
  );
  return [...new Set(targets)].filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined).sort();
}

/** A page with the content of a file, or with that of each file of a folder. */
export function filePage(path: string): string {
  const title = `# ${path}\n`;
  if (isFile(path)) return `${title}\n${content(path)}`;
  const parts = readdirSync(path)
    .sort()
    .map((name) => join(path, name))
    .filter(isFile)
    .map((file) => (pagePath(file) === undefined ? `## ${basename(file)}\n\n${content(file)}` : pageLine(file)));
  return `${title}\n${parts.join('\n')}`;
}

function pageLine(file: string): string {
  const [, title = basename(file)] = /^# (.*)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  return `- [${title}](${siteLink('', file)})`;
}

function content(file: string): string {
  const [, extension = 'text'] = /\.(\w+)$/.exec(file) ?? [];
  if (/^(?:png|svg)$/.test(extension)) return `![${file}](/${file})\n`;
  return `\`\`\`\`${extension}\n${readFileSync(file, 'utf8').trimEnd()}\n\`\`\`\`\n`;
}

interface Group {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** The groups of documents that the README lists below `## Guides`, in its order. */
export function guideGroups(): readonly Group[] {
  const [, section = ''] = readFileSync('README.md', 'utf8').split(/^## Guides$/m);
  const groups = section
    .split(/\n\n+/)
    .map((paragraph) => ({
      text: paragraph
        .slice(0, paragraph.indexOf('['))
        .replace(/[*.:\n]/g, '')
        .trim(),
      items: [...paragraph.matchAll(/\[([^\]]+)\]\(([^)\s]+)\)/g)].map(([, text = '', link = '']) => ({
        text,
        link: siteLink('README.md', link),
      })),
    }))
    .filter(({ items }) => items.length > 0);
  if (groups.length === 0) throw new Error('README.md has no groups of links below `## Guides`, which the site lists');
  return groups;
}

/** What the READMEs of a folder of components are about, by their titles. */
export function componentGroup(text: string, folder: string): Group {
  const items = documents()
    .filter((path) => path.startsWith(`src/compile/${folder}/`))
    .map((path) => ({ text: basename(dirname(path)), link: siteLink('', path) }));
  return { text, items };
}
