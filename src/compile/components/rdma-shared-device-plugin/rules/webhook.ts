import * as z from 'zod';
import { configAdmitted, WEBHOOK_PREFIX } from '../../webhook-config.js';
import { SELECTORS } from '../schema.js';

const list = z.array(z.unknown()).optional();

/** What the webhook takes (network-operator b06827e0, webhook-schemas/rdma_shared_device_plugin.json). */
const schema = () =>
  z.looseObject({
    configList: z.array(
      z.looseObject({
        resourcePrefix: z
          .string()
          .regex(WEBHOOK_PREFIX, { error: 'must be a domain such as `rdma.example.com`' })
          .optional(),
        rdmaHcaMax: z.unknown().refine((value) => value !== undefined, { error: 'is missing' }),
        selectors: z
          .strictObject({ vendors: list, deviceIDs: list, drivers: list, ifNames: list, linkTypes: list })
          .refine((value) => Object.values(value).some((one) => one !== undefined), {
            error: `needs one of ${SELECTORS.map((key) => `\`${key}\``).join(', ')}`,
          })
          .optional(),
      }),
    ),
  });

export const rdmaConfigAdmitted = configAdmitted({
  componentId: 'rdma-shared-device-plugin',
  schema,
  selectors: SELECTORS,
});
