import type { Diagnostic } from '../diagnostic.js';
import { escapeUnsafe } from '../../lib/escape.js';
import { inheritedText } from './inherited.js';
import { inShownOrder } from './order.js';
import { shownDiagnostic } from './source.js';

/**
 * Escapes for a workflow command (actions/toolkit, packages/core/src/command.ts, `escapeData` and `escapeProperty`).
 */
const escapeData = (text: string): string =>
  text
    .split('\n')
    .map((line) => escapeUnsafe(line).replaceAll('%', '%25'))
    .join('%0A');
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

export interface GithubOptions {
  /** How a user opens the page about a code, for instance a command. */
  readonly see?: (code: string) => string | undefined;
  /** GitHub shows the first ten of each severity. Default: the order of places. */
  readonly isOrdered?: boolean;
  /** A last notice, in our own words. Default: none. */
  readonly notice?: string | undefined;
}

function renderCommand(diagnostic: Diagnostic, { see }: GithubOptions): string {
  const { code, severity, message, location, label, help, related } = shownDiagnostic(diagnostic);
  const properties: readonly (readonly [string, string | number | undefined])[] = [
    ['file', location?.file],
    ['line', location?.line],
    ['endLine', location?.endColumn === undefined ? undefined : location.line],
    ['col', location?.column],
    ['endColumn', location?.endColumn],
    ['title', code],
  ];
  const shown = properties.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  );
  const inherited = location && inheritedText(location);
  const text = [
    label === undefined ? message : `${message}: ${label}`,
    ...(inherited === undefined ? [] : [inherited]),
    ...(related === undefined ? [] : [`${related.message}: ${related.location.file}:${related.location.line ?? 1}`]),
    ...(help === undefined ? [] : [`help: ${help}`]),
    ...[see?.(code)].flatMap((page) => (page === undefined ? [] : [`see: ${page}`])),
  ].join('\n');
  return `::${severity} ${shown.join(',')}::${escapeData(text)}`;
}

/** Workflow commands, which GitHub Actions shows as annotations in a pull request. */
export function renderGithub(diagnostics: readonly Diagnostic[], options: GithubOptions = {}): string {
  const { isOrdered, notice } = options;
  const lines = inShownOrder(diagnostics, isOrdered).map((one) => renderCommand(one, options));
  const last = notice === undefined ? [] : [`::notice ::${escapeData(notice)}`];
  return [...lines, ...last].map((line) => `${line}\n`).join('');
}
