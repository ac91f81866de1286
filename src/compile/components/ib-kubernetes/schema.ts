import * as z from 'zod';
import { imageSpec, type WithImage } from '../../model/shapes/image-spec.js';
import { nameOf } from '../../model/shapes/object-name.js';
import { isDnsSubdomain } from '../../../shared/kubernetes/names.js';

const GUID = /^(?:[0-9A-Fa-f]{2}:){7}[0-9A-Fa-f]{2}$/;

/**
 * A GUID in the format of the operator's webhook (network-operator b06827e0,
 * api/v1alpha1/validator/nicpolicy_webhook.go).
 */
const guid = z.string().regex(GUID, { error: 'must be a GUID such as `02:00:00:00:00:00:00:00`' });

/** A GUID has 64 bits, more than a JavaScript number. */
function guidValue(text: string): bigint {
  return BigInt(`0x${text.replaceAll(':', '')}`);
}

/** The section `ibKubernetes` (network-operator b06827e0, api/v1alpha1 `IBKubernetesSpec`). */
export const schema = imageSpec
  .extend({
    periodicUpdateSeconds: z.int().min(0).default(5).describe('Seconds between two updates of the subnet manager.'),
    pKeyGUIDPoolRangeStart: guid.describe('First GUID that pods may get, for instance `02:00:00:00:00:00:00:00`.'),
    pKeyGUIDPoolRangeEnd: guid.describe('Last GUID that pods may get, greater than the first.'),
    ufmSecret: nameOf(
      'Secret',
      z
        .string()
        .refine(isDnsSubdomain, { error: 'must be the name of a Secret' })
        .describe(
          'Secret of the same namespace with the keys `UFM_USERNAME`, `UFM_PASSWORD` and `UFM_ADDRESS`, optionally `UFM_HTTP_SCHEMA`, `UFM_PORT` and `UFM_CERTIFICATE`.',
        ),
    ),
  })
  .refine(
    ({ pKeyGUIDPoolRangeStart: start, pKeyGUIDPoolRangeEnd: end }) =>
      !GUID.test(start) || !GUID.test(end) || guidValue(end) > guidValue(start),
    { path: ['pKeyGUIDPoolRangeEnd'], error: 'must be greater than `pKeyGUIDPoolRangeStart`' },
  )
  .describe('Gives pods GUIDs and PKeys of InfiniBand partitions.');

/** The section with complete images. */
export type IbKubernetesSpec = WithImage<z.output<typeof schema>>;
