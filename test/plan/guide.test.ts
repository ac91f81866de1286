import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { spanText } from '../../src/forecast/plan/render/span.js';
import { DEFAULT_DURATIONS } from '../../src/forecast/plan/cluster/durations.js';

const guide = readFileSync('docs/guide/plan.md', 'utf8');

it('the guide has the default of each duration', () => {
  for (const [name, [from, to]] of Object.entries(DEFAULT_DURATIONS))
    expect(guide).toMatch(new RegExp(`\\| \`${name}\` +\\|.*\\| ${spanText(from)} to ${spanText(to)} `));
});
