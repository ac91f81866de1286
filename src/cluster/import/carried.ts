import type { ChartValues } from '../../compile/addons/values.js';
import { isObject, valueAt } from '../../shared/lib/json.js';

/** Where a value of the chart is. */
type ValuePath = readonly string[];

/** The paths with another value at which the Cluster document would be another one, with the add-ons as they are or all installed. */
export function carriedPaths(values: ChartValues, paths: readonly ValuePath[], render: Render): ReadonlySet<ValuePath> {
  const carried = new Set<ValuePath>();
  // Nothing is lost with the values of an add-on that is off.
  for (const place of [values, withSwitchesOn(values)]) {
    for (const isMarked of [isNoSwitch(place), isNotEnabled]) {
      for (const path of copied(place, paths.filter(isMarked), render)) carried.add(path);
    }
    const before = render(place);
    const rest = paths.filter((path) => !carried.has(path));
    for (const path of changing(place, rest, (some) => render(some) !== before)) carried.add(path);
  }
  return carried;
}

/** The values with every sub-chart installed. */
function withSwitchesOn(values: ChartValues): ChartValues {
  const entries = Object.entries(values).map(([key, value]): [string, unknown] => [
    key,
    isObject(value) && Object.hasOwn(value, 'enabled') ? { ...value, enabled: true } : value,
  ]);
  return Object.fromEntries(entries);
}

/** What of the Cluster document comes from values of the chart, as text. */
type Render = (values: ChartValues) => string;

const isNotEnabled = (path: ValuePath) => path.at(-1) !== 'enabled';

function isNoSwitch(values: ChartValues): (path: ValuePath) => boolean {
  return (path) => typeof valueAt(values, path) !== 'boolean';
}

/** The paths whose values are in the document as they are: each has a text of its own, which is looked for. */
function copied(values: ChartValues, paths: readonly ValuePath[], render: Render): readonly ValuePath[] {
  const document = render(withValues(values, paths, (index) => `value-${index};`));
  const found = new Set([...document.matchAll(/value-(\d+);/g)].map(([, index]) => Number(index)));
  return paths.filter((_path, index) => found.has(index));
}

/** The paths at which another value makes another document, by halves: most of many have none. */
function changing(
  values: ChartValues,
  paths: readonly ValuePath[],
  isOther: (values: ChartValues) => boolean,
): readonly ValuePath[] {
  // `false` and `true` for switches, text for all else.
  const isChanged = [false, true, 'other: 1'].some((other) => isOther(withValues(values, paths, () => other)));
  if (!isChanged || paths.length < 2) return isChanged ? paths : [];
  const half = Math.ceil(paths.length / 2);
  return [paths.slice(0, half), paths.slice(half)].flatMap((some) => changing(values, some, isOther));
}

/** Keys and what is there: another level, or the place of a path in the list. */
type Level = Map<string, Level | number>;

function withValues(
  values: ChartValues,
  paths: readonly ValuePath[],
  valueOf: (index: number) => unknown,
): ChartValues {
  const root: Level = new Map();
  for (const [index, path] of paths.entries()) {
    let level = root;
    for (const key of path.slice(0, -1)) {
      const known = level.get(key);
      const next = known instanceof Map ? known : new Map<string, Level | number>();
      level.set(key, next);
      level = next;
    }
    level.set(path.at(-1) ?? '', index);
  }
  return replaced(values, root, valueOf);
}

function replaced(at: unknown, level: Level, valueOf: (index: number) => unknown): ChartValues {
  const base = isObject(at) ? at : {};
  const entries = [...level].map(([key, next]): [string, unknown] => [
    key,
    typeof next === 'number' ? valueOf(next) : replaced(Object.hasOwn(base, key) ? base[key] : {}, next, valueOf),
  ]);
  return { ...base, ...Object.fromEntries(entries) };
}
