import { listed } from '../../lib/listed.js';
import type { Diagnostic, Location, Severity } from '../diagnostic.js';
import { escapeLine, withoutCommands } from '../../lib/escape.js';
import { countLine, sortDiagnostics } from './order.js';
import { inheritedText } from './inherited.js';
import { showSource, shownDiagnostic, shownPart, wholeCharacters } from './source.js';
import { widthOf } from './width.js';

export interface TextOptions {
  /** Whether to use terminal colours. */
  readonly colour: boolean;
  /** The result of the run, for instance `nothing written`; printed after the count. */
  readonly closing?: string;
  /** How a user opens the page about a code, for instance a command. */
  readonly see?: (code: string) => string | undefined;
}

type Style = 'bold' | 'error' | 'warning' | 'frame' | 'help';
type Paint = (style: Style, text: string) => string;

/** Select Graphic Rendition parameters (ECMA-48, 8.3.117), in rustc's choice of colours. */
const styleCodes: Readonly<Record<Style, string>> = {
  bold: '1',
  error: '1;31',
  warning: '1;33',
  frame: '1;34',
  help: '1;36',
};

const paintColour: Paint = (style, text) => `\x1b[${styleCodes[style]}m${text}\x1b[0m`;
const paintNothing: Paint = (_style, text) => text;

interface Snippet {
  readonly text: string;
  /** Columns before the caret. */
  readonly indent: number;
  readonly carets: number;
}

/** The part of a line around a range, escaped for a terminal. */
function clipSource(line: string, first: number, behind: number): Snippet {
  const start = wholeCharacters(line, first);
  const end = Math.max(start, wholeCharacters(line, behind));
  const { from, to } = shownPart(line, start);
  const before = (from > 0 ? '…' : '') + showSource(line.slice(from, start));
  const meant = showSource(line.slice(start, Math.min(end, to)));
  const after = showSource(line.slice(Math.min(end, to), to)) + (to < line.length ? '…' : '');
  return { text: (before + meant + after).trimEnd(), indent: widthOf(before), carets: Math.max(1, widthOf(meant)) };
}

function renderPlace(location: Location): string {
  const { file, line, column } = location;
  const position = line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`;
  return `${escapeLine(file)}${position}`;
}

interface Mark {
  readonly arrow: string;
  readonly caret: string;
  readonly style: Style;
  readonly label: string | undefined;
}

function renderSnippet(location: Location, mark: Mark, gutter: number, paint: Paint): string[] {
  const lines = [`${' '.repeat(gutter)}${paint('frame', mark.arrow)} ${renderPlace(location)}`];
  const label = mark.label === undefined ? '' : escapeLine(mark.label);
  const { line, column, sourceLine } = location;
  if (line === undefined || sourceLine === undefined) {
    return label === '' ? lines : [...lines, `${' '.repeat(gutter + 1)}${paint('frame', '=')} ${label}`];
  }
  const start = Math.min((column ?? 1) - 1, sourceLine.length);
  const snippet = clipSource(sourceLine, start, Math.max(start, (location.endColumn ?? start + 2) - 1));
  const carets = paint(mark.style, `${mark.caret.repeat(snippet.carets)}${label === '' ? '' : ` ${label}`}`);
  lines.push(`${paint('frame', `${String(line).padStart(gutter)} |`)} ${snippet.text}`);
  lines.push(`${paint('frame', `${' '.repeat(gutter)} |`)} ${' '.repeat(snippet.indent)}${carets}`);
  return lines;
}

/** A proposal may have several lines, for instance a piece of YAML; those after the first are aligned with it. */
function renderNote(name: string, text: string, gutter: number, paint: Paint): string[] {
  const margin = ' '.repeat(gutter + 1);
  return text.split('\n').map((line, index) => {
    const lead = index === 0 ? `${paint('frame', '=')} ${paint('help', `${name}:`)} ` : ' '.repeat(name.length + 4);
    return `${margin}${lead}${escapeLine(line)}`.trimEnd();
  });
}

const severityStyles: Readonly<Record<Severity, Style>> = { error: 'error', warning: 'warning' };

/** Maximum number of places that are named for equal diagnostics. */
const alsoMax = 3;

/** One diagnostic about the same text in several files, as in the clusters of a fleet. */
interface Alike {
  readonly first: Diagnostic;
  /** The places in the other files, one for each. */
  readonly others: readonly Location[];
}

function groupAlike(sorted: readonly Diagnostic[]): readonly Alike[] {
  const groups = new Map<string, { readonly first: Diagnostic; readonly others: Location[]; lastFile: string }>();
  const all: Alike[] = [];
  for (const diagnostic of sorted) {
    // A diagnostic about a whole file names the file.
    const location = diagnostic.location?.sourceLine === undefined ? undefined : diagnostic.location;
    const key = likeness(diagnostic);
    const known = groups.get(key);
    // Sorted by file; two equal diagnostics of one file are both shown.
    if (location && known && known.lastFile !== location.file) {
      known.others.push(location);
      known.lastFile = location.file;
      continue;
    }
    const group = { first: diagnostic, others: [] as Location[], lastFile: location?.file ?? '' };
    if (location) groups.set(key, group);
    all.push(group);
  }
  return all;
}

/** All shown text except the names of files and the numbers of lines. */
function likeness(diagnostic: Diagnostic): string {
  const { code, message, location, label, help, related } = shownDiagnostic(diagnostic);
  const shown = ({ sourceLine, column, endColumn }: Location) => [sourceLine, column, endColumn];
  const second = related && [related.message, shown(related.location)];
  return JSON.stringify([code, message, label, help, location && shown(location), second]);
}

function renderOne({ first, others }: Alike, options: TextOptions, paint: Paint): string[] {
  const { code, severity, message, location, label, help, related } = first;
  const gutter = Math.max(1, ...[location?.line, related?.location.line].map((line) => String(line ?? '').length));
  const style = severityStyles[severity];
  const lines = [`${paint(style, `${severity}[${code}]`)}${paint('bold', `: ${escapeLine(message)}`)}`];
  if (location !== undefined) {
    lines.push(...renderSnippet(location, { arrow: '-->', caret: '^', style, label }, gutter, paint));
  }
  if (related !== undefined) {
    const mark: Mark = { arrow: ':::', caret: '-', style: 'frame', label: related.message };
    lines.push(...renderSnippet(related.location, mark, gutter, paint));
  }
  if (others.length > 0) {
    lines.push(...renderNote('also', listed(others.map(renderPlace), alsoMax), gutter, paint));
  }
  const inherited = location && inheritedText(location);
  if (inherited !== undefined) {
    lines.push(...renderNote('note', inherited, gutter, paint));
  }
  if (help !== undefined) {
    lines.push(...renderNote('help', help, gutter, paint));
  }
  const see = options.see?.(code);
  if (see !== undefined) {
    lines.push(...renderNote('see', see, gutter, paint));
  }
  return lines;
}

/**
 * Text in the format of rustc: sorted, with source lines, equal diagnostics of several files once, and a count at the
 * end.
 */
export function renderText(diagnostics: readonly Diagnostic[], options: TextOptions): string {
  const paint = options.colour ? paintColour : paintNothing;
  const lines = groupAlike(sortDiagnostics(diagnostics)).flatMap((alike) => renderOne(alike, options, paint));
  return lines.length === 0
    ? ''
    : withoutCommands(`${[...lines, countLine(diagnostics, options.closing)].join('\n')}\n`);
}
