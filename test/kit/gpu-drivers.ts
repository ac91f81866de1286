import type { UpgradePolicyInput } from '../../src/shared/contract/upgrade-policy.js';
import type { GpuOperatorPolicy } from '../../src/companion/model/gpu-operator.js';

/** GPU drivers of a policy document, and what the GPU operator is told. */

type DriverInput = UpgradePolicyInput['drivers'][number];
export type GpuDriverInput = Extract<DriverInput, { kind: 'gpu' }>;
type OperatorGpuDriverInput = Extract<DriverInput, { kind: 'gpu-operator' }>;
export type GpuUpgrade = GpuDriverInput['policies'][number]['upgradePolicy'];

/** Labels of GPU driver DaemonSets and their pods. */
export const GPU_LABELS = { app: 'nvidia-driver-daemonset' };
export const GPU_SELECTOR = 'app=nvidia-driver-daemonset';

/** A GPU driver in the namespace `gpu` that the companion restarts. */
export function gpuDriver(upgrade: GpuUpgrade = {}, more: Partial<GpuDriverInput> = {}): GpuDriverInput {
  return { kind: 'gpu', ...fieldsOf(upgrade), ...more };
}

/** The same driver, restarted by the GPU operator. */
export function operatorGpuDriver(
  upgrade: GpuUpgrade = {},
  more: Partial<OperatorGpuDriverInput> = {},
): OperatorGpuDriverInput {
  return { kind: 'gpu-operator', ...fieldsOf(upgrade), ...more };
}

function fieldsOf(upgrade: GpuUpgrade): Omit<GpuDriverInput, 'kind' | 'labelPrefix'> {
  return {
    ...{ namespace: 'gpu', daemonSetSelector: GPU_SELECTOR, podSelector: GPU_SELECTOR },
    containerName: 'nvidia-driver-ctr',
    policies: [{ name: 'gpu', upgradePolicy: { autoUpgrade: true, ...upgrade } }],
  };
}

/** A ClusterPolicy by which the operator begins no node by itself. */
export const CLUSTER_POLICY: GpuOperatorPolicy = {
  ...{ kind: 'ClusterPolicy', name: 'cluster-policy', autoUpgrade: true, maxUnavailable: 0 },
  drain: { enable: false },
  ...{ usesNvidiaDrivers: false, sandboxWorkloads: false },
};
