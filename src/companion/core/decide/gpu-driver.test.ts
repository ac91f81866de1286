import { describe, expect, it } from '@jest/globals';
import {
  conductedGpuDriver,
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
import { driverKeys, GPU_UPGRADE_ENABLED_ANNOTATION } from '../../../shared/contract/labels.js';
import type { UpgradePolicy, UpgradePolicyInput } from '../../../shared/contract/upgrade-policy.js';
import { podIndexOf } from '../model/pod-index.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Decision, SnapshotNode } from '../model/types.js';
import { isComplete } from '../../runtime/run-outcome.js';
import { outcomeOf } from '../../runtime/run-outcome.js';
import { decide } from './decide.js';

/** GPU drivers, whose DaemonSets are selected: upgraded by the companion, or restarted by the GPU operator. */

const OPERATOR = driverKeys('gpu');
const OURS = driverKeys('weft-gpu');
const OFED = driverKeys('ofed');
const VALIDATOR = { app: 'nvidia-operator-validator' };

/** All nodes may be out at once, and pods with GPUs leave them. */
const widely = (upgrade: GpuUpgrade): GpuUpgrade => ({ maxUnavailable: '100%', ...upgrade });
const HOLDERS = { resourcePrefixes: ['nvidia.com/gpu', 'nvidia.com/mig-'] };
const restarted = (upgrade: GpuUpgrade = {}, more: Partial<GpuDriverInput> = {}) =>
  gpuDriver(widely(upgrade), { ...HOLDERS, ...more });
const conducted = (upgrade: GpuUpgrade = {}) => conductedGpuDriver(widely(upgrade), HOLDERS);

function policyFor(...drivers: UpgradePolicyInput['drivers']): UpgradePolicy {
  return policyOf({}, {}, { drivers });
}

const user = (on: string) => pod(on, `user-${on}`, { resourceNames: ['nvidia.com/gpu'] });
const other = (on: string) => pod(on, `other-${on}`);
const validator = (on: string, ready = true) =>
  pod(on, `validator-${on}`, {
    ...{ namespace: 'gpu', labels: VALIDATOR, ready },
    controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'validator', uid: 'uid-validator' },
  });
const DAEMON_SETS = [gpuSet(), daemonSet({ namespace: 'gpu', name: 'validator', labels: {} })];

const operatorSays = (state: string) => (state === '' ? {} : { [OPERATOR.state]: state });

