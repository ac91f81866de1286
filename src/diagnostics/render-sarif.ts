import { compareText } from '../lib/json.js';
import { codes } from './codes.js';
import type { Diagnostic, Location } from './diagnostic.js';
import { escapeJson } from './render-escape.js';
import { sortDiagnostics } from './render-order.js';
import { shownDiagnostic } from './render-source.js';

export interface SarifOptions {
  /** Version of the program. */
  readonly version?: string;
  /** The page about a code, as Markdown. */
  readonly page?: (code: string) => string | undefined;
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

function toPhysicalLocation({ file, line, column, endColumn, sourceLine }: Location): object {
  const region = {
    startLine: line,
    startColumn: column,
    endColumn,
    snippet: sourceLine === undefined ? undefined : { text: sourceLine },
  };
  return { artifactLocation: { uri: toUri(file) }, ...(line === undefined ? {} : { region }) };
}

function toResult(diagnostic: Diagnostic, ids: readonly string[]): object {
  const { code, severity, message, location, label, help, related } = shownDiagnostic(diagnostic);
  const text = [
    label === undefined ? message : `${message}: ${label}`,
    ...(help === undefined ? [] : [`help: ${help}`]),
  ];
  return {
    ruleId: code,
    ruleIndex: ids.indexOf(code),
    level: severity,
    message: { text: text.join('\n') },
    locations: location === undefined ? [] : [{ physicalLocation: toPhysicalLocation(location) }],
    relatedLocations:
      related === undefined
        ? undefined
        : [{ id: 1, message: { text: related.message }, physicalLocation: toPhysicalLocation(related.location) }],
  };
}

/** Links of a page lead to other pages of its folder, which are not there; their words are. */
function withoutLinks(markdown: string): string {
  return markdown.replace(/\[([^\]\n]*)\]\((?!https?:)[^)\s]*\)/g, '$1');
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
 * What a viewer shows about a code. The page goes in whole: `helpUri` would have to be absolute, and the docs are wherever
 * the package is.
 */
function toRule(id: string, { page }: SarifOptions): object {
  const text = page?.(id);
  const help = text === undefined ? undefined : withoutLinks(text);
  const paragraph = help === undefined ? undefined : firstParagraph(help);
  const info = codes[id];
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
        results: sortDiagnostics(diagnostics).map((diagnostic) => toResult(diagnostic, ids)),
      },
    ],
  };
  return `${escapeJson(JSON.stringify(log, null, 2))}\n`;
}
