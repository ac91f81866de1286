import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { filesBelow } from '../kit/files.js';
import { chromiumPath, launchChromium } from '../timeline/chromium.js';
import { serveFolder } from './static-server.js';

const executablePath = chromiumPath();
if (executablePath === undefined)
  process.stderr.write('THERE IS NO CHROMIUM: THE TESTS OF THE SITE IN A BROWSER ARE SKIPPED\n');

/** A version of the site in a folder of a server. */
const BASE = '/weft/v0.1/';
const MINUTES_10 = 600_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-site-'));
  // It fails for a dead link.
  execFileSync(process.execPath, [join('node_modules', 'tsx', 'dist', 'cli.mjs'), 'scripts/site/build.ts'], {
    env: { ...process.env, WEFT_SITE_FOLDER: folder, WEFT_SITE_BASE: BASE },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}, MINUTES_10);
afterAll(() => rmSync(folder, { recursive: true }));

it('has a page for each document', () => {
  const expected = ['docs/errors', 'docs/guide', 'docs/adr', 'docs/reference']
    .flatMap(filesBelow)
    .filter((path) => path.endsWith('.md'))
    .map((path) =>
      relative('docs', path)
        .replace(/README\.md$/, 'index.md')
        .replace(/\.md$/, '.html'),
    );
  const pages = filesBelow(folder).map((path) => relative(folder, path));
  expect(expected.length).toBeGreaterThan(200);
  expect(expected.filter((path) => !pages.includes(path))).toEqual([]);
  expect(pages).toEqual(expect.arrayContaining(['index.html', 'project/SECURITY.html', 'components/multus-cni.html']));
});

(executablePath === undefined ? describe.skip : describe)('the site in a browser', () => {
  let browser: Browser;
  let server: Server;
  let address: string;
  beforeAll(async () => {
    ({ server, address } = await serveFolder(folder, BASE));
    browser = await launchChromium(executablePath ?? '');
  }, MINUTES_10);
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  let page: Page;
  let problems: string[];
  let requests: string[];
  beforeEach(async () => {
    problems = [];
    requests = [];
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
    page.on('console', (message) => problems.push(`console: ${message.text()}`));
    page.on('pageerror', ({ message }) => problems.push(`error: ${message}`));
    page.on('request', (request) => {
      requests.push(request.url());
      if (!request.url().startsWith(address) && !request.url().startsWith('data:'))
        problems.push(`request: ${request.url()}`);
    });
  });
  afterEach(async () => {
    await page.close();
    expect(problems).toEqual([]);
  });

  const open = (path: string) => page.goto(`${address}${path}`, { waitUntil: 'networkidle' });
  const heading = () => page.locator('h1').first();
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

  it.each([
    ['', 'Weft'],
    ['guide/reviewing.html', 'Review'],
    ['errors/', 'Diagnostics'],
    ['reference/options/NicClusterPolicy.html', 'NicClusterPolicy'],
    ['comment.html', 'The comment of a diff'],
    ['plan.html', 'The page of a plan'],
    ['playground.html', 'Playground'],
  ])('opens %j without an error or an outside request, light and dark, also on a phone', async (path, title) => {
    await open(path);
    expect(await heading().textContent()).toContain(title);
    const light = await background();
    await page.emulateMedia({ colorScheme: 'dark' });
    while ((await background()) === light) await page.waitForTimeout(20);
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await overflow()).toBe(0);
  });

  it('follows links between documents, and to files that are none', async () => {
    await open('');
    await page.locator('.VPSidebar').getByRole('link', { name: 'First cluster' }).click();
    await page.waitForURL('**/guide/first-cluster.html');
    await page.getByRole('heading', { name: 'First cluster', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('main').getByRole('link', { name: 'clusters/quickstart' }).first().click();
    await page.getByText('rdmaSharedDevicePlugin:').first().waitFor();
  });

  it('searches without a server', async () => {
    await open('');
    await page.keyboard.press('/');
    await page.getByRole('searchbox').fill('WEFT0263');
    const found = page.locator('.results a').first();
    await found.waitFor();
    expect(await found.getAttribute('href')).toContain(`${BASE}errors/WEFT0263.html`);
    await page.getByRole('searchbox').fill('first cluster');
    await page.locator('.results a[href*="/guide/first-cluster"]').first().click();
    await page.waitForURL('**/guide/first-cluster.html*');
  });

  it('shows the page of a plan and the comment of a diff', async () => {
    await open('plan.html');
    const plan = page.frameLocator('iframe');
    await plan.getByText('48 nodes').first().waitFor();
    await open('comment.html');
    await page.getByText('nodes are drained').first().waitFor();
  });

  describe('the playground', () => {
    const files = () =>
      page.evaluate<Readonly<Record<string, string>>>(
        `Object.fromEntries([...document.querySelectorAll('.playground details')].map(
          ({ children: [path, text] }) => [path.textContent, text.textContent],
        ))`,
      );
    /** What `weft synth` wrote for an example. */
    const synthesized = (name: string) =>
      Object.fromEntries(
        filesBelow(`dist/${name}`).map((path) => [relative(`dist/${name}`, path), readFileSync(path, 'utf8')]),
      );

    it('renders the quickstart with the bytes of `weft synth`, and the table of coverage', async () => {
      await open('playground.html');
      await page.getByText('29 files').waitFor();
      expect(await files()).toEqual(synthesized('quickstart'));
      const row = page.getByRole('row').filter({ hasText: 'ofed-driver' });
      expect(await row.textContent()).toMatch(/workers.*nvidia-network-operator\/mofed-ubuntu24\.04-d57dd4984-ds/);
    });

    it('shows the error of a typing mistake with its place, and sends nothing', async () => {
      await open('playground.html');
      await page.getByText('29 files').waitFor();
      const before = requests.length;
      const policy = page.getByLabel('policy.yaml');
      await policy.fill((await policy.inputValue()).replace('ofedDriver:', 'ofedDrivr:'));
      await page.getByText('nothing written').first().waitFor();
      const diagnostics = page.getByRole('region', { name: 'Diagnostics' });
      expect(await diagnostics.locator('pre').textContent()).toBe(
        [
          'error[WEFT0140]: `spec` has no key `ofedDrivr`',
          ' --> policy.yaml:6:3',
          '6 |   ofedDrivr:',
          '  |   ^^^^^^^^^',
          '  = help: did you mean `ofedDriver`?',
          '1 error; nothing written',
          '',
        ].join('\n'),
      );
      expect(await files()).toEqual({});
      expect(requests.slice(before)).toEqual([]);
      await diagnostics.getByRole('link', { name: 'WEFT0140' }).click();
      await page.waitForURL('**/errors/WEFT0140.html');
    });

    it('renders a cluster with a companion with the bytes of `weft synth`', async () => {
      await open('playground.html');
      for (const name of ['cluster.yaml', 'policy.yaml'])
        await page.getByLabel(name).fill(readFileSync(join('clusters/training', name), 'utf8'));
      await page.getByText('21 files').waitFor();
      expect(await files()).toEqual(synthesized('training'));
    });
  });
});
