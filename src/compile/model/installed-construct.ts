import { Construct } from 'constructs';
import { type MadeObject, madeObjects } from '../../shared/kubernetes/made-objects.js';
import type { ConfigMapObject, DaemonSetObject, DeploymentObject } from '../../shared/kubernetes/types.js';
import type { ClusterScope } from './cluster-scope.js';

/** A component or an add-on with its objects. */
export abstract class InstalledConstruct extends Construct {
  /** @internal */
  protected readonly cluster: ClusterScope;

  constructor(scope: Construct, id: string, cluster: ClusterScope) {
    super(scope, id);
    this.cluster = cluster;
  }

  /** All objects, in the order in which they were added. */
  get objects(): readonly MadeObject[] {
    return madeObjects(this);
  }

  /** Its DaemonSets. */
  get daemonSets(): readonly MadeObject<DaemonSetObject>[] {
    return madeObjects<DaemonSetObject>(this, 'DaemonSet');
  }

  /** Its Deployments. */
  get deployments(): readonly MadeObject<DeploymentObject>[] {
    return madeObjects<DeploymentObject>(this, 'Deployment');
  }

  /** Its ConfigMaps. */
  get configMaps(): readonly MadeObject<ConfigMapObject>[] {
    return madeObjects<ConfigMapObject>(this, 'ConfigMap');
  }

  /** The CustomResourceDefinitions that come with it. A cluster has each of them once: they are among the objects of its `Cluster`. */
  get crds(): readonly MadeObject[] {
    return (this.cluster.crds ?? []).filter(({ name }) => this.crdNames.includes(name));
  }

  /** @internal */
  protected abstract get crdNames(): readonly string[];
}
