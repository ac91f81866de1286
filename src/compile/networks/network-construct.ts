import { Construct } from 'constructs';
import { type ClusterScope, inCluster, type InCluster } from '../model/cluster-scope.js';
import type { NetworkInstance } from '../model/config.js';
import { type MadeObject, madeObjects } from '../../shared/kubernetes/made-objects.js';
import { addObject } from '../../shared/kubernetes/objects.js';
import type { NetworkAttachmentObject } from '../../shared/kubernetes/types.js';
import { type NetworkSelection, podWorkload } from '../../shared/kubernetes/pod-workload.js';

/** Props of every network, in addition to the fields of its kind. */
export interface NetworkProps extends InCluster {
  /**
   * Name of the network and of its NetworkAttachmentDefinition.
   *
   * @default the id of the construct
   */
  readonly name?: string;
}

/** Settings of the interface in a workload's pods. Multus and the network determine missing ones. */
export type AttachmentOptions = Omit<NetworkSelection, 'name' | 'namespace'>;

/** A network: a NetworkAttachmentDefinition to which workloads are attached. */
export abstract class NetworkConstruct extends Construct {
  private readonly cluster: ClusterScope;

  /**
   * @throws InvalidConfigError when a field has an error, or when the cluster already has a network of this kind and
   *   name.
   */
  constructor(scope: Construct, id: string, documentKind: string, props: NetworkProps) {
    super(scope, id);
    const { cluster, name = id, ...values } = inCluster(id, props);
    this.cluster = cluster;
    const build = (network: NetworkInstance): void => void addObject(this, this.manifest(network));
    cluster.add({ kind: 'network', construct: this, documentKind, name, values, build });
  }

  /** The NetworkAttachmentDefinition. */
  get attachment(): MadeObject<NetworkAttachmentObject> {
    const [attachment] = madeObjects<NetworkAttachmentObject>(this, 'NetworkAttachmentDefinition');
    if (!attachment) throw new Error(`${this.node.path} has no NetworkAttachmentDefinition`);
    return attachment;
  }

  /**
   * Attaches the pods of a workload to the network: adds it at the end of their annotation
   * `k8s.v1.cni.cncf.io/networks`. A network can be attached several times.
   *
   * @param workload a Pod, Deployment, StatefulSet, DaemonSet, ReplicaSet, Job or CronJob of cdk8s-plus, or an `ApiObject` of one
   */
  attachTo(workload: Construct, options: AttachmentOptions = {}): void {
    const definition = this.attachment.toJson();
    const { name, namespace } = definition.metadata;
    const pods = podWorkload(workload);
    pods.networks.push({ selection: { ...options, name, namespace }, definition });
    this.cluster.add({ kind: 'use', construct: this, workload: pods });
  }

  /** @internal */
  protected abstract manifest(network: NetworkInstance): NetworkAttachmentObject;
}
