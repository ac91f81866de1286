/**
 * Names of `status.appliedStates` in the operator's order, each with the type of its condition: network-operator b06827e0,
 * `pkg/state/factory.go` and `api/v1alpha1/nicclusterpolicyconditions.go`.
 */
export const OPERATOR_STATES: ReadonlyMap<string, string> = new Map([
  ['state-multus-cni', 'MultusCNIReady'],
  ['state-container-networking-plugins', 'CNIPluginsReady'],
  ['state-ipoib-cni', 'IPoIBCNIReady'],
  ['state-OFED', 'OFEDDriverReady'],
  ['state-SRIOV-device-plugin', 'SRIOVDevicePluginReady'],
  ['state-RDMA-device-plugin', 'RDMASharedDevicePluginReady'],
  ['state-ib-kubernetes', 'IBKubernetesReady'],
  ['state-nv-ipam-cni', 'NVIPAMReady'],
  ['state-nic-feature-discovery', 'NICFeatureDiscoveryReady'],
  ['state-doca-telemetry-service', 'DOCATelemetryServiceReady'],
  ['state-nic-configuration-operator', 'NICConfigurationOperatorReady'],
  ['state-spectrum-x-operator', 'SpectrumXOperatorReady'],
]);
