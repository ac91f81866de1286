import { escapeHtml, escapeJsonForHtml } from '../../shared/lib/escape.js';
import { configHash } from '../../shared/lib/hash.js';
import type { Timeline } from './types.js';

/** Script and style of the page: the build of the command and the configuration of the tests define it (`scripts/page-assets.mjs`). */
declare const WEFT_PAGE_ASSETS: { readonly script: string; readonly style: string };

/**
 * A timeline as one page that a browser opens from disk. It loads nothing, and its own policy forbids requests. The data are JSON in an
 * element that is not run, and the script makes text nodes of them, so no name in the data can be markup.
 */
export function timelinePage(timeline: Timeline): string {
  const { script, style } = WEFT_PAGE_ASSETS;
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${configHash(script)}'`,
    `style-src 'sha256-${configHash(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(timeline.title)}</title>
<style>${style}</style>
</head>
<body>
<noscript>This page needs JavaScript to draw. \`weft plan --format markdown\` prints the same as text.</noscript>
<script type="application/json" id="data">${escapeJsonForHtml(JSON.stringify(timeline))}</script>
<script>${script}</script>
</body>
</html>
`;
}
