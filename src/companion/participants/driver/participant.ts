import { keptBy, once } from '../../../shared/lib/memo.js';
import { counted } from '../../../shared/lib/listed.js';
import { uninstallOf } from '../../../shared/contract/uninstall.js';
import { MAINTENANCE_ANNOTATION } from '../../../shared/contract/maintenance-record.js';
import type { Part, PartAnswers, Participant, ParticipantFacts } from '../../core/maintenance/plan.js';
import { finding, type Finding } from '../../model/findings.js';
import { isInMaintenance } from '../../core/maintenance/node-facts.js';
import { phaseOf } from '../../../shared/contract/node-states.js';
import { nameOf } from '../../model/pod.js';
import type { SnapshotNode, SnapshotPod } from '../../model/types.js';
import { currentDriverPod } from './driver-pod.js';
import type { DriverNode } from './driver-node.js';
import type { DriverFacts, DriverView } from './driver-view.js';
import { gatedPodDeletions, gateLabels } from './gate.js';
import { byReason } from './kept.js';
import { retire } from './retire.js';

interface DriverKind {
  /** Drivers with a lower order are restarted first. */
  readonly order: number;
  /** What the answers about a node depend on beside its view: other answers for another object. */
  readonly answersFrom?: (view: DriverNode) => object | undefined;
  readonly answersOf: (view: DriverNode) => PartAnswers;
  readonly findings: () => readonly Finding[];
}

/** Of nodes about which nothing changed since the last decision. */
const factsFor = keptBy<ParticipantFacts>();
const partFor = keptBy<Part>();

/** The participant for a driver. */
export function driverParticipant(driver: DriverView, kind: DriverKind): Participant {
  const { facts } = driver;
  const own = factsFor(facts, [], () => participantFacts(facts, kind.order));
  const partOf = (view: DriverNode): Part =>
    partFor(view, [facts, kind.answersFrom?.(view)], () => newPart(own, facts, view, kind));
  const parts = once(() => new Map(driver.nodes.map((view) => [view.node, partOf(view)] as const)));
  return {
    ...own,
    policies: driver.policies,
    isOwnPod: (pod) => driver.isDriverPod(pod) || isGated(driver, pod.nodeName, pod.uid),
    on: (node) => parts().get(node),
    parts: once(() => [...parts()].map(([node, part]) => ({ node, part }))),
    isProven: (canaries) => lostTheirDriver(driver, canaries),
    fleet(isPaused) {
      const retired = retire(driver, isPaused);
      return {
        actions: retired.actions,
        findings: [...driverFindings(driver), ...kind.findings(), ...retired.findings],
      };
    },
    uncovered: driver.uncovered.length,
    withoutSuccessor: driver.withoutSuccessor.length,
  };
}

function participantFacts({ policy, keys, rollout, podsWithClaims }: DriverFacts, order: number): ParticipantFacts {
  return {
    name: policy.labelPrefix,
    keys,
    order,
    rollout,
    title: `the ${policy.labelPrefix} driver`,
    isPrePulled: policy.kind === 'ofed',
    holdsIt: ({ uid }) => podsWithClaims.has(uid),
    ...(policy.kind !== 'ofed' && { useText: (pod: SnapshotPod) => gpuText(pod, policy.namespace) }),
    leavesDaemonSets: false,
  };
}

function newPart(participant: ParticipantFacts, facts: DriverFacts, view: DriverNode, kind: DriverKind): Part {
  const { noDriver, driverPods, state, isDriven, isUninstalled, suspended, desired } = view;
  return {
    participant,
    state,
    policy: view.policy,
    isManaged: view.isManaged && view.policy !== undefined,
    isCounted: noDriver === undefined || driverPods.length > 0,
    isDriven,
    isReady: driverPods.some(({ pod }) => pod.ready),
    isUninstalled,
    isCandidate: view.policy?.autoUpgrade === true && noDriver === undefined && view.isManaged,
    suspended,
    wants: desired,
    daemonSet: view.daemonSet?.name ?? noDriver?.daemonSet,
    inSyncSinceMs: () => {
      const pod = currentDriverPod(view);
      return pod?.ready === true ? pod.readyChangedMs : undefined;
    },
    isSettled: () => false,
    isSick: view.daemonSet !== undefined && currentDriverPod(view)?.ready !== true,
    isQuiet: isQuiet(facts, view),
    answers: kind.answersOf(view),
  };
}

