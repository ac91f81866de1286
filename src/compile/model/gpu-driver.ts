import * as z from 'zod';
import { gpuUpgradePolicy } from '../../shared/contract/operator-upgrade-policy.js';
import { count, selectorText } from '../../shared/kubernetes/fields.js';
import { isDnsLabel } from '../../shared/kubernetes/names.js';
import { strictObject } from '../../shared/lib/strict-object.js';

/** The GPU operator's policy, by the names of a ClusterPolicy and of the operator's chart. */
const upgradePolicy = gpuUpgradePolicy
  .check(({ value, issues }) => {
    if (value.podDeletion !== undefined && value.gpuPodDeletion !== undefined) {
      const message = 'is another name of `gpuPodDeletion`, which is set too';
      issues.push({ code: 'custom', input: value.podDeletion, path: ['podDeletion'], message });
    }
  })
  .prefault({})
  .describe('As `driver.upgradePolicy` of a ClusterPolicy. Nodes are upgraded only with `autoUpgrade`.');

/** Empty text would select every DaemonSet or pod of the namespace. */
const selector = selectorText.refine((text) => text.trim() !== '', { error: 'must not be empty', abort: true });

/** On the DaemonSets and pods of a ClusterPolicy and of NVIDIADrivers; their label `app` differs. */
const DRIVER_SELECTOR = 'app.kubernetes.io/component=nvidia-driver';

/**
 * The section `gpuDriver` of a Cluster document. The defaults are the names that the GPU operator gives the driver: gpu-operator a22dbf671,
 * `assets/state-driver/0500_daemonset.yaml`, `manifests/state-driver/0500_daemonset.yaml` and `cmd/gpu-operator/main.go`. The driver's startup
 * probe there lets it load for 60 s and 120 times 10 s.
 */
export const gpuDriver = strictObject(() => ({
  operator: z
    .boolean()
    .default(false)
    .describe(
      '`true`: the GPU operator upgrades the driver of nodes that the companion has cordoned and drained. `false`: the companion upgrades it.',
    ),
  namespace: z
    .string()
    .refine(isDnsLabel, { error: 'must be lower-case letters, digits and `-`' })
    .default('gpu-operator')
    .describe('Namespace of the driver DaemonSets and their pods.'),
  daemonSetSelector: selector
    .default(DRIVER_SELECTOR)
    .describe('Label selector of the driver DaemonSets; their update strategy must be `OnDelete`.'),
  podSelector: selector.default(DRIVER_SELECTOR).describe('Label selector of the driver pods.'),
  containerName: z
    .string()
    .min(1)
    .default('nvidia-driver-ctr')
    .describe('The container that is ready when the driver is loaded.'),
  validationPodSelector: selectorText
    .default('app=nvidia-operator-validator')
    .describe('Pods on the node that must be Ready after the upgrade; empty for none.'),
  startupSeconds: count
    .default(60 + 120 * 10)
    .describe('How long the startup probe lets a driver load: a node fails ten minutes after that at the earliest.'),
  upgradePolicy,
})).describe(
  'The GPU driver, whose DaemonSets are not rendered but selected. Default: the companion does nothing for it.',
);

/** The section with all defaults. */
export type GpuDriver = z.output<typeof gpuDriver>;
