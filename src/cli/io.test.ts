import { describe, expect, it } from '@jest/globals';
import { usesColour, type Io } from './io.js';

const table: readonly {
  readonly name: string;
  readonly env: Io['env'];
  readonly isTerminal: boolean;
  readonly expected: boolean;
}[] = [
  { name: 'a terminal', env: {}, isTerminal: true, expected: true },
  { name: 'a file', env: {}, isTerminal: false, expected: false },
  { name: 'a terminal that cannot', env: { TERM: 'dumb' }, isTerminal: true, expected: false },
  { name: 'NO_COLOR', env: { NO_COLOR: '1', FORCE_COLOR: '1' }, isTerminal: true, expected: false },
  { name: 'an empty NO_COLOR, which says nothing', env: { NO_COLOR: '' }, isTerminal: true, expected: true },
  { name: 'FORCE_COLOR', env: { FORCE_COLOR: '1' }, isTerminal: false, expected: true },
  { name: 'FORCE_COLOR=0', env: { FORCE_COLOR: '0' }, isTerminal: true, expected: false },
  { name: 'FORCE_COLOR=false', env: { FORCE_COLOR: 'false' }, isTerminal: true, expected: false },
];

describe('colour', () => {
  it.each(table)('for $name: $expected', ({ env, isTerminal, expected }) => {
    const io = { env, isStderrTerminal: isTerminal } as Io;
    expect(usesColour(io)).toBe(expected);
  });
});
