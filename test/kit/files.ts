import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of all files below a folder, which begin with the folder. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}
