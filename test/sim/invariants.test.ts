import type { UpgradePolicy } from '../../src/shared/contract/upgrade-policy.js';
import { cordonMark } from '../kit/records.js';
import { describe, expect, it } from '@jest/globals';
import { decide } from '../../src/companion/decide.js';
import type { Action, PatchNode, SnapshotNode } from '../../src/companion/model/types.js';
import type { DecisionChange } from './run/companion.js';
import { runLoopScenario } from './run/loop-run.js';
import { compareNeighbours } from './run/compare-neighbours.js';
import { drawNeighbours } from './scenario/neighbours.js';
import { runScenario } from './run/run.js';
import { drawScenario } from './scenario/scenario.js';
import {
  adding,
  changing,
  driverOf,
  evictionsOn,
  noticed,
  patchOf,
  SEEDS,
  seedsAfter,
  stateOf,
  withState,
  type Mistake,
} from './mistakes.js';

const cases: readonly Mistake[] = [
  {
    name: 'evictions on nodes that are not cordoned',
    change: adding((snapshot) =>
      evictionsOn(snapshot, withState(snapshot, 'upgrade-required'), (pod) => pod.controller?.kind === 'ReplicaSet'),
    ),
    expected: /evictions follow a cordon/,
  },
  {
    name: 'a mirror pod that is evicted',
    change: adding((snapshot) => evictionsOn(snapshot, withState(snapshot, 'drain-required'), (pod) => pod.mirror)),
    expected: /mirror pod|cordon/,
  },
  {
    name: 'pods of other DaemonSets that are evicted',
    change: adding((snapshot) =>
      evictionsOn(snapshot, withState(snapshot, 'drain-required'), (pod) => pod.controller?.name === 'agent'),
    ),
    expected: /another DaemonSet|cordon/,
  },
  {
    name: 'pods that ask to be spared',
    change: adding((snapshot) =>
      evictionsOn(snapshot, withState(snapshot, 'drain-required'), ({ labels }) =>
        Object.keys(labels).some((key) => key.endsWith('-drain.skip')),
      ),
    ),
    expected: /outside the policy|cordon/,
    first: 28,
  },
  {
    name: 'every cordon lifted at the end',
    change: changing((patch) =>
      Object.values(patch.labels).includes('upgrade-done') ? { ...patch, unschedulable: false } : patch,
    ),
    expected: /foreign cordon/,
  },
  {
    name: 'no cordon lifted at the end',
    change: changing((patch) => {
      if (patch.unschedulable !== false) return patch;
      const entries = Object.entries(patch).filter(([key]) => key !== 'unschedulable');
      return Object.fromEntries(entries) as unknown as PatchNode;
    }),
    expected: /cordon/,
  },
  {
    name: 'a cordon that another actor set again, taken for the companion’s',
    change: (_decision, snapshot, policy, nowMs) => {
      const nodes = snapshot.nodes.map((node): SnapshotNode => {
        const mark = cordonMark(node.annotations);
        return mark === undefined || mark === 'true' ? node : { ...node, cordonTime: mark };
      });
      return decide({ ...snapshot, nodes }, policy, nowMs);
    },
    expected: /foreign cordon/,
    first: 14,
  },
  {
    name: 'more nodes than the budget allows',
    change: adding((snapshot, actions) => {
      const patched = actions.flatMap((action) => (action.kind === 'patchNode' ? [action.node] : []));
      const idle = snapshot.nodes.filter(
        (node) => stateOf(node) === 'upgrade-required' && !patched.includes(node.name),
      );
      const key = `nvidia.com/${driverOf(snapshot)}-driver-upgrade-state`;
      return idle.map((node) => patchOf(snapshot, node, { labels: { [key]: 'cordon-required' } }));
    }),
    expected: /never above/,
  },
  {
    name: 'nodes that do not wait for the canaries',
    change: (_decision, snapshot, policy, nowMs) =>
      decide(snapshot, { ...policy, rollout: withoutCanary(policy.rollout) }, nowMs),
    expected: /canaries/,
  },
  {
    name: 'nodes that begin although too many failed',
    change: (_decision, snapshot, policy, nowMs) =>
      decide(snapshot, { ...policy, rollout: { ...policy.rollout, failureBudget: '100%' } }, nowMs),
    expected: /failure budget is spent/,
  },
  {
    name: 'nodes that begin although too many of their DaemonSet failed',
    change: (_decision, snapshot, policy, nowMs) => {
      const { failureBudget } = policy.rollout;
      const share = typeof failureBudget === 'number' ? 1 : Number.parseInt(failureBudget, 10) / 100;
      const amount = typeof failureBudget === 'number' ? failureBudget : Math.ceil(share * snapshot.nodes.length);
      return decide(snapshot, { ...policy, rollout: { ...policy.rollout, failureBudget: amount } }, nowMs);
    },
    expected: /failure budget is spent/,
    first: 3398,
  },
  {
    name: 'nodes that begin although too many of their upgrade pool failed',
    change: (_decision, snapshot, policy, nowMs) => {
      const pools = policy.rollout.pools.map((pool) => ({
        ...pool,
        ...(pool.failureBudget !== undefined && { failureBudget: '100%' as const }),
      }));
      return decide(snapshot, { ...policy, rollout: { ...policy.rollout, pools } }, nowMs);
    },
    expected: /failure budget is spent/,
    first: 917,
  },
  {
    name: 'nodes that begin after the time in which windows are ignored',
    change: (_decision, snapshot, policy, nowMs) => {
      const isAsked = snapshot.ignoreWindowsUntil !== undefined;
      return decide({ ...snapshot, ...(isAsked && { ignoreWindowsUntil: '2126-01-01T00:00:00Z' }) }, policy, nowMs);
    },
    expected: /begins in its window/,
    first: 10,
  },
  {
    name: 'a driver that restarts under running pods',
    change: adding((snapshot) =>
      [...snapshot.pods]
        .filter(
          (pod) =>
            pod.deletionMs === undefined &&
            Object.keys(pod.labels).some((key) => /^nvidia.com\/(ofed|gpu)-driver$/.test(key)),
        )
        .filter((pod) => withState(snapshot, 'upgrade-required').includes(pod.nodeName))
        .map(({ namespace, name, uid, nodeName }): Action => {
          const driver = driverOf(snapshot);
          return { kind: 'deletePod', driver, node: nodeName, namespace, name, uid, reason: 'driver-restart' };
        }),
    ),
    expected: /restarts/,
  },
  {
    name: 'a value of the state label that is not upstream’s',
    change: changing((patch) => ({
      ...patch,
      labels: Object.fromEntries(
        Object.entries(patch.labels).map(([key, value]) => [key, value === 'upgrade-done' ? 'finished' : value]),
      ),
    })),
    expected: /labels/,
  },
  {
    name: 'an upgrade that begins again when it is done',
    change: changing((patch, snapshot) => {
      const key = `nvidia.com/${driverOf(snapshot)}-driver-upgrade-state`;
      return patch.labels[key] === 'upgrade-done'
        ? { ...patch, labels: { ...patch.labels, [key]: 'upgrade-required' } }
        : patch;
    }),
    expected: /twice|ends|acts or says/,
    first: 5,
  },
  {
    name: 'a node that is never let go on',
    change: changing((patch) => (patch.steps.some(({ to }) => to === 'pod-restart-required') ? undefined : patch)),
    expected: /ends|acts or says/,
  },
  {
    name: 'waits without a time to decide again',
    change: ({ actions, waiting, findings, daemonSetLookups, counts }) => ({
      actions,
      waiting,
      findings,
      daemonSetLookups,
      counts,
    }),
    expected: /ends/,
  },
];

