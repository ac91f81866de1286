import { expect, it } from '@jest/globals';
import type { Waiting } from '../../companion/model/types.js';
import { STATUS_KEY, statusData } from '../../companion/runtime/report/status.js';
import { readSavedStatus } from './saved-status.js';

const refused: Waiting = {
  ...{ driver: 'ofed', node: 'n1', state: 'drain-required', kind: 'evictions', message: 'pod db/pg-0 was refused' },
  sinceMs: 0,
  blockers: [{ pod: 'db/pg-0', budgets: ['pg'], reason: 'was refused', retryMs: 9_000 }],
};
const data = statusData({
  ...{ runId: 'job-a', policyHash: 'abc', failedBefore: [], listed: [], problems: ['node n2: no'] },
  decision: { waiting: [refused], findings: [], counts: [] },
});

it('reads what the companion writes', () => {
  const saved = { run: 'job-a', policyHash: 'abc', waiting: [refused], moreWaiting: 0, problems: ['node n2: no'] };
  expect(readSavedStatus(data)).toEqual(saved);
});

it.each([
  ['no status', {}],
  ['a status of a companion that knows other waits', { [STATUS_KEY]: data[STATUS_KEY]?.replace('"evictions"', '"a"') }],
  ['a status that is no JSON', { [STATUS_KEY]: '{' }],
])('%s is not read', (_name, text) => expect(readSavedStatus(text as Record<string, string>)).toBeUndefined());
