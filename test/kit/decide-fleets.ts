import { legacyKeys } from '../../src/shared/contract/legacy-keys.js';
import { NOW, driverPod, keys, node, patchesOf, snapshot, type SnapshotInput } from './snapshots.js';
import type { Snapshot } from '../../src/companion/model/snapshot.js';
import type { Decision, SnapshotNode } from '../../src/companion/model/types.js';

export type NodeInput = Parameters<typeof node>[1];

/** Nodes with an old driver pod each, waiting for their upgrade by default. */
export function fleet(inputs: Readonly<Record<string, NodeInput>>, extra: SnapshotInput = {}): Snapshot {
  const nodes = Object.entries(inputs).map(([name, input]) => node(name, { state: 'upgrade-required', ...input }));
  const isNew = (one: SnapshotNode) => one.labels[keys.state] === 'upgrade-done';
  const pods = nodes.map((one) => driverPod(one.name, { digest: isNew(one) ? 'new' : 'old' }));
  return snapshot({ nodes, ...extra, pods: [...pods, ...(extra.pods ?? [])] });
}

export function begun(decision: Decision): string[] {
  return patchesOf(decision)
    .filter(({ steps }) => steps.some(({ row }) => row === 'begin'))
    .map((patch) => patch.node)
    .sort();
}

export const waitsOf = (decision: Decision) => Object.fromEntries(decision.waiting.map((one) => [one.node, one.kind]));
export const four = { a: {}, b: {}, c: {}, d: {} };
const legacy = legacyKeys('ofed');
export const cordoned = { unschedulable: true } as const;
export const busy = {
  state: 'pod-restart-required',
  ...cordoned,
  annotations: { [legacy.restartStart]: String(NOW / 1000) },
} as const;
export const retried = { ...cordoned, annotations: { [legacy.cordoned]: 'true' } } as const;
export const uncordoned = { annotations: { [legacy.cordoned]: 'true' } } as const;
export const failed = { state: 'upgrade-failed', ...cordoned, annotations: { [legacy.cordoned]: 'true' } } as const;
