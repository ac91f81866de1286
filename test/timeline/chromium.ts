import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The path of a browser that is installed here; undefined: there is none. `WEFT_CHROMIUM` names another one. */
export function chromiumPath(): string | undefined {
  const given = process.env['WEFT_CHROMIUM'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...(given === undefined ? [] : [given]), ...paths].find(isExecutable);
}

/** Starts the browser. */
export async function launchChromium(executablePath: string): Promise<Browser> {
  // It takes a second to load, which the tests without a browser need not wait for.
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
