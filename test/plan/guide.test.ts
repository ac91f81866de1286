import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { NOT_SIMULATED } from '../../src/forecast/plan/notes.js';
import { spanText } from '../../src/forecast/plan/render/span.js';
import { DEFAULT_DURATIONS } from '../../src/forecast/plan/cluster/durations.js';

const guide = readFileSync('docs/guide/plan.md', 'utf8');

it('the guide has the default of each duration', () => {
  for (const [name, [from, to]] of Object.entries(DEFAULT_DURATIONS))
    expect(guide).toMatch(new RegExp(`\\| \`${name}\` +\\|.*\\| ${spanText(from)} to ${spanText(to)} `));
});

it('the guide has a row for each thing that a plan names because it is not simulated', () => {
  const rows = guide.split('\n').filter((line) => line.startsWith('|') && /the plan (?:counts|says so)/.test(line));
  expect(rows).toHaveLength(Object.keys(NOT_SIMULATED).length);
});
