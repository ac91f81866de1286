import { compareText } from '../lib/json.js';
import type { Diagnostic, Location } from './diagnostic.js';
import { escapeJson } from './render-escape.js';
import { sortDiagnostics } from './render-order.js';

export interface SarifOptions {
  /** Version of the program. */
  readonly version?: string;
  /** Absolute URL of the page about a code. */
  readonly docs?: (code: string) => string | undefined;
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

function toResult(diagnostic: Diagnostic, codes: readonly string[]): object {
  const { code, severity, message, location, label, help, related } = diagnostic;
  const text = [
    label === undefined ? message : `${message}: ${label}`,
    ...(help === undefined ? [] : [`help: ${help}`]),
  ];
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: severity,
    message: { text: text.join('\n') },
    locations: location === undefined ? [] : [{ physicalLocation: toPhysicalLocation(location) }],
    relatedLocations:
      related === undefined
        ? undefined
        : [{ id: 1, message: { text: related.message }, physicalLocation: toPhysicalLocation(related.location) }],
  };
}

/** A log in OASIS SARIF 2.1.0, which code scanning services read. */
export function renderSarif(diagnostics: readonly Diagnostic[], options: SarifOptions = {}): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort(compareText);
  const rules = codes.map((id) => ({ id, helpUri: options.docs?.(id) }));
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'weft', version: options.version, rules } },
        columnKind: 'utf16CodeUnits',
        results: sortDiagnostics(diagnostics).map((diagnostic) => toResult(diagnostic, codes)),
      },
    ],
  };
  return `${escapeJson(JSON.stringify(log, null, 2))}\n`;
}