/** The pods beside the driver are those of its operator, which stops them. */
function gpuText(pod: SnapshotPod, namespace: string): string | undefined {
  if (pod.runtimeClass === undefined || pod.namespace === namespace) return undefined;
  return `pod ${nameOf(pod)} has the runtime class ${pod.runtimeClass} and asks for no GPU: it stays while the driver is replaced, unless \`gpuPodDeletion.podSelector\` selects it`;
}

function isGated({ gatedPodsOn }: DriverView, node: string, uid: string): boolean {
  return gatedPodsOn?.(node).some((pod) => pod.uid === uid) === true;
}

/** Nothing of the node changes or waits for this driver. */
function isQuiet(driver: DriverFacts, view: DriverNode): boolean {
  const { node, state, driverPods, suspended } = view;
  const isInSync =
    driverPods.length === 1 && driverPods[0]?.status === 'current' && driverPods[0].pod.deletionMs === undefined;
  const { safeLoad, requested, initialState, requestorMode } = driver.keys;
  const labels = gateLabels(driver, view, false);
  return (
    state === 'upgrade-done' &&
    isInSync &&
    suspended === undefined &&
    view.daemonSet !== undefined &&
    driver.notApplied.size === 0 &&
    [safeLoad, requested, initialState, requestorMode, MAINTENANCE_ANNOTATION].every(
      (key) => node.annotations[key] === undefined,
    ) &&
    Object.entries(labels).every(([key, value]) => node.labels[key] === value) &&
    gatedPodDeletions(driver, view).length === 0
  );
}

/** An uninstalled driver is gone from all its canaries, and the companion did not remove it in this rollout. */
function lostTheirDriver({ nodes, policy }: DriverView, canaries: readonly SnapshotNode[]): boolean {
  const viewOf = new Map(nodes.map((view) => [view.node, view]));
  const uninstallFor = uninstallOf(policy);
  // A node without a driver that has lost its state label, too, or that is new, has no view.
  const uninstalled = canaries.filter((node) => viewOf.get(node)?.isUninstalled ?? uninstallFor(node) !== undefined);
  return uninstalled.length > 0 && uninstalled.every((node) => (viewOf.get(node)?.driverPods ?? []).length === 0);
}

/** What a user should know of the driver. */
function driverFindings(driver: DriverView): readonly Finding[] {
  const { policy, nodes, uncovered, notApplied } = driver;
  const findings: Finding[] = [];
  const add = (kind: Finding['kind'], message: string) => findings.push(finding(policy.labelPrefix, kind, message));
  // Nothing renders selected DaemonSets. Without nodes for the driver there may be none, and then a Job must not wait for one.
  const isSelected = policy.kind !== 'ofed';
  for (const missing of notApplied.values())
    add(isSelected ? 'daemon-set-not-ready' : 'daemon-set-not-applied', missing);
  const bare = nodes.filter(
    ({ daemonSet, driverPods, state }) =>
      daemonSet !== undefined && driverPods.length === 0 && !isInMaintenance(phaseOf(state)),
  );
  if (bare.length > 0) {
    const names = bare.slice(0, 5).map(({ node }) => node.name);
    add('no-driver-pod', `${counted(bare.length, 'node')} without a driver pod: ${names.join(', ')}`);
  }
  if (uncovered.length > 0) {
    add(
      'node-uncovered',
      `${counted(uncovered.length, 'node')} with NICs that no driver DaemonSet covers: ${byReason(uncovered)}`,
    );
  }
  for (const message of replacedByController(driver)) add('daemon-set-not-on-delete', message);
  return findings;
}

/** DaemonSets that others made, and whose controller replaces the driver pods that only the companion must restart. */
function replacedByController({ policy, listed }: DriverView): readonly string[] {
  if (policy.kind !== 'gpu') return [];
  return [...listed.values()]
    .filter(({ updateStrategy }) => updateStrategy !== undefined && updateStrategy !== 'OnDelete')
    .map(
      ({ name, updateStrategy }) =>
        `DaemonSet ${name} has the update strategy ${updateStrategy}: its controller restarts drivers without a drain ` +
        'when its template changes; set OnDelete',
    );
}
