import { expect, it } from '@jest/globals';
import { isOlderDriver } from './driver-version.js';

it.each([
  { version: 'doca3.4.1-26.04-1.1.0.0-3', other: 'doca3.5.0-26.07-0.7.7.0-0', expected: true },
  { version: 'doca3.5.0-26.07-0.7.7.0-0', other: 'doca3.4.1-26.04-1.1.0.0-3', expected: false },
  { version: '24.10-0.7.0.0-0', other: 'doca3.4.1-26.04-1.1.0.0-3', expected: true },
  { version: 'doca3.4.1-26.04-1.1.0.0-1', other: 'doca3.4.1-26.04-1.1.0.0-10', expected: true },
  { version: '24.10-0.7.0.0-0-6.8.0-31-generic', other: '24.10-1.1.4.0-0', expected: true },
  { version: '24.10-0.7.0.0-0', other: '24.10-0.7.0.0-0', expected: false },
  { version: 'sha256:0123456789ab', other: '24.10-0.7.0.0-0', expected: false },
  { version: '24.10-0.7.0.0-0', other: 'latest', expected: false },
])('$version is older than $other: $expected', ({ version, other, expected }) => {
  expect(isOlderDriver(version, other)).toBe(expected);
});
