/**
 * The library: the constructs that `weft synth` is made of, and the types of the documents that they are made from.
 *
 * @example
 * const chart = new Chart(new App(), 'network');
 * const config = resolveConfig([cluster, policy]);
 * new NicClusterPolicy(chart, 'policy', { config });
 */
export { OfedDriver } from './components/ofed-driver/manifests.js';
export { RdmaSharedDevicePlugin } from './components/rdma-shared-device-plugin/manifests.js';
export { Cluster, OperatorNamespace } from './constructs/cluster.js';
export { NicClusterPolicy, NicNodePolicies, type PolicyProps } from './constructs/policies.js';
export { MacvlanNetwork } from './networks/macvlan-network/manifests.js';
export { HostDeviceNetwork } from './networks/host-device-network/manifests.js';
export { IPoIBNetwork } from './networks/ipoib-network/manifests.js';
export { InvalidConfigError, resolveConfig, type InputDocument } from './resolve-config.js';
export type { BuildContext, ComponentProps } from './components/component.js';
export type { Config, Instance, NetworkInstance, NodePool } from './config/config.js';
export type { ClusterDocument } from './config/kinds/cluster.js';
export type { ConfigMapDocument } from './config/kinds/config-map.js';
export type { NicClusterPolicyDocument, NicNodePolicyDocument } from './config/kinds/policies.js';
export type { Diagnostic, Location } from './diagnostics/diagnostic.js';
export type { MacvlanNetworkDocument } from './networks/macvlan-network/schema.js';
export type { HostDeviceNetworkDocument } from './networks/host-device-network/schema.js';
export type { IPoIBNetworkDocument } from './networks/ipoib-network/schema.js';
