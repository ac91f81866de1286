import { expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deadLinks } from '../../scripts/site/dead-links.js';

it('finds links to files and headings that a site lacks, and what a page would load from elsewhere', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-links-'));
  const pages = {
    'index.html': `<p id="top"><a href="/v1/guide/a.html#one">a</a> <a href="guide/">b</a> <a href="https://example.com/">c</a></p>`,
    'guide/index.html': `<a href="../#top">a</a> <a href="./a.html#two">b</a> <a class="x" href="/v1/guide/c.html">c</a> <a href="/other/">d</a>`,
    'guide/a.html': `<h2 id="one">One</h2><img src="/v1/none.png"><script src="https://example.com/x.js"></script>`,
  };
  try {
    for (const [path, text] of Object.entries(pages)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    expect([...deadLinks(folder, '/v1/')].sort()).toEqual([
      'guide/a.html: /v1/none.png',
      'guide/a.html: https://example.com/x.js',
      'guide/index.html: ./a.html#two',
      'guide/index.html: /other/',
      'guide/index.html: /v1/guide/c.html',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
