import { controllerNamespaces } from '../../shared/contract/controller-namespaces.js';
import { driverKeys } from '../../shared/contract/labels.js';
import { NETWORK_OPERATOR_LEASE } from '../../shared/contract/network-operator.js';
import { phaseOf, type NodeState } from '../../shared/contract/node-states.js';
import {
  isRestartedByOperator,
  type DriverKind,
  type DriverPolicy,
  type DriverPolicyOf,
  type UpgradePolicy,
} from '../../shared/contract/upgrade-policy.js';
import { isInMaintenance } from '../core/maintenance/node-facts.js';
import type { Participant } from '../core/maintenance/plan.js';
import { finding, type Finding } from '../model/findings.js';
import { isFinished, nameOf } from '../model/pod.js';
import { podMatcher } from '../model/pod-index.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Waiting } from '../model/types.js';
import type { DriverNode } from './driver/driver-node.js';
import { driverView, type DriverView } from './driver/driver-view.js';
import { gpu } from './gpu/gpu.js';
import { gpuOperator } from './gpu-operator/gpu-operator.js';
import { ofed } from './ofed/ofed.js';
import { sriov } from './sriov/sriov.js';

type CreateParticipant<Kind extends DriverKind> = (
  policy: DriverPolicyOf<Kind>,
  snapshot: Snapshot,
  nowMs: number,
  of: UpgradePolicy,
) => Participant;

/** What can be due on nodes, by the kind of its section in the policy. */
const PARTICIPANTS: { readonly [Kind in DriverKind]: CreateParticipant<Kind> } = {
  ofed,
  gpu,
  'gpu-operator': gpuOperator,
  sriov,
};

/** Each driver is of the kind under which its participant stands. */
function participantOf<Kind extends DriverKind>(
  driver: DriverPolicyOf<Kind>,
  snapshot: Snapshot,
  nowMs: number,
  of: UpgradePolicy,
): Participant {
  return PARTICIPANTS[driver.kind](driver, snapshot, nowMs, of);
}

/** The participants of a policy, and those that are left to their controllers. */
export function participantsOf(
  policy: UpgradePolicy,
  snapshot: Snapshot,
  nowMs: number,
): { readonly participants: readonly Participant[]; readonly refusals: readonly Refusal[] } {
  const participants: Participant[] = [];
  const refusals: Refusal[] = [];
  for (const driver of policy.drivers) {
    const controller = runningController(driver, snapshot);
    if (controller === undefined) participants.push(participantOf(driver, snapshot, nowMs, policy));
    else refusals.push(refuse(driver, controller, snapshot));
  }
  return { participants, refusals };
}

/** What a driver of the policy has on the nodes, for reports. */
export function nodesOf(
  driver: DriverPolicy,
  snapshot: Snapshot,
  nowMs: number,
  of: UpgradePolicy,
): Pick<DriverView, 'uncovered'> & { readonly nodes: readonly ReportedNode[] } {
  if (driver.kind !== 'sriov') return driverView(driver, snapshot, nowMs, of);
  const nodes = sriov(driver, snapshot, nowMs, of).parts();
  return {
    uncovered: [],
    nodes: nodes.map(({ node, part: { state, isDriven } }) => ({
      node,
      state,
      isDriven,
      daemonSet: undefined,
      driverPods: [],
    })),
  };
}

type ReportedNode = Pick<DriverNode, 'node' | 'state' | 'daemonSet' | 'driverPods' | 'isDriven'>;

/** What a decision says of a driver whose controller runs. */
interface Refusal {
  readonly finding: Finding;
  /** The nodes that are in maintenance or failed. */
  readonly waiting: readonly Waiting[];
}

/**
 * What shows that the controller of a driver runs: a pod that has not finished, including terminating pods, or a Lease that is renewed. Its pods are
 * those in its namespaces with the label of the policy, and those that its other labels or its image show. A pod of any other namespace is a
 * tenant's, and a mirror pod its kubelet's, whatever it says of itself.
 */
function runningController(driver: DriverPolicy, { pods, operatorLeaseHolder = '' }: Snapshot): string | undefined {
  if (isRestartedByOperator(driver)) return undefined;
  const { kind, namespace, controllerPodSelector } = driver;
  if (controllerPodSelector === '') return undefined;
  const namespaces = controllerNamespaces(kind, namespace);
  const isSelected = podMatcher([controllerPodSelector]);
  const controllersOn = pods.onNodeThat(
    `controller ${kind} ${namespace} ${controllerPodSelector}`,
    (pod) =>
      // A kubelet may create mirror pods in any namespace, with any labels.
      !pod.mirror &&
      namespaces.includes(pod.namespace) &&
      ((kind === 'ofed' && pod.controllerOf !== undefined) || isSelected(pod)) &&
      !isFinished(pod),
  );
  for (const node of pods.byNode.keys()) for (const pod of controllersOn(node)) return `the pod ${nameOf(pod)} runs`;
  if (kind !== 'ofed' || operatorLeaseHolder === '') return undefined;
  return `${operatorLeaseHolder} renews the Lease ${NETWORK_OPERATOR_LEASE}`;
}

function refuse({ labelPrefix: driver }: DriverPolicy, controller: string, { nodes }: Snapshot): Refusal {
  const message = `${controller}: its controller owns the ${driver} driver`;
  const key = driverKeys(driver).state;
  const waiting = nodes.flatMap(({ name: node, labels }): Waiting | readonly Waiting[] => {
    const state = labels[key] ?? '';
    const phase = phaseOf(state);
    if (!isInMaintenance(phase) && phase !== 'due' && phase !== 'failed') return [];
    return { driver, node, state: state as NodeState, kind: 'foreign-flow', message, blockers: [] };
  });
  return { finding: finding(driver, 'controller-runs', message), waiting };
}
