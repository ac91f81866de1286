import type { PathStep, TextRange } from '../../../../shared/diagnostics/diagnostic.js';
import { keyAsRead, keysAsRead } from '../../../../shared/lib/go-keys.js';
import { isObject, listAt, textAt } from '../../../../shared/lib/json.js';
import { within, type Violation } from '../../../model/config.js';
import { parseJson } from '../../../model/shapes/json-text.js';
import { placesIn } from '../../../model/text-place.js';
import { keysOfPlugin } from '../../../networks/cni/plugin-types.js';
import type { Attachment } from './attachments.js';

type Fields = Readonly<Record<string, unknown>>;
type PlaceOf = (path: readonly PathStep[]) => Pick<Violation, 'origin' | 'at'>;

/** A CNI plugin of a network, as far as its document has the configuration. */
export interface AttachmentPlugin {
  /** With the keys as the plugin spells them. */
  readonly plugin: Fields;
  /** The place of a part of the configuration. */
  readonly placeOf: PlaceOf;
}

/** A configuration that is data or JSON text, as data. Invalid JSON is ignored here. */
export function dataOf(given: unknown): unknown {
  const parsed = typeof given === 'string' ? parseJson(given) : { value: given };
  return 'value' in parsed ? parsed.value : undefined;
}

/** The CNI plugins of a network: one; or the configuration of a NetworkAttachmentDefinition, and those of a list in it. */
export function pluginsOf({ ipamField, spec, origin }: Attachment): readonly AttachmentPlugin[] {
  if (ipamField === 'ipam') return [{ plugin: spec, placeOf: (path) => ({ origin: within(origin, 'spec', ...path) }) }];
  const { config } = spec;
  const data = dataOf(config);
  if (!isObject(data)) return [];
  const placeOf = placesIn(config, within(origin, 'spec', 'config'));
  return [asRead(data, placeOf), ...pluginsIn(data['plugins'], (path) => placeOf(['plugins', ...path]))];
}

/** Whether the configuration of a NetworkAttachmentDefinition is a list of plugins: Multus looks for the `type` of one first. */
export const isPluginList = ({ plugin }: AttachmentPlugin): boolean => textAt(plugin, 'type') === undefined;

/**
 * The CNI plugins whose whole configuration is that of the document: of a NetworkAttachmentDefinition all that Multus starts, of other
 * networks those of `metaPlugins`.
 */
export function wholePluginsOf(network: Attachment): readonly AttachmentPlugin[] {
  const { ipamField, spec, origin } = network;
  if (ipamField === 'config') {
    const [main, ...inList] = pluginsOf(network);
    return main === undefined || isPluginList(main) ? inList : [main];
  }
  const { metaPlugins } = spec;
  const place = within(origin, 'spec', 'metaPlugins');
  if (typeof metaPlugins !== 'string') {
    const isOne = isObject(metaPlugins);
    return pluginsIn(isOne ? [metaPlugins] : metaPlugins, (path) =>
      placesIn(metaPlugins, place)(isOne ? path.slice(1) : path),
    );
  }
  const placeOf = placesIn(`[${metaPlugins}]`, place);
  return pluginsIn(dataOf(`[${metaPlugins}]`), (path) => {
    const { at, ...found } = placeOf(path);
    return { ...found, ...(Array.isArray(at) && { at: withoutBracket(at as unknown as TextRange) }) };
  });
}

/** The brackets around the text are added here. */
const withoutBracket = ([start, end]: TextRange): TextRange => [start - 1, end - 1];

function pluginsIn(list: unknown, placeOf: PlaceOf): readonly AttachmentPlugin[] {
  return listAt({ list }, 'list').flatMap((plugin, index) =>
    isObject(plugin) ? [asRead(plugin, (path) => placeOf([index, ...path]))] : [],
  );
}

/** Plugins read their keys in any case. */
function asRead(data: Fields, placeOf: PlaceOf): AttachmentPlugin {
  const withType = keysAsRead(data, ['type']);
  const plugin = keysAsRead(withType, keysOfPlugin(withType['type']));
  return {
    plugin,
    placeOf: ([key, ...path]) =>
      key === undefined ? placeOf([]) : placeOf([keyAsRead(String(key), Object.keys(data)) ?? key, ...path]),
  };
}
