import { describe, expect, it } from '@jest/globals';
import { begun, fleet } from '../../../../test/kit/decide-fleets.js';
import { NOW, policyOf } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';

const SHUT = [{ schedule: '0 22 * * *', duration: '1h' }];
const pool = { name: 'gb200', nodeSelector: { pool: 'gb200' }, maintenanceWindows: SHUT };
const policy = policyOf({ maxParallelUpgrades: 0 }, { rollout: { maintenanceWindows: SHUT, pools: [pool] } });
const nodes = { a: {}, b: { labels: { pool: 'gb200' } } };
const ANNOTATION = 'the annotation weft.dev/ignore-windows-until of the status ConfigMap';

describe('decide: windows that a person has ignored', () => {
  it.each([
    { until: undefined, expected: [], message: undefined },
    {
      until: '2026-11-20T12:00:01Z',
      ...{
        expected: ['a', 'b'],
        message: `maintenance windows are ignored until 2026-11-20T12:00:01Z, by ${ANNOTATION}`,
      },
    },
    {
      until: '2026-11-20T14:00:00+01:00',
      ...{
        expected: ['a', 'b'],
        message: `maintenance windows are ignored until 2026-11-20T13:00:00Z, by ${ANNOTATION}`,
      },
    },
    {
      until: '2026-11-20T12:00:00Z',
      ...{ expected: [], message: `maintenance windows hold: ${ANNOTATION} ended at 2026-11-20T12:00:00Z` },
    },
    {
      until: 'tomorrow',
      expected: [],
      message: `maintenance windows hold: ${ANNOTATION} is "tomorrow", and no time such as 2026-12-04T22:00:00Z`,
    },
    {
      until: '2026-12-04',
      expected: [],
      message: `maintenance windows hold: ${ANNOTATION} is "2026-12-04", and no time such as 2026-12-04T22:00:00Z`,
    },
  ])('until $until', ({ until, expected, message }) => {
    const decision = decide({ ...fleet(nodes), ignoreWindowsUntil: until }, policy, NOW);
    expect(begun(decision)).toEqual(expected);
    const said = decision.findings.filter(({ kind }) => kind === 'windows-ignored' || kind === 'windows-kept');
    expect(said.map((one) => one.message)).toEqual(message === undefined ? [] : [message]);
  });

  it('are not spoken of where there are none', () => {
    const { findings } = decide({ ...fleet(nodes), ignoreWindowsUntil: 'tomorrow' }, policyOf(), NOW);
    expect(findings).toEqual([]);
  });
});
