import { describe, expect, it } from '@jest/globals';
import { configHash, shortHash } from './hash.js';

/**
 * Names of kernels and policies as the operator hashes them: the first from its DaemonSets, the rest from `hash/fnv` and
 * `rand.SafeEncodeString` of k8s.io/apimachinery v0.34.2.
 */
const hashes: readonly (readonly [string, string])[] = [
  ['5.14.0-427.50.1.el9_4.x86_64', '69fb4cd685'],
  ['6.8.0-31-generic', 'd57dd4984'],
  ['5.14.0-427.13.1.el9_4.x86_64', 'd54c8446b'],
  ['6.4.0-150600.21-default', '697c799b67'],
  ['5.15.0-91-generic', '6d568d699f'],
  ['6.8.0-1015-nvidia-64k', '787b9dff75'],
  ['6.8.0-45-generic', '7b5cc869ff'],
  ['gpu', '55f9554bcc'],
  ['cpu', '85d688476f'],
  ['', '65bb57b6b5'],
  ['a', '7d6b446664'],
  ['ümläut-日本', '566487f988'],
  ['kernel with spaces', '6d7f6467bc'],
  ['0123456789012345678901234567890123456789', '997dbf8b5'],
];

describe('shortHash', () => {
  it.each(hashes)('of %j is %s', (text, expected) => {
    expect(shortHash(text)).toBe(expected);
  });
});

describe('configHash', () => {
  it('is SHA-256 in base64', () => {
    expect(configHash('')).toBe('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');
    expect(configHash('abc')).toBe('ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=');
  });

  it('is of the UTF-8 bytes', () => {
    expect(configHash('ü')).toBe('YHR0ykdalyTXNgq6caVtXfd+YTUOP3JM+h9G6Ffi2F8=');
  });
});
