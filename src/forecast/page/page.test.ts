import { expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { timelinePage } from './page.js';
import { activeSpan, segmentsOf } from './segments.js';
import type { Timeline } from './types.js';

const EMPTY: Timeline = {
  ...{ title: 'Upgrade of a & b', summary: [], fromMs: 0, toMs: 60_000, rows: [], texts: [], windows: [], soaks: [] },
  ...{ nodesAtOnce: null, podsWithoutNode: [], obstacles: [], notes: [] },
};

it('a page allows its own script and style and nothing else', () => {
  const page = timelinePage(EMPTY);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
  for (const [element, directive] of [
    ['script', 'script-src'],
    ['style', 'style-src'],
  ] as const) {
    const texts = [...page.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))];
    const hash = createHash('sha256')
      .update(texts[0]?.[1] ?? '')
      .digest('base64');
    expect([texts.length, policy]).toEqual([1, expect.stringContaining(`${directive} 'sha256-${hash}'`)]);
  }
  expect(policy.split('; ')[0]).toBe("default-src 'none'");
  expect(page.replace(/<script>[\s\S]*?<\/script>/, '')).not.toMatch(/\b(?:src|href)=|https?:|url\(|@import/);
  expect(page).toContain('<title>Upgrade of a &amp; b</title>');
});

it('data cannot end the element that it stands in', () => {
  const title = '</script><!-- \u2028 <b>';
  const page = timelinePage({ ...EMPTY, title });
  const data = /<script type="application\/json" id="data">(.*)<\/script>\n<script>/.exec(page)?.[1] ?? '';
  expect(data).not.toMatch(/[<>\u2028]/);
  expect((JSON.parse(data) as Timeline).title).toBe(title);
});

it('phases are the states of a node that take time', () => {
  const states = [
    { atMs: 0, state: 'upgrade-required' },
    { atMs: 10, state: 'cordon-required' },
    { atMs: 10, state: 'wait-for-jobs-required' },
    { atMs: 10, state: 'pod-deletion-required' },
    { atMs: 15, state: 'drain-required' },
    { atMs: 20, state: 'pod-restart-required' },
    { atMs: 50, state: 'upgrade-done' },
  ] as const;
  const segments = segmentsOf(states, { fromMs: 5, toMs: 100 });
  expect(segments).toEqual([
    { phase: 'pending', fromMs: 5, toMs: 10 },
    { phase: 'drain', fromMs: 10, toMs: 20 },
    { phase: 'restart', fromMs: 20, toMs: 50 },
  ]);
  expect(activeSpan(segments)).toEqual({ fromMs: 10, toMs: 50 });
  expect(segmentsOf([{ atMs: 20, state: 'upgrade-failed' }], { fromMs: 0, toMs: 100 })).toEqual([
    { phase: 'failed', fromMs: 20, toMs: 100 },
  ]);
});
