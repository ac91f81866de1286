import type * as z from 'zod';
import { jsonData } from '../model/shapes/json-text.js';
import { isObject, listAt, valueAt } from '../../shared/lib/json.js';
import type { DeviceSelector, ResourceOffer } from './component.js';

/** The configuration of a device plugin. */
interface PluginConfig {
  /** Key of the list of resources. */
  readonly list: string;
  /** Of the whole configuration. */
  readonly schema: z.ZodType;
  readonly defaultPrefix: string;
  readonly selectorsOf: (resource: unknown) => readonly DeviceSelector[];
  /** How many a node offers at most; `undefined`: that depends on the node. Absent: so for all. */
  readonly mostOf?: (resource: unknown) => number | undefined;
}

/** The resources of a device plugin's `config`, which is text or an object. */
export function resourceOffers(
  config: unknown,
  { list, schema, defaultPrefix, selectorsOf, mostOf }: PluginConfig,
): readonly ResourceOffer[] {
  const data = jsonData(config, schema);
  const entries = isObject(data) ? data[list] : undefined;
  if (!Array.isArray(entries)) return [];
  return (entries as readonly unknown[]).map((entry, index) => {
    const { resourcePrefix, resourceName } = isObject(entry) ? entry : {};
    const prefix = typeof resourcePrefix === 'string' && resourcePrefix !== '' ? resourcePrefix : defaultPrefix;
    // Positions inside text are unknown.
    const path = typeof config === 'string' ? [] : [list, index, 'resourceName'];
    return {
      name: `${prefix}/${String(resourceName)}`,
      path: ['config', ...path],
      selectors: selectorsOf(entry),
      most: mostOf?.(entry),
    };
  });
}

/** @param idsKey the key of PCI device ids, which each plugin names otherwise */
export function deviceSelector(selector: unknown, idsKey: string): DeviceSelector {
  const texts = (key: string) => listAt(selector, key).filter((value) => typeof value === 'string');
  return {
    vendors: texts('vendors'),
    ids: texts(idsKey),
    drivers: texts('drivers'),
    linkTypes: texts('linkTypes'),
    pfNames: texts('pfNames'),
    rootDevices: texts('rootDevices'),
    pciAddresses: texts('pciAddresses'),
    isRdma: valueAt(selector, ['isRdma']) === true,
    hasMore: ['acpiIndexes', 'ddpProfiles', 'pKeys', 'vdpaType'].some((key) => valueAt(selector, [key]) !== undefined),
  };
}
