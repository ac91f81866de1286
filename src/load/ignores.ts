import { codes } from '../diagnostics/codes.js';
import { isError, type Diagnostic, type Location } from '../diagnostics/diagnostic.js';
import { didYouMean, suggest } from '../diagnostics/suggest.js';

/** A code that a `weft-ignore` comment names, and the line that it is meant for. */
export interface Ignore {
  readonly code: string;
  readonly file: string;
  /** The comment's own line where something stands before it, else the first line below it that is no comment. */
  readonly targetLine: number;
  /** Of the code, in the comment. */
  readonly location: Location;
}

/** What the `weft-ignore` comments of a text say, and what is wrong with them. */
export interface IgnoreComments {
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
  for (const [start, end] of comments) {
    const comment = source.text.slice(start, end);
    const place = source.locate(start, end);
    const rest = IGNORE_COMMENT.exec(comment)?.[1];
    const failure = rest === undefined ? nearMiss(comment, place) : checkForm(rest, place);
    if (failure) diagnostics.push(failure);
    if (failure || rest === undefined) continue;
    const targetLine = (place.line ?? 0) + linesToTarget(source.text, start, mark);
    for (const { code, at } of codesOf(rest)) {
      const from = end - rest.length + at;
      const location = source.locate(from, from + code.length);
      if (Object.hasOwn(codes, code)) ignores.push({ code, file: location.file, targetLine, location });
      else diagnostics.push(unknownCode(code, location));
    }
  }
  return { ignores, diagnostics };
}

/** How many lines below the comment the line is that it is meant for. */
function linesToTarget(text: string, start: number, mark: '#' | '//'): number {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  if (text.slice(lineStart, start).trim() !== '') return 0;
  let lines = 0;
  for (let at = lineStart; ; lines++) {
    const end = text.indexOf('\n', at);
    const line = end === -1 ? text.slice(at) : text.slice(at, end);
    if (end === -1 || !line.trimStart().startsWith(mark)) return lines;
    at = end + 1;
  }
}

function checkForm(rest: string, location: Location): Diagnostic | undefined {
  const [list = '', ...reason] = rest.split(':');
  const help = form(rest);
  if (new RegExp(`^[ \\t]+${CODES}[ \\t]*$`).test(list)) {
    return reason.join(':').trim() === ''
      ? problem('WEFT0031', 'a `weft-ignore` comment has no reason', location, help)
      : undefined;
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
function form(rest: string): string {
  const found = new RegExp(CODES).exec(rest);
  const behind = found ? found.index + found[0].length : 0;
  const reason = rest.slice(behind).replace(/^[\s:,-]+|\s+$/g, '');
  const written = `\`weft-ignore ${found?.[0] ?? 'WEFT0234'}: ${reason || 'why it may stay'}\``;
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
  const keyOf = (file: string, line: number, code: string) => `${code} ${line} ${file}`;
  const silenced = new Set(ignores.map(({ file, targetLine, code }) => keyOf(file, targetLine, code)));
  const used = new Set<string>();
  const left = diagnostics.filter(({ code, severity, location }) => {
    if (severity !== 'warning' || location?.line === undefined) return true;
    const key = keyOf(location.file, location.line, code);
    if (silenced.has(key)) used.add(key);
    return !silenced.has(key);
  });
  const hasErrors = left.some(isError);
  const unused = ignores
    .filter(({ file, targetLine, code }) => !used.has(keyOf(file, targetLine, code)))
    .flatMap((ignore) => unusedIgnore(ignore, hasErrors));
  return [...left, ...unused];
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
