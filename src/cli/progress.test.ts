import { describe, expect, it } from '@jest/globals';
import { startProgress } from './progress.js';

/** Steps at these times, in milliseconds after the start; then the end. */
function printed(
  times: readonly number[],
  io: { isStderrTerminal?: boolean; env?: Record<string, string> } = {},
): string {
  let text = '';
  let time = 5_000_000;
  const stderr = (part: string) => (text += part);
  const progress = startProgress({ isStderrTerminal: true, env: {}, ...io, stderr }, () => time);
  for (const [index, at] of times.entries()) {
    time = 5_000_000 + at;
    progress.step('clusters/a\u001b[2J', index + 1, times.length);
  }
  progress.clear();
  return text;
}

describe('startProgress', () => {
  const cases = [
    { name: 'is silent for a second', times: [0, 500, 999], expected: '' },
    {
      name: 'then says what is done, escapes written out, and erases it',
      times: [0, 1_000],
      expected: '\r\x1b[K2 of 2: clusters/a?[2J\r\x1b[K',
    },
    {
      name: 'does not flicker',
      times: [1_000, 1_050, 1_100],
      expected: '\r\x1b[K1 of 3: clusters/a?[2J\r\x1b[K3 of 3: clusters/a?[2J\r\x1b[K',
    },
    { name: 'says nothing to a file', times: [2_000], io: { isStderrTerminal: false }, expected: '' },
    { name: 'says nothing to a dumb terminal', times: [2_000], io: { env: { TERM: 'dumb' } }, expected: '' },
  ];
  it.each(cases)('$name', ({ times, io, expected }) => {
    expect(printed(times, io)).toBe(expected);
  });

  it('shows the end of a long name', () => {
    let text = '';
    let time = 0;
    const stderr = (part: string) => (text += part);
    const progress = startProgress({ isStderrTerminal: true, env: {}, stderr }, () => time);
    time = 2_000;
    progress.step(`${'x/'.repeat(100)}end`, 1, 1);
    expect(text).toMatch(/^\r\x1b\[K1 of 1: ….{67}end$/);
  });
});