const beginsNone = (patch: PatchNode): PatchNode | undefined =>
  patch.steps.some(({ row }) => row === 'begin') ? undefined : patch;
/** No node begins while another one is being drained. */
const oneDrainAtATime: DecisionChange = (decision, snapshot, ...rest) =>
  withState(snapshot, 'drain-required').length === 0 && withState(snapshot, 'wait-for-jobs-required').length === 0
    ? decision
    : changing(beginsNone)(decision, snapshot, ...rest);
/** Nodes begin in the first minute of each hour only. */
const hourly: DecisionChange = (decision, snapshot, policy, nowMs) => {
  const wakeMs = nowMs + 30_000;
  const mayBegin = nowMs % 3_600_000 < 60_000;
  return { ...(mayBegin ? decision : changing(beginsNone)(decision, snapshot, policy, nowMs)), wakeMs };
};

const withoutCanary = (rollout: UpgradePolicy['rollout']): UpgradePolicy['rollout'] => ({
  ...rollout,
  canary: undefined,
});

describe('the rules notice', () => {
  it('a node that costs the others more than its slot', async () => {
    let noticed: string | undefined;
    for (const seed of seedsAfter(61)) {
      const scenario = drawNeighbours(seed);
      noticed = (await compareNeighbours(scenario, (one) => runScenario(one, oneDrainAtATime))).violation?.rule;
      if (noticed !== undefined) break;
    }
    expect(noticed).toMatch(/costs the others nothing/);
  });

  it('a run that takes longer than its nodes need', () => {
    // With some seeds another rule notices the same first.
    const isNoticed = seedsAfter(14).some((seed) =>
      runScenario(drawScenario(seed), hourly).violation?.rule.includes('no longer than its policy'),
    );
    expect(isNoticed).toBe(true);
  });

  it.each(cases)('$name', (one) => {
    expect(noticed(one)).toMatch(one.expected);
  });

  it('two holders that act', async () => {
    let noticed: string | undefined;
    for (const seed of SEEDS) {
      noticed ??= (await runLoopScenario(drawScenario(seed), true)).violation?.rule;
      if (noticed !== undefined) break;
    }
    expect(noticed).toMatch(/two holders/);
  });
});
