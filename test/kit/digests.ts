import { sha256 } from '../../src/shared/lib/hash.js';

/** An install digest as long as real ones, for a template that a test calls `new`, `old` or `v1`; a digest stays what it is. */
export function digestOf(template: string): string {
  return /^[0-9a-f]{16}$/.test(template) ? template : sha256(template).slice(0, 16);
}

/** The label `controller-revision-hash` of pods of a template, ten characters like real ones. */
export function revisionOf(template: string): string {
  return digestOf(template).slice(0, 10);
}
