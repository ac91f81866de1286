import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Links of the pages of a built site to files or headings that it does not have, and files of others that a page would load. VitePress
 * checks neither headings nor links outside of Markdown.
 *
 * @param base the path of the site on its server
 */
export function deadLinks(folder: string, base: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  const pages = files.filter((name) => name.endsWith('.html'));
  const texts = new Map(pages.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const ids = new Map([...texts].map(([name, text]) => [name, new Set(attributes(text, 'id'))]));
  const known = new Set(files);
  const isDead = (page: string, link: string): boolean => {
    const { host, pathname, hash } = new URL(link, `http://site${base}${page}`);
    if (host !== 'site') return false;
    if (!pathname.startsWith(base)) return true;
    const path = decodeURIComponent(pathname.slice(base.length));
    const name = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (!known.has(name)) return true;
    return hash.length > 1 && ids.get(name)?.has(decodeURIComponent(hash.slice(1))) !== true;
  };
  return [...texts].flatMap(([page, text]) => {
    const loaded = attributes(text, 'src').filter((link) => /^(?:https?:)?\/\//.test(link));
    const dead = [...attributes(text, 'href'), ...attributes(text, 'src')].filter((link) => isDead(page, link));
    return [...new Set([...dead, ...loaded])].map((link) => `${page}: ${link}`);
  });
}

/** Values of an attribute of the elements of a page. Code in it has no `<`. */
function attributes(html: string, name: string): readonly string[] {
  return [...html.matchAll(/<[a-z][^<>]*>/gi)].flatMap(
    ([tag]) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? [],
  );
}
