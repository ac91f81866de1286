import { legacyKeys } from '../../src/shared/contract/legacy-keys.js';
import {
  after,
  ago,
  daemonSet,
  driverPod,
  keys,
  node,
  NOW,
  pod,
  policyOf,
  snapshot,
  type SnapshotInput,
} from './snapshots.js';
import { revisionOf } from './digests.js';
import { REVISION_LABEL } from '../../src/shared/contract/labels.js';
import type { UpgradePolicy, UpgradePolicyInput } from '../../src/shared/contract/upgrade-policy.js';
import { decide } from '../../src/companion/decide.js';
import { podIndexOf } from '../../src/companion/model/pod-index.js';
import type { NodeMaintenance, NodeMaintenanceSpec } from '../../src/companion/model/node-maintenance.js';
import type { Snapshot } from '../../src/companion/model/snapshot.js';
import type { Action, Decision } from '../../src/companion/model/types.js';

/** Snapshots of clusters whose Maintenance Operator drains, and what happens in them. */

export const US = 'weft.dev.driver-upgrade';
export const nodeMaintenance = { namespace: 'maintenance' };
export const DRAIN = { enable: true, force: false, timeoutSeconds: 300, deleteEmptyDir: true };
export const policy = policyOf({ maxParallelUpgrades: 0, drain: DRAIN }, {}, { nodeMaintenance });

/** The pod of the operator, which none of these drains moves. */
export const operatorPod = pod('spare', 'maintenance-operator', {
  labels: { 'app.kubernetes.io/component': 'maintenance-operator-controller-manager' },
});
export const workload = (on: string) => pod(on, `work-${on}`, { labels: { app: 'work' } });

export const objectOf = (name: string, more: Partial<NodeMaintenance> = {}): NodeMaintenance => ({
  ...{ namespace: 'maintenance', name: `nvidia-operator-${name}`, uid: `nm-${name}`, resourceVersion: '5', node: name },
  ...{ requestor: US, additionalRequestors: [], isDeleting: false, phase: 'Pending', isReady: false, message: '' },
  ...{ hasCordon: false, podsLeft: [], ...more },
});
export const ready = (name: string, more: Partial<NodeMaintenance> = {}) =>
  objectOf(name, { phase: 'Ready', isReady: true, hasCordon: true, ...more });

export function cluster(
  names: readonly string[],
  objects: readonly NodeMaintenance[] = [],
  input: SnapshotInput = {},
): Snapshot {
  return {
    ...snapshot({
      nodes: [...names.map((name) => node(name)), node('spare', { labels: { nic: 'no' } })],
      daemonSets: [daemonSet()],
      pods: [operatorPod, ...names.flatMap((name) => [driverPod(name, { digest: 'old' }), workload(name)])],
      ...input,
    }),
    nodeMaintenances: new Map(objects.map((one) => [one.name, one])),
  };
}

/** A node in a state of the flow, which the operator was asked for. */
export const asked = (name: string, state: string, input: Parameters<typeof node>[1] = {}) =>
  node(name, {
    ...{ state, unschedulable: state !== 'node-maintenance-required', ...input },
    annotations: { [keys.requestorMode]: 'true', [legacyKeys('ofed').maintenanceStart]: ago(60), ...input.annotations },
  });

interface World {
  readonly state: Snapshot;
  readonly specs: Map<string, NodeMaintenanceSpec>;
}

/** The API server, for the objects of requestors. */
export function changed({ state, specs }: World, { actions }: Decision): Snapshot {
  if (state.nodeMaintenances === undefined) return state;
  const objects = new Map(state.nodeMaintenances);
  for (const action of actions) {
    if (action.kind !== 'changeNodeMaintenance') continue;
    const { name, change, node: of } = action;
    const before = objects.get(name);
    if (change.kind === 'create' && before === undefined) {
      specs.set(name, change.spec);
      objects.set(name, objectOf(of, { phase: '' }));
    } else if (change.kind === 'delete' && before?.uid === change.uid)
      objects.set(name, { ...before, isDeleting: true });
    else if (before !== undefined && change.kind !== 'create' && change.kind !== 'delete')
      objects.set(name, { ...before, additionalRequestors: change.additionalRequestors });
  }
  return { ...state, nodeMaintenances: objects };
}

