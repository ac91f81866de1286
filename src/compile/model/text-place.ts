import type { PathStep } from '../../shared/diagnostics/diagnostic.js';
import { placesInJson } from '../load/json/place.js';
import { within, type Violation, type Origin } from './config.js';

/**
 * The places of parts of a configuration that is data or JSON text, for violations.
 *
 * @param origin of the whole configuration
 */
export function placesIn(
  given: unknown,
  origin: Origin,
): (path: readonly PathStep[]) => Pick<Violation, 'origin' | 'at'> {
  if (typeof given !== 'string') return (path) => ({ origin: within(origin, ...path) });
  const inText = placesInJson(given);
  return (path) => {
    const at = inText(path);
    return { origin, ...(at !== undefined && { at }) };
  };
}
