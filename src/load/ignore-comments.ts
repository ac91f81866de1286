import { codes } from '../diagnostics/codes.js';
import { isError, type Diagnostic, type Location } from '../diagnostics/diagnostic.js';
import { didYouMean, suggest } from '../diagnostics/suggest.js';

/** A code that a `weft-ignore` comment names, and the line that it is meant for. */
export interface Ignore {
  readonly code: string;
  readonly file: string;
  /** The comment's own line where something stands before it, else the first line below it that is no comment. */
  readonly targetLine: number;
  /** Where that line ends with a key: the place below it at which the key's value begins. */
  readonly valueBelow?: LineAndColumn | undefined;
  /** Of the code, in the comment. */
  readonly location: Location;
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

/** A comment: offsets of its first character and behind its last one. */
export type CommentRange = readonly [start: number, end: number];

/** Whether a second look at a text for its comments is worth while. */
export function mayHoldIgnores(text: string): boolean {
  return /weft-ignore|weft.{1,12}weft\d/i.test(text);
}

/** `weft-ignore` at the beginning of a comment, and what follows it; a comment that only mentions the word is none. */
const IGNORE_COMMENT = /^(?:#+|\/\/+)[ \t]*weft-ignore(?![\w])(.*)$/su;

/** A word before a code at the beginning of a comment, and what follows the word. */
const WORD_AND_CODE = /^(?:#+|\/\/+)[ \t]*([\w-]+(?: ignore)?)([ \t:]+WEFT\d.*)$/isu;

const CODES = '[A-Za-z]+\\d+(?:[ \\t]*,[ \\t]*[A-Za-z]+\\d+)*';

/** A list of codes in which commas may be missing. */
const CODE_LIST = '[A-Za-z]+\\d+(?:[ \\t]*,[ \\t]*[A-Za-z]+\\d+|[ \\t]+WEFT\\d+)*';

interface SourceText {
  readonly text: string;
  readonly locate: (start: number, end: number) => Location;
}

/**
 * Reads the comments that begin with `weft-ignore`. A comment on lines of its own is meant for the line below, so that
 * several of them may stand above one line.
 *
 * @param mark what a comment begins with in this language
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
    // Comments above each other are meant for the same line.
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

/** What a comment is meant for. */
interface Target extends Pick<Ignore, 'targetLine' | 'valueBelow'> {
  /** Offset of the comment's line. */
  readonly from: number;
  /** Offset of the line that is meant. */
  readonly at: number;
}

function targetOf(text: string, start: number, mark: '#' | '//', commentLine: number): Target {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const isBehindText = text.slice(from, start).trim() !== '';
  let at = from;
  let targetLine = commentLine;
  for (let end = text.indexOf('\n', at); !isBehindText && end !== -1; end = text.indexOf('\n', at)) {
    if (!lineAt(text, at).trimStart().startsWith(mark)) break;
    at = end + 1;
    targetLine += 1;
  }
  return { from, at, targetLine, valueBelow: mark === '#' ? valueBelowKey(text, at, targetLine) : undefined };
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.slice(start) : text.slice(start, end);
}

/** A key at the end of a line, perhaps with an anchor, a tag or a comment behind it. */
const KEY_AT_END = /:(?:[ \t]+[&!]\S*)*[ \t]*(?:[ \t]#.*)?\r?$/;

/** Most characters of a key with what may follow it. */
const KEY_LENGTH_MAX = 1000;

/** Where the value of a YAML key begins that ends its line; other comments and empty lines may be between them. */
function valueBelowKey(text: string, lineStart: number, keyLine: number): LineAndColumn | undefined {
  if (!KEY_AT_END.test(lineAt(text, lineStart).slice(-KEY_LENGTH_MAX))) return undefined;
  let line = keyLine;
  for (let end = text.indexOf('\n', lineStart); end !== -1; end = text.indexOf('\n', end + 1)) {
    const below = lineAt(text, end + 1);
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
      ? problem('WEFT0031', 'a `weft-ignore` comment has no reason', location, help)
      : undefined;
  }
  if (new RegExp(`^[ \\t]+${CODE_LIST}[ \\t]*$`).test(list)) {
    return problem('WEFT0031', 'the codes of a `weft-ignore` comment have no comma between them', location, help);
  }
  return new RegExp(`^[ \\t]+${CODES}[ \\t]`).test(list)
    ? problem('WEFT0031', 'a `weft-ignore` comment has no colon before its reason', location, help)
    : problem('WEFT0030', 'a `weft-ignore` comment does not say which codes it silences', location, help);
}

/** A comment that would be one, but for its first word. */
function nearMiss(comment: string, location: Location): Diagnostic | undefined {
  const [, word = '', rest = ''] = WORD_AND_CODE.exec(comment) ?? [];
  if (suggest(word, ['weft-ignore']) === undefined) return undefined;
  return problem('WEFT0038', `a comment that begins with \`${word}\` silences nothing`, location, form(rest));
}

function problem(code: string, message: string, location: Location, help: string): Diagnostic {
  return { code, severity: codes[code]?.severity ?? 'error', message, location, help };
}

/** The comment as it should be, with the codes and the words that it has. */
function form(given: string): string {
  // A number alone means the code with it: users leave out the common prefix.
  const rest = given.replace(/^[ \t]+(\d{1,4})\b/, (all, number: string) => {
    const code = `WEFT${number.padStart(4, '0')}`;
    return Object.hasOwn(codes, code) ? ` ${code}` : all;
  });
  const found = new RegExp(CODE_LIST).exec(rest);
  const behind = found ? found.index + found[0].length : 0;
  const reason = rest.slice(behind).replace(/^[\s:,-]+|\s+$/g, '');
  const list = found?.[0].replace(/[ \t,]+/g, ', ') ?? 'WEFT0234';
  const written = `\`weft-ignore ${list}: ${reason || 'why it may stay'}\``;
  return found
    ? `write ${written}`
    : `name the warning, for instance ${written}; several codes are separated by commas`;
}

function codesOf(rest: string): readonly { readonly code: string; readonly at: number }[] {
  const list = rest.slice(0, rest.indexOf(':'));
  return [...list.matchAll(/[A-Za-z]+\d+/g)].map(({ 0: code, index }) => ({ code, at: index }));
}

function unknownCode(code: string, location: Location): Diagnostic {
  const help = didYouMean(code, Object.keys(codes));
  return {
    code: 'WEFT0032',
    severity: 'error',
    message: `there is no diagnostic \`${code}\``,
    location,
    ...(help === undefined ? {} : { help }),
  };
}

/**
 * Takes out the warnings that a comment silences where they stand. A comment that silences nothing gives a warning
 * itself, unless there are errors: what they stopped may have given the warning that is meant. Errors stay, whatever the
 * comments say.
 */
export function applyIgnores(ignores: readonly Ignore[], diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (ignores.length === 0) return diagnostics;
  const silenced = new Set(ignores.flatMap(placesOf));
  const used = new Set<string>();
  const left = diagnostics.filter(({ code, severity, location }) => {
    if (severity !== 'warning' || location?.line === undefined) return true;
    const { file, line, column = 0 } = location;
    const places = [`${code} ${line} ${file}`, `${code} ${line}:${column} ${file}`].filter((key) => silenced.has(key));
    for (const place of places) used.add(place);
    return places.length === 0;
  });
  const hasErrors = left.some(isError);
  const unused = ignores
    .filter((ignore) => !placesOf(ignore).some((place) => used.has(place)))
    .flatMap((ignore) => unusedIgnore(ignore, hasErrors));
  return [...left, ...unused];
}

/** The line that a comment is meant for, and the value that begins below it. */
function placesOf({ code, file, targetLine, valueBelow }: Ignore): readonly string[] {
  const below = valueBelow && `${code} ${valueBelow.line}:${valueBelow.column} ${file}`;
  return [`${code} ${targetLine} ${file}`, ...(below === undefined ? [] : [below])];
}

function unusedIgnore({ code, location, targetLine }: Ignore, hasErrors: boolean): readonly Diagnostic[] {
  if (codes[code]?.severity === 'error') {
    const message = `\`${code}\` is an error, which no comment silences`;
    const help = 'fix the error and remove the comment';
    return [{ code: 'WEFT0034', severity: 'warning', message, location, help }];
  }
  if (hasErrors) return [];
  const message = `there is no warning \`${code}\` to silence on line ${targetLine}`;
  const help = 'remove it, or put it at the end of the line that the warning points at, or on the line before';
  return [{ code: 'WEFT0033', severity: 'warning', message, location, help }];
}
