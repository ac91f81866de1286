import type { PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { isWellFormed } from '../../../shared/lib/well-formed.js';
import { nestingMax } from '../../../shared/lib/nesting.js';
import { documentLengthMax, lexemesMax } from '../yaml/limits.js';

/** Why a value is not data. */
interface Flaw {
  readonly path: readonly PathStep[];
  readonly fact: string;
}

/** A copy of a program's exports, as JSON would give it: an object that occurs twice is copied twice. */
export interface PlainData {
  readonly value: unknown;
  readonly flaws: readonly Flaw[];
  /** Approximate length of its JSON text. */
  readonly characters: number;
  /** Text of the limit at which copying ended early. Shared references can expand to billions of values. */
  readonly exceeded: string | undefined;
}

/** Characters for the punctuation and indentation of a value. */
const VALUE_CHARACTERS = 8;

interface Copying {
  readonly flaws: Flaw[];
  /** The enclosing objects, to detect an object that contains itself. */
  readonly open: Set<object>;
  values: number;
  characters: number;
}

export function plainData(exported: unknown): PlainData {
  const copying: Copying = { flaws: [], open: new Set(), values: 0, characters: 0 };
  const value = copyOf(exported, [], copying);
  const { flaws, characters } = copying;
  return { value, flaws, characters, exceeded: exceeded(copying) };
}

function exceeded({ values, characters }: Copying): string | undefined {
  if (values > lexemesMax) return `${lexemesMax} values`;
  return characters > documentLengthMax ? `${documentLengthMax} characters` : undefined;
}

function copyOf(value: unknown, path: readonly PathStep[], copying: Copying): unknown {
  copying.values += 1;
  copying.characters += VALUE_CHARACTERS + (typeof value === 'string' ? value.length : 0);
  const fact = flawOf(value, path, copying.open);
  if (fact !== undefined) {
    copying.flaws.push({ path, fact });
    return null;
  }
  if (typeof value !== 'object' || value === null) return value;
  copying.open.add(value);
  const copy = Array.isArray(value) ? listOf(value, path, copying) : mappingOf(value, path, copying);
  copying.open.delete(value);
  return copy;
}

function listOf(list: readonly unknown[], path: readonly PathStep[], copying: Copying): unknown {
  const copy: unknown[] = [];
  for (const [index, item] of list.entries()) {
    if (exceeded(copying) !== undefined) break;
    copy.push(copyOf(item, [...path, index], copying) ?? null);
  }
  return copy;
}

function mappingOf(mapping: object, path: readonly PathStep[], copying: Copying): unknown {
  const copy: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(mapping) as [string, unknown][]) {
    if (exceeded(copying) !== undefined) break;
    copying.characters += key.length;
    if (inner !== undefined) copy.push([key, copyOf(inner, [...path, key], copying)]);
  }
  // Object.fromEntries defines properties, so that even `__proto__` becomes an ordinary one.
  return Object.fromEntries(copy);
}

/** A plain object of any realm: its prototype is null or has none itself. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const HALF_CHARACTER = 'holds half of a surrogate pair, which is no character';

function flawOf(value: unknown, path: readonly PathStep[], open: Set<object>): string | undefined {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : `is ${value}, which JSON cannot hold`;
  }
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'string' && !isWellFormed(value)) return HALF_CHARACTER;
    const isData = value === null || typeof value === 'string' || typeof value === 'boolean';
    return isData ? undefined : `is ${value === undefined ? 'undefined' : `a ${typeof value}`}`;
  }
  if (open.has(value)) {
    return 'contains itself';
  }
  if (path.length > nestingMax) {
    return `is nested more than ${nestingMax} levels deep`;
  }
  if (Array.isArray(value)) return undefined;
  if (!isPlainObject(value)) return 'is an instance of a class';
  return Object.keys(value).every(isWellFormed) ? undefined : `has a key that ${HALF_CHARACTER}`;
}
