import type { SRIOV_DRAIN_KEYS } from '../../shared/contract/labels.js';

/**
 * A SriovNetworkNodeState: what the config daemon of a node asks of its drainer, and how far it is. Its name is that of the node:
 * sriov-network-operator 249e20012, `api/v1/sriovnetworknodestate_types.go`.
 */
export interface SriovNodeState {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** What the node is to have; the operator raises it when policies change. */
  readonly generation: number;
  /** Annotation `desired-state`: `Idle`, `Drain_Required` or `Reboot_Required`. Absent: nobody wrote it yet. */
  readonly desired?: string | undefined;
  /** Annotation `current-state`: `Idle`, `Draining` or `DrainComplete`. */
  readonly current?: string | undefined;
  /** Annotation `use-external-drainer` is `true`: the operator leaves the drain to the companion. */
  readonly isExternal: boolean;
  /** `status.syncStatus`: `Succeeded`, `InProgress` or `Failed`; empty: the daemon has not written it. */
  readonly syncStatus: string;
  /** Names of the resources that its spec asks for, without their prefix. */
  readonly resources: readonly string[];
  /** `status.lastSyncError`; it stays until the next success. */
  readonly lastSyncError: string;
}

/** Annotations of a SriovNetworkNodeState that a drainer writes. */
export type SriovAnswer = Partial<Record<(typeof SRIOV_DRAIN_KEYS)['current' | 'desired'], SriovDrainState>>;

type SriovDrainState = 'Idle' | 'Draining' | 'DrainComplete';

/** Whether the config daemon asks for a drain of its node. */
export function asksForDrain({ desired }: SriovNodeState): boolean {
  return desired === 'Drain_Required' || desired === 'Reboot_Required';
}
