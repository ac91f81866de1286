import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The text of a file of the package; undefined where there is none. */
export function packageFile(path: string): string | undefined {
  // The package has them next to the bundle's folder, and the sources two folders above this file.
  const roots = [dirname(__dirname), dirname(dirname(__dirname))];
  const found = roots.map((root) => join(root, path)).find((one) => existsSync(one));
  return found === undefined ? undefined : readFileSync(found, 'utf8');
}
