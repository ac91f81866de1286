import { describe, expect, it } from '@jest/globals';
import type { Pin } from '../../shared/kubernetes/image-pins.js';
import { lockText, parsePins } from './lock-file.js';

const A = `sha256:${'a'.repeat(64)}`;
const B = `sha256:${'b'.repeat(64)}`;

describe('weft.lock', () => {
  it('has a line for each image, sorted, and is read as it was written', () => {
    const pins = new Map<string, Pin>([
      ['nvcr.io/nvidia/b:2', { digest: B }],
      ['harbor.corp:8443/a:1', { digest: A }],
      ['busybox', { digest: A, platforms: ['linux/amd64', 'linux/arm64'] }],
    ]);
    const text = lockText(pins);
    expect(text.split('\n').slice(1)).toEqual([
      `busybox ${A} linux/amd64,linux/arm64`,
      `harbor.corp:8443/a:1 ${A}`,
      `nvcr.io/nvidia/b:2 ${B}`,
      '',
    ]);
    expect(parsePins('weft.lock', text)).toEqual({ pins, diagnostics: [] });
  });

  it('may have empty lines, comments and ends of lines of Windows', () => {
    expect(parsePins('weft.lock', `\r\n# why\r\na:1  ${A}\r\n`)).toEqual({
      pins: new Map([['a:1', { digest: A }]]),
      diagnostics: [],
    });
  });

  it('is not read on where ten lines are something else', () => {
    expect(parsePins('weft.lock', 'x y\n'.repeat(1e6)).diagnostics).toHaveLength(10);
  });

  it.each([
    ['a conflict of git', '<<<<<<< HEAD', 'does not begin with an image'],
    ['an option', `--help ${A}`, 'does not begin with an image'],
    ['an image with a digest', `a:1@${A} ${A}`, 'does not begin with an image'],
    ['no digest', 'a:1', 'the digest is not'],
    ['a digest in capitals', `a:1 ${A.toUpperCase()}`, 'the digest is not'],
    ['a short digest', `a:1 ${A.slice(0, -1)}`, 'the digest is not'],
    ['another algorithm', `a:1 sha512:${'a'.repeat(128)}`, 'the digest is not'],
    ['no platform', `a:1 ${A} amd64`, '`amd64` is no list of platforms'],
    ['more than platforms', `a:1 ${A} linux/amd64 b`, 'more than an image, a digest and platforms'],
    ['an image of another line', `first ${B}`, 'has a line above'],
  ])('%s is an error at its line', (_, line, says) => {
    const { pins, diagnostics } = parsePins('east/weft.lock', `first ${A}\n${line}\n`);
    expect(pins).toEqual(new Map([['first', { digest: A }]]));
    expect(diagnostics).toMatchObject([
      { code: 'WEFT0075', severity: 'error', location: { file: 'east/weft.lock', line: 2, sourceLine: line } },
    ]);
    expect(diagnostics[0]?.message).toContain(says);
  });
});
