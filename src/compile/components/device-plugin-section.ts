import * as z from 'zod';
import { imageSpec } from '../model/shapes/image-spec.js';
import { jsonTextOr } from '../model/shapes/json-text.js';

/**
 * The fields of the section of a device plugin (network-operator b06827e0, api/v1alpha1 `DevicePluginSpec`).
 *
 * @param config the plugin's configuration as data
 */
export function devicePluginSection<Config extends z.ZodType>(config: Config) {
  return imageSpec.extend({
    config: jsonTextOr(config)
      .optional()
      .describe('The resources that the plugin offers, as JSON text or as an object.'),
    useCdi: z
      .boolean()
      .optional()
      .describe('Whether devices are offered through CDI; the container runtime must know it.'),
  });
}
