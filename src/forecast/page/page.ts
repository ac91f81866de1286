import { escapeHtml, escapeJsonForHtml } from '../../shared/lib/escape.js';
import { configHash } from '../../shared/lib/hash.js';
import { SCRIPT, STYLE } from './page-assets.js';
import type { Timeline } from './types.js';

/**
 * A timeline as one page that a browser opens from disk. It loads nothing, and its own policy forbids requests. The data are JSON in an
 * element that is not run, and the script makes text nodes of them, so no name in the data can be markup.
 */
export function timelinePage(timeline: Timeline): string {
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${configHash(SCRIPT)}'`,
    `style-src 'sha256-${configHash(STYLE)}'`,
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
<style>${STYLE}</style>
</head>
<body>
<noscript>This page needs JavaScript to draw. \`weft plan --format markdown\` prints the same as text.</noscript>
<script type="application/json" id="data">${escapeJsonForHtml(JSON.stringify(timeline))}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
