import { podIndexOf } from '../../companion/model/pod-index.js';
import type { SnapshotDaemonSet, SnapshotNode, SnapshotPod } from '../../companion/model/types.js';
import { participantsOf } from '../../companion/participants/participants.js';
import { driverKeys, REVISION_LABEL } from '../../shared/contract/labels.js';
import type { DriverPolicyOf, NodeUpgradePolicy, UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import type { PlacementNode } from '../../shared/kubernetes/selection/node-placement.js';
import type { DriverSet } from './driver-sets.js';

/** A node of the new output: once that is applied, and before the companion did anything. */
interface AppliedNode {
  readonly node: PlacementNode;
  /** The DaemonSet of its driver pod, as it was when the pod was made. */
  readonly pod: DriverSet;
  /** The driver of the pod is not loaded yet: it waits for the companion. */
  readonly waitsForLoad: boolean;
}

/** The companion of the new output with the OFED driver of its policy, and the driver DaemonSets once the output is applied. */
interface Asked {
  readonly document: UpgradePolicy;
  readonly policy: DriverPolicyOf<'ofed'>;
  readonly sets: ReadonlyMap<string, DriverSet>;
}

/** What the companion says of a node. */
export interface Answer {
  /** The policy that the node is of. */
  readonly policy: NodeUpgradePolicy | undefined;
  /** That policy upgrades nothing. */
  readonly isOff: boolean;
  readonly isUninstalled: boolean;
  /** The DaemonSet of its pod is kept for other nodes, so the node does not begin. */
  readonly isDaemonSetKept: boolean;
}

/**
 * What the companion says of each of these nodes, in their order: it looks at a cluster that has them and nothing else. Undefined: the node has no
 * driver that its policy knows.
 */
export function companionSays(
  { document, policy, sets }: Asked,
  nodes: readonly AppliedNode[],
): readonly (Answer | undefined)[] {
  // DaemonSets that left the output are kept, or they would have no pod.
  const all = new Map([...nodes.map(({ pod }) => [pod.id, pod] as const), ...sets]);
  const present = [...all.values()].filter(({ namespace }) => namespace === policy.namespace);
  const listed = new Map(policy.policies.flatMap((one) => one.daemonSets.map(({ name, digest }) => [name, digest])));
  const { safeLoad } = driverKeys(policy.labelPrefix);
  const own = nodes.map((applied, at): SnapshotNode => {
    const annotations = applied.waitsForLoad ? { [safeLoad]: 'waits' } : {};
    // The name of a node of the cluster matters to affinities; the others have one that no object names.
    return { ...NODE, ...applied.node, name: applied.node.name ?? `\0${at}`, annotations };
  });
  const pods = nodes.map((applied, at) => driverPod(applied, own[at]?.name ?? ''));
  const [participant] = participantsOf(
    { ...document, drivers: [policy] },
    {
      nodes: own,
      pods: podIndexOf(pods),
      daemonSets: present.map((one) => daemonSet(one, listed.get(one.name))),
      revisions: nodes.map(({ pod }) => {
        return { namespace: pod.namespace, ownerUid: pod.id, hash: pod.digest, digest: pod.digest };
      }),
      budgets: [],
      foreignDaemonSets: new Map(),
      evictions: { byNode: new Map(), shiftMs: 0 },
      paused: false,
    },
    NOW,
  ).participants;
  return own.map((node, at) => {
    const part = nodes[at]?.pod.namespace === policy.namespace ? participant?.on(node) : undefined;
    if (part === undefined) return undefined;
    const due = part.answers.due();
    return {
      policy: part.policy,
      isOff: part.suspended?.kind === 'off',
      isUninstalled: part.isUninstalled,
      isDaemonSetKept: due.kind === 'unknown' && due.wait?.kind === 'daemon-set-kept',
    };
  });
}

/** The age of objects does not matter. */
const NOW = 0;

const NODE = { uid: '', resourceVersion: '', unschedulable: false, ready: 'True', allocatable: {} } as const;

function daemonSet(set: DriverSet, renderedDigest: string | undefined): SnapshotDaemonSet {
  return {
    ...set,
    uid: set.id,
    resourceVersion: '',
    createdMs: NOW,
    generation: 1,
    observedGeneration: 1,
    ...(renderedDigest !== undefined && { renderedDigest }),
  };
}

function driverPod({ pod, waitsForLoad }: AppliedNode, nodeName: string): SnapshotPod {
  const { id, name, namespace, podLabels, digest } = pod;
  return {
    namespace,
    name: `${name}-${nodeName}`,
    uid: `${id} ${nodeName}`,
    nodeName,
    labels: { ...podLabels, [REVISION_LABEL]: digest },
    controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid: id },
    phase: 'Running',
    ready: !waitsForLoad,
    createdMs: NOW,
    finalizers: [],
    resourceNames: [],
    containers: [],
    initContainers: [],
    mirror: false,
    emptyDir: false,
    toleratesUnschedulable: true,
  };
}
