/**
 * The library: the constructs that `weft synth` is made of, and the types of the documents that they are made from.
 *
 * @example
 * const chart = new Chart(new App(), 'network');
 * const cluster = new Cluster(chart, 'east', { spec: { release: 'v26.4', nodePools } });
 * const driver = new OfedDriver(chart, 'driver', { cluster });
 * const network = new MacvlanNetwork(chart, 'rail', { cluster, master: 'ens1f0' });
 */
export { Cluster, type ClusterProps } from './compile/constructs/cluster.js';
export {
  NicClusterPolicy,
  type NicClusterPolicyProps,
  NicNodePolicy,
  type NicNodePolicyProps,
} from './compile/constructs/policies.js';
export { InvalidConfigError } from './compile/constructs/parts/typed-documents.js';

// Each component, each add-on and each kind of network with its construct and its props.
export * from './compile/components/registry.js';
export * from './compile/addons/registry.js';
export * from './compile/networks/registry.js';

export { addOnSectionsOfChart } from './compile/addons/chart-values.js';
export type { ChartValues } from './compile/addons/values.js';
export { gpuUpgradePolicyOf } from './cluster/import/driver-manager.js';
export type { DriverManagerPolicy, DriverManagerVariable } from './cluster/import/driver-manager.js';
export type { ClusterScope, InCluster } from './compile/model/cluster-scope.js';
export type { AddOnComponents } from './compile/constructs/policy-components.js';
export type { AttachmentOptions, NetworkConstruct, NetworkProps } from './compile/networks/network-construct.js';
export type { AddOnConstruct, DeployedInCluster } from './compile/addons/add-on-construct.js';
export type { ComponentConstruct } from './compile/components/component-construct.js';
export type { InstalledConstruct } from './compile/model/installed-construct.js';
export type { DeviceResource, RequestOptions } from './compile/components/device-resource.js';
export type { MadeObject } from './shared/kubernetes/made-objects.js';
export type {
  ConfigMapObject,
  DaemonSetObject,
  DeploymentObject,
  KubernetesObject,
  NetworkAttachmentObject,
} from './shared/kubernetes/types.js';
export type { NodePool } from './compile/model/config.js';
export type { PoolCoverage } from './compile/coverage/pool-coverage.js';
export type { NamedObject } from './compile/model/named-object.js';
// The documents and their sections, with the documentation of each field.
export type * from './compile/model/input.js';
export type * from './compile/model/kubernetes-types.js';
export { planUpgrade } from './forecast/plan/plan-upgrade.js';
export type { ClusterSnapshot } from './forecast/plan/snapshot/objects.js';
export type { NodePlan, Obstacle, PlanOptions, PlannedDuration, UpgradePlan } from './forecast/plan/types.js';
export type { Diagnostic, Location } from './shared/diagnostics/diagnostic.js';
