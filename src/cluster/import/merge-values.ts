import type { ChartValues } from '../../compile/addons/values.js';
import { isObject } from '../../shared/lib/json.js';

/** Values over values, as Helm merges them: maps key by key; `null` removes a default and is kept for that. */
export function mergeValues(base: ChartValues, over: ChartValues): ChartValues {
  const entries = Object.entries(over).map(([key, value]): [string, unknown] => {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    return [key, isObject(below) && isObject(value) ? mergeValues(below, value) : value];
  });
  return { ...base, ...Object.fromEntries(entries) };
}
