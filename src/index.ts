/**
 * The library: the constructs that `weft synth` is made of, and the types of the documents that they are made from.
 *
 * @example
 * const chart = new Chart(new App(), 'network');
 * const cluster = new Cluster(chart, 'east', { spec: { release: 'v26.4', nodePools } });
 * const driver = new OfedDriver(chart, 'driver', { cluster });
 * const network = new MacvlanNetwork(chart, 'rail', { cluster, master: 'ens1f0' });
 */
export { Cluster, type ClusterProps } from './constructs/cluster.js';
export {
  NicClusterPolicy,
  type NicClusterPolicyProps,
  NicNodePolicy,
  type NicNodePolicyProps,
} from './constructs/policies.js';
export { InvalidConfigError } from './constructs/parts/typed-documents.js';

// Each component, each add-on and each kind of network with its construct and its props.
export * from './components/registry.js';
export * from './addons/registry.js';
export * from './networks/registry.js';

export { addOnSectionsOfChart } from './addons/chart-values.js';
export type { ChartValues } from './addons/values.js';
export { gpuUpgradePolicyOf } from './import/driver-manager.js';
export type { DriverManagerPolicy, DriverManagerVariable } from './import/driver-manager.js';
export type { ClusterScope, InCluster } from './model/cluster-scope.js';
export type { AddOnComponents } from './constructs/policy-components.js';
export type { AttachmentOptions, NetworkConstruct, NetworkProps } from './networks/network-construct.js';
export type { AddOnConstruct, DeployedInCluster } from './addons/add-on-construct.js';
export type { ComponentConstruct } from './components/component-construct.js';
export type { InstalledConstruct } from './model/installed-construct.js';
export type { DeviceResource, RequestOptions } from './components/device-resource.js';
export type { MadeObject } from './kubernetes/made-objects.js';
export type {
  ConfigMapObject,
  DaemonSetObject,
  DeploymentObject,
  KubernetesObject,
  NetworkAttachmentObject,
} from './kubernetes/types.js';
export type { NodePool } from './model/config.js';
export type { NamedObject } from './model/named-object.js';
// The documents and their sections, with the documentation of each field.
export type * from './model/input.js';
export type * from './model/kubernetes-types.js';
export { planUpgrade } from './plan/plan-upgrade.js';
export type { ClusterSnapshot } from './plan/snapshot/objects.js';
export type { NodePlan, Obstacle, PlanOptions, PlannedDuration, UpgradePlan } from './plan/types.js';
export type { Diagnostic, Location } from './diagnostics/diagnostic.js';
