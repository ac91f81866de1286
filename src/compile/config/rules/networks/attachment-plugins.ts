import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';
import { isObject, listAt } from '../../../../shared/lib/json.js';
import { within, type Violation } from '../../../model/config.js';
import { parseJson } from '../../../model/shapes/json-text.js';
import { placesIn } from '../../../model/text-place.js';
import type { Attachment } from './attachments.js';

/** A CNI plugin of a network, as far as its document has the configuration. */
interface AttachmentPlugin {
  readonly plugin: Readonly<Record<string, unknown>>;
  /** The place of a part of the configuration. */
  readonly placeOf: (path: readonly PathStep[]) => Pick<Violation, 'origin' | 'at'>;
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
  const inList = listAt(data, 'plugins').flatMap((plugin, index): readonly AttachmentPlugin[] =>
    isObject(plugin) ? [{ plugin, placeOf: (path) => placeOf(['plugins', index, ...path]) }] : [],
  );
  return [{ plugin: data, placeOf }, ...inList];
}
