import { expect, it } from '@jest/globals';
import { operatorGpuDriver } from '../../../test/kit/gpu-drivers.js';
import { ofedDriver } from '../../../test/kit/snapshots.js';
import type { Blocker, Waiting } from '../../companion/model/types.js';
import { makeStore } from '../simulation/store.js';
import { obstaclesOf } from './obstacles.js';
import { whatText } from './render/text.js';
import type { NodeRecord, RunRecord } from './run/record.js';

const NODE = { node: 'n', driver: 'ofed', evicted: [], history: [] } as const;

/** What is in the way of one node. */
function ofNode(record: Partial<NodeRecord>): ReturnType<typeof obstaclesOf> {
  const cluster = {
    policy: {
      ...{ paused: false, rollout: { pools: [], maintenanceWindows: [] } },
      drivers: [ofedDriver(), operatorGpuDriver({}, { labelPrefix: 'weft-gpu' })],
    },
    store: makeStore(),
  };
  const run = { nodes: [{ ...NODE, ...record }], cluster, findings: [], isComplete: true };
  return obstaclesOf(run as unknown as RunRecord);
}

const waits = (change: Partial<Waiting>): Waiting => ({
  ...{ driver: 'ofed', node: 'n', state: 'drain-required', kind: 'evictions', message: 'waits', blockers: [] },
  ...change,
});

const blocked = { pod: 'apps/w', budgets: [], reason: 'was refused 3 times: no' } as const;
const blockers: readonly (readonly [Blocker, object])[] = [
  [
    { ...blocked, kind: 'refusal', budgets: ['web'], refusal: 'no' },
    { kind: 'budget', budget: 'apps/web', message: 'its eviction is refused: no' },
  ],
  [
    { ...blocked, kind: 'refusal', refusal: 'held by a freeze: pod x/y has no controller' },
    { kind: 'eviction', message: 'its eviction is refused: held by a freeze: pod x/y has no controller' },
  ],
  [
    { ...blocked, kind: 'termination', reason: 'ends', finalizers: ['x/y'] },
    { kind: 'finalizer', message: 'ends' },
  ],
  [
    { ...blocked, kind: 'termination', reason: 'ends' },
    { kind: 'termination', message: 'ends' },
  ],
  [
    { ...blocked, kind: 'job', reason: 'is Running' },
    { kind: 'eviction', message: 'is Running' },
  ],
];

it.each(blockers)('is of the kind of the pod, whatever the API server says: %j', (blocker, expected) => {
  expect(ofNode({ last: waits({ blockers: [blocker] }) })).toMatchObject([
    { nodes: ['n'], pod: 'apps/w', ...expected },
  ]);
});

const bare = { kind: 'no-controller', pod: 'apps/bare' } as const;
const cases: readonly (readonly [string, Partial<NodeRecord>, object])[] = [
  [
    'of a failed node',
    { failure: 'it failed', last: waits({ kind: 'failed', refusals: [bare] }) },
    { kind: 'no-controller', pod: 'apps/bare', message: 'it failed' },
  ],
  [
    'that the Maintenance Operator would not evict',
    { last: waits({ kind: 'maintenance', message: 'it is in Draining', refusals: [{ ...bare, kind: 'empty-dir' }] }) },
    { kind: 'empty-dir', pod: 'apps/bare', message: 'it is in Draining' },
  ],
  [
    'that no option of the policy allows',
    { failure: 'it failed', last: waits({ kind: 'failed', refusals: [{ ...bare, kind: 'keeps-running' }] }) },
    { kind: 'failed', message: 'it failed' },
  ],
  [
    'only where there is one',
    { failure: 'pod apps/bare has no controller', last: waits({ kind: 'failed' }) },
    { kind: 'failed', message: 'pod apps/bare has no controller' },
  ],
];

it.each(cases)('is a pod that may not be evicted: %s', (_name, record, expected) => {
  expect(ofNode(record)).toMatchObject([{ isStuck: true, nodes: ['n'], ...expected }]);
});

it('is shown with its pod, whatever the API server says', () => {
  const refusal = 'a freeze of apps/w';
  const [obstacle] = ofNode({ last: waits({ blockers: [{ ...blocked, kind: 'refusal', refusal }] }) });
  expect(obstacle && whatText(obstacle)).toBe('pod apps/w: its eviction is refused: a freeze of apps/w');
  const [named] = ofNode({ failure: 'pod apps/bare stays', last: waits({ kind: 'failed', refusals: [bare] }) });
  expect(named && whatText(named)).toBe('pod apps/bare stays');
});

it('has help for the driver of the node', () => {
  const job = { ...blocked, kind: 'job' } as const;
  const [blocker] = ofNode({ last: waits({ blockers: [job] }) });
  expect(blocker?.help).toContain('label the pod nvidia.com/ofed-driver-upgrade-drain.skip=true');
  const [failed] = ofNode({ driver: 'weft-gpu', failure: 'it failed' });
  expect(failed?.help).toContain('when the GPU operator has it as `upgrade-done`');
});
