import type { UpgradePolicyInput } from '../../src/shared/contract/upgrade-policy.js';
import type { GpuOperatorPolicy } from '../../src/companion/model/gpu-operator.js';

/** GPU drivers of a policy document, and what the GPU operator is told. */

export type GpuDriverInput = Extract<UpgradePolicyInput['drivers'][number], { api: 'gpu-operator' }>;
export type GpuUpgrade = GpuDriverInput['policies'][number]['upgradePolicy'];

/** Labels of GPU driver DaemonSets and their pods. */
export const GPU_LABELS = { app: 'nvidia-driver-daemonset' };
export const GPU_SELECTOR = 'app=nvidia-driver-daemonset';

/** A GPU driver in the namespace `gpu` that the companion restarts. */
export function gpuDriver(upgrade: GpuUpgrade = {}, more: Partial<GpuDriverInput> = {}): GpuDriverInput {
  return {
    ...{ api: 'gpu-operator', labelPrefix: 'gpu', namespace: 'gpu', daemonSets: 'selected' },
    ...{ daemonSetSelector: GPU_SELECTOR, podSelector: GPU_SELECTOR, containerName: 'nvidia-driver-ctr' },
    policies: [{ name: 'gpu', upgradePolicy: { autoUpgrade: true, ...upgrade }, daemonSets: [] }],
    ...more,
  };
}

/** The same driver, restarted by the GPU operator. */
export function operatorGpuDriver(upgrade: GpuUpgrade = {}, more: Partial<GpuDriverInput> = {}): GpuDriverInput {
  return gpuDriver(upgrade, { labelPrefix: 'weft-gpu', restartedBy: 'gpu-operator', ...more });
}

/** A ClusterPolicy by which the operator begins no node by itself. */
export const CLUSTER_POLICY: GpuOperatorPolicy = {
  ...{ kind: 'ClusterPolicy', name: 'cluster-policy', autoUpgrade: true, maxUnavailable: 0 },
  drain: { enable: false },
  ...{ usesNvidiaDrivers: false, sandboxWorkloads: false },
};
