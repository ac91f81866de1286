/**
 * The library: the constructs that `weft synth` is made of, and the types of the documents that they are made from.
 *
 * @example
 * const chart = new Chart(new App(), 'network');
 * const config = resolveConfig([cluster, policy, network]);
 * new NicClusterPolicy(chart, 'policy', { config });
 * new Networks(chart, 'networks', { config });
 */
export { Cluster, CustomResourceDefinitions, OperatorNamespace } from './constructs/cluster.js';
export { Networks } from './constructs/networks.js';
export { componentProps, NicClusterPolicy, NicNodePolicies, type PolicyProps } from './constructs/policies.js';
export { PatchError } from './constructs/patches.js';
export type { PatchProblem } from './constructs/patches-problems.js';
export { InvalidConfigError, resolveConfig, type InputDocument } from './resolve-config.js';

// One construct for each component: `new OfedDriver(chart, 'driver', componentProps(config, ofedDriver))`.
export { ContainerNetworkingPlugins } from './components/container-networking-plugins/manifests.js';
export { containerNetworkingPlugins } from './components/container-networking-plugins/index.js';
export { DocaTelemetryService } from './components/doca-telemetry-service/manifests.js';
export { docaTelemetryService } from './components/doca-telemetry-service/index.js';
export { IbKubernetes } from './components/ib-kubernetes/manifests.js';
export { ibKubernetes } from './components/ib-kubernetes/index.js';
export { IpoibCni } from './components/ipoib-cni/manifests.js';
export { ipoibCni } from './components/ipoib-cni/index.js';
export { MultusCni } from './components/multus-cni/manifests.js';
export { multusCni } from './components/multus-cni/index.js';
export { NicConfigurationOperator } from './components/nic-configuration-operator/manifests.js';
export { nicConfigurationOperator } from './components/nic-configuration-operator/index.js';
export { NicFeatureDiscovery } from './components/nic-feature-discovery/manifests.js';
export { nicFeatureDiscovery } from './components/nic-feature-discovery/index.js';
export { NvIpamCni } from './components/nv-ipam-cni/manifests.js';
export { nvIpamCni } from './components/nv-ipam-cni/index.js';
export { OfedDriver } from './components/ofed-driver/manifests.js';
export { ofedDriver } from './components/ofed-driver/index.js';
export { RdmaSharedDevicePlugin } from './components/rdma-shared-device-plugin/manifests.js';
export { rdmaSharedDevicePlugin } from './components/rdma-shared-device-plugin/index.js';
export { SpectrumXOperator } from './components/spectrum-x-operator/manifests.js';
export { spectrumXOperator } from './components/spectrum-x-operator/index.js';
export { SriovDevicePlugin } from './components/sriov-device-plugin/manifests.js';
export { sriovDevicePlugin } from './components/sriov-device-plugin/index.js';

export { HostDeviceNetwork, type HostDeviceNetworkProps } from './networks/host-device-network/manifests.js';
export { IPoIBNetwork, type IPoIBNetworkProps } from './networks/ipoib-network/manifests.js';
export { MacvlanNetwork, type MacvlanNetworkProps } from './networks/macvlan-network/manifests.js';

export type { BuildContext, Component, ComponentProps } from './components/component.js';
export type { Config, Instance, NetworkInstance, NodePool } from './config/config.js';
export type { ClusterDocument } from './config/kinds/cluster.js';
export type { ConfigMapDocument } from './config/kinds/config-map.js';
export type { NicClusterPolicyDocument, NicNodePolicyDocument } from './config/kinds/policies.js';
export type { Diagnostic, Location } from './diagnostics/diagnostic.js';
export type { HostDeviceNetworkDocument, HostDeviceNetworkSpec } from './networks/host-device-network/schema.js';
export type { IPoIBNetworkDocument, IPoIBNetworkSpec } from './networks/ipoib-network/schema.js';
export type { MacvlanNetworkDocument, MacvlanNetworkSpec } from './networks/macvlan-network/schema.js';
