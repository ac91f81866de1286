import { allKeys } from '../../../../test/kit/snapshots.js';
import { describe, expect, it } from '@jest/globals';
import {
  operatorGpuDriver,
  GPU_SELECTOR,
  gpuDriver,
  type GpuDriverInput,
  type GpuUpgrade,
} from '../../../../test/kit/gpu-drivers.js';
import { gpuPod, gpuSet } from '../../../../test/kit/shared-nodes.js';
import {
  after,
  ago,
  daemonSet,
  driverPod,
  node,
  NOW,
  ofedDriver,
  patchesOf,
  pod,
  policyOf,
  snapshot,
  withoutController,
} from '../../../../test/kit/snapshots.js';
import { GPU_UPGRADE_ENABLED_ANNOTATION } from '../../../shared/contract/labels.js';
import type { UpgradePolicy, UpgradePolicyInput } from '../../../shared/contract/upgrade-policy.js';
import { podIndexOf } from '../../model/pod-index.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Decision, SnapshotNode } from '../../model/types.js';
import { decide } from '../../decide.js';

/** GPU drivers, whose DaemonSets are selected: upgraded by the companion, or restarted by the GPU operator. */

const OPERATOR = allKeys('gpu');
const OURS = allKeys('weft-gpu');
const OFED = allKeys('ofed');

/** All nodes may be out at once, and pods with GPUs leave them. */
const widely = (upgrade: GpuUpgrade): GpuUpgrade => ({ maxUnavailable: '100%', ...upgrade });
const HOLDERS = { resourcePrefixes: ['nvidia.com/gpu', 'nvidia.com/mig-'] };
const restarted = (upgrade: GpuUpgrade = {}, more: Partial<GpuDriverInput> = {}) =>
  gpuDriver(widely(upgrade), { ...HOLDERS, ...more });
const ofOperator = (upgrade: GpuUpgrade = {}) => operatorGpuDriver(widely(upgrade), HOLDERS);

function policyFor(...drivers: UpgradePolicyInput['drivers']): UpgradePolicy {
  return policyOf({}, {}, { drivers });
}

const user = (on: string) => pod(on, `user-${on}`, { resourceNames: ['nvidia.com/gpu'] });
const other = (on: string) => pod(on, `other-${on}`);
const DAEMON_SETS = [gpuSet(), daemonSet({ namespace: 'gpu', name: 'validator', labels: {} })];

const operatorSays = (state: string) => (state === '' ? {} : { [OPERATOR.state]: state });

/** A cluster whose nodes have these states of the operator. */
function operatorCluster(states: Readonly<Record<string, string>>, more: Partial<SnapshotNode> = {}): Snapshot {
  const names = Object.keys(states);
  return snapshot({
    nodes: names.map((name) => {
      const made = node(name, more);
      return { ...made, labels: { ...made.labels, ...operatorSays(states[name] ?? '') } };
    }),
    pods: names.flatMap((name) => [gpuPod(name), user(name), other(name)]),
    daemonSets: DAEMON_SETS,
  });
}

interface Run {
  readonly last: Decision;
  readonly state: Snapshot;
  readonly actions: readonly string[];
}

/** More than a slow operator lets pass between two of its steps. */
const QUIET_ROUNDS = 8;

/** Decides and carries out until nothing happens any more. Between two decisions the GPU operator does what `operator` says. */
function settle(from: Snapshot, policy: UpgradePolicy, operator = (one: Snapshot): Snapshot => one): Run {
  const actions: string[] = [];
  let state = from;
  let quiet = 0;
  for (let round = 0; round < 99; round += 1) {
    const last = decide(state, policy, NOW + round * 10_000);
    for (const one of last.actions) {
      const name =
        'name' in one ? one.name : one.unschedulable === undefined ? '' : one.unschedulable ? 'cordon' : 'uncordon';
      if (name !== '') actions.push(`${one.kind} ${name}${one.kind === 'patchNode' ? ` ${one.node}` : ''}`);
    }
    const next = operator(after(state, last));
    quiet = last.actions.length === 0 && JSON.stringify(next.nodes) === JSON.stringify(state.nodes) ? quiet + 1 : 0;
    if (quiet === QUIET_ROUNDS) return { last, state, actions };
    state = next;
  }
  throw new Error('it never settles');
}

