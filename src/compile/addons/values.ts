import { isObject } from '../../shared/lib/json.js';

/** Values of the operator's Helm chart, or a part of them. */
export type ChartValues = Readonly<Record<string, unknown>>;

/** A map of the values; empty if there is none. */
export function mapAt(values: ChartValues, key: string): ChartValues {
  const value = values[key];
  return isObject(value) ? value : {};
}

/** A part of the values without some keys. */
export function without(values: ChartValues, ...keys: readonly string[]): ChartValues {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
}
