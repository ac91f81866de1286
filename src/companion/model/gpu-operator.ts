/**
 * What a ClusterPolicy (nvidia.com/v1) or an NVIDIADriver (nvidia.com/v1alpha1) tells the GPU operator about upgrades, with the defaults
 * that the operator fills in: gpu-operator a22dbf671, `controllers/upgrade_controller.go` and `api/nvidia`.
 */
export interface GpuOperatorPolicy {
  readonly kind: 'ClusterPolicy' | 'NVIDIADriver';
  readonly name: string;
  /** An absent `upgradePolicy` is off in a ClusterPolicy, and on in an NVIDIADriver. */
  readonly autoUpgrade: boolean;
  /** Number or percentage; default 25 %. */
  readonly maxUnavailable: number | string;
  readonly drain: { readonly enable: boolean };
  /** `driver.useNvidiaDriverCRD` of a ClusterPolicy: its `upgradePolicy` is not read, those of all NVIDIADrivers are. */
  readonly usesNvidiaDrivers: boolean;
  /** `sandboxWorkloads.enabled` of a ClusterPolicy. */
  readonly sandboxWorkloads: boolean;
}
