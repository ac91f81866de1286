import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replay } from './scenario/replay.js';

/** Scenarios of upgrades. `WEFT_UPDATE=1` writes the current results into them; reviewers read the difference. */
const FOLDER = join('test', 'scenarios');
const scenarios = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'));

it.each(scenarios)('%s', (name) => {
  const path = join(FOLDER, name);
  const text = readFileSync(path, 'utf8');
  const replayed = replay(text);
  if (process.env['WEFT_UPDATE'] === '1') writeFileSync(path, replayed);
  else expect(replayed).toBe(text);
});
