import { diagnostic } from '../../../shared/diagnostics/codes.js';
import type { Diagnostic, TextRange } from '../../../shared/diagnostics/diagnostic.js';
import type { Chunk, ParsedDocument } from './parse.js';
import type { TextPlaces } from './text.js';
import { textBefore } from '../../../shared/lib/text.js';

interface Wording {
  readonly pattern: RegExp;
  readonly message: string;
  readonly help: string;
}

/** The parser (yaml 2.9) uses terms of the specification; these are its common errors in terms that users know. */
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

const DEEPER_KEY: Pick<Diagnostic, 'message' | 'help'> = {
  message: 'not valid YAML: a key is indented deeper than the key above it, which has a value already',
  help: 'begin it in the same column as the key above it',
};

function describe(error: { readonly message: string }): Pick<Diagnostic, 'message' | 'help'> {
  const known = wordings.find(({ pattern }) => pattern.test(error.message));
  if (known !== undefined) {
    return { message: `not valid YAML: ${known.message}`, help: known.help };
  }
  const text = textBefore(error.message, '\n');
  return { message: `not valid YAML: ${text.charAt(0).toLowerCase()}${text.slice(1)}` };
}

type ParserError = ParsedDocument['errors'][number];

/**
 * The range of a key that is indented deeper than the one above it, if that is the cause of an error: the parser reads
 * it as part of the value above, and reports the error there.
 */
function deeperKey(error: ParserError, errors: readonly ParserError[], text: string): TextRange | undefined {
  const [start] = error.pos;
  const whole = errors.find(({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === start);
  if (error.code !== 'BLOCK_AS_IMPLICIT_KEY' || !whole) return undefined;
  const end = whole.pos[1];
  const line = text.lastIndexOf('\n', end - 1) + 1;
  const isBelow = line > start && !/:\s/.test(text.slice(start, line));
  return isBelow ? [line + text.slice(line, end).search(/\S/), end] : undefined;
}

/** In an invalid document only the first few errors are useful; later ones mostly follow from them. */
const reportedErrorsMax = 5;

/** Conflict markers of git. */
const CONFLICT_MARKER = /^(?:<{7}|>{7}|\|{7}) .*$|^={7}$/m;

/** Conflict markers are the only error of the document: the others follow from them. */
function conflictMarker(chunk: Chunk, places: TextPlaces): Diagnostic | undefined {
  const found = CONFLICT_MARKER.exec(chunk.text);
  if (!found) return undefined;
  const start = chunk.offset + found.index;
  return diagnostic('WEFT0001', {
    message: 'not valid YAML: the file has conflict markers of git',
    location: places.locate(start, start + found[0].trimEnd().length),
    help: 'keep what is right of the two sides, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`',
  });
}

/** Errors on other lines follow from a tab, which the parser counts as no indentation. */
function withoutConsequences(errors: readonly ParserError[]): readonly ParserError[] {
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
  return tabs.length > 0 && errors[0]?.code === 'TAB_AS_INDENT' ? tabs : errors;
}

/** The errors of a document that could not be parsed, one for each line. */
export function syntaxDiagnostics(document: ParsedDocument, chunk: Chunk, places: TextPlaces): Diagnostic[] {
  const marker = conflictMarker(chunk, places);
  if (marker) return [marker];
  const diagnostics: Diagnostic[] = [];
  const lines = new Set<number | undefined>();
  const contentEnd = chunk.text.trimEnd().length;
  const locate = ([from, to]: TextRange) => {
    // If something is missing at the end, the place is the last character, not the next document.
    let start = Math.min(from, contentEnd);
    while (chunk.text[start] === ' ') {
      start++;
    }
    return places.locate(chunk.offset + start, chunk.offset + Math.max(start, to));
  };
  for (const error of withoutConsequences(document.errors)) {
    const found = locate(error.pos);
    if (lines.has(found.line)) {
      continue;
    }
    const deeper = deeperKey(error, document.errors, chunk.text);
    const location = deeper ? locate(deeper) : found;
    lines.add(found.line).add(location.line);
    diagnostics.push(
      diagnostic('WEFT0001', {
        location,
        ...(deeper ? DEEPER_KEY : describe(error)),
      }),
    );
    if (diagnostics.length === reportedErrorsMax) {
      break;
    }
  }
  return diagnostics;
}
