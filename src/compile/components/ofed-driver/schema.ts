import * as z from 'zod';
import { ofedUpgradePolicy } from '../../../shared/contract/operator-upgrade-policy.js';
import { count } from '../../../shared/kubernetes/fields.js';
import { imageSpec, type WithImage } from '../../model/shapes/image-spec.js';
import { nameOf } from '../../model/shapes/object-name.js';
import { envVar, probe } from '../../model/shapes/pod.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

const configMapReference = strictObject(() => ({
  name: nameOf('ConfigMap', z.string()).optional().describe('Name of a ConfigMap in the namespace of the driver.'),
}));

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
    upgradePolicy: ofedUpgradePolicy.optional(),
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

/** The section with complete images. */
export type OfedDriverSpec = WithImage<z.output<typeof schema>>;
