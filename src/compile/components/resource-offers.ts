import { jsonData } from '../model/shapes/json-text.js';
import { isObject } from '../../shared/lib/json.js';
import type { ResourceOffer } from './component.js';

/** The resources of a device plugin's `config`, which is text or an object; `list` is the key of the list in it. */
export function resourceOffers(config: unknown, list: string, defaultPrefix: string): readonly ResourceOffer[] {
  const data = jsonData(config);
  const entries = isObject(data) ? data[list] : undefined;
  if (!Array.isArray(entries)) return [];
  return (entries as readonly unknown[]).map((entry, index) => {
    const { resourcePrefix, resourceName } = isObject(entry) ? entry : {};
    const prefix = typeof resourcePrefix === 'string' && resourcePrefix !== '' ? resourcePrefix : defaultPrefix;
    // Positions inside text are unknown.
    const path = typeof config === 'string' ? [] : [list, index, 'resourceName'];
    return { name: `${prefix}/${String(resourceName)}`, path: ['config', ...path] };
  });
}
