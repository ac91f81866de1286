import type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  SnapshotDaemonSet,
  SnapshotNode,
  Taint,
  Toleration,
} from './types.js';
import { fromStructured, matchesSelector } from '../lib/label-selector.js';

/**
 * Taints that the DaemonSet controller has its pods tolerate, by Kubernetes' `pkg/controller/daemon/util`
 * (AddOrUpdateDaemonPodTolerations); the network one only for host-network pods, which driver pods are.
 */
const ALWAYS_TOLERATED = new Set([
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/memory-pressure',
  'node.kubernetes.io/pid-pressure',
  'node.kubernetes.io/unschedulable',
  'node.kubernetes.io/network-unavailable',
]);

/** Whether the DaemonSet controller keeps a pod of this DaemonSet on this node. */
export function covers(daemonSet: SnapshotDaemonSet, node: SnapshotNode): boolean {
  return (
    Object.entries(daemonSet.nodeSelector).every(([key, value]) => node.labels[key] === value) &&
    matchesAffinity(daemonSet.nodeAffinity, node) &&
    node.taints.every((taint) => toleratesTaint(daemonSet.tolerations, taint))
  );
}

function matchesAffinity(terms: readonly NodeSelectorTerm[] | undefined, node: SnapshotNode): boolean {
  if (terms === undefined) return true;
  return terms.some((term) => {
    // A term without requirements matches nothing: Kubernetes' `nodeaffinity` package.
    if (term.matchExpressions.length + term.matchFields.length === 0) return false;
    return meetsAll(term.matchExpressions, node.labels) && meetsAll(term.matchFields, { 'metadata.name': node.name });
  });
}

function meetsAll(
  matchExpressions: readonly NodeSelectorRequirement[],
  labels: Readonly<Record<string, string>>,
): boolean {
  return matchesSelector(fromStructured({ matchExpressions }), labels);
}

function toleratesTaint(tolerations: readonly Toleration[], taint: Taint): boolean {
  if (taint.effect === 'PreferNoSchedule' || ALWAYS_TOLERATED.has(taint.key)) return true;
  return tolerations.some((toleration) => {
    if (toleration.effect !== undefined && toleration.effect !== '' && toleration.effect !== taint.effect) return false;
    if (toleration.key === undefined || toleration.key === '') return toleration.operator === 'Exists';
    if (toleration.key !== taint.key) return false;
    return toleration.operator === 'Exists' || (toleration.value ?? '') === taint.value;
  });
}
