import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { DefaultTheme, UserConfig } from 'vitepress';
import { componentGroup, guideGroups, NO_PAGES, pagePath, siteLink } from './documents.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** Nothing is loaded from elsewhere, and nothing is sent, not even to the server of the site. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'none'",
  "form-action 'none'",
].join('; ');

type MarkdownIt = Parameters<NonNullable<NonNullable<UserConfig['markdown']>['config']>>[0];

/** Links of documents are those of the repository, where GitHub follows them. */
function withSiteLinks(md: MarkdownIt): void {
  md.core.ruler.push('site-links', ({ tokens, env }) => {
    // VitePress gives the path on the site, and beside it that of the file; for the search only that of the file.
    const { path, realPath = path } = env as { readonly path: string; readonly realPath?: string };
    const source = relative(process.cwd(), realPath);
    for (const link of tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open'))
      link.attrSet('href', siteLink(source, link.attrGet('href') ?? ''));
  });
}

/** Vue would compute what stands in two braces. */
function withBraces(md: MarkdownIt): void {
  const { rules } = md.renderer;
  for (const name of ['text', 'code_inline'] as const) {
    const render = rules[name];
    rules[name] = (...given) => render?.(...given).replaceAll('{{', '&#123;&#123;') ?? '';
  }
}

/** The ids that GitHub gives to headings. */
const githubSlug = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const collapsed = (group: ReturnType<typeof componentGroup>): DefaultTheme.SidebarItem => ({
  ...group,
  items: [...group.items],
  collapsed: true,
});

/** The documents of the repository as a site. Paths are relative to the root of the repository, where the build runs. */
export const siteConfig: UserConfig<DefaultTheme.Config> = {
  title: 'Weft',
  description: 'Compiles NVIDIA network policies into plain Kubernetes manifests.',
  lang: 'en',
  // Several versions are several folders of a server.
  base: process.env['WEFT_SITE_BASE'] ?? '/',
  srcDir: process.cwd(),
  outDir: resolve(process.env['WEFT_SITE_FOLDER'] ?? '.site'),
  cacheDir: resolve('node_modules/.cache/vitepress'),
  srcExclude: NO_PAGES,
  rewrites: (page) => pagePath(page) ?? page,
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY }],
  ],
  markdown: {
    config: (md) => {
      withSiteLinks(md);
      withBraces(md);
      md.core.ruler.disable('emoji');
    },
    anchor: { slugify: githubSlug },
    // Braces behind a heading are text, as on GitHub.
    attrs: { disable: true },
  },
  themeConfig: {
    // Codes of diagnostics differ in a digit.
    search: { provider: 'local', options: { miniSearch: { searchOptions: { fuzzy: false, combineWith: 'AND' } } } },
    outline: [2, 3],
    nav: [
      { text: 'Playground', link: '/playground' },
      {
        text: 'Examples',
        items: [
          { text: 'The page of a plan', link: '/plan' },
          { text: 'The comment of a diff', link: '/comment' },
        ],
      },
      { text: 'Diagnostics', link: '/errors/' },
      { text: `v${version}`, link: '/project/CHANGELOG' },
    ],
    sidebar: [
      ...guideGroups().map(({ text, items }) => ({ text, items: [...items] })),
      collapsed(componentGroup('Components', 'components')),
      collapsed(componentGroup('Add-ons', 'addons')),
      collapsed(componentGroup('Networks', 'networks')),
    ],
  },
};