/** A cluster whose nodes have these states of the operator. */
function conductedCluster(states: Readonly<Record<string, string>>, more: Partial<SnapshotNode> = {}): Snapshot {
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

  it('has the pods evicted that hold a GPU by a claim', () => {
    const { uid } = other('a');
    const { actions } = settle({ ...cluster(), podsWithGpuClaims: new Set([uid]) }, alone());
    expect(actions).toEqual(['patchNode cordon a', 'evictPod user-a', 'evictPod other-a', 'deletePod gpu-driver-a']);
  });

  it('is validated by the pods of its validator', () => {
    const policy = alone({}, { validationPodSelector: 'app=nvidia-operator-validator' });
    const annotations = { [OPERATOR.validationStart]: ago(5), [OPERATOR.cordoned]: 'true' };
    const here = node('a', { prefix: 'gpu', state: 'validation-required', unschedulable: true, annotations });
    const with_ = (ready: boolean) =>
      settle(
        snapshot({ nodes: [here], pods: [gpuPod('a', 'new'), validator('a', ready)], daemonSets: DAEMON_SETS }),
        policy,
      );
    expect(with_(false).last.waiting).toMatchObject([{ message: 'validation pod gpu/validator-a is not ready' }]);
    expect(with_(true).actions).toEqual(['patchNode uncordon a']);
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

  it('waits for no image with `prePull`, because nothing pulls that of a selected DaemonSet', () => {
    const prePull = policyOf({}, {}, { drivers: [restarted()], rollout: { prePull: true } });
    const [first] = after(cluster(), decide(cluster(), prePull, NOW)).nodes;
    expect(first?.annotations[OPERATOR.prePullStart]).toBeUndefined();
    expect(settle(cluster(), prePull).actions).toContain('patchNode cordon a');
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

it.each([
  { name: 'the GPU operator restarts', driver: conducted() },
  { name: 'the companion restarts', driver: restarted() },
])('a Job ends where no node needs the GPU driver that $name, and no DaemonSet is there', ({ driver }) => {
  const from = snapshot({ nodes: [node('a')], pods: [driverPod('a')], daemonSets: [daemonSet()] });
  const { last } = settle(from, policyFor(ofedDriver(), driver));
  expect(isComplete(last, 'job')).toBe(true);
});

describe('a GPU driver that the GPU operator restarts', () => {
  const due = 'upgrade-required';
  const policy = policyFor(conducted({ maxParallelUpgrades: 1 }));

  it('is upgraded one node at a time: cordoned and emptied by the companion, restarted by the operator', () => {
    const { actions, last, state } = settle(conductedCluster({ a: due, b: due, c: 'upgrade-done' }), policy, operator);
    expect(actions).toEqual([
      ...['patchNode cordon a', 'evictPod user-a', 'patchNode uncordon a'],
      ...['patchNode cordon b', 'evictPod user-b', 'patchNode uncordon b'],
    ]);
    expect(isComplete(last, 'job')).toBe(true);
    expect(labelsOf(state, OURS.state)).toEqual(['upgrade-done', 'upgrade-done', 'upgrade-done']);
    for (const { annotations } of state.nodes)
      expect(Object.keys(annotations).sort()).toEqual(
        expect.not.arrayContaining([OPERATOR.initialState, OURS.cordoned]),
      );
  });

  it.each([{ nodes: 1 }, { nodeSelector: { canary: 'yes' } }])('has other nodes follow its canaries: %o', (canary) => {
    const rollout = { canary: { ...canary, soak: '0s' } };
    const drivers = [conducted({ maxParallelUpgrades: 1 })];
    const found = conductedCluster({ a: 'nodes' in canary ? due : 'upgrade-done', b: due });
    const ready = podIndexOf([...found.pods].map((one) => ({ ...one, ready: true, readyChangedMs: NOW - 60_000 })));
    const nodes = found.nodes.map((one) => ({
      ...one,
      labels: { ...one.labels, ...(one.name === 'a' && { canary: 'yes' }) },
    }));
    const { state } = settle({ ...found, nodes, pods: ready }, policyOf({}, {}, { drivers, rollout }), operator);
    expect(labelsOf(state, OURS.state)).toEqual(['upgrade-done', 'upgrade-done']);
  });

  it('has the annotation that keeps the cordon written with the cordon, and never the label of the operator', () => {
    let state = conductedCluster({ a: due });
    for (let round = 0; round < 12; round += 1) {
      const decision = decide(state, policy, NOW + round * 10_000);
      for (const patch of patchesOf(decision)) {
        expect(Object.keys(patch.labels)).not.toContain(OPERATOR.state);
        if (patch.unschedulable === true) expect(patch.annotations[OPERATOR.initialState]).toBe('true');
      }
      state = operator(after(state, decision));
    }
    expect(state.nodes[0]).toMatchObject({ unschedulable: false });
  });

  it('is not upgraded on nodes that the operator does not ask for, whatever their pods', () => {
    const { actions } = settle(conductedCluster({ a: 'upgrade-done', b: '' }), policy, operator);
    expect(actions).toEqual([]);
  });

  it('fails with what the operator says, and is repaired with it', () => {
    const failing = (one: Snapshot): Snapshot => ({
      ...operator(one),
      nodes: operator(one).nodes.map((each) =>
        each.labels[OPERATOR.state] === 'validation-required' ? to(each, 'upgrade-failed') : each,
      ),
    });
    const failed = settle(conductedCluster({ a: due }), policy, failing);
    expect(failed.last.waiting).toMatchObject([{ kind: 'failed', message: 'the GPU operator failed to upgrade it' }]);
    expect(failed.state.nodes[0]?.unschedulable).toBe(true);
    const nodes = failed.state.nodes.map((one) => to(one, 'upgrade-done'));
    expect(settle({ ...failed.state, nodes }, policy, operator).actions).toEqual(['patchNode uncordon a']);
  });

  it('counts as failed where the operator failed without a part of the companion', () => {
    const { last, actions } = settle(conductedCluster({ a: 'upgrade-failed' }), policy, operator);
    expect(actions).toEqual([]);
    expect(last.waiting).toMatchObject([{ kind: 'failed', node: 'a' }]);
    expect(last.findings).toMatchObject([{ kind: 'node-failed', node: 'a' }]);
    expect(outcomeOf(last, { failedInRun: [], inProgress: [] }, 'job')).toMatchObject({ exitCode: 10 });
  });

  it('fails when the operator does not move within the time of a driver', () => {
    const waiting = settle(conductedCluster({ a: due }), policy).state;
    const { findings } = decide(waiting, policy, NOW + 3_600_000);
    expect(findings).toContainEqual(
      expect.objectContaining({
        kind: 'node-failed',
        message: 'its driver took too long: the GPU operator has it in `upgrade-required`',
      }),
    );
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

    it('is not due any more on a node that had not begun', () => {
      const { last, state } = settle(removed({ [OURS.state]: due }), policy);
      expect(labelsOf(state, OURS.state)).toEqual(['upgrade-done']);
      expect(isComplete(last, 'job')).toBe(true);
    });
  });

  it('is cordoned again when its cordon is lifted before the operator has begun', () => {
    const waiting = settle(conductedCluster({ a: due }), policy).state;
    expect(labelsOf(waiting, OURS.state)).toEqual(['pod-restart-required']);
    const nodes = waiting.nodes.map((one) => ({ ...one, unschedulable: false }));
    const { actions, state } = settle({ ...waiting, nodes }, policy, operator);
    expect(actions).toEqual(['patchNode cordon a', 'patchNode uncordon a']);
    expect(labelsOf(state, OURS.state)).toEqual(['upgrade-done']);
  });

  it('is left to the operator on a node that an administrator cordoned, and the cordon stays', () => {
    const began = conductedCluster({ a: 'drain-required' }, { unschedulable: true });
    const { actions, state } = settle(began, policy);
    expect(actions).toEqual([]);
    expect(labelsOf(state, OURS.state)).toEqual([undefined]);
  });

  it('is not begun when the operator has no upgrade for the node any more', () => {
    const pending = conductedCluster({ a: '' });
    const nodes = pending.nodes.map((one) => ({ ...one, labels: { ...one.labels, [OURS.state]: due } }));
    const { actions, last } = settle({ ...pending, nodes }, policy);
    expect(actions).toEqual([]);
    expect(last.waiting).toEqual([]);
  });

  it('waits for nothing on a node that no DaemonSet selects any more, and that keeps the label of the operator', () => {
    const sets = [{ ...gpuSet(), nodeSelector: { gpu: 'yes' } }];
    const nodes = conductedCluster({ a: due }).nodes.map((one) => {
      return { ...one, labels: { ...one.labels, [OURS.state]: due } };
    });
    const { last, state } = settle(snapshot({ nodes, pods: [], daemonSets: sets }), policy);
    expect(last.waiting).toEqual([]);
    expect(labelsOf(state, OURS.state)).toEqual(['upgrade-done']);
  });

  it('is not drained any further when the operator was faster', () => {
    const jobs = policyFor(conducted({ waitForCompletion: { podSelector: 'job=x', timeoutSeconds: 0 } }));
    const cluster = conductedCluster({ a: due });
    const job = pod('a', 'job', { labels: { job: 'x' } });
    const { actions } = settle({ ...cluster, pods: podIndexOf([...cluster.pods, job]) }, jobs, operator);
    expect(actions).toEqual(['patchNode cordon a', 'patchNode uncordon a']);
  });

  it('keeps its pods where the operator restarts a driver pod that installs the same', () => {
    const cluster = conductedCluster({ a: due });
    const same = <Has>(one: Has) => ({ ...one, configDigest: 'same' });
    const digests = { revisions: cluster.revisions.map(same), daemonSets: cluster.daemonSets.map(same) };
    const { actions, state } = settle({ ...cluster, ...digests }, policy, operator);
    expect(actions).toEqual(['patchNode cordon a', 'patchNode uncordon a']);
    expect(labelsOf(state, OURS.state)).toEqual(['upgrade-done']);
  });

  it('goes back without the annotation when its pods cannot leave', () => {
    const cluster = conductedCluster({ a: due });
    const bare = withoutController(user('a'));
    const { state, last } = settle({ ...cluster, pods: podIndexOf([gpuPod('a'), bare]) }, policy);
    expect(last.waiting).toMatchObject([{ kind: 'failed' }]);
    expect(state.nodes[0]).toMatchObject({ unschedulable: false });
    expect(state.nodes[0]?.annotations).not.toHaveProperty([OPERATOR.initialState]);
  });

  describe('beside OFED', () => {
    const both = policyFor(
      ofedDriver({ drain: { enable: true }, maxParallelUpgrades: 0 }),
      conducted({ maxParallelUpgrades: 0, drain: { enable: true } }),
    );
    const ofedPods = (digest: string) => driverPod('a', { digest });
    const cluster = (state: string): Snapshot => {
      const { nodes, pods } = conductedCluster({ a: state });
      return snapshot({ nodes, pods: [...pods, ofedPods('old')], daemonSets: [...DAEMON_SETS, daemonSet()] });
    };
    /** The DaemonSet controller makes a new OFED driver pod when the old one is gone. */
    const restarts = (one: Snapshot): Snapshot =>
      [...one.pods].some(({ labels }) => 'nvidia.com/ofed-driver' in labels && !('app' in labels))
        ? one
        : { ...one, pods: podIndexOf([...one.pods, ofedPods('new')]) };

    it('takes the node out once for both', () => {
      const { actions, state } = settle(cluster(due), both, (one) => restarts(operator(one)));
      expect(actions.filter((one) => one.includes('cordon'))).toEqual(['patchNode cordon a', 'patchNode uncordon a']);
      expect(labelsOf(state, OURS.state)).toEqual(['upgrade-done']);
      expect(labelsOf(state, OFED.state)).toEqual(['upgrade-done']);
      expect(state.nodes[0]).toMatchObject({ unschedulable: false });
    });

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
      const { nodes, pods } = conductedCluster({ a: due, b: due });
      const old = ['a', 'b'].map((name) => driverPod(name, { digest: 'old' }));
      const from = snapshot({ nodes, pods: [...pods, ...old], daemonSets: [...DAEMON_SETS, daemonSet()] });
      const same = <Has>(one: Has) => ({ ...one, configDigest: 'same' });
      const isGpu = ({ name }: { readonly name: string }) => name === 'gpu-driver';
      const daemonSets = from.daemonSets.map((one) => (isGpu(one) ? same(one) : one));
      const decision = decide({ ...from, daemonSets, revisions: from.revisions.map(same) }, both, NOW);
      const cordoned = patchesOf(decision).filter(({ unschedulable }) => unschedulable === true);
      expect(cordoned.map((one) => `${one.driver} on ${one.node}`)).toEqual(['ofed on a']);
      const waits = decision.waiting.filter((one) => one.node === 'b');
      expect(waits.map(({ driver, kind }) => `${driver}: ${kind}`)).toEqual(['ofed: room', 'weft-gpu: room']);
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
