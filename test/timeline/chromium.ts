import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The path of a browser that is installed here; undefined: there is none. `WEFT_CHROMIUM` names another one. */
export function chromiumPath(): string | undefined {
  const given = process.env['WEFT_CHROMIUM'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...(given === undefined ? [] : [given]), ...paths].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
