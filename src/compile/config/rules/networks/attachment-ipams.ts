import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';
import { isObject, textAt } from '../../../../shared/lib/json.js';
import { within, type Violation } from '../../../model/config.js';
import { placesIn } from '../../../model/text-place.js';
import { networkKinds } from '../../../networks/all.js';
import { asPluginReads } from '../../../networks/cni/ipam.js';
import { dataOf, pluginsOf } from './attachment-plugins.js';
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

/** Every IPAM of a network; a list of CNI plugins may have several. */
export function ipamsOf(network: Attachment): readonly Ipam[] {
  const { kind, name, ipamField, spec, origin } = network;
  if (ipamField === 'ipam') {
    const place = placesIn(spec[ipamField], within(origin, 'spec', ipamField));
    return ipamIn(dataOf(spec[ipamField]), networkKinds.find((one) => one.kind === kind)?.plugin, name, place);
  }
  const plugins = pluginsOf(network);
  // For a configuration without a name, Multus uses the name of its definition.
  const networkName = textAt(plugins[0]?.plugin, 'name') ?? name;
  return plugins.flatMap(({ plugin, placeOf }) =>
    ipamIn(plugin['ipam'], plugin['type'], networkName, (path) => placeOf(['ipam', ...path])),
  );
}

function ipamIn(
  data: unknown,
  plugin: unknown,
  networkName: string,
  place: (path: readonly PathStep[]) => ReturnType<Ipam['placeOf']>,
): readonly Ipam[] {
  if (!isObject(data)) return [];
  const read = asPluginReads(data);
  return [
    {
      data: read,
      networkName,
      plugin: typeof plugin === 'string' ? plugin : '',
      placeOf: (key) => place(Object.keys(data).filter((one) => one.toLowerCase() === key.toLowerCase())),
    },
  ];
}