/**
 * One reconcile of the GPU operator with `maxUnavailable: 0` on each node: k8s-operator-libs 11e747a, `pkg/upgrade`
 * (`ProcessUpgradeRequiredNodes`, `updateNodeToUncordonOrDoneState`).
 */
function operator(state: Snapshot): Snapshot {
  const NEXT: Readonly<Record<string, string>> = {
    'cordon-required': 'wait-for-jobs-required',
    'wait-for-jobs-required': 'pod-deletion-required',
    'pod-deletion-required': 'pod-restart-required',
    'pod-restart-required': 'validation-required',
    'validation-required': 'uncordon-required',
  };
  const nodes = state.nodes.map((one): SnapshotNode => {
    const now = one.labels[OPERATOR.state] ?? '';
    if (now === 'upgrade-required') return one.unschedulable ? to(one, 'cordon-required') : one;
    const next = NEXT[now];
    if (next === undefined) return one;
    if (next !== 'uncordon-required') return to(one, next);
    const { [OPERATOR.initialState]: found, ...annotations } = one.annotations;
    return found === undefined
      ? { ...to(one, 'upgrade-done'), unschedulable: false }
      : { ...to(one, 'upgrade-done'), annotations };
  });
  return { ...state, nodes };
}

const to = (one: SnapshotNode, state: string): SnapshotNode => {
  return { ...one, labels: { ...one.labels, [OPERATOR.state]: state }, resourceVersion: `${one.resourceVersion}.` };
};

const labelsOf = ({ nodes }: Snapshot, key: string) => nodes.map(({ labels }) => labels[key]);

describe('a GPU driver without the GPU operator', () => {
  const alone = (upgrade: GpuUpgrade = {}, more: Partial<GpuDriverInput> = {}) => policyFor(restarted(upgrade, more));
  const cluster = (...pods: Parameters<typeof podIndexOf>[0][]) =>
    snapshot({
      nodes: [node('a', { prefix: 'gpu' })],
      pods: [gpuPod('a'), user('a'), other('a'), ...pods.flatMap((each) => [...each])],
      daemonSets: DAEMON_SETS,
    });

  it('is upgraded when the template of its DaemonSet changes; only pods that hold a GPU leave', () => {
    const { actions, last } = settle(cluster(), alone());
    expect(actions).toEqual(['patchNode cordon a', 'evictPod user-a', 'deletePod gpu-driver-a']);
    expect(last.waiting).toMatchObject([{ kind: 'driver-pod', state: 'pod-restart-required' }]);
  });

  it('has k8s-driver-manager told that it is not to evict, as long as the policy upgrades', () => {
    const annotationOf = ({ state }: Run) => state.nodes[0]?.annotations[GPU_UPGRADE_ENABLED_ANNOTATION];
    const off = (state: Snapshot) => annotationOf(settle(state, alone({ autoUpgrade: false })));
    const on = settle(cluster(), alone());
    expect(annotationOf(on)).toBe('true');
    // It evicts nothing on a node that is out.
    expect(off(on.state)).toBe('true');
    const nodes = on.state.nodes.map((one) => ({
      ...one,
      labels: { ...one.labels, [OPERATOR.state]: 'upgrade-done' },
    }));
    expect(off({ ...on.state, nodes })).toBeUndefined();
  });

  it('has no DaemonSet retired, and no pod without a controller deleted', () => {
    const unbound = { ...gpuPod('', 'old'), uid: 'unbound', name: 'unbound' };
    const { actions } = settle(cluster([withoutController(unbound)]), alone());
    expect(actions.filter((one) => /DaemonSet|unbound/.test(one))).toEqual([]);
  });

  it('is left alone while no DaemonSet is found, and the selector is named', () => {
    const { actions, last } = settle({ ...cluster(), daemonSets: [] }, alone());
    expect(actions).toEqual([]);
    expect(last.findings).toContainEqual(
      expect.objectContaining({
        kind: 'daemon-set-not-ready',
        message: `no DaemonSet in gpu matches ${GPU_SELECTOR}`,
      }),
    );
  });
});

