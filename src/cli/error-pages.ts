import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The page about a code, as Markdown; undefined where there is none. */
export function errorPage(code: string): string | undefined {
  // The docs are next to the bundle's folder in the package, and two folders above this file in the sources.
  const roots = [dirname(__dirname), dirname(dirname(__dirname))];
  const path = roots.map((root) => join(root, 'docs', 'errors', `${code}.md`)).find((one) => existsSync(one));
  return path === undefined ? undefined : readFileSync(path, 'utf8');
}
