import { allKeys } from './snapshots.js';
import type { UpgradePolicy, UpgradePolicyInput } from '../../src/shared/contract/upgrade-policy.js';
import { decide } from '../../src/companion/decide.js';
import type { Snapshot } from '../../src/companion/model/snapshot.js';
import type { SriovNodeState } from '../../src/companion/model/sriov.js';
import type { Action } from '../../src/companion/model/types.js';
import { operatorGpuDriver, GPU_LABELS, gpuDriver } from './gpu-drivers.js';
import {
  after,
  daemonSet,
  driverPod,
  node,
  NOW,
  ofedDriver,
  policyOf,
  snapshot,
  type SnapshotInput,
} from './snapshots.js';

/** Nodes that are due for several drivers: OFED, the GPU driver with and without the GPU operator, and virtual functions. */

export const OFED = allKeys('ofed');
export const SRIOV = allKeys('weft-sriov');
export const WEFT_GPU = allKeys('weft-gpu');
export const GPU = allKeys('gpu');

type SriovInput = Extract<UpgradePolicyInput['drivers'][number], { kind: 'sriov' }>;

const HOLDERS = { resourcePrefixes: ['nvidia.com/gpu', 'nvidia.com/mig-'] };
const WIDE = { maxUnavailable: '100%', maxParallelUpgrades: 0 };

export const ofed = (upgrade = {}) => ofedDriver({ drain: { enable: true }, ...upgrade });
export const ownGpu = (upgrade = {}) => gpuDriver({ ...WIDE, ...upgrade }, HOLDERS);
export const weftGpu = (upgrade = {}, more = {}) => operatorGpuDriver({ ...WIDE, ...upgrade }, { ...HOLDERS, ...more });

export const sriovDriver = (upgradePolicy: SriovInput['policies'][number]['upgradePolicy'] = {}): SriovInput => ({
  ...{ kind: 'sriov', namespace: 'sriov', change: 'one', resourcePrefixes: ['nvidia.com/vf'] },
  policies: [{ name: '(no pool)', upgradePolicy }],
});

export function policyFor(drivers: UpgradePolicyInput['drivers'], rollout: UpgradePolicyInput['rollout'] = {}) {
  const hasSriov = drivers.some(({ kind }) => kind === 'sriov');
  const sriovNodeStates = { namespace: 'sriov', resourcePrefix: 'nvidia.com/' };
  return policyOf({}, {}, { drivers, rollout, ...(hasSriov && { sriovNodeStates }) });
}

/** The SriovNetworkNodeState of a node, whose config daemon is idle by default. */
export const nodeStateOf = (name: string, more: Partial<SriovNodeState> = {}): SriovNodeState => ({
  ...{ namespace: 'sriov', name, uid: `state-${name}`, resourceVersion: '1', generation: 1, isExternal: true },
  ...{ desired: 'Idle', current: 'Idle', syncStatus: 'Succeeded', lastSyncError: '', resources: ['vf'], ...more },
});
/** The same, of a config daemon that asks for a drain. */
export const asking = (name: string, more: Partial<SriovNodeState> = {}) =>
  nodeStateOf(name, { desired: 'Drain_Required', syncStatus: 'InProgress', ...more });

export const gpuPod = (on: string, digest = 'old') => {
  const made = driverPod(on, { digest, owner: 'gpu-driver', namespace: 'gpu' });
  return { ...made, labels: { ...made.labels, ...GPU_LABELS } };
};

export const gpuSet = (digest = 'new') =>
  daemonSet({ namespace: 'gpu', name: 'gpu-driver', labels: GPU_LABELS, digest, renderedDigest: 'none' });

/** These nodes, beside one that is done, and what their config daemons ask for. */
export function sharedCluster(
  { nodes = [], pods = [], ...more }: SnapshotInput & { readonly pods?: readonly ReturnType<typeof driverPod>[] },
  ...states: readonly SriovNodeState[]
): Snapshot {
  return {
    ...snapshot({
      nodes: [...nodes, node('spare', { state: 'upgrade-done' })],
      pods: [...pods, driverPod('spare')],
      daemonSets: [daemonSet(), gpuSet()],
      ...more,
    }),
    ...(states.length > 0 && { sriovNodeStates: new Map(states.map((one) => [one.name, one])) }),
  };
}

interface Run {
  readonly state: Snapshot;
  readonly log: readonly string[];
}

/** Decides and carries out once a minute. After each decision the others do what `others` says. */
export function minutes(
  count: number,
  from: Snapshot,
  policy: UpgradePolicy,
  others: (state: Snapshot, actions: readonly Action[]) => Snapshot = (state) => state,
): Run {
  const log: string[] = [];
  let state = from;
  for (let minute = 0; minute < count; minute += 1) {
    const decision = decide(state, policy, NOW + minute * 60_000);
    log.push(...decision.actions.flatMap(entryOf));
    state = others(after(state, decision), decision.actions);
  }
  return { state, log };
}

function entryOf(action: Action): readonly string[] {
  switch (action.kind) {
    case 'patchNode': {
      const cordon = action.unschedulable === undefined ? [] : [action.unschedulable ? 'cordon' : 'uncordon'];
      return [...action.steps.map(({ row }) => `${action.driver}: ${row}`), ...cordon];
    }
    case 'evictPod':
    case 'deletePod':
      return [`${action.kind} ${action.name}`];
    case 'deleteDaemonSet':
    case 'changeNodeMaintenance':
    case 'patchSriovNodeState':
      return [];
  }
}
