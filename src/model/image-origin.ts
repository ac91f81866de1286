import { valueAt } from '../lib/json.js';
import { within, type Instance, type Origin } from './config.js';

/** The origin of a part of an image: the section, or the policy's `global`. */
export function imageOrigin(
  { origin }: Instance,
  path: readonly string[],
  part: 'image' | 'repository' | 'version',
): Origin {
  const own = within(origin, ...path, part);
  const global: Origin = { document: origin.document, path: ['spec', 'global', part] };
  const isWritten = ({ document, path: steps }: Origin) => Boolean(valueAt(document.value, steps));
  return !isWritten(own) && isWritten(global) ? global : own;
}
