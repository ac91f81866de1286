import { createPatch } from 'rfc6902';

/** What patches use of the module `util` of Node, for data of JSON. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  return createPatch(one, other).length === 0;
}
