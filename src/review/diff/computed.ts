import { isDerivedField } from '../../cluster/changes/derived.js';
import type { FieldChange } from '../../cluster/changes/fields.js';
import { RUN_NAME } from '../impact/rights.js';
import type { ObjectDiff } from './diff.js';

/** What a driver DaemonSet installs, as the policy of the companion lists it. */
const DIGEST = /^[0-9a-f]{16}$/;

/**
 * Whether an object changes only as others do, and nothing happens by it: hashes, names of the companion's runs, and the run for the old state.
 * The class decides first, so a name that somebody chose hides nothing that does something.
 */
export function isComputed({ impact, change, kind, name, fields }: ObjectDiff): boolean {
  if (impact !== 'metadata') return false;
  if (change === 'removed') return kind === 'Job' && RUN_NAME.test(name);
  return fields.length > 0 && fields.every(isComputedField);
}

/** Whether a field changes only as others do. */
export function isComputedField(field: FieldChange): boolean {
  if (isDerivedField(field.path)) return true;
  if (field.kind !== 'changed') return false;
  const isEach = (pattern: RegExp) =>
    [field.from, field.to].every((one) => typeof one === 'string' && pattern.test(one));
  return isEach(RUN_NAME) || (field.path.endsWith('.digest') && isEach(DIGEST));
}
