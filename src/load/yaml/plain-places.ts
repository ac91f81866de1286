import type { PathStep } from '../../diagnostics/diagnostic.js';
import type { At, TextRange } from './scalar-place.js';

/** Where a key is and its value, or an entry of a list; absent where that is more than one line. */
interface PlainPlace {
  readonly key?: TextRange;
  readonly value?: TextRange;
}

type Entries = Map<string, PlainPlace>;

/** Where the entries of mappings and lists are that were read line by line. */
export class PlainPlaces {
  private readonly entries = new Map<unknown, Entries>();

  /** The places of a collection, which whoever reads it fills in. */
  of(collection: object): Entries {
    const entries: Entries = new Map();
    this.entries.set(collection, entries);
    return entries;
  }

  /**
   * What {@link locateInDocument} answers, where that is simple: a key, a value on one line, or where they are missing.
   *
   * @param root the document that was read
   * @returns undefined where the library must say
   */
  locate(root: unknown, path: readonly PathStep[], at: At): TextRange | undefined {
    if (typeof at !== 'string') return undefined;
    let value = root;
    let place: PlainPlace | undefined;
    for (const step of path) {
      const entries = this.entries.get(value);
      // In brackets.
      if (entries === undefined && typeof value === 'object' && value !== null) return undefined;
      const next = entries?.get(String(step));
      if (next === undefined) return place === undefined ? this.beginOf(root) : place.key;
      place = next;
      value = (value as Readonly<Record<PathStep, unknown>>)[step];
    }
    if (place === undefined) return this.beginOf(root);
    if (at === 'value') return place.value;
    // An entry of a list has no key; a mapping stands for itself by its first one.
    return place.key ?? (typeof value === 'object' ? undefined : place.value);
  }

  /** A document begins with its first key. */
  private beginOf(root: unknown): TextRange | undefined {
    const [first] = this.entries.get(root)?.values() ?? [];
    return first?.key;
  }
}

interface WrittenLine {
  readonly start: number;
  readonly indent: number;
  readonly inner: number;
  readonly key: string | undefined;
  readonly value: string | undefined;
  readonly gap: number;
}

/** Where the key and the value of a line are. */
export function placeOf({ start, indent, inner, key, value, gap }: WrittenLine): PlainPlace {
  const begin = start + (inner === -1 ? indent : inner);
  const behindKey = begin + (key?.length ?? 0);
  const beginOfValue = behindKey + gap;
  // The text below a `|` belongs to its value.
  const isOneLine = value !== undefined && !value.startsWith('|');
  return {
    ...(key !== undefined && { key: [begin, behindKey] }),
    ...(isOneLine && { value: [beginOfValue, beginOfValue + value.length] }),
  };
}
