import type * as z from 'zod';
import type { PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { isObject, valueAt } from '../../../shared/lib/json.js';
import { meantIssues } from '../../model/issues.js';

type Path = readonly PathStep[];

/** A document without the fields that its schema refuses. */
export interface AcceptedPart {
  /** The output of the schema. */
  readonly value: unknown;
  /** The fields that were left out. */
  readonly leftOut: readonly Path[];
}

/** Fields without which a document is none of its kind. */
const NEEDED: ReadonlySet<PathStep> = new Set(['apiVersion', 'kind', 'metadata', 'spec']);

/** A field takes more of its mapping with it where that mapping needs it, so a document of this depth is done. */
const ROUNDS_MAX = 16;

/**
 * What a schema accepts of a document that it refuses: without the refused fields, or, where the schema needs one of them, without the field
 * that holds it. Entries stay in their lists, so that all that is left keeps its path. `undefined` if nothing of `spec` would be left.
 */
export function acceptedPart(schema: z.ZodType, input: unknown): AcceptedPart | undefined {
  let part = input;
  const leftOut: Path[] = [];
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const result = schema.safeParse(part);
    if (result.success) return { value: result.data, leftOut };
    const given = part;
    for (const path of result.error.issues.flatMap((issue) => meantIssues(issue, given)).flatMap(pathsOf)) {
      const field = fieldAt(part, path);
      if (field.length === 0 || (field.length === 1 && NEEDED.has(field[0] ?? ''))) return undefined;
      part = withoutField(part, field);
      leftOut.push(field);
    }
  }
  return undefined;
}

function pathsOf(issue: z.core.$ZodIssue): readonly Path[] {
  const path = issue.path as Path;
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
}

/** The innermost field of a mapping on the way to a path. */
function fieldAt(value: unknown, path: Path): Path {
  for (let length = path.length; length > 0; length -= 1) {
    const owner = valueAt(value, path.slice(0, length - 1));
    const key = path[length - 1];
    if (isObject(owner) && typeof key === 'string' && Object.hasOwn(owner, key)) return path.slice(0, length);
  }
  return [];
}

function withoutField(value: unknown, [step, ...rest]: Path): unknown {
  if (Array.isArray(value))
    return value.map((one, index) => (index === step ? withoutField(one, rest) : (one as unknown)));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  if (rest.length === 0) return Object.fromEntries(entries.filter(([key]) => key !== step));
  return Object.fromEntries(entries.map(([key, one]) => [key, key === step ? withoutField(one, rest) : one]));
}

/** Whether a finding at a place may be one about a field that was left out: it is there, around it or in it. */
export function dependsOn(leftOut: readonly Path[], place: Path): boolean {
  return leftOut.some((field) => field.slice(0, place.length).every((step, index) => step === place[index]));
}