/** The operator at the end of a round: it drains nodes that it was asked for, and gives back those of objects that were deleted. */
export function drained(before: Snapshot): Snapshot {
  const objects = new Map(before.nodeMaintenances);
  const cordoned = new Map<string, boolean>();
  const emptied = new Set<string>();
  for (const [name, one] of objects) {
    if (one.isDeleting && (!one.isReady || one.additionalRequestors.length === 0)) {
      if (one.hasCordon) cordoned.set(one.node, false);
      objects.delete(name);
    } else if (!one.isReady && !one.isDeleting) {
      const isCordoned = before.nodes.some((of) => of.name === one.node && of.unschedulable);
      cordoned.set(one.node, true);
      emptied.add(one.node);
      objects.set(name, { ...one, phase: 'Ready', isReady: true, hasCordon: one.hasCordon || !isCordoned });
    }
  }
  return {
    ...before,
    nodes: before.nodes.map((one) => ({ ...one, unschedulable: cordoned.get(one.name) ?? one.unschedulable })),
    pods: podIndexOf([...before.pods].filter((one) => !emptied.has(one.nodeName) || one.namespace !== 'apps')),
    nodeMaintenances: objects,
  };
}

/** The operator and the DaemonSet controller, each at the end of a round. */
export function operated(from: Snapshot): Snapshot {
  const before = drained(from);
  const left = [...before.pods];
  const runs = (on: string, owner: string) => left.some((one) => one.nodeName === on && one.controller?.name === owner);
  const bare = before.nodes.filter(({ labels }) => labels['nic'] === 'yes');
  const fresh = before.daemonSets.flatMap(({ name: owner }) =>
    bare.flatMap(({ name }) => (runs(name, owner) ? [] : owner === 'gpu' ? gpuPod(name, 'new') : driverPod(name))),
  );
  return { ...before, pods: podIndexOf([...left, ...fresh]) };
}

/** What may go wrong in a round. */
export interface Faults {
  /** The actions that are carried out, of those that were decided: a companion may be killed before the others. */
  readonly sent?: (actions: readonly Action[]) => readonly Action[];
  /** What somebody else does after a round. */
  readonly disturb?: (state: Snapshot, round: number) => Snapshot;
  /** The policy of a round. */
  readonly policyIn?: (round: number) => UpgradePolicy;
}

/** What happens, in order, until nothing does. */
export function settle(from: Snapshot, by: UpgradePolicy = policy, faults: Faults = {}) {
  const { sent, disturb, policyIn } = faults;
  const log: string[] = [];
  const specs = new Map<string, NodeMaintenanceSpec>();
  let state = from;
  let most = 0;
  let quiet = 0;
  for (let round = 0; round < 80; round += 1) {
    const decided = decide(state, policyIn?.(round) ?? by, NOW + round * 10_000);
    const last = { ...decided, actions: sent?.(decided.actions) ?? decided.actions };
    log.push(...last.actions.flatMap(entriesOf));
    const before = state;
    const next = operated(after(changed({ state, specs }, last), last));
    state = disturb?.(next, round) ?? next;
    most = Math.max(most, state.nodes.filter(({ unschedulable }) => unschedulable).length);
    quiet =
      decided.actions.length === 0 && state.nodeMaintenances?.size === before.nodeMaintenances?.size ? quiet + 1 : 0;
    if (quiet > 3) return { log, last: decided, state, specs, most };
  }
  throw new Error(`it never settles: ${log.slice(-20).join(', ')}`);
}

function entriesOf(action: Action): readonly string[] {
  switch (action.kind) {
    case 'changeNodeMaintenance':
      return [`${action.change.kind} ${action.node}`];
    case 'evictPod':
    case 'deletePod':
      return [`${action.kind} ${action.name}`];
    case 'patchNode':
      return action.steps.map(({ row }) => `${action.node}: ${row}`);
    case 'deleteDaemonSet':
    case 'patchSriovNodeState':
      return [];
  }
}

export const changesOf = ({ actions }: Decision) =>
  actions.flatMap((one) => (one.kind === 'changeNodeMaintenance' ? [one.change] : []));
export const waitOf = ({ waiting }: Decision, of = 'a') => waiting.find((one) => one.node === of);

export const gpuSet = daemonSet({ name: 'gpu', labels: { app: 'gpu' } });

export function gpuPod(on: string, digest: string) {
  const labels = { app: 'gpu', [REVISION_LABEL]: revisionOf(digest) };
  return driverPod(on, { digest, owner: 'gpu', labels });
}

export function gpuDriver(): UpgradePolicyInput['drivers'][number] {
  const gpuPodDeletion = { force: true, timeoutSeconds: 60, deleteEmptyDir: false };
  return {
    ...{ kind: 'gpu', namespace: 'nno', containerName: 'mofed-container' },
    ...{ daemonSetSelector: 'app=gpu', podSelector: 'app=gpu', resourcePrefixes: ['nvidia.com/gpu'] },
    policies: [
      {
        name: 'ClusterPolicy',
        upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: 0, maxUnavailable: '100%', gpuPodDeletion },
      },
    ],
  };
}
