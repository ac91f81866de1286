import { describe, expect, it } from '@jest/globals';
import { jsonProblem } from './json-limits.js';

describe('jsonProblem', () => {
  const kept = [
    '0',
    '-0',
    '0.0',
    '-1.50',
    '0.1',
    '1e3',
    '1E-7',
    '1.0e+21',
    '9007199254740992',
    '100000000000000000000000',
    '"9007199254740993 [[[ \\" 12345678901234567890"',
    `${'['.repeat(100)}${']'.repeat(100)}`,
  ];
  it.each(kept)('keeps %s', (text) => {
    expect(jsonProblem(text)).toBeUndefined();
  });

  const lost = [
    '9007199254740993',
    '-12345678901234567890',
    '0.10000000000000000001',
    '1e400',
    '1e-400',
    `1${'0'.repeat(100_000)}1`,
  ];
  it.each(lost)('refuses %.40s', (text) => {
    expect(jsonProblem(`{"a": "x", "b": [${text}]}`)).toEqual({
      message: `has the number ${text}, which cannot be kept exactly`,
      range: [17, 17 + text.length],
    });
  });

  it('refuses deep nesting', () => {
    expect(jsonProblem(`${'['.repeat(101)}${']'.repeat(101)}`)).toEqual({
      message: 'is nested more than 100 levels deep',
      range: [100, 101],
    });
  });
});
