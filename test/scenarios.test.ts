import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { retell } from './scenario/tell.js';

/** Stories of upgrades. `WEFT_UPDATE=1` writes what happens now into them; the difference is read in review. */
const FOLDER = join('test', 'scenarios');
const stories = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'));

it.each(stories)('%s', (name) => {
  const path = join(FOLDER, name);
  const text = readFileSync(path, 'utf8');
  const retold = retell(text);
  if (process.env['WEFT_UPDATE'] === '1') writeFileSync(path, retold);
  else expect(retold).toBe(text);
});