describe('a GPU driver that the GPU operator restarts', () => {
  const due = 'upgrade-required';
  const policy = policyFor(ofOperator({ maxParallelUpgrades: 1 }));

  it('fails with what the operator says, and is repaired with it', () => {
    const failing = (one: Snapshot): Snapshot => ({
      ...operator(one),
      nodes: operator(one).nodes.map((each) =>
        each.labels[OPERATOR.state] === 'validation-required' ? to(each, 'upgrade-failed') : each,
      ),
    });
    const failed = settle(operatorCluster({ a: due }), policy, failing);
    expect(failed.last.waiting).toMatchObject([{ kind: 'failed', message: 'the GPU operator failed to upgrade it' }]);
    expect(failed.state.nodes[0]?.unschedulable).toBe(true);
    const nodes = failed.state.nodes.map((one) => to(one, 'upgrade-done'));
    expect(settle({ ...failed.state, nodes }, policy, operator).actions).toEqual(['patchNode uncordon a']);
  });

  describe('and which is removed', () => {
    const removed = (labels: Readonly<Record<string, string>>, annotations = {}): Snapshot =>
      snapshot({ nodes: [node('a', { labels: { ...labels, ...operatorSays(due) }, annotations })], daemonSets: [] });

    it.each([
      { name: 'waits', seconds: 10, found: 'operator: ' },
      { name: 'fails after the time of a driver', seconds: 7200, found: 'failed: its driver took too long: ' },
    ])('$name on a node in progress, and says what is missing', ({ seconds, found }) => {
      const annotations = { [OURS.cordoned]: 'true', [OURS.restartStart]: ago(seconds) };
      const from = removed({ [OURS.state]: 'pod-restart-required' }, annotations);
      const nodes = from.nodes.map((one) => ({ ...one, unschedulable: true }));
      const { waiting } = decide({ ...from, nodes }, policy, NOW);
      expect(waiting.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
        `${found}no DaemonSet in gpu matches ${GPU_SELECTOR}, and the GPU operator has it in \`upgrade-required\``,
      ]);
    });
  });

  it('is cordoned again when its cordon is lifted before the operator has begun', () => {
    const waiting = settle(operatorCluster({ a: due }), policy).state;
    expect(labelsOf(waiting, OURS.state)).toEqual(['pod-restart-required']);
    const nodes = waiting.nodes.map((one) => ({ ...one, unschedulable: false }));
    const { actions, state } = settle({ ...waiting, nodes }, policy, operator);
    expect(actions).toEqual(['patchNode cordon a', 'patchNode uncordon a']);
    expect(labelsOf(state, OURS.state)).toEqual(['upgrade-done']);
  });

  it('is not drained any further when the operator was faster', () => {
    const jobs = policyFor(ofOperator({ waitForCompletion: { podSelector: 'job=x', timeoutSeconds: 0 } }));
    const cluster = operatorCluster({ a: due });
    const job = pod('a', 'job', { labels: { job: 'x' } });
    const { actions } = settle({ ...cluster, pods: podIndexOf([...cluster.pods, job]) }, jobs, operator);
    expect(actions).toEqual(['patchNode cordon a', 'patchNode uncordon a']);
  });

  describe('beside OFED', () => {
    const both = policyFor(
      ofedDriver({ drain: { enable: true }, maxParallelUpgrades: 0 }),
      ofOperator({ maxParallelUpgrades: 0, drain: { enable: true } }),
    );
    const ofedPods = (digest: string) => driverPod('a', { digest });
    const cluster = (state: string): Snapshot => {
      const { nodes, pods } = operatorCluster({ a: state });
      return snapshot({ nodes, pods: [...pods, ofedPods('old')], daemonSets: [...DAEMON_SETS, daemonSet()] });
    };
    /** The DaemonSet controller makes a new OFED driver pod when the old one is gone. */
    const restarts = (one: Snapshot): Snapshot =>
      [...one.pods].some(({ labels }) => 'nvidia.com/ofed-driver' in labels && !('app' in labels))
        ? one
        : { ...one, pods: podIndexOf([...one.pods, ofedPods('new')]) };

    it('has OFED join when the operator was done before the node was drained', () => {
      const begun = cluster('upgrade-done');
      const annotations = { [OURS.cordoned]: 'true', [OURS.podDeletionStart]: ago(5) };
      const labels = { [OURS.state]: 'pod-deletion-required', [OFED.state]: due, ...operatorSays('upgrade-done') };
      const nodes = [node('a', { unschedulable: true, labels, annotations })];
      const { actions, state } = settle({ ...begun, nodes }, both, restarts);
      expect(actions.filter((one) => one.includes('cordon'))).toEqual(['patchNode uncordon a']);
      expect([...labelsOf(state, OURS.state), ...labelsOf(state, OFED.state)]).toEqual([
        'upgrade-done',
        'upgrade-done',
      ]);
    });

    it('joins OFED also in the decision in which OFED is done', () => {
      const annotations = { [OFED.cordoned]: 'true', [OFED.restartStart]: ago(5), [OPERATOR.initialState]: 'true' };
      const labels = { [OFED.state]: 'pod-restart-required', [OURS.state]: due, ...operatorSays(due) };
      const nodes = [node('a', { unschedulable: true, labels, annotations })];
      const pods = podIndexOf([gpuPod('a'), ofedPods('new')]);
      const { actions } = settle({ ...cluster(due), nodes, pods }, both, operator);
      expect(actions.filter((one) => one.includes('cordon'))).toEqual(['patchNode uncordon a']);
    });

    it('waits for OFED on a node that has no room for its pods yet, although its own restart moves none', () => {
      const { nodes, pods } = operatorCluster({ a: due, b: due });
      const old = ['a', 'b'].map((name) => driverPod(name, { digest: 'old' }));
      const from = snapshot({ nodes, pods: [...pods, ...old], daemonSets: [...DAEMON_SETS, daemonSet()] });
      const same = <Has>(one: Has) => ({ ...one, configDigest: 'same' });
      const isGpu = ({ name }: { readonly name: string }) => name === 'gpu-driver';
      const daemonSets = from.daemonSets.map((one) => (isGpu(one) ? same(one) : one));
      const decision = decide({ ...from, daemonSets, revisions: from.revisions.map(same) }, both, NOW);
      const cordoned = patchesOf(decision).filter(({ unschedulable }) => unschedulable === true);
      expect(cordoned.map((one) => `${one.driver} on ${one.node}`)).toEqual(['ofed on a']);
      const waits = decision.waiting.filter((one) => one.node === 'b');
      expect(waits.map(({ driver, kind }) => `${driver}: ${kind}`)).toEqual([
        'ofed: evicted-pods',
        'weft-gpu: evicted-pods',
      ]);
    });

    it('waits with the uncordon until the operator is done, however slow it is', () => {
      let rounds = 0;
      const slow = (one: Snapshot) => restarts((rounds += 1) % 6 === 0 ? operator(one) : one);
      const { actions, state } = settle(cluster(due), both, slow);
      expect(actions.filter((one) => one.includes('cordon'))).toEqual(['patchNode cordon a', 'patchNode uncordon a']);
      expect(labelsOf(state, OPERATOR.state)).toEqual(['upgrade-done']);
    });
  });
});
