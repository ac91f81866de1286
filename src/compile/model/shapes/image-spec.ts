import * as z from 'zod';
import { isObject } from '../../../shared/lib/json.js';
import { helps } from './help.js';
import { nameOf } from './object-name.js';
import { quantity } from './text.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

/** Compute resources of one container (network-operator b06827e0, `ResourceRequirements`). */
const containerResources = strictObject(() => ({
  name: z.string().describe('Name of the container that the amounts are for.'),
  limits: z.record(z.string(), quantity).optional().describe('The most that the container may use.'),
  requests: z.record(z.string(), quantity).optional().describe('What the scheduler sets aside for the container.'),
})).describe('Compute resources of one container; only `cpu` and `memory`.');

/** The name of a Secret; pods write it as a mapping, policies do not. */
export const secretName = nameOf('Secret', z.string()).register(helps, {
  help: (value) =>
    isObject(value) && typeof value['name'] === 'string' ? `write the name alone: \`${value['name']}\`` : undefined,
});

/** Patterns of the CRD (network-operator b06827e0, `ImageSpec`). Nothing follows the quantifiers, so a match is found or ruled out at each character once. */
/* eslint-disable regexp/no-super-linear-move */
const IMAGE_NAME = /[a-zA-Z0-9-]+/;
const IMAGE_REPOSITORY = /[a-zA-Z0-9.\-/]+/;
/* eslint-enable regexp/no-super-linear-move */

/**
 * The image of a component (network-operator b06827e0, `ImageSpec`). Missing parts come from `global` or the release.
 */
export const imageSpec = strictObject(() => ({
  image: z
    .string()
    .regex(IMAGE_NAME, { error: 'must be the name of an image' })
    .optional()
    .describe('Name of the image. Filled by the release.'),
  repository: z
    .string()
    .regex(IMAGE_REPOSITORY, { error: 'must be a registry and a path' })
    .optional()
    .describe('Registry and path of the image, without its name. Filled by `global.repository` or the release.'),
  version: z
    .string()
    .optional()
    .describe('Tag or `sha256:` digest of the image. Filled by `global.version` or the release.'),
  imagePullSecrets: z
    .array(secretName)
    .default([])
    .describe(
      'Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy by that of the NicClusterPolicy, where `repository` is left out.',
    ),
  containerResources: z.array(containerResources).optional().describe('Compute resources, container by container.'),
}));

/** An image specification after `resolve`: complete. */
export interface ImageSpec {
  readonly image: string;
  readonly repository: string;
  readonly version: string;
  readonly imagePullSecrets: readonly string[];
  readonly containerResources?: readonly z.output<typeof containerResources>[] | undefined;
}

/** A spec of the document, and the same with the image completed from `global` and the release. */
export type WithImage<Spec> = Omit<Spec, keyof ImageSpec> & ImageSpec;

/** Defaults for all sections (network-operator b06827e0, `GlobalConfig`). */
export const globalConfig = strictObject(() => ({
  repository: z.string().optional().describe('Registry and path for sections that name none.'),
  version: z.string().optional().describe('Version for sections that name none.'),
  imagePullSecrets: z.array(secretName).optional().describe('Pull secrets for sections that name none.'),
})).describe('Image defaults for all sections.');
