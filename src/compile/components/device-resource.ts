import type { Construct } from 'constructs';
import { podWorkload } from '../../shared/kubernetes/pod-workload.js';
import type { ClusterScope } from '../model/cluster-scope.js';
import type { ResourceOffer } from './component.js';

/** The container and the number of devices. */
export interface RequestOptions {
  /**
   * Name of the container.
   *
   * @default the first container
   */
  readonly container?: string;
  /**
   * How many.
   *
   * @default 1
   */
  readonly count?: number;
}

/** A resource that a device plugin offers to pods. */
export interface DeviceResource {
  /** With its prefix, for the requests of pods. */
  readonly name: string;
  /**
   * Adds the resource to requests and limits of a container of the workload.
   *
   * @param workload a Pod, Deployment, StatefulSet, DaemonSet, ReplicaSet, Job or CronJob of cdk8s-plus, or an `ApiObject` of one
   */
  readonly requestFrom: (workload: Construct, options?: RequestOptions) => void;
}

/** The resources of the device plugin whose construct is given, each once. */
export function deviceResources(
  construct: Construct,
  cluster: ClusterScope,
  offers: readonly ResourceOffer[],
): readonly DeviceResource[] {
  return [...new Set(offers.map(({ name }) => name))].map((name) => deviceResource(construct, cluster, name));
}

function deviceResource(construct: Construct, cluster: ClusterScope, name: string): DeviceResource {
  return {
    name,
    requestFrom(workload, { container, count = 1 } = {}) {
      if (!Number.isSafeInteger(count) || count < 1)
        throw new Error(`${construct.node.path}: \`count\` must be a whole number from 1 on`);
      const pods = podWorkload(workload);
      pods.requests.push({ resource: name, count, ...(container !== undefined && { container }) });
      cluster.add({ kind: 'use', construct, workload: pods });
    },
  };
}
