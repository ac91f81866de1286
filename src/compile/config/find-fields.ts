import { described, mappingsOf, type Schema } from './explain-field.js';
import { schemaOf } from './json-schema.js';
import { customKinds } from './kinds/extra-object.js';
import { documentKinds, type DocumentKind } from './kinds/kinds.js';

/** A field of an input document. */
export interface FoundField {
  readonly kind: string;
  /** From the top of the document: `spec.nodePools.kernels`. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

function* fieldsIn(kind: string, schema: Schema, above: string): Iterable<FoundField> {
  for (const { properties = {} } of mappingsOf(schema)) {
    for (const [key, field] of Object.entries(properties)) {
      const path = above === '' ? key : `${above}.${key}`;
      const { type, description } = described(field, false);
      yield { kind, path, type, description };
      yield* fieldsIn(kind, field, path);
    }
  }
}

/** All fields of kinds, each once: NicClusterPolicy and NicNodePolicy have many in common, and so have alternatives of a field. */
function fieldsOfKinds(kinds: readonly DocumentKind[]): readonly FoundField[] {
  const found = new Map<string, FoundField>();
  for (const kind of kinds) {
    for (const field of fieldsIn(kind.kind, schemaOf(kind) as Schema, '')) {
      // Definitions of custom resources are here without their texts.
      const key = field.description === '' ? `${field.kind}.${field.path}` : `${field.path} ${field.description}`;
      if (!found.has(key)) found.set(key, field);
    }
  }
  return [...found.values()];
}

const SPEC = 'spec.';

/** Paths of the fields of Weft's own documents as `weft explain` takes them: below `spec`, without the kind. */
export function fieldPaths(): readonly string[] {
  const paths = fieldsOfKinds(documentKinds).flatMap(({ path }) =>
    path.startsWith(SPEC) ? [path.slice(SPEC.length)] : [],
  );
  return [...new Set(paths)];
}

/**
 * The fields that words are about: one of them is in the key or the description, and the others there or in the path. First those whose key is
 * one of the words, then those whose key has one.
 */
export function findFields(text: string): readonly FoundField[] {
  const words = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  const has = (searched: string) => (word: string) => searched.includes(word);
  const found = fieldsOfKinds([...documentKinds, ...customKinds()]).filter(({ path, description }) => {
    const own = `${keyOf(path)} ${description}`.toLowerCase();
    return words.some(has(own)) && words.every(has(`${path} ${own}`.toLowerCase()));
  });
  const rank = ({ path }: FoundField) => {
    const key = keyOf(path).toLowerCase();
    return words.includes(key) ? 0 : words.some(has(key)) ? 1 : 2;
  };
  return [...found].sort((a, b) => rank(a) - rank(b));
}

const keyOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
