import { printParseErrorCode, visit, type ParseErrorCode } from 'jsonc-parser';

/** The first error in a text that is not valid JSON. */
interface JsonError {
  /** Offset of the first wrong character, or of the end of the text. */
  readonly offset: number;
  /** A text that follows "is not valid JSON: ". */
  readonly message: string;
}

/** What the parser (jsonc-parser 3.3) expects, by the name of its error. */
const EXPECTED: ReadonlyMap<string, string> = new Map([
  ['PropertyNameExpected', 'a key in double quotes'],
  ['ValueExpected', 'a value'],
  ['ColonExpected', '`:`'],
  ['CommaExpected', '`,`'],
  ['CloseBraceExpected', '`}`'],
  ['CloseBracketExpected', '`]`'],
  ['EndOfFileExpected', 'the end'],
]);

/**
 * The first error of text that `JSON.parse` refuses, with a message and a place that do not depend on the version of
 * Node; `undefined` if there is none. The text must not be nested thousands of levels deep: the parser is recursive.
 */
export function jsonError(text: string): JsonError | undefined {
  let first: JsonError | undefined;
  const onError = (code: ParseErrorCode, offset: number, length: number): void => {
    first ??= { offset, message: messageOf(printParseErrorCode(code), text.slice(offset, offset + length)) };
  };
  visit(text, { onError }, { disallowComments: true });
  return first;
}

const SHOWN_LENGTH_MAX = 20;

function messageOf(name: string, found: string): string {
  const expected = EXPECTED.get(name);
  const shown = found.slice(0, SHOWN_LENGTH_MAX);
  if (expected !== undefined) {
    return found === '' ? `it ends where ${expected} should be` : `\`${shown}\` where ${expected} should be`;
  }
  switch (name) {
    case 'InvalidSymbol':
      return `\`${shown}\` is no word of JSON; text stands in double quotes`;
    case 'InvalidCommentToken':
      return 'JSON has no comments';
    case 'UnexpectedEndOfNumber':
      return `\`${shown}\` is no number`;
    default:
      return 'a text in double quotes is not closed, or has a character or an escape that JSON does not know';
  }
}
