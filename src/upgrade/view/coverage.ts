import type { NodeSelectorTerm, SnapshotDaemonSet, SnapshotNode } from '../model/types.js';
import { fromStructured, matchesSelector } from '../../kubernetes/selection/label-selector.js';
import { toleratesAll, type Taint, type Toleration } from '../../kubernetes/selection/taints.js';

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

/** Parses the selectors of a DaemonSet once. The result tells whether the DaemonSet controller creates a pod of it on a node. */
export function coverageOf(daemonSet: SnapshotDaemonSet): (node: SnapshotNode) => boolean {
  const selector = fromStructured({ matchLabels: daemonSet.nodeSelector });
  const terms = daemonSet.nodeAffinity?.map(readTerm);
  return (node) =>
    matchesSelector(selector, node.labels) &&
    (terms === undefined || terms.some((term) => term(node))) &&
    node.taints.every((taint) => toleratesTaint(daemonSet.tolerations, taint));
}

function readTerm({ matchExpressions, matchFields }: NodeSelectorTerm): (node: SnapshotNode) => boolean {
  // A term without requirements matches nothing: Kubernetes' `nodeaffinity` package.
  if (matchExpressions.length + matchFields.length === 0) return () => false;
  const labels = fromStructured({ matchExpressions });
  const fields = fromStructured({ matchExpressions: matchFields });
  return (node) => matchesSelector(labels, node.labels) && matchesSelector(fields, { 'metadata.name': node.name });
}

function toleratesTaint(tolerations: readonly Toleration[], taint: Taint): boolean {
  const isIgnored = taint.effect === 'PreferNoSchedule' || ALWAYS_TOLERATED.has(taint.key);
  return isIgnored || toleratesAll(tolerations, [taint]);
}
