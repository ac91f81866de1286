import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, resolveConfig } from 'vitepress';
import { timelinePage } from '../../src/forecast/page/page.js';
import { planTimeline } from '../../src/forecast/plan/render/timeline.js';
import { examplePlan } from '../../test/timeline/example.js';
import { pageAssets } from '../page-assets.mjs';
import { deadLinks } from './dead-links.js';
import { bundlePlayground } from './playground/bundle.js';

const ROOT = 'scripts/site';

/** Builds the site: VitePress makes the pages of the documents, and this adds what is no document. */
async function buildSite(): Promise<void> {
  await build(ROOT);
  const { outDir, site } = await resolveConfig(ROOT, 'build');
  await bundlePlayground(join(outDir, 'playground'));
  writeFileSync(join(outDir, 'plan-example.html'), await planExample());
  const dead = deadLinks(outDir, site.base);
  if (dead.length === 0) return;
  process.stderr.write(`dead links:\n${dead.map((link) => `  ${link}\n`).join('')}`);
  process.exitCode = 1;
}

/** What `weft plan --format html` writes. */
async function planExample(): Promise<string> {
  // The build of the command puts them there.
  Object.assign(globalThis, { WEFT_PAGE_ASSETS: await pageAssets() });
  return timelinePage(planTimeline(examplePlan(48), 'east'));
}

void buildSite();
