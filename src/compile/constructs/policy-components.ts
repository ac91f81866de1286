/** The components of policies, and the add-ons. `npm run types` writes this file from the registries. */
import type {
  MaintenanceOperator,
  NodeFeatureDiscovery,
  SriovNetworkOperator,
  Whereabouts,
} from '../addons/registry.js';
import type {
  ContainerNetworkingPlugins,
  DocaTelemetryService,
  IbKubernetes,
  IpoibCni,
  MultusCni,
  NicConfigurationOperator,
  NicFeatureDiscovery,
  NvIpamCni,
  OfedDriver,
  RdmaSharedDevicePlugin,
  SpectrumXOperator,
  SriovDevicePlugin,
} from '../components/registry.js';

/** The components that a NicClusterPolicy can have, by the last key of their section. */
export interface ClusterPolicyComponents {
  /** The section `secondaryNetwork.cniPlugins`; `undefined` where the policy does not have it. */
  readonly cniPlugins: ContainerNetworkingPlugins | undefined;
  /** The section `docaTelemetryService`; `undefined` where the policy does not have it. */
  readonly docaTelemetryService: DocaTelemetryService | undefined;
  /** The section `ibKubernetes`; `undefined` where the policy does not have it. */
  readonly ibKubernetes: IbKubernetes | undefined;
  /** The section `secondaryNetwork.ipoib`; `undefined` where the policy does not have it. */
  readonly ipoib: IpoibCni | undefined;
  /** The section `secondaryNetwork.multus`; `undefined` where the policy does not have it. */
  readonly multus: MultusCni | undefined;
  /** The section `nicConfigurationOperator`; `undefined` where the policy does not have it. */
  readonly nicConfigurationOperator: NicConfigurationOperator | undefined;
  /** The section `nicFeatureDiscovery`; `undefined` where the policy does not have it. */
  readonly nicFeatureDiscovery: NicFeatureDiscovery | undefined;
  /** The section `nvIpam`; `undefined` where the policy does not have it. */
  readonly nvIpam: NvIpamCni | undefined;
  /** The section `ofedDriver`; `undefined` where the policy does not have it. */
  readonly ofedDriver: OfedDriver | undefined;
  /** The section `rdmaSharedDevicePlugin`; `undefined` where the policy does not have it. */
  readonly rdmaSharedDevicePlugin: RdmaSharedDevicePlugin | undefined;
  /** The section `spectrumXOperator`; `undefined` where the policy does not have it. */
  readonly spectrumXOperator: SpectrumXOperator | undefined;
  /** The section `sriovDevicePlugin`; `undefined` where the policy does not have it. */
  readonly sriovDevicePlugin: SriovDevicePlugin | undefined;
}

/** The components that a NicNodePolicy can have, by the last key of their section. */
export interface NodePolicyComponents {
  /** The section `ofedDriver`; `undefined` where the policy does not have it. */
  readonly ofedDriver: OfedDriver | undefined;
  /** The section `rdmaSharedDevicePlugin`; `undefined` where the policy does not have it. */
  readonly rdmaSharedDevicePlugin: RdmaSharedDevicePlugin | undefined;
  /** The section `sriovDevicePlugin`; `undefined` where the policy does not have it. */
  readonly sriovDevicePlugin: SriovDevicePlugin | undefined;
}

/** The add-ons that a Cluster can have, by the key of their section. */
export interface AddOnComponents {
  /** The section `maintenanceOperator`; `undefined` where the Cluster does not have it. */
  readonly maintenanceOperator: MaintenanceOperator | undefined;
  /** The section `nodeFeatureDiscovery`; `undefined` where the Cluster does not have it. */
  readonly nodeFeatureDiscovery: NodeFeatureDiscovery | undefined;
  /** The section `sriovNetworkOperator`; `undefined` where the Cluster does not have it. */
  readonly sriovNetworkOperator: SriovNetworkOperator | undefined;
  /** The section `whereabouts`; `undefined` where the Cluster does not have it. */
  readonly whereabouts: Whereabouts | undefined;
}
