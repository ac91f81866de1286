import * as z from 'zod';
import { imageSpec, type WithImage } from '../../model/shapes/image-spec.js';
import { nameOf } from '../../model/shapes/object-name.js';
import { isDnsSubdomain } from '../../../shared/kubernetes/names.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

const config = strictObject(() => ({
  fromConfigMap: nameOf(
    'ConfigMap',
    z
      .string()
      .refine(isDnsSubdomain, { error: 'must be lower-case letters, digits, `-` and `.`, at most 253 of them' })
      .describe('Name of a ConfigMap in the namespace of the service, with the key `dts_config_map.ini`.'),
  ),
})).describe('A configuration of your own; without it there is a default one.');

/** The section `docaTelemetryService` (network-operator b06827e0, api/v1alpha1 `DOCATelemetryServiceSpec`). */
export const schema = imageSpec
  .extend({ config: config.optional() })
  .describe('Offers counters of the NICs to Prometheus.');

/** The section with complete images. */
export type DocaTelemetryServiceSpec = WithImage<z.output<typeof schema>>;
