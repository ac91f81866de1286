/** Where text stops being JSON, and what is wrong there. */
export interface JsonError {
  /** Of the first character that cannot be, or of the end of the text. */
  readonly offset: number;
  /** In words that follow "is not valid JSON: ". */
  readonly message: string;
}

/** What may come next: of some states one token ends the value around them. */
type State = 'value' | 'first-entry' | 'first-key' | 'key' | 'colon' | 'next' | 'end';

const SPACE = /[ \t\n\r]*/y;
const TOKEN = /[{}[\],:]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;

/** A part of a text in quotes, up to its end or behind one escape. */
const TEXT_PIECE = /[^"\\\0-\x1f]*(?:(")|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))/y;

/**
 * The first error of text that `JSON.parse` refuses, in words and with a place that do not depend on the version of Node;
 * `undefined` where there is none.
 */
export function jsonError(text: string): JsonError | undefined {
  const open: ('{' | '[')[] = [];
  let state: State = 'value';
  let offset = 0;
  for (;;) {
    offset = endOfMatch(SPACE, text, offset) ?? offset;
    if (offset === text.length)
      return state === 'end' ? undefined : { offset, message: `it ends where ${wanted(state, open)} should be` };
    const end = text[offset] === '"' ? endOfText(text, offset) : endOfMatch(TOKEN, text, offset);
    const token = end === undefined ? '' : text.slice(offset, end);
    const next = follow(state, token, open);
    if (end === undefined || next === undefined)
      return { offset, message: unexpected(text, offset, token, wanted(state, open)) };
    state = next;
    offset = end;
  }
}

function endOfMatch(pattern: RegExp, text: string, offset: number): number | undefined {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Piece by piece: one regular expression for a text with millions of escapes overflows. */
function endOfText(text: string, offset: number): number | undefined {
  TEXT_PIECE.lastIndex = offset + 1;
  for (let found = TEXT_PIECE.exec(text); found; found = TEXT_PIECE.exec(text)) {
    if (found[1] !== undefined) return TEXT_PIECE.lastIndex;
  }
  return undefined;
}

/** The state behind a token, which may open or close a list or a mapping; `undefined` where it must not be there. */
function follow(state: State, token: string, open: ('{' | '[')[]): State | undefined {
  const isPunctuation = '{}[],:'.includes(token);
  switch (state) {
    case 'value':
    case 'first-entry':
      if (token === ']' && state === 'first-entry') return close(open);
      if (token === '{' || token === '[') {
        open.push(token);
        return token === '{' ? 'first-key' : 'first-entry';
      }
      return isPunctuation ? undefined : behindValue(open);
    case 'first-key':
    case 'key':
      if (token === '}' && state === 'first-key') return close(open);
      return token.startsWith('"') ? 'colon' : undefined;
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'next':
      if (token === ',') return open.at(-1) === '{' ? 'key' : 'value';
      return token === (open.at(-1) === '{' ? '}' : ']') ? close(open) : undefined;
    case 'end':
      return undefined;
  }
}

function close(open: ('{' | '[')[]): State {
  open.pop();
  return behindValue(open);
}

function behindValue(open: readonly string[]): State {
  return open.length === 0 ? 'end' : 'next';
}

function wanted(state: State, open: readonly string[]): string {
  switch (state) {
    case 'value':
      return 'a value';
    case 'first-entry':
      return 'a value or `]`';
    case 'first-key':
      return 'a key in double quotes or `}`';
    case 'key':
      return 'a key in double quotes';
    case 'colon':
      return '`:`';
    case 'next':
      return open.at(-1) === '{' ? '`,` or `}`' : '`,` or `]`';
    case 'end':
      return 'the end';
  }
}

const SHOWN_LENGTH_MAX = 20;

function unexpected(text: string, offset: number, token: string, expected: string): string {
  if (token === '' && text[offset] === '"')
    return 'a text in double quotes is not closed, or has an escape that JSON does not know';
  const word = /^[\w.+-]+/.exec(text.slice(offset, offset + SHOWN_LENGTH_MAX))?.[0];
  const shown =
    token === '' ? (word ?? String.fromCodePoint(text.codePointAt(offset) ?? 0)) : token.slice(0, SHOWN_LENGTH_MAX);
  return `\`${shown}\` where ${expected} should be`;
}
