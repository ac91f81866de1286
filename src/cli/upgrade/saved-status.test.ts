import { expect, it } from '@jest/globals';
import type { Waiting } from '../../companion/model/types.js';
import { STATUS_KEY, statusData } from '../../companion/runtime/report/status.js';
import { readSavedStatus } from './saved-status.js';

const refused: Waiting = {
  ...{ driver: 'ofed', node: 'n1', state: 'drain-required', kind: 'evictions', message: 'pod db/pg-0 was refused' },
  sinceMs: 0,
  blockers: [
    {
      ...{ kind: 'refusal', pod: 'db/pg-0', budgets: ['pg'], reason: 'was refused 1 time: no', refusal: 'no' },
      retryMs: 9_000,
    },
    { kind: 'termination', pod: 'db/pg-1', budgets: [], reason: 'is ending, held by x/y', finalizers: ['x/y'] },
  ],
  refusals: [{ kind: 'no-controller', pod: 'db/bare' }],
};
const data = statusData({
  ...{ runId: 'job-a', policyHash: 'abc', failedBefore: [], listed: [], problems: ['node n2: no'] },
  decision: { waiting: [refused], findings: [], counts: [] },
});

it('reads what the companion writes', () => {
  const saved = { run: 'job-a', policyHash: 'abc', waiting: [refused], moreWaiting: 0, problems: ['node n2: no'] };
  expect(readSavedStatus(data)).toEqual(saved);
});

it('reads a status of a companion that wrote no kinds of pods', () => {
  const text = data[STATUS_KEY]?.replaceAll(/"kind": "(?:refusal|termination)",/g, '') ?? '';
  const [wait] = readSavedStatus({ [STATUS_KEY]: text })?.waiting ?? [];
  expect(wait?.blockers).toMatchObject([{ kind: 'eviction', pod: 'db/pg-0' }, { pod: 'db/pg-1' }]);
});

it.each([
  ['no status', {}],
  ['a status of a companion that knows other waits', { [STATUS_KEY]: data[STATUS_KEY]?.replace('"evictions"', '"a"') }],
  ['a status that is no JSON', { [STATUS_KEY]: '{' }],
])('%s is not read', (_name, text) => expect(readSavedStatus(text as Record<string, string>)).toBeUndefined());
