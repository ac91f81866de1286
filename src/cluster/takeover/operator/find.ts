import { isNetworkOperatorTemplate, NETWORK_OPERATOR_LEASE } from '../../../shared/contract/network-operator.js';
import { textAt, valueAt } from '../../../shared/lib/json.js';
import type { ListedObject } from '../../../shared/kubernetes/listed-object.js';
import { ownersOf, type OperatorOwner } from './owner.js';

/** What is listed to find the operator, of any namespaces. */
interface OperatorLists {
  readonly deployments: readonly ListedObject[];
  readonly pods: readonly ListedObject[];
  readonly leases: readonly ListedObject[];
}

/** Where a Lease stands. */
interface OperatorLease {
  readonly namespace: string;
  readonly name: string;
  /** Empty: it was released. */
  readonly holder: string;
  /** As the API has it; empty: never. It changes with each renewal. */
  readonly renewTime: string;
  readonly durationSeconds: number;
}

/** The operator in a cluster. All lists are empty where none was ever installed. */
export interface FoundOperator {
  /** Its Deployments as they were listed, also with 0 replicas. */
  readonly deployments: readonly ListedObject[];
  /** Its pods that have not finished, as `namespace/name`, also those that are ending. */
  readonly pods: readonly string[];
  readonly leases: readonly OperatorLease[];
  /** Who installed the Deployments and would bring them back: one entry each. */
  readonly owners: readonly OperatorOwner[];
}

/** client-go's default of `LeaseDuration`, in controller-runtime `pkg/manager`. */
const LEASE_SECONDS = 15;

/**
 * Finds the operator by its labels, its image and its Lease. In a cluster it is looked for in one namespace: a tenant may give an object of
 * another one any name and label.
 */
export function findOperator({ deployments, pods, leases }: OperatorLists, namespace?: string): FoundOperator {
  const isThere = ({ metadata }: ListedObject) => namespace === undefined || metadata?.namespace === namespace;
  const found = deployments.filter((one) => isThere(one) && looksLikeOperator(one));
  return {
    deployments: found,
    pods: pods.filter((pod) => isThere(pod) && isUnfinished(pod) && isNetworkOperatorTemplate(pod)).map(nameOf),
    leases: leases.filter((one) => isThere(one) && one.metadata?.name === NETWORK_OPERATOR_LEASE).map(leaseOf),
    owners: found.flatMap(ownersOf),
  };
}

/** Whether the labels or the image of a Deployment are the operator's. */
export function looksLikeOperator({ spec }: ListedObject): boolean {
  return isNetworkOperatorTemplate(valueAt(spec, ['template']));
}

/** Of a Deployment, or of one in a ClusterServiceVersion, which may have any shape. */
export function replicasOf(deployment: unknown): number {
  const replicas = valueAt(deployment, ['spec', 'replicas']);
  return typeof replicas === 'number' ? replicas : 1;
}

/**
 * Why the operator counts as running, or undefined if it is stopped: it has a pod, or its Lease was renewed between two looks that are
 * a Lease's duration apart. Times of the cluster are compared with each other only, because clocks differ.
 */
export function runningReason(now: FoundOperator, before: FoundOperator): string | undefined {
  const [pod] = now.pods;
  if (pod !== undefined) return `the pod ${pod} of the operator runs`;
  const renewed = now.leases.find((lease) => {
    const old = before.leases.find(({ namespace }) => namespace === lease.namespace);
    return lease.holder !== '' && lease.renewTime !== old?.renewTime;
  });
  if (renewed === undefined) return undefined;
  return `${renewed.holder} renews the Lease ${renewed.namespace}/${renewed.name} of the operator`;
}

function nameOf({ metadata }: ListedObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

/** Whether containers of a pod may still run. */
export function isUnfinished({ status }: ListedObject): boolean {
  const phase = valueAt(status, ['phase']);
  return phase !== 'Succeeded' && phase !== 'Failed';
}

function leaseOf({ metadata, spec }: ListedObject): OperatorLease {
  const duration = valueAt(spec, ['leaseDurationSeconds']);
  return {
    namespace: metadata?.namespace ?? '',
    name: metadata?.name ?? '',
    holder: textAt(spec, 'holderIdentity') ?? '',
    renewTime: textAt(spec, 'renewTime') ?? '',
    durationSeconds: typeof duration === 'number' ? duration : LEASE_SECONDS,
  };
}
