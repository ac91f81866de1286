import { describe, expect, it } from '@jest/globals';
import { renderDiagnostics } from '../../src/shared/diagnostics/render/render.js';
import { tableLines } from '../../src/shared/lib/table.js';
import { jsonText } from '../../src/cli/json-text.js';
import { planBriefText, unplannedText } from '../../src/forecast/plan/render/brief.js';
import {
  planBriefMarkdown,
  planCostMarkdown,
  planMarkdown,
  unplannedMarkdown,
} from '../../src/forecast/plan/render/markdown.js';
import { planText } from '../../src/forecast/plan/render/text.js';
import { planTimeline } from '../../src/forecast/plan/render/timeline.js';
import { toInputYaml } from '../../src/compile/render/yaml/input-document.js';
import { renderDiffJson } from '../../src/review/diff/json.js';
import { renderDiffMarkdown } from '../../src/review/diff/markdown.js';
import { diffResults, resultRule } from '../../src/review/diff/results.js';
import { renderDiffText } from '../../src/review/diff/text.js';
import { statusText } from '../../src/cluster/status/text.js';
import { timelinePage } from '../../src/forecast/page/page.js';
import { containerOutput } from '../../src/companion/runtime/process/output.js';
import { endEvent, eventFor } from '../../src/companion/runtime/report/events.js';
import { noMeasurements, noteRefusal, renderMetrics } from '../../src/companion/runtime/report/metrics.js';
import { statusData, summary } from '../../src/companion/runtime/report/status.js';
import * as sample from './samples.js';

/** What anybody who names an object, annotates a node or opens a pull request may write. */
const HOSTILE: Readonly<Record<string, string>> = {
  'control characters': '\u001b[31mred\u0007\u0000\u009b1m\r\n\u0085next\ttab',
  'characters that hide or turn text': `a\u202eb\u2066c\u200b\u200d\u2028d\u2029\ufeff\u061c\u00ad\u3164\u2800\uffa0\u2003${String.fromCodePoint(0xe0041)}${String.fromCharCode(0xd800)}`,
  mentions: '@team @a/b and #123 GH-1 !12 ~label &3 :smile: a/b#1 0123456789abcdef0123456789abcdef01234567',
  links:
    'http://evil.example www.evil.example a@evil.example [a](http://evil.example) ![b](//evil.example) <http://evil.example>',
  'backticks around a mention': '`@team` ``@team`` ```\n@team\n``` `a`@team`b` `',
  'more backticks than a parser reads': `${'`'.repeat(100)}@team${'`'.repeat(300)}\n@team`,
  markup: '</details></script><img src=x onerror=alert(1)><!-- weft --> & "q" **b** _i_ ~s~ \\',
  'cells and lines': 'a | b \\| c\n\n# title\n- @team\n```\n@team',
  'commands of CI jobs':
    '::error file=a::x\n::add-mask::x\n  ::set-output name=a::x\n##[error]x ##vso[task.setvariable a]x',
  'a command alone': '##[error]x',
  'a command that begins': '::add-mask::x',
  long: `@team ${'x'.repeat(100_000)}`,
  nothing: '',
};

/** Hidden characters, and controls but the line feed and the tab. */
const RAW =
  /[\0-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\uffff\u{e0000}-\u{e0fff}]|\p{Surrogate}/u;
const COMMAND = /^[^\S\n]*::\w|##\w*\[/m;
/** Text outside of code of which GitHub or GitLab makes something. */
const LIVE =
  /@|#\w|:\/\/|www\.|!\d|!\[|\]\(|~\w|&\w|:\w+:|GH-\d|[0-9a-f]{7}|<(?!\/?(?:details|summary|code)>)|\\(?!u\{)/;

