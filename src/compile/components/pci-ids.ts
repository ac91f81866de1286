import { within, type Violation, type Instance, type Rule } from '../model/config.js';
import { formatPath } from '../model/issues.js';
import { jsonData } from '../model/shapes/json-text.js';
import { placesIn } from '../model/text-place.js';
import type { PathStep } from '../../shared/diagnostics/diagnostic.js';
import { isObject, listAt } from '../../shared/lib/json.js';

/** The places of vendor and device ids in the configuration of a device plugin. */
interface IdFields {
  readonly componentId: string;
  /** Key of the list of resources. */
  readonly list: string;
  /** Keys of a resource's `selectors`. */
  readonly keys: readonly string[];
}

/**
 * Both device plugins compare these texts with the system's ids, which have four hexadecimal digits (jaypipes/ghw,
 * pkg/pci). Text in another format selects no device.
 */
export function pciIdsComparable(fields: IdFields): Rule {
  return {
    code: 'WEFT0223',
    severity: 'warning',
    title: 'a PCI id has a form that no device has',
    *check({ instances }) {
      for (const instance of instances.get(fields.componentId) ?? []) yield* unknownIds(instance, fields);
    },
  };
}

function* unknownIds({ spec, origin }: Instance, { list, keys }: IdFields): Iterable<Violation> {
  const { config } = spec as { readonly config?: unknown };
  const placeOf = placesIn(config, within(origin, 'config'));
  for (const { path, selector } of selectorsOf(jsonData(config), list)) {
    for (const key of keys) {
      for (const [index, id] of listAt(selector, key).entries()) {
        if (typeof id !== 'string' || /^[0-9a-f]{4}$/i.test(id)) continue;
        const place = [...path, key, index];
        const digits = /^0x([0-9a-f]{4})$/i.exec(id)?.[1];
        yield {
          ...placeOf(place),
          message: `\`${formatPath([...origin.path, 'config', ...place])}\` is \`${id}\`, which no device has: PCI ids are four hexadecimal digits`,
          help: digits === undefined ? '`lspci -nn` shows the ids of a node' : `write \`${digits.toLowerCase()}\``,
        };
      }
    }
  }
}

interface Selector {
  readonly path: readonly PathStep[];
  readonly selector: unknown;
}

/** A resource has one selector, or a list of them. */
function selectorsOf(config: unknown, list: string): readonly Selector[] {
  return listAt(config, list).flatMap((resource, index): Selector[] => {
    const selectors = isObject(resource) ? resource['selectors'] : undefined;
    const path = [list, index, 'selectors'];
    if (!Array.isArray(selectors)) return [{ path, selector: selectors }];
    return selectors.map((selector: unknown, at) => ({ path: [...path, at], selector }));
  });
}
