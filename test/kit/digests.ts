import { createHash } from 'node:crypto';

/** An install digest as long as real ones, for a template that a test calls `new`, `old` or `v1`; a digest stays what it is. */
export function digestOf(template: string): string {
  return /^[0-9a-f]{16}$/.test(template) ? template : createHash('sha256').update(template).digest('hex').slice(0, 16);
}
