import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { planTimeline } from '../../src/forecast/plan/render/timeline.js';
import { timelinePage } from '../../src/forecast/page/page.js';
import type { Timeline } from '../../src/forecast/page/types.js';
import { isUpdate } from '../golden/golden-file.js';
import { isEveryCase } from '../kit/shares.js';
import { chromiumPath, launchChromium } from './chromium.js';
import { examplePlan } from './example.js';

const executablePath = chromiumPath();
if (isEveryCase && executablePath === undefined)
  process.stderr.write('THERE IS NO CHROMIUM: THE TESTS OF THE TIMELINE IN A BROWSER ARE SKIPPED\n');

const THEMES = ['light', 'dark'] as const;
const SCREENSHOTS = 'docs/guide/images';
/** What the guide may bring to each clone and each package. */
const SCREENSHOT_BYTES_MAX = 150 * 1024;

(isEveryCase && executablePath !== undefined ? describe : describe.skip)('the timeline in a browser', () => {
  let browser: Browser;
  let folder: string;
  let timeline: Timeline;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weft-timeline-'));
    timeline = planTimeline(examplePlan(48), 'east');
    browser = await launchChromium(executablePath ?? '');
    // The plan and the start of a browser take minutes beside all other tests on two cores.
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  let page: Page;
  let problems: string[];
  beforeEach(async () => {
    problems = [];
    page = await browser.newPage({ viewport: { width: 1120, height: 700 } });
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', ({ message }) => problems.push(`error: ${message}`));
  });
  afterEach(async () => {
    await page.close();
    expect(problems).toEqual([]);
  });

  /** Opens a page from disk; every request but that for the page itself is a problem. */
  async function open(shown: Timeline): Promise<void> {
    const path = join(folder, 'page.html');
    writeFileSync(path, timelinePage(shown));
    const url = pathToFileURL(path).href;
    page.on('request', (request) => {
      if (request.url() !== url) problems.push(`request: ${request.url()}`);
    });
    await page.goto(url);
    await page.getByRole('tree', { name: 'Nodes' }).waitFor();
  }

  const tree = () => page.getByRole('tree', { name: 'Nodes' });
  /** The nodes that the reader sees. */
  const names = () => tree().locator('.row:visible .name').allTextContents();
  const group = (name: string) => tree().locator('.group').filter({ hasText: name }).first();
  const status = () => page.getByRole('status').textContent();
  const boxes = (selector: string) =>
    page.evaluate<readonly { readonly width: number; readonly right: number }[]>(
      `[...document.querySelectorAll('${selector}')].map((one) => one.getBoundingClientRect().toJSON())`,
    );
  const selected = async () => page.locator(`#${(await tree().getAttribute('aria-activedescendant')) ?? ''}`);
  const details = () => page.getByRole('complementary', { name: 'Details of the node' });

  it('opens from disk without an error or a request, and shows every node', async () => {
    await open(timeline);
    expect((await names()).sort()).toEqual(timeline.rows.map(({ node }) => node).sort());
    expect(await status()).toBe('48 nodes');
    const headings = await tree().locator('.group-title').allTextContents();
    expect(headings).toEqual([
      'h200 · rack-2',
      'NicClusterPolicy · rack-0',
      'NicClusterPolicy · rack-1',
      'NicClusterPolicy · rack-3',
    ]);
    for (const text of timeline.summary) await page.getByText(text).first().waitFor();
  });

  it('filters by text, by outcome and by what is in the way', async () => {
    await open(timeline);
    await page.keyboard.press('/');
    const pod = timeline.rows.flatMap(({ evicted }) => evicted)[0] ?? '';
    await page.keyboard.type(pod);
    const evicting = timeline.rows.filter(({ evicted }) => evicted.some((one) => one.includes(pod)));
    expect((await names()).sort()).toEqual(evicting.map(({ node }) => node).sort());
    expect(await status()).toBe(`${evicting.length} of 48 nodes`);
    await page.getByRole('button', { name: 'Show all nodes' }).click();
    await page.getByLabel('Outcome').selectOption('failed');
    expect((await names()).sort()).toEqual(
      timeline.rows
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ node }) => node)
        .sort(),
    );
    const stuck = page.getByRole('listitem').filter({ hasText: 'research/notebook-0' });
    await stuck.getByRole('button', { name: /^show / }).click();
    expect(await names()).toEqual(['gpu-r2-004']);
    await details().getByText('pod research/notebook-0 has no controller').first().waitFor();
  });

  it('tells the reasons of a node by keyboard alone', async () => {
    await open(timeline);
    await page.keyboard.press('/');
    await page.keyboard.type('gpu-r1-003 failed');
    // On to the list, past the controls.
    while ((await page.evaluate('document.activeElement.id')) !== 'rows') await page.keyboard.press('Tab');
    // Past the group.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const current = await selected();
    expect(await current.getAttribute('aria-selected')).toBe('true');
    const spoken = await current.getAttribute('aria-label');
    expect(spoken).toContain('gpu-r1-003');
    expect(spoken).toContain('PodDisruptionBudget data/db');
    await details().getByText('Cannot evict pod as it would violate').first().waitFor();
    await details().getByText('its maintenance begins').waitFor();
    await page.keyboard.press('Escape');
    expect(await details().isVisible()).toBe(false);
  });

  it('draws other groups, times and sizes', async () => {
    await open(timeline);
    await page.getByLabel('Groups').selectOption('wave');
    expect(await page.locator('.group-name').first().textContent()).toContain('wave 1');
    const width = async () => (await page.locator('.plot').boundingBox())?.width ?? 0;
    const before = await width();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await width()).toBeGreaterThan(before * 1.5);
    await page.getByLabel('Time zone').selectOption('local');
    expect(await page.locator('.row').count()).toBe(48);
  });

  it('has everything in a table', async () => {
    await open(timeline);
    await page.getByText('All nodes as a table').click();
    // It is made in the event that follows.
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('table').getByRole('rowheader').count()).toBe(48);
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'gpu-r2-004' }) });
    expect(await row.textContent()).toContain('does not begin');
  });

  it('shows names as text, whatever they are', async () => {
    const node = '</script><img src=x onerror=alert(1)>';
    const [row] = timeline.rows;
    if (row === undefined) throw new Error('no row');
    const long = 'a'.repeat(253);
    await open({
      ...timeline,
      title: node,
      rows: [
        { ...row, node, reason: node, evicted: [node] },
        { ...row, node: long },
      ],
    });
    expect(await names()).toEqual([node, long]);
    await tree().locator('.row').first().click();
    expect(await details().getByRole('heading', { level: 2 }).textContent()).toBe(node);
    expect(await page.locator('img').count()).toBe(0);
  });

  /** As many as a page can have to show. */
  const large = (): Timeline => ({
    ...timeline,
    rows: Array.from({ length: 21 }, (_, index) =>
      timeline.rows.map((row) => ({ ...row, node: `${row.node}-${index}` })),
    ).flat(),
  });

  it('shows 1,000 nodes as groups of a pool and a wave, which open to their nodes', async () => {
    await open(large());
    expect([await status(), await names()]).toEqual(['1008 nodes', []]);
    const { rows } = large();
    const never = rows.filter(({ wave }) => wave === null).length;
    expect(await group('h200 · never begins').textContent()).toContain(`${never} nodes✕ ${never}`);
    const first = rows.filter(({ pool, wave }) => pool === 'NicClusterPolicy' && wave === 1);
    await group('NicClusterPolicy · wave 1').locator('.group-name').click();
    expect((await names()).sort()).toEqual(first.map(({ node }) => node).sort());
    // A search opens the groups of what it finds; without it they are closed again.
    await page.getByRole('searchbox').fill('gpu-r1-003-7');
    expect(await names()).toEqual(['gpu-r1-003-7']);
    await page.getByRole('button', { name: 'Show all nodes' }).click();
    expect(await names()).toEqual([]);
  });

  it('opens and closes groups by keyboard', async () => {
    await open(large());
    await tree().focus();
    const pressed = async (key: string) => {
      await page.keyboard.press(key);
      const current = await selected();
      return [await current.getAttribute('class'), await current.getAttribute('aria-expanded')];
    };
    expect(await pressed('ArrowDown')).toEqual(['group', 'false']);
    expect(await pressed('ArrowRight')).toEqual(['group', 'true']);
    expect(await pressed('ArrowDown')).toEqual([expect.stringContaining('row'), null]);
    expect(await details().isVisible()).toBe(true);
    expect(await pressed('ArrowLeft')).toEqual(['group', 'true']);
    expect(await pressed('Enter')).toEqual(['group', 'false']);
    expect(await names()).toEqual([]);
  });

  it('scrolls 1,000 nodes without another layout', async () => {
    await open(large());
    await page.getByRole('searchbox').fill('gpu');
    expect((await names()).length).toBe(1008);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const layouts = async () => {
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      return (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'LayoutCount')?.value;
    };
    const before = await layouts();
    await page.evaluate('document.querySelector(".chart").scrollTop = 5000');
    // Scrolling only moves what is there.
    expect(await layouts()).toBe(before);
  });

  it.each(THEMES)('has enough contrast in the %s theme, of which the guide shows a picture', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await open(timeline);
    await page.getByRole('treeitem', { name: /^gpu-r2-004/ }).click();
    const faint = await page.evaluate<string[]>(readFileSync(join(__dirname, 'faint-colours.mjs'), 'utf8'));
    expect(faint).toEqual([]);
    await page.reload();
    await page.getByRole('treeitem', { name: /^gpu-r2-004/ }).click();
    await page.mouse.move(0, 0);
    const picture = await page.screenshot();
    if (!isUpdate) return;
    expect(picture.length).toBeLessThan(SCREENSHOT_BYTES_MAX);
    mkdirSync(SCREENSHOTS, { recursive: true });
    writeFileSync(join(SCREENSHOTS, `plan-${colorScheme}.png`), picture);
  });

  it('has all of it on a narrow screen', async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    const [stuck] = timeline.obstacles;
    if (stuck === undefined) throw new Error('no obstacle');
    await open({ ...timeline, obstacles: Array.from({ length: 9 }, () => stuck) });
    const inTheWay = page.locator('.obstacles ul');
    const hidden = `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.obstacles ul'))`;
    expect(await page.evaluate(hidden)).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
    const name = page.locator('.group-name .label').filter({ hasText: 'NicClusterPolicy' }).first();
    const label = (await page.locator('.row .label').first().boundingBox())?.width ?? 0;
    expect((await name.boundingBox())?.width).toBeLessThanOrEqual(label);
    expect(Math.min(...(await boxes('.bar.drain')).map(({ width }) => width))).toBeGreaterThanOrEqual(5);
    await inTheWay.getByRole('button').last().click();
    const heading = details().getByRole('heading', { level: 2 });
    const top = (await heading.boundingBox())?.y ?? Infinity;
    expect([top > 0, top < 800]).toEqual([true, true]);
  });

  it('shows the end of the last node within the chart, and says in the legend what it is', async () => {
    await open(timeline);
    const edge = async (selector: string) => Math.max(...(await boxes(selector)).map(({ right }) => right));
    expect(await edge('.end')).toBeLessThanOrEqual(await edge('.row .track'));
    expect(await page.getByRole('list', { name: 'Legend' }).textContent()).toContain('done');
  });

  it('prints every node, without what only a screen needs', async () => {
    await open(timeline);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.controls').isVisible()).toBe(false);
    const cut = 'document.querySelector(".chart").scrollHeight - document.querySelector(".chart").clientHeight';
    expect(await page.evaluate(cut)).toBe(0);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
  });
});
