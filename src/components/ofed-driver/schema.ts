import * as z from 'zod';
import { imageSpec, type WithImage } from '../../model/shapes/image-spec.js';
import { envVar, probe } from '../../model/shapes/pod.js';
import { count } from '../../model/shapes/text.js';

const configMapReference = z.strictObject({
  name: z.string().optional().describe('Name of a ConfigMap in the namespace of the driver.'),
});

const waitForCompletion = z
  .strictObject({
    podSelector: z.string().optional().describe('Label selector of the pods to wait for.'),
    timeoutSeconds: count.default(0).describe('Seconds after which the upgrade goes on anyway; 0 for never.'),
  })
  .describe('Pods that must finish before a node is drained.');

const drain = z
  .strictObject({
    enable: z.boolean().default(true).describe('Whether the node is drained.'),
    force: z.boolean().default(false).describe('Whether pods without a controller are evicted too.'),
    podSelector: z.string().optional().describe('Label selector of the pods to evict. Default: all.'),
    timeoutSeconds: count.default(300).describe('Seconds after which the drain counts as failed; 0 for never.'),
    deleteEmptyDir: z.boolean().default(false).describe('Whether pods with local data are evicted too.'),
  })
  .describe('How a node is drained.');

const upgradePolicy = z
  .strictObject({
    autoUpgrade: z.boolean().default(false).describe('Whether nodes are upgraded at all.'),
    maxParallelUpgrades: count.default(1).describe('Nodes that are upgraded at once; 0 for no limit.'),
    waitForCompletion: waitForCompletion.optional(),
    drain: drain.optional(),
    safeLoad: z
      .boolean()
      .default(false)
      .describe('Whether a node is drained before its driver is loaded for the first time. Needs `autoUpgrade`.'),
  })
  .describe('How the driver moves forward, node by node.');

/** The section `ofedDriver` (network-operator b06827e0, api/v1alpha1 `OFEDDriverSpec`). */
export const schema = imageSpec
  .extend({
    version: z
      .string()
      .optional()
      .describe('Version of the driver, or `sha256:` digest of the image. Filled by the release, not by `global`.'),
    startupProbe: probe.optional().describe('Timing of the startup probe. Default: 30, 10, 120, 10.'),
    livenessProbe: probe.optional().describe('Timing of the liveness probe. Default: 10, 30, 1, 10.'),
    readinessProbe: probe.optional().describe('Timing of the readiness probe. Default: 10, 30, 1, 10.'),
    env: z.array(envVar).optional().describe('Environment of the driver container.'),
    upgradePolicy: upgradePolicy.optional(),
    certConfig: configMapReference.optional().describe('ConfigMap with CA certificates, one key each.'),
    repoConfig: configMapReference.optional().describe('ConfigMap with package repositories, one key each.'),
    terminationGracePeriodSeconds: count
      .default(300)
      .describe('Seconds that the driver has to unload before its pod is killed.'),
    forcePrecompiled: z
      .boolean()
      .default(false)
      .describe('Whether a pool without a precompiled image is an error; else its driver is compiled on the node.'),
  })
  .describe('The DOCA-OFED driver container.');

/** The section as components see it: with its image complete. */
export type OfedDriverSpec = WithImage<z.output<typeof schema>>;
