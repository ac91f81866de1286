import { expect, it } from '@jest/globals';
import { objectDiff } from '../../../test/review/object-diff.js';
import type { FieldChange } from '../../cluster/changes/fields.js';
import { isComputed } from './computed.js';
import type { ObjectDiff } from './diff.js';

const [RUN, OTHER_RUN] = ['weft-companion-0123456789', 'weft-companion-9876543210'];
const changed = (path: string, from: unknown, to: unknown): FieldChange => ({ kind: 'changed', path, from, to });
const run = { kind: 'Job', name: RUN };

it.each<{ name: string; part: Partial<ObjectDiff>; expected: boolean }>([
  { name: 'the name of a run', part: { fields: [changed('data.job', RUN, OTHER_RUN)] }, expected: true },
  {
    name: 'a digest of the policy',
    part: { fields: [changed('data["policy.json"]<json>.digest', '0123456789abcdef', '0123456789abcde0')] },
    expected: true,
  },
  { name: 'a digest of something else', part: { fields: [changed('data.digest', 'a', 'b')] }, expected: false },
  {
    name: 'a value beside a hash',
    part: { fields: [changed('data.job', RUN, OTHER_RUN), changed('data.a', 1, 2)] },
    expected: false,
  },
  { name: 'a run that becomes something else', part: { fields: [changed('data.job', RUN, 'x')] }, expected: false },
  { name: 'a new name', part: { fields: [{ kind: 'added', path: 'data.job', to: RUN }] }, expected: false },
  { name: 'no field', part: {}, expected: false },
  { name: 'the run for the old state', part: { ...run, change: 'removed' }, expected: true },
  { name: 'another Job that goes', part: { ...run, name: 'backup', change: 'removed' }, expected: false },
  {
    name: 'a change of another class',
    part: { impact: 'rights', fields: [changed('rules[0].resourceNames[0]', RUN, OTHER_RUN)] },
    expected: false,
  },
])('folds what is computed: $name', ({ part, expected }) => {
  expect(isComputed(objectDiff(part))).toBe(expected);
});
