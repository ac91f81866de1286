import { compareText } from '../../lib/json.js';
import { codes } from '../codes.js';
import type { CodeInfo, Diagnostic } from '../diagnostic.js';
import { escapeJson } from '../../lib/escape.js';
import { inheritedText } from './inherited.js';
import { inShownOrder } from './order.js';
import { shownDiagnostic, type ShownLocation, wholeCharacters } from './source.js';

export interface SarifOptions {
  /** Version of the program. */
  readonly version?: string;
  /** The page about a code, as Markdown. */
  readonly page?: (code: string) => string | undefined;
  /** What a code means, and its level. Default: the registry of codes. */
  readonly rule?: (code: string) => Pick<CodeInfo, 'title' | 'severity'> | undefined;
  /** They are in the order in which they count. Default: they are put in the order of places. */
  readonly isOrdered?: boolean;
}

/** A path is a relative URI reference once its characters are encoded; an absolute one needs its scheme. */
function toUri(file: string): string {
  const encoded = file
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return encoded.startsWith('/') ? `file://${encoded}` : encoded;
}

function toPhysicalLocation(location: ShownLocation): object {
  const { file, line, column, endColumn } = location;
  const region = line === undefined ? undefined : { startLine: line, startColumn: column, endColumn };
  return { artifactLocation: { uri: toUri(file) }, ...(region && withText(region, location)) };
}

/**
 * A snippet is the text of its own region and of no more (SARIF 2.1.0, 3.30.13): the line goes into a region around
 * that one, which must hold more than it (3.29.5). A region that continues after the cut has neither.
 */
function withText(region: object, { line, column = 1, endColumn, sourceLine, sourceColumn }: ShownLocation): object {
  if (sourceLine === undefined) return { region };
  const from = sourceColumn ?? 1;
  const to = from + sourceLine.length;
  // Without an end the region has the rest of the line (3.30.8).
  const end = endColumn ?? (sourceColumn === undefined ? to : Infinity);
  if (column < from || end > to) return { region };
  const [first, behind] = [column, end].map((one) => wholeCharacters(sourceLine, one - from));
  const text = sourceLine.slice(first, behind);
  if (text === sourceLine) return { region: { ...region, snippet: { text } } };
  const part = sourceColumn === undefined ? {} : { startColumn: from, endColumn: to };
  const contextRegion = { startLine: line, ...part, snippet: { text: sourceLine } };
  return { region: { ...region, snippet: { text } }, contextRegion };
}

function toResult(diagnostic: Diagnostic, ids: readonly string[]): object {
  const { code, severity, message, location, label, help, related } = shownDiagnostic(diagnostic);
  const inherited = location && inheritedText(location);
  const text = [
    label === undefined ? message : `${message}: ${label}`,
    ...(inherited === undefined ? [] : [inherited]),
    ...(help === undefined ? [] : [`help: ${help}`]),
  ];
  return {
    ruleId: code,
    ruleIndex: ids.indexOf(code),
    level: severity,
    message: { text: withoutMarkup(text.join('\n')) },
    locations: location === undefined ? [] : [{ physicalLocation: toPhysicalLocation(location) }],
    relatedLocations:
      related === undefined
        ? undefined
        : [
            {
              id: 1,
              message: { text: withoutMarkup(related.message) },
              physicalLocation: toPhysicalLocation(related.location),
            },
          ],
  };
}

/** Viewers make links of `[text](destination)` in messages (SARIF 2.1.0, 3.11.6). */
const withoutMarkup = (text: string): string => text.replaceAll('](', ']\\u{28}');

/** Links of a page point to other pages of its folder, which the log does not have, so only their text is kept. */
function withoutLinks(markdown: string): string {
  return markdown.replace(/\[([^[\]\n]*)\]\((?!https?:)[^()\s]*\)/g, '$1');
}

/** The first paragraph of a page below its title and its severity. */
function firstParagraph(page: string): string | undefined {
  return page
    .split(/\n{2,}/)
    .find((part) => !/^(?:#|Severity:)/.test(part))
    ?.replaceAll('\n', ' ')
    .trim();
}

/**
 * The description of a code for viewers. It has the whole page, because `helpUri` must be absolute and the place of the
 * docs depends on the installation.
 */
function toRule(id: string, { page, rule = (code) => codes[code] }: SarifOptions): object {
  const text = page?.(id);
  const help = text === undefined ? undefined : withoutLinks(text);
  const paragraph = help === undefined ? undefined : firstParagraph(help);
  const info = rule(id);
  return {
    id,
    shortDescription: info && { text: info.title },
    fullDescription: paragraph === undefined ? undefined : { text: paragraph },
    help: help === undefined ? undefined : { text: help, markdown: help },
    defaultConfiguration: info && { level: info.severity },
  };
}

/** A log in OASIS SARIF 2.1.0, which code scanning services read. */
export function renderSarif(diagnostics: readonly Diagnostic[], options: SarifOptions = {}): string {
  const ids = [...new Set(diagnostics.map(({ code }) => code))].sort(compareText);
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'weft', version: options.version, rules: ids.map((id) => toRule(id, options)) } },
        columnKind: 'utf16CodeUnits',
        results: inShownOrder(diagnostics, options.isOrdered).map((diagnostic) => toResult(diagnostic, ids)),
      },
    ],
  };
  return `${escapeJson(JSON.stringify(log, null, 2))}\n`;
}
