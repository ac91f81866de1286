import { describe, expect, it } from '@jest/globals';
import type { DriverCounts } from '../../companion/model/types.js';
import { runOutput } from './run-output.js';

const counts = (done: number, total = 10, skipped = 0): readonly DriverCounts[] => [
  {
    ...{
      driver: 'ofed',
      uncovered: 0,
      withoutSuccessor: 0,
      pools: [],
      autoUpgrade: true,
      inProgress: 0,
      failed: 0,
      available: 0,
    },
    ...{ total, skipped, done, pending: total - done },
  },
];

function terminal(isStderrTerminal = true, env: Readonly<Record<string, string>> = {}) {
  let text = '';
  let nowMs = 0;
  const io = { stdout: (part: string) => void (text += part), stderr: (part: string) => void (text += part) };
  return {
    output: runOutput({ ...io, isStderrTerminal, env }, () => nowMs),
    pass: (ms: number) => void (nowMs += ms),
    /** What the screen shows: erased text is gone. */
    screen: () => text.replace(/[^\n]*\r\x1b\[K/g, ''),
  };
}

describe('the output of a run', () => {
  it('has a bar below the log lines of a terminal, and none at the end', () => {
    const { output, pass, screen } = terminal();
    output.counts?.(counts(2));
    output.log({ time: '2026-01-01T12:00:00.000Z', level: 'info', message: 'goes on', driver: 'ofed', node: 'a' });
    expect(screen()).toBe('12:00:00 ofed: a: goes on\n[######------------------------] 2 of 10 nodes');
    pass(60_000);
    output.counts?.(counts(4));
    expect(screen()).toBe('12:00:00 ofed: a: goes on\n[############------------------] 4 of 10 nodes, about 3m left');
    output.summary('done');
    expect(screen()).toBe('12:00:00 ofed: a: goes on\ndone\n');
  });

  it('counts no nodes that are skipped', () => {
    const { output, screen } = terminal();
    output.counts?.(counts(8, 10, 2));
    expect(screen()).toContain('8 of 8 nodes');
    output.close();
    expect(screen()).toBe('');
  });

  it('counts drivers of nodes, where there are several drivers', () => {
    const { output, screen } = terminal();
    output.counts?.([...counts(2), ...counts(3)]);
    expect(screen()).toContain('5 of 20 drivers of nodes');
  });

  it.each([
    { name: 'a file', isTerminal: false, env: {} },
    { name: 'a terminal that cannot erase', isTerminal: true, env: { TERM: 'dumb' } },
  ])('has no bar in $name', ({ isTerminal, env }) => {
    const { output, screen } = terminal(isTerminal, env);
    output.counts?.(counts(2));
    expect(screen()).toBe('');
  });
});
