import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { loadCodes } from '../diagnostics/load-codes.js';
import type { Chunk, ParsedDocument } from './yaml-parse.js';
import type { TextPlaces } from './yaml-text.js';

interface Wording {
  readonly pattern: RegExp;
  readonly message: string;
  readonly help: string;
}

/** The parser (yaml 2.9) speaks the specification's language; these are its common errors in the words of a user. */
const wordings: readonly Wording[] = [
  {
    pattern: /^Nested mappings are not allowed in compact mappings/,
    message: 'a second `: ` in the value of a key',
    help: 'put text that holds ": " in quotes; begin a mapping on a line of its own; check the indentation',
  },
  {
    pattern: /^Flow sequence in block collection/,
    message: 'a `[` is not closed before this place',
    help: 'close it with "]", or indent its lines',
  },
  {
    pattern: /^Flow map in block collection/,
    message: 'a `{` is not closed before this place',
    help: 'close it with "}", or indent its lines',
  },
  {
    pattern: /^Implicit (map )?keys need to be/,
    message: 'a line is neither a key with a colon nor part of the text above it',
    help: 'write "key: value", or check the indentation',
  },
  {
    pattern: /^Missing closing "quote/,
    message: 'a `"` is not closed',
    help: 'end the text with "',
  },
  {
    pattern: /^Missing closing 'quote/,
    message: "a `'` is not closed",
    help: "end the text with '; an apostrophe inside it is written twice",
  },
  {
    pattern: /^Unexpected \S+ at node end/,
    message: 'unexpected text behind the end of a value',
    help: 'check quotes and indentation',
  },
  {
    pattern: /^All (mapping|sequence) items must start at the same column/,
    message: 'the entries of one collection begin at different columns',
    help: 'indent them equally',
  },
  {
    pattern: /^Plain value cannot start with/,
    message: 'text without quotes begins with a character that YAML reserves',
    help: 'put the text in quotes',
  },
  {
    pattern: /^Tabs are not allowed as indentation/,
    message: 'a tab is used as indentation',
    help: 'indent with spaces',
  },
  {
    pattern: /^Invalid escape sequence/,
    message: 'an escape sequence that YAML does not know',
    help: 'use single quotes, or write the backslash twice',
  },
];

function describe(error: { readonly message: string }): Pick<Diagnostic, 'message' | 'help'> {
  const known = wordings.find(({ pattern }) => pattern.test(error.message));
  if (known !== undefined) {
    return { message: `not valid YAML: ${known.message}`, help: known.help };
  }
  const text = error.message.replace(/\n[^]*$/, '');
  return { message: `not valid YAML: ${text.charAt(0).toLowerCase()}${text.slice(1)}` };
}

/** Errors of a broken document beyond the first few are mostly about the parser, not the text. */
const reportedErrorsMax = 5;

/** The errors of a document that could not be parsed, one for each line. */
export function syntaxDiagnostics(document: ParsedDocument, chunk: Chunk, places: TextPlaces): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const lines = new Set<number | undefined>();
  const contentEnd = chunk.text.trimEnd().length;
  for (const error of document.errors) {
    // What is missing at the end is missed behind the last character, not in the next document.
    let start = Math.min(error.pos[0], contentEnd);
    while (chunk.text[start] === ' ') {
      start++;
    }
    const location = places.locate(chunk.offset + start, chunk.offset + Math.max(start, error.pos[1]));
    if (lines.has(location.line)) {
      continue;
    }
    lines.add(location.line);
    diagnostics.push({ code: loadCodes.syntax.code, severity: 'error', location, ...describe(error) });
    if (diagnostics.length === reportedErrorsMax) {
      break;
    }
  }
  return diagnostics;
}
