import { lineFrom } from './yaml/text.js';
import { codes, diagnostic } from '../../shared/diagnostics/codes.js';
import { isError, type Diagnostic, type Location } from '../../shared/diagnostics/diagnostic.js';
import { didYouMean, suggest } from '../../shared/diagnostics/suggest.js';

/** A code in a `weft-ignore` comment, and the line that it applies to. */
export interface Ignore {
  readonly code: string;
  readonly file: string;
  /** The comment's own line if it follows other text, else the first line below that is not a comment. */
  readonly targetLine: number;
  /** The start of the value below, if that line ends with a key. */
  readonly valueBelow?: LineAndColumn | undefined;
  /** Of the code, in the comment. */
  readonly location: Location;
  /** Whether it is in a base: it may suppress nothing in one cluster and a warning in another. */
  readonly isInherited?: boolean;
}

interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

/** The `weft-ignore` comments of a text, and their diagnostics. */
interface IgnoreComments {
  readonly ignores: readonly Ignore[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A comment: the offset of its first character, and the offset after its last one. */
export type CommentRange = readonly [start: number, end: number];

/** Whether a text may have `weft-ignore` comments; most have none, and their comments are not read. */
export function mayHoldIgnores(text: string): boolean {
  return /weft-ignore|weft.{1,12}weft\d/i.test(text);
}

/** `weft-ignore` at the beginning of a comment, and the text after it. */
const IGNORE_COMMENT = /^(?:#+|\/\/+)[ \t]*weft-ignore(?![\w])(.*)$/su;

/** A word before a code at the beginning of a comment, and the text after the word. */
const WORD_AND_CODE = /^(?:#+|\/\/+)[ \t]*([\w-]+(?: ignore)?)([ \t:]+WEFT\d.*)$/isu;

const CODES = '[A-Za-z]+\\d+(?:[ \\t]*,[ \\t]*[A-Za-z]+\\d+)*';

/** A list of codes in which commas may be missing. */
const CODE_LIST = '(?<![A-Za-z])[A-Za-z]+\\d+(?:[ \\t]*,[ \\t]*[A-Za-z]+\\d+|[ \\t]+WEFT\\d+)*';

interface SourceText {
  readonly text: string;
  readonly locate: (start: number, end: number) => Location;
}

/**
 * Reads the comments that begin with `weft-ignore`. A comment on its own line applies to the line below, also below
 * other comments.
 *
 * @param mark start of a comment in this language
 */
export function readIgnores(source: SourceText, comments: readonly CommentRange[], mark: '#' | '//'): IgnoreComments {
  const ignores: Ignore[] = [];
  const diagnostics: Diagnostic[] = [];
  let target: Target | undefined;
  for (const [start, end] of comments) {
    const comment = source.text.slice(start, end);
    const place = source.locate(start, end);
    const rest = IGNORE_COMMENT.exec(comment)?.[1];
    const failure = rest === undefined ? nearMiss(comment, place) : checkForm(rest, place);
    if (failure) diagnostics.push(failure);
    if (failure || rest === undefined) continue;
    // Consecutive comments apply to the same line.
    if (target === undefined || start < target.from || start >= target.at) {
      target = targetOf(source.text, start, mark, place.line ?? 0);
    }
    const { targetLine, valueBelow } = target;
    for (const { code, at } of codesOf(rest)) {
      const from = end - rest.length + at;
      const location = source.locate(from, from + code.length);
      if (Object.hasOwn(codes, code)) ignores.push({ code, file: location.file, targetLine, valueBelow, location });
      else diagnostics.push(unknownCode(code, location));
    }
  }
  return { ignores, diagnostics };
}

/** The line that a comment applies to. */
interface Target extends Pick<Ignore, 'targetLine' | 'valueBelow'> {
  /** Offset of the comment's line. */
  readonly from: number;
  /** Offset of that line. */
  readonly at: number;
}

function targetOf(text: string, start: number, mark: '#' | '//', commentLine: number): Target {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const isBehindText = text.slice(from, start).trim() !== '';
  let at = from;
  let targetLine = commentLine;
  for (let end = text.indexOf('\n', at); !isBehindText && end !== -1; end = text.indexOf('\n', at)) {
    if (!lineFrom(text, at).trimStart().startsWith(mark)) break;
    at = end + 1;
    targetLine += 1;
  }
  return { from, at, targetLine, valueBelow: mark === '#' ? valueBelowKey(text, at, targetLine) : undefined };
}

/** A key at the end of a line, optionally followed by an anchor, a tag or a comment. */
const KEY_AT_END = /:(?:[ \t]+[&!]\S*)*[ \t]*(?:[ \t]#.*)?\r?$/;

/** Maximum length of a key with the text that may follow it. */
const KEY_LENGTH_MAX = 1000;

/** The start of the value of a YAML key at the end of a line; comments and empty lines between them are skipped. */
function valueBelowKey(text: string, lineStart: number, keyLine: number): LineAndColumn | undefined {
  if (!KEY_AT_END.test(lineFrom(text, lineStart).slice(-KEY_LENGTH_MAX))) return undefined;
  let line = keyLine;
  for (let end = text.indexOf('\n', lineStart); end !== -1; end = text.indexOf('\n', end + 1)) {
    const below = lineFrom(text, end + 1);
    const begins = below.search(/\S/);
    line += 1;
    if (begins !== -1 && below[begins] !== '#') return { line, column: begins + 1 };
  }
  return undefined;
}

function checkForm(rest: string, location: Location): Diagnostic | undefined {
  const [list = '', ...reason] = rest.split(':');
  const help = form(rest);
  if (new RegExp(`^[ \\t]+${CODES}[ \\t]*$`).test(list)) {
    return reason.join(':').trim() === ''
      ? diagnostic('WEFT0031', { message: 'a `weft-ignore` comment has no reason', location, help })
      : undefined;
  }
  if (new RegExp(`^[ \\t]+${CODE_LIST}[ \\t]*$`).test(list)) {
    return diagnostic('WEFT0031', {
      message: 'the codes of a `weft-ignore` comment have no comma between them',
      location,
      help,
    });
  }
  return new RegExp(`^[ \\t]+${CODES}[ \\t]`).test(list)
    ? diagnostic('WEFT0031', { message: 'a `weft-ignore` comment has no colon before its reason', location, help })
    : diagnostic('WEFT0030', {
        message: 'a `weft-ignore` comment does not say which codes it silences',
        location,
        help,
      });
}

/** A comment that misspells `weft-ignore`. */
function nearMiss(comment: string, location: Location): Diagnostic | undefined {
  const [, word = '', rest = ''] = WORD_AND_CODE.exec(comment) ?? [];
  if (suggest(word, ['weft-ignore']) === undefined) return undefined;
  return diagnostic('WEFT0038', {
    message: `a comment that begins with \`${word}\` silences nothing`,
    location,
    help: form(rest),
  });
}

/** The comment in the correct form, with its codes and its reason. */
function form(given: string): string {
  // A number alone stands for the code: users leave out the common prefix.
  const rest = given.replace(/^[ \t]+(\d{1,4})\b/, (all, number: string) => {
    const code = `WEFT${number.padStart(4, '0')}`;
    return Object.hasOwn(codes, code) ? ` ${code}` : all;
  });
  const found = new RegExp(CODE_LIST).exec(rest);
  const behind = found ? found.index + found[0].length : 0;
  const reason = rest
    .slice(behind)
    .replace(/^[\s:,-]+/, '')
    .trimEnd();
  const list = found?.[0].replace(/[ \t,]+/g, ', ') ?? 'WEFT0234';
  const written = `\`weft-ignore ${list}: ${reason || 'why it may stay'}\``;
  return found
    ? `write ${written}`
    : `name the warning, for instance ${written}; several codes are separated by commas`;
}

function codesOf(rest: string): readonly { readonly code: string; readonly at: number }[] {
  const list = rest.slice(0, rest.indexOf(':'));
  return [...list.matchAll(/(?<![A-Za-z])[A-Za-z]+\d+/g)].map(({ 0: code, index }) => ({ code, at: index }));
}

function unknownCode(code: string, location: Location): Diagnostic {
  const help = didYouMean(code, Object.keys(codes));
  return diagnostic('WEFT0032', {
    message: `there is no diagnostic \`${code}\``,
    location,
    help,
  });
}

/**
 * Removes the warnings that a comment on their line suppresses. A comment that suppresses none gives a warning, unless
 * there are errors, because the checks that errors stopped might have given the warning. Errors are never removed.
 */
export function applyIgnores(ignores: readonly Ignore[], diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (ignores.length === 0) return diagnostics;
  const { left, unused } = separate(ignores, diagnostics);
  const hasErrors = left.some(isError);
  return [...left, ...unused.flatMap((ignore) => unusedDiagnostic(ignore, hasErrors))];
}

/** The comments in bases that suppress nothing in this cluster; `undefined` while there are errors, because that is not known then. */
export function unusedInherited(
  ignores: readonly Ignore[],
  diagnostics: readonly Diagnostic[],
): readonly Ignore[] | undefined {
  if (diagnostics.some(isError)) return undefined;
  const inherited = ignores.filter(({ isInherited }) => isInherited);
  return inherited.length === 0 ? [] : separate(inherited, diagnostics).unused;
}

/** The warning about a comment that suppresses nothing. */
export function unusedIgnore({ code, location, targetLine, isInherited = false }: Ignore): Diagnostic {
  const where = isInherited ? ', in any cluster that inherits it' : '';
  const message = `there is no warning \`${code}\` to silence on line ${targetLine}${where}`;
  const help = 'remove it, or put it at the end of the line that the warning points at, or on the line before';
  return diagnostic('WEFT0033', { message, location, help });
}

/** The diagnostics that are left, and the comments that suppress none. */
function separate(ignores: readonly Ignore[], diagnostics: readonly Diagnostic[]) {
  const silenced = new Set(ignores.flatMap(placesOf));
  const used = new Set<string>();
  const left = diagnostics.filter(({ code, severity, location }) => {
    if (severity !== 'warning' || location?.line === undefined) return true;
    const { file, line, column = 0 } = location;
    const places = [`${code} ${line} ${file}`, `${code} ${line}:${column} ${file}`].filter((key) => silenced.has(key));
    for (const place of places) used.add(place);
    return places.length === 0;
  });
  return { left, unused: ignores.filter((ignore) => !placesOf(ignore).some((place) => used.has(place))) };
}

/** The line that a comment applies to, and the value that begins below it. */
function placesOf({ code, file, targetLine, valueBelow }: Ignore): readonly string[] {
  const below = valueBelow && `${code} ${valueBelow.line}:${valueBelow.column} ${file}`;
  return [`${code} ${targetLine} ${file}`, ...(below === undefined ? [] : [below])];
}

function unusedDiagnostic(ignore: Ignore, hasErrors: boolean): readonly Diagnostic[] {
  const { code, location, isInherited } = ignore;
  if (codes[code]?.severity === 'error') {
    const message = `\`${code}\` is an error, which no comment silences`;
    const help = 'fix the error and remove the comment';
    return [diagnostic('WEFT0034', { message, location, help })];
  }
  return hasErrors || isInherited === true ? [] : [unusedIgnore(ignore)];
}
