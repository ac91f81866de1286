import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';
import { isObject } from '../../../../shared/lib/json.js';
import { within, type Violation } from '../../../model/config.js';
import { parseJson } from '../../../model/shapes/json-text.js';
import { placesIn } from '../../../model/text-place.js';
import { networkKinds } from '../../../networks/all.js';
import type { Attachment } from './attachments.js';

/** How pods of a network get their addresses: the configuration of an IPAM plugin. */
export interface Ipam {
  readonly data: Readonly<Record<string, unknown>>;
  /** Name of the CNI configuration that it is in. */
  readonly networkName: string;
  /** The main CNI plugin of the interface, where it is known. */
  readonly plugin: string;
  /** The place of a key, or of the whole IPAM when it lacks the key. */
  readonly placeOf: (key: string) => Pick<Violation, 'origin' | 'at'>;
}

/** Invalid JSON is ignored here. */
function dataOf(given: unknown): unknown {
  const parsed = typeof given === 'string' ? parseJson(given) : { value: given };
  return 'value' in parsed ? parsed.value : undefined;
}

/** Every IPAM of a network; a list of CNI plugins may have several. */
export function ipamsOf({ kind, name, ipamField, spec, origin }: Attachment): readonly Ipam[] {
  const given = spec[ipamField];
  const value = dataOf(given);
  const placeOf = placesIn(given, within(origin, 'spec', ipamField));
  const ipamAt = (data: unknown, path: readonly PathStep[], plugin: unknown, networkName = name): readonly Ipam[] =>
    isObject(data)
      ? [
          {
            data,
            networkName,
            plugin: typeof plugin === 'string' ? plugin : '',
            placeOf: (key) => placeOf(Object.hasOwn(data, key) ? [...path, key] : path),
          },
        ]
      : [];
  if (ipamField === 'ipam') return ipamAt(value, [], networkKinds.find((one) => one.kind === kind)?.plugin);
  if (!isObject(value)) return [];
  // For a configuration without a name, Multus uses the name of its definition.
  const networkName = typeof value['name'] === 'string' && value['name'] !== '' ? value['name'] : name;
  const plugins = Array.isArray(value['plugins']) ? (value['plugins'] as readonly unknown[]) : [];
  return [
    ...ipamAt(value['ipam'], ['ipam'], value['type'], networkName),
    ...plugins.flatMap((plugin, index) =>
      isObject(plugin) ? ipamAt(plugin['ipam'], ['plugins', index, 'ipam'], plugin['type'], networkName) : [],
    ),
  ];
}
