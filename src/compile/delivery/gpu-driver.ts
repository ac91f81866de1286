import { GPU_OPERATOR_POD_SELECTOR, GPU_RESOURCE_PREFIXES } from '../../shared/contract/labels.js';
import type { UpgradePolicyInput } from '../../shared/contract/upgrade-policy.js';
import type { GpuDriver } from '../model/gpu-driver.js';

/** The name of its policy in messages and metrics: the key of the section. */
const POLICY_NAME = 'gpuDriver';

/**
 * The GPU driver in the policy document. Where the companion upgrades it alone, it does nothing while the GPU operator runs: that operator
 * either upgrades the driver itself, or removes the state label from every node.
 */
export function gpuDriverPolicy(driver: GpuDriver): UpgradePolicyInput['drivers'][number] {
  const { operator, namespace, daemonSetSelector, podSelector, containerName } = driver;
  const { validationPodSelector, startupSeconds, upgradePolicy } = driver;
  const fields = {
    namespace,
    daemonSetSelector,
    podSelector,
    containerName,
    resourcePrefixes: [...GPU_RESOURCE_PREFIXES],
    ...(validationPodSelector !== '' && { validationPodSelector }),
    policies: [{ name: POLICY_NAME, upgradePolicy, startupSeconds }],
  } satisfies Partial<UpgradePolicyInput['drivers'][number]>;
  return operator
    ? { kind: 'gpu-operator', ...fields }
    : { kind: 'gpu', ...fields, controllerPodSelector: GPU_OPERATOR_POD_SELECTOR };
}
