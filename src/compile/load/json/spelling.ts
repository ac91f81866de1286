import { parseTree, visit, type Node } from 'jsonc-parser';
import type { PathStep, TextRange } from '../../../shared/diagnostics/diagnostic.js';

/** A number of JSON text, as it is written. */
interface SpeltNumber {
  readonly path: readonly PathStep[];
  readonly token: string;
  readonly value: number;
  readonly range: TextRange;
}

/** The whole numbers that are written with a fraction or an exponent: `1e1`, `10.0`. `JSON.parse` does not tell them from `10`. */
export function unusualIntegers(text: string): readonly SpeltNumber[] {
  if (!/\d[.eE]/.test(text)) return [];
  const found: SpeltNumber[] = [];
  visit(text, {
    onLiteralValue: (value, offset, length, _line, _column, path) => {
      const token = text.slice(offset, offset + length);
      if (typeof value !== 'number' || !Number.isInteger(value) || !/[.eE]/.test(token)) return;
      found.push({ path: path(), token, value, range: [offset, offset + length] });
    },
  });
  return found;
}

/** A key of JSON text that stands in its object again later. */
interface RepeatedKey {
  readonly key: string;
  /** The place of its last occurrence. */
  readonly range: TextRange;
  /** Whether all its values are objects, or lists with objects. */
  readonly hasObjects: boolean;
}

/** Keys that an object of JSON text has more than once. */
export function repeatedKeys(text: string, data: unknown): readonly RepeatedKey[] {
  if (keysIn(text) === keysIn(JSON.stringify(data))) return [];
  const root = parseTree(text);
  return root ? repeatedIn(root) : [];
}

const keysIn = (text: string): number => text.match(/"\s*:/g)?.length ?? 0;

function repeatedIn({ type, children = [] }: Node): readonly RepeatedKey[] {
  if (type !== 'object') return children.flatMap(repeatedIn);
  const byName = new Map<string, Node[]>();
  for (const child of children) {
    const name = String(child.children?.[0]?.value);
    byName.set(name, [...(byName.get(name) ?? []), child]);
  }
  const here = [...byName].flatMap(([key, properties]): readonly RepeatedKey[] => {
    const [{ offset, length } = { offset: 0, length: 0 }] = properties.at(-1)?.children ?? [];
    if (properties.length < 2) return [];
    const hasObjects = properties.every(({ children: [, value] = [] }) => isOfObjects(value));
    return [{ key, range: [offset, offset + length], hasObjects }];
  });
  return [...here, ...children.flatMap(({ children: [, value] = [] }) => (value ? repeatedIn(value) : []))];
}

const isOfObjects = (value: Node | undefined): boolean =>
  value?.type === 'object' || (value?.type === 'array' && (value.children ?? []).some(({ type }) => type === 'object'));
