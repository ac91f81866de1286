import { describe, expect, it } from '@jest/globals';
import { readUpgradeLog } from './read-log.js';
import { makeReport } from './report.js';
import { reportMarkdown } from './render/markdown.js';
import { reportText } from './render/text.js';
import { NO_FRAME, reportTimeline } from './render/timeline.js';

type Move = readonly [minute: number, driver: string, node: string, from: string, to: string];

/** The report of a log with these moves of nodes. */
function reportOf(moves: readonly Move[]) {
  const lines = moves.map(([minute, driver, node, from, to]) =>
    JSON.stringify({
      ...{ time: new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString(), level: 'info' },
      ...{ message: 'its driver took too long', driver, node, from, to },
    }),
  );
  const record = readUpgradeLog(lines.join('\n'));
  if (record === undefined) throw new Error('no log');
  return makeReport(record);
}

const upgrade = (driver: string, node: string, minute: number, end: string): readonly Move[] => [
  [minute, driver, node, 'upgrade-required', 'cordon-required'],
  [minute + 2, driver, node, 'cordon-required', end],
];

describe('the report of several drivers', () => {
  const report = reportOf([
    ...upgrade('ofed', 'a', 0, 'upgrade-done'),
    ...upgrade('gpu', 'a', 1, 'upgrade-failed'),
    ...upgrade('ofed', 'b', 5, 'upgrade-failed'),
  ]);

  it('counts a node once, and names the drivers', () => {
    expect(report).toMatchObject({ nodes: 2, upgraded: 0, failed: 2 });
    const text = reportText(report);
    expect(text).toContain('2 nodes failed');
    expect(text).toMatch(/^NODE +DRIVER +WAVE /m);
    expect(text).toMatch(/^a +ofed .* upgraded /m);
    expect(text).toMatch(/^a +gpu .* failed /m);
    expect(reportMarkdown(report)).toContain('| a | gpu |');
  });

  it('has no column for one driver', () => {
    expect(reportText(reportOf(upgrade('gpu', 'a', 0, 'upgrade-done')))).toMatch(/^NODE +WAVE /m);
  });

  it('has a command for each driver that failed', () => {
    const { obstacles } = reportTimeline(report, NO_FRAME);
    expect(obstacles.map(({ nodes, help }) => [nodes, help])).toEqual([
      [['a'], '`weft upgrade explain a --driver gpu` says what can be done'],
      [['b'], '`weft upgrade explain b --driver ofed` says what can be done'],
    ]);
  });
});
