import { valueAt } from '../../shared/lib/json.js';
import { within, type Origin } from './config.js';

/** The origin of a part of an image of a policy: its specification, or the policy's `global`. */
export function imageOrigin(origin: Origin, part: 'image' | 'repository' | 'version'): Origin {
  const own = within(origin, part);
  const global: Origin = { document: origin.document, path: ['spec', 'global', part] };
  const isWritten = ({ document, path: steps }: Origin) => Boolean(valueAt(document.value, steps));
  return !isWritten(own) && isWritten(global) ? global : own;
}
