import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { updatedNodes } from './kit/node-texts.js';

/** Decisions about a few nodes. `WEFT_UPDATE=1` writes the current results into the texts; reviewers read the difference. */
const FOLDER = join('test', 'node-texts');

it.each(readdirSync(FOLDER).filter((name) => name.endsWith('.txt')))('%s', (name) => {
  const path = join(FOLDER, name);
  const text = readFileSync(path, 'utf8');
  const updated = updatedNodes(text);
  if (process.env['WEFT_UPDATE'] === '1') writeFileSync(path, updated);
  else expect(updated).toBe(text);
});