/** The text of Markdown that is outside of code: fences, code spans (CommonMark 0.31, 4.5 and 6.1; cmark reads runs of up to 80), and `<code>`. */
function outsideCode(markdown: string): string {
  const live: string[] = [];
  let fence = 0;
  for (const line of markdown.split('\n')) {
    const [, run = ''] = /^ {0,3}(`{3,})/.exec(line) ?? [];
    const isEnd = fence > 0 && run.length >= Math.min(fence, 255) && /^ *`+ *$/.test(line);
    if (isEnd) fence = 0;
    else if (fence === 0 && run !== '') fence = run.length;
    else if (fence === 0) live.push(outsideSpans(line.replace(/<code>[^<]*<\/code>/g, '')));
  }
  expect(fence).toBe(0);
  return live.join('\n');
}

function outsideSpans(line: string): string {
  const parts = line.split(/(`+)/);
  let text = '';
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    const end = part.startsWith('`') && part.length <= 80 ? parts.indexOf(part, at + 1) : -1;
    if (end === -1) text += part;
    else at = end;
  }
  return text;
}

const OCCURRENCE = { type: 'Warning', sameAs: 'a' } as const;

function companionLog(text: string): string {
  let log = '';
  const output = containerOutput({ logLevel: 'info', write: (line) => void (log += line) });
  output.log({ time: '2026-12-01T12:00:00Z', level: 'info', message: text, node: text, changed: [text] });
  return log;
}

function metrics(text: string): string {
  const measured = noMeasurements();
  noteRefusal(measured, { kind: 'evictPod', driver: text, node: text, namespace: text, name: text, uid: text });
  return renderMetrics(sample.sampleDecision(text), measured);
}

/** Clusters that are not compared, and that are left behind. */
const context = (text: string) => ({
  failed: [{ name: text, codes: ['WEFT0268'], location: { file: text } }],
  left: [{ name: text, weft: text }],
});
const diagnosticsIn = (format: 'text' | 'json' | 'github' | 'sarif') => (text: string) =>
  renderDiagnostics(format, sample.sampleDiagnostics(text), { colour: false });
const resultsIn = (format: 'github' | 'sarif') => (text: string) =>
  renderDiagnostics(
    format,
    diffResults(sample.sampleGroups(text), ['policy', 'driver-loss', 'refused'], (name) => name, context(text)),
    { colour: false, rule: resultRule },
  );

const TEXT: Readonly<Record<string, (text: string) => string>> = {
  'diagnostics as text': diagnosticsIn('text'),
  'weft diff': (text) => [...renderDiffText(sample.sampleGroups(text), { colour: false, ...context(text) })].join(''),
  'weft plan': (text) => planText(sample.samplePlan(text)),
  'weft diff --plan': (text) => planBriefText(sample.samplePlan(text), text) + unplannedText(text, text),
  'weft status': (text) => statusText(sample.sampleStatus(text).slice(0, 1)),
  'weft status of a fleet': (text) => statusText(sample.sampleStatus(text)),
  tables: (text) =>
    tableLines([
      [text, text],
      [text, text],
    ]).join('\n'),
  'the message of the companion’s container': (text) =>
    summary({ decision: sample.sampleDecision(text), problems: [text] }),
  'the message of an Event': (text) =>
    eventFor(new Map(), { ...OCCURRENCE, driver: text, node: text, nodeUid: text, message: text }, 'run', 0)?.message ??
    '',
  'the message of the Event of a Job': (text) =>
    endEvent(
      { namespace: 'a', name: 'b', uid: 'c' },
      { reason: 'bug', exitCode: 3, message: text, failedNodes: [] } as never,
      0,
    ).message,
  metrics: metrics,
  'comments of documents that are imported': (text) =>
    toInputYaml({ a: [1] }, [{ path: ['a'], text }]).replace(/^ *#.*$/gm, (line) => line.replace('#', '//')),
};

const JSON_TEXT: Readonly<Record<string, (text: string) => string>> = {
  'diagnostics as JSON': diagnosticsIn('json'),
  'diagnostics as SARIF': diagnosticsIn('sarif'),
  'weft diff --format sarif': resultsIn('sarif'),
  'weft diff --format json': (text) =>
    [...renderDiffJson(sample.sampleGroups(text), { old: text, ...context(text) })].join(''),
  'weft … -o json': (text) => jsonText(sample.sampleStatus(text)),
  'the log of the companion': companionLog,
  'the status of the companion': (text) =>
    statusData({
      ...{ runId: text, policyHash: text, failedBefore: [text], listed: [text] },
      decision: sample.sampleDecision(text),
      problems: [text],
    })['status.json'] ?? '',
};

const MARKDOWN: Readonly<Record<string, (text: string) => string>> = {
  'weft diff': (text) =>
    renderDiffMarkdown(sample.sampleGroups(text), {
      ...context(text),
      plans: [
        {
          cost: planCostMarkdown(sample.samplePlan(text), text),
          text: planBriefMarkdown(sample.samplePlan(text), text),
        },
        { text: unplannedMarkdown(text, text) },
      ],
    }),
  'weft plan': (text) => planMarkdown(sample.samplePlan(text), text),
  'a plan of nothing': (text) => planMarkdown({ ...sample.samplePlan(text), nodes: 0 }, text),
};

const PAGES: Readonly<Record<string, (text: string) => string>> = {
  'weft plan': (text) => timelinePage(planTimeline(sample.samplePlan(text), text)),
};

describe.each(Object.entries(HOSTILE))('foreign text with %s', (_, text) => {
  it.each(Object.entries(TEXT))('in text: %s', (_name, print) => {
    const shown = print(text);
    expect(shown).not.toMatch(RAW);
    expect(shown).not.toMatch(COMMAND);
    expect(shown.length).toBeLessThan(150_000);
  });

  it.each(Object.entries(JSON_TEXT))('in JSON: %s', (_name, print) => {
    const shown = print(text);
    expect(shown).not.toMatch(RAW);
    expect(shown).not.toMatch(COMMAND);
    expect(() => JSON.parse(shown) as unknown).not.toThrow();
  });

  it('in messages of SARIF', () => {
    const { runs } = JSON.parse(diagnosticsIn('sarif')(text)) as {
      runs: { results: { message: object; relatedLocations?: { message: object }[] }[] }[];
    };
    const messages = runs.flatMap(({ results }) =>
      results.flatMap(({ message, relatedLocations = [] }) => [message, ...relatedLocations.map((one) => one.message)]),
    );
    expect(messages.length).toBeGreaterThan(2);
    expect(JSON.stringify(messages)).not.toContain('](');
  });

  it.each([diagnosticsIn('github'), resultsIn('github')])('in workflow commands', (print) => {
    const shown = print(text);
    expect(shown).not.toMatch(RAW);
    for (const line of shown.trimEnd().split('\n')) expect(line).toMatch(/^::(?:error|warning) /);
  });

  it.each(Object.entries(MARKDOWN))('in Markdown: %s', (_name, print) => {
    const shown = print(text);
    expect(shown).not.toMatch(RAW);
    expect(shown).not.toMatch(COMMAND);
    expect(shown).not.toContain('<!--');
    expect(shown.length).toBeLessThan(65_536);
    const live = outsideCode(shown);
    expect(live).not.toMatch(LIVE);
    const rows = live.match(/^\|.*$/gm) ?? [];
    expect(rows.filter((row) => !row.endsWith('|'))).toEqual([]);
  });

  it.each(Object.entries(PAGES))('in a page: %s', (_name, print) => {
    const shown = print(text);
    const [head = '', , data = ''] = shown.split(/(<script type="application\/json" id="data">|<\/script>\n<script>)/);
    expect(head + data).not.toMatch(RAW);
    expect(head + data).not.toMatch(COMMAND);
    expect(head + data).not.toMatch(/<img|<!--|<\/details/);
    expect(() => JSON.parse(data) as unknown).not.toThrow();
  });
});
