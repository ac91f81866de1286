import * as z from 'zod';
import { nameOf } from '../../model/shapes/object-name.js';
import { imageSpec, type WithImage } from '../../model/shapes/image-spec.js';
import { envVar } from '../../model/shapes/pod.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

const resourceName = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, {
    error: 'must be lower-case letters, digits and `-`, with a letter or digit at each end',
  });

const nicFirmwareStorage = strictObject(() => ({
  create: z.boolean().default(true).describe('Whether the claim is made, or exists in the namespace already.'),
  pvcName: nameOf('PersistentVolumeClaim', resourceName)
    .default('nic-fw-storage-pvc')
    .describe('Name of the PersistentVolumeClaim.'),
  storageClassName: resourceName
    .optional()
    .describe('Storage class of a claim that is made; it must offer ReadWriteMany. Default: the cluster’s.'),
  availableStorageSize: z
    .string()
    .regex(/^(\d+)(Ei|Pi|Ti|Gi|Mi|Ki)$/, { error: 'must be a whole number with a binary unit, such as `1Gi`' })
    .default('1Gi')
    .describe('Size of a claim that is made.'),
})).describe('Where firmware is kept that templates install. Without it there is no such place.');

/** The section `nicConfigurationOperator` (network-operator b06827e0, api/v1alpha1 `NicConfigurationOperatorSpec`). */
export const schema = strictObject(() => ({
  operator: imageSpec.prefault({}).describe('Image of the operator.'),
  configurationDaemon: imageSpec.prefault({}).describe('Image of the daemon that configures the NICs of a node.'),
  env: z.array(envVar).optional().describe('Environment of the operator and of the daemon.'),
  nicFirmwareStorage: nicFirmwareStorage.optional(),
  logLevel: z.enum(['info', 'debug']).default('info').describe('How much the operator and the daemon log.'),
})).describe('Configures NICs and updates their firmware, as custom resources ask for it.');

type Section = z.output<typeof schema>;

/** The section with complete images. */
export type NicConfigurationOperatorSpec = Omit<Section, 'operator' | 'configurationDaemon'> & {
  readonly operator: WithImage<Section['operator']>;
  readonly configurationDaemon: WithImage<Section['configurationDaemon']>;
};
