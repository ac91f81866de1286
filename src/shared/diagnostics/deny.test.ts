import { describe, expect, it } from '@jest/globals';
import { denyWarnings } from './deny.js';
import type { Diagnostic } from './diagnostic.js';

const found: readonly Diagnostic[] = [
  { code: 'WEFT0242', severity: 'warning', message: 'a' },
  { code: 'WEFT0311', severity: 'warning', message: 'b' },
  { code: 'WEFT0142', severity: 'error', message: 'c' },
];

describe('denied warnings', () => {
  it.each([
    { denied: 'all' as const, errors: ['WEFT0242', 'WEFT0311', 'WEFT0142'] },
    { denied: ['WEFT0311'], errors: ['WEFT0311', 'WEFT0142'] },
    { denied: [], errors: ['WEFT0142'] },
  ])('$denied', ({ denied, errors }) => {
    const result = denyWarnings(found, denied);
    expect(result.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(errors);
    expect(result).toHaveLength(found.length);
  });
});
