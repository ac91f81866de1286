import { Document, parse, Scalar, visit } from 'yaml';

/**
 * The text that `toYaml` of Helm writes (sigs.k8s.io/yaml 1.4, which has the emitter of go-yaml 2): sorted keys, lists that are not
 * indented, double quotes where plain text would be read as another type by YAML 1.1, single quotes where plain text is not allowed, long
 * lines folded. Without a line break at the end.
 */
export function goYaml(value: object | null): string {
  const document = new Document(value, { sortMapEntries: true, version: '1.1' });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string') node.type = scalarType(node.value);
    },
  });
  return folded(document.toString(OPTIONS).trimEnd());
}

/** No line is folded, because the emitter of the library folds before the width and go-yaml after it. */
const OPTIONS = { indentSeq: false, lineWidth: 0, singleQuote: true, directives: false } as const;
/** A line is folded at the first space after as many columns. */
const WIDTH = 80;
/** The indentation with the dashes of lists, and a key: before a value or the member of a list. */
const LINE = /^( *(?:- )*)((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s'"](?:(?!: ).)*): )?/s;

function folded(text: string): string {
  let literalIndent = Infinity;
  return text
    .split('\n')
    .map((line) => {
      const indent = line.search(/\S/);
      if (indent === -1 || indent > literalIndent) return line;
      const [start = '', dashes = '', key = ''] = LINE.exec(line) ?? [];
      const value = line.slice(start.length);
      const isMember = key === '' && dashes.endsWith('- ');
      const column = isMember ? dashes.length - 2 : dashes.length;
      literalIndent = /^\|[-+]?\d?$/.test(value) ? column : Infinity;
      return dashes + key + foldedScalar(value, dashes.length + Array.from(key).length, `\n${' '.repeat(column + 2)}`);
    })
    .join('\n');
}

/** `yaml_emitter_write_plain_scalar` and the two of quoted scalars in emitterc.go of go-yaml 2. */
function foldedScalar(value: string, start: number, lineBreak: string): string {
  const characters = Array.from(value);
  const isDouble = value.startsWith('"');
  const [first, last] = isDouble || value.startsWith("'") ? [1, characters.length - 2] : [-1, Infinity];
  let column = start;
  let written = '';
  for (const [index, character] of characters.entries()) {
    const hasSpaceAfter = characters[index + 1] === ' ';
    const isOne = character === ' ' && characters[index - 1] !== ' ' && index > first && index < last;
    if (isOne && column > WIDTH && (isDouble || !hasSpaceAfter)) {
      // Leading spaces of a line of double-quoted text would not count.
      written += lineBreak + (hasSpaceAfter ? '\\' : '');
      column = lineBreak.length - 1 + (hasSpaceAfter ? 1 : 0);
    } else {
      written += character;
      column += 1;
    }
  }
  return written;
}

function scalarType(text: string): Scalar.Type {
  if (text.includes('\n')) return Scalar.BLOCK_LITERAL;
  if (isOtherType(text) || /[\u0000-\u001f\u007f]/.test(text)) return Scalar.QUOTE_DOUBLE;
  // The library would take double quotes for a text with an apostrophe.
  const isPlain = !/^["']/.test(new Document(text).toString(OPTIONS));
  return isPlain ? Scalar.PLAIN : Scalar.QUOTE_SINGLE;
}

/** Whether plain text is a number, a boolean or nothing in YAML 1.1, where `0300` is octal and `1:30` is sexagesimal. */
function isOtherType(text: string): boolean {
  if (text === '' || /^0o[0-7]+$/.test(text)) return true;
  // With these, plain text is not allowed.
  if (/^[#%&!"'*|>@`\s]|\s$| #/.test(text)) return false;
  try {
    const value: unknown = parse(text, { version: '1.1', logLevel: 'silent' });
    return typeof value !== 'string' && (value === null || typeof value !== 'object' || value instanceof Date);
  } catch {
    return false;
  }
}
