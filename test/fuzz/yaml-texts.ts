import { stringify } from 'yaml';
import { toYaml, type JsonValue } from '../../src/render/yaml/yaml.js';
import { makeRandom, type Random } from '../kit/cluster/random.js';

const listed = (text: string): readonly string[] => text.trim().split(/\n\s*|\|/);

/** Values on one line as people write them. */
const TAME = listed(String.raw`
  a|b|key|a b|a  b|true|1|0x1F|1.5|-1|-a|--|~||null|a:b|a#b|é|😀|a,b|a]|a}|.|.5|...|....|=|<|/|$a|(a)|+1|+|;|A_b-c.d|1.50|a/b|<<
  "a"|'a'|'it''s'|"a\n"|"\/"|"\""|""|''|a"b|a'b|"#"|' #'|"a: b"|'- a'|1e3|1_0|0b1|012|yes|on|y|Null|2001-01-01|12:30|02:00:00|http://x/y
  {}|[]|[a]|[a, b]|[a,b]|[ a ]|{a: b}|{ a: b, c: d }|{"a":1}|[[]]|[{}]|{a: [b, {c: d}]}|[a b, c]|[a:b]|["a", 'b']|[1:2]|{"<<": {}}|[yes, 0x1]
`);

/** What only looks like it, or means something else. */
const ODD = listed(String.raw`
  a::b|a   #b|a:|a: b|a : b|:a|: a|:|,a|]|}|"\u0041"|"\x41"|"\ "|"a" b|"a|'a|"a":b|'a' :|.inf|9007199254740993|18446744073709551616
  {a:1}|{a}|[a: b]|[a, ]|[a,,b]|[,]|{,}|{a: }|{a: ,b: c}|{ "a" : b }|{<<: {}}|{a: b, a: c}|[a#b]|[a #b]|[-1, -a, -]|[- a]|{? a : b}
  {"a": :b}|["a":b]|["a"b]|["a" b]|[a]b|[a] b|[>]|[@]|[%a]|[a, b]]|[[a]|{a: {b: {c: []}}}|{a: b}: c|[a]: b|{__proto__: a}
  -|- a|- - a|- a: b|? a|?|?a|--- a|---|&a|&a b|*a|!t|!!str a|@a|%a|%|#|#a|"<<"|__proto__|constructor|toString
`)
  .concat(
    '|',
    '|-',
    '|+',
    '>',
    '>-',
    '|2',
    '| a',
    '|a',
    '`a',
    'a\u00a0b',
    '\u3000',
    '\u2003a',
    'a\tb',
    '\t',
    'a\r',
    '\u0085',
  )
  .concat(['x'.repeat(1025), 'k'.repeat(999), `"${'x'.repeat(1023)}"`]);

/** Chance, and words: how many of them are odd is a text's own. */
interface Words extends Random {
  word(): string;
}

const INDENTS = ['', '', '', '  ', '  ', '    ', ' ', '   ', '      '];
const COMMENTS = ['', '', '', '', '', '', '', '', '', ' ', '  ', ' # c', ' # c', ' #', '  # c: d', '# c'];

/** A line by itself, of any kind; below others it may mean anything. */
function line(random: Words): string {
  const key = (): string =>
    random.int(0, 3) === 0 ? random.word() : random.pick(['a', 'b', 'c', 'd', 'e', 'f', '"q"', "'s'", '1', '~']);
  switch (random.int(0, 11)) {
    case 0:
      return random.pick(['', '', ' ', '   ', '# c', '  # c: d', '    #']);
    case 1:
      return random.pick(INDENTS) + random.word();
    case 2:
      return `${random.pick(INDENTS)}-${random.pick(['', ' ', ' # c', ' |', ' |-', ' - a'])}`;
    case 3:
      return `${random.pick(INDENTS)}- ${random.pick(['', '', ' '])}${random.word()}${random.pick(COMMENTS)}`;
    case 4:
      return `${random.pick(INDENTS)}- ${random.pick(['', '', '  '])}${key()}: ${random.word()}`;
    case 5:
      return `${random.pick(INDENTS)}- ${key()}:`;
    case 6:
      return `${random.pick(INDENTS)}${key()}:${random.pick([' |', ' |-', ' | # c', ' |+', ' >', '  |  '])}`;
    case 7:
    case 8:
      return `${random.pick(INDENTS)}${key()}:${random.pick(COMMENTS)}`;
    default:
      return `${random.pick(INDENTS)}${key()}: ${random.pick(['', '', ' '])}${random.word()}${random.pick(COMMENTS)}`;
  }
}

function text(random: Words): string {
  if (random.int(0, 4) > 0) return random.word();
  const lines = Array.from({ length: random.int(1, 4) }, () =>
    random.pick(['a', '', '{"a": 1}', '  b', 'c ', '# d', '- e', 'f: g']),
  );
  return lines.join('\n') + random.pick(['', '\n', '\n\n']);
}

function value(random: Words, depth = 0): JsonValue {
  const length = random.int(0, 3);
  const kind = depth > 4 ? 2 : random.int(0, 5);
  if (kind > 3 || depth === 0) {
    return Object.fromEntries(Array.from({ length }, () => [text(random), value(random, depth + 1)]));
  }
  if (kind === 3) return Array.from({ length }, () => value(random, depth + 1));
  return random.int(0, 2) === 0 ? random.pick([null, true, false, 0, -1, 1.5, 1e21]) : text(random);
}

const isList = (given: JsonValue): given is readonly JsonValue[] => Array.isArray(given);
const isPlainWord = (word: string): boolean => /^[\w./][\w./-]*$/.test(word);

/** A value on one line; text of several lines comes out as another one. */
function flow(random: Words, given: JsonValue): string {
  const space = random.pick(['', '', ' ']);
  if (typeof given === 'string') {
    if (isPlainWord(given) && random.chance(0.6)) return given;
    return random.chance(0.6) ? JSON.stringify(given) : `'${given.replaceAll("'", "''").replaceAll('\n', ' ')}'`;
  }
  if (typeof given !== 'object' || given === null) return JSON.stringify(given);
  const comma = random.pick([', ', ', ', ',', ' , ']);
  if (isList(given)) return `[${space}${given.map((item) => flow(random, item)).join(comma)}${space}]`;
  const entries = Object.entries(given).map(([key, item]: [string, JsonValue]) => {
    return `${flow(random, key)}${random.pick([': ', ': ', ':', ' : '])}${flow(random, item)}`;
  });
  return `{${space}${entries.join(comma)}${space}}`;
}

/** The lines below a `|`. */
function block(random: Words, given: string, column: number, head: string): readonly string[] {
  const pad = ' '.repeat(column + random.int(1, 4));
  const lines = given.replace(/\n$/, '').split('\n');
  const body = lines.map((one) => (one === '' ? random.pick(['', '', '   ']) : pad + one));
  return [`${head}${given.endsWith('\n') ? '|' : '|-'}${random.pick(COMMENTS)}`, ...body];
}

/**
 * The lines of a value in one of the many ways to write it by hand; some come out wrong.
 *
 * @param column of what holds the value
 * @param head what the first line begins with
 */
function written(random: Words, given: JsonValue, column: number, head: string): readonly string[] {
  const above = random.chance(0.1) ? [random.pick(['', ' ', '# c', `${' '.repeat(column)}# c`, '      # c'])] : [];
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  if (entries.length > 0 && (head === '' || random.chance(0.9))) {
    const isCompact = head.endsWith('- ') && random.chance(isList(given) ? 0.1 : 0.8);
    const first = isCompact ? head + random.pick(['', '', '', '  ']) : head;
    const deeper = isList(given) && !head.endsWith('- ') ? random.int(0, 2) : random.int(1, 4);
    const inner = isCompact ? first.length : head === '' ? 0 : column + deeper;
    const lines = entries.flatMap(([key, item]: [string, JsonValue], index) => {
      const begin = isCompact && index === 0 ? first : ' '.repeat(inner);
      return written(random, item, inner, `${begin}${isList(given) ? '- ' : `${flow(random, key)}: `}`);
    });
    return isCompact || head === ''
      ? [...above, ...lines]
      : [...above, head.trimEnd() + random.pick(COMMENTS), ...lines];
  }
  if (typeof given === 'string' && given.includes('\n') && random.chance(0.8)) {
    return [...above, ...block(random, given, column, head)];
  }
  return [...above, `${head}${flow(random, given)}${random.pick(COMMENTS)}`];
}

const SIGNS = [
  '"',
  "'",
  ':',
  ': ',
  ' ',
  '  ',
  '\n',
  '- ',
  '-',
  '&a ',
  '*a',
  '|\n',
  '|-\n',
  '>-',
  '{',
  '[',
  '}',
  ']',
  ',',
].concat(
  '!',
  '%',
  '---\n',
  '...\n',
  '#',
  ' #',
  '\\',
  '?',
  '\t',
  '\r\n',
  '\u0085',
  '\ufeff',
  '\u2028',
  '\u00a0',
  '0',
  '😀',
);

/** One small change, as of a slip of the hand. */
function changed(random: Words, given: string): string {
  const at = random.int(0, given.length);
  const lines = given.split('\n');
  const row = random.int(0, lines.length - 1);
  const old = lines[row] ?? '';
  switch (random.int(0, 6)) {
    case 0:
      return given.slice(0, at);
    case 1:
      return given.slice(0, at) + given.slice(at + random.int(1, 20));
    case 2:
    case 3:
      return given.slice(0, at) + random.pick(SIGNS) + given.slice(at);
    case 4:
      return lines.with(row, random.pick([' ', '  ', '-', '- ']) + old).join('\n');
    case 5:
      return lines.with(row, old.slice(random.int(1, 2))).join('\n');
    default:
      return lines.toSpliced(row, random.int(0, 1), random.pick([line(random), random.pick(lines)])).join('\n');
  }
}

const library = (random: Words): string =>
  stringify(value(random), {
    indent: random.int(1, 4),
    indentSeq: random.chance(0.5),
    lineWidth: random.pick([0, 20, 80]),
    defaultStringType: random.pick(['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE'] as const),
    collectionStyle: random.pick(['any', 'block', 'flow'] as const),
    blockQuote: 'literal',
  });

/**
 * A text that is YAML or nearly so, the same one for the same seed: lines by themselves, values as different writers write
 * them, and real documents, changed or not.
 */
export function yamlText(seed: number, real: readonly string[]): string {
  const chance = makeRandom(seed, 'yaml');
  const odd = chance.pick([0, 0.02, 0.1, 0.3]);
  const random: Words = { ...chance, word: () => chance.pick(chance.chance(odd) ? ODD : TAME) };
  let given: string;
  switch (random.int(0, 5)) {
    case 0:
      return (
        Array.from({ length: random.int(1, 7) }, () => line(random)).join('\n') + random.pick(['', '\n', '\n\n', ' '])
      );
    case 1:
      given = library(random);
      break;
    case 2:
      given = toYaml(value(random));
      break;
    case 3:
      given = random.pick(real);
      break;
    default:
      given = [
        ...random.pick([[], [], ['---'], ['--- # c'], ['---#c'], ['# c'], ['']]),
        ...written(random, value(random), 0, ''),
      ].join('\n');
      given += random.pick(['', '\n', '\n', '\n\n', '\n  \n']);
  }
  if (random.chance(0.03)) given = given.replaceAll('\n', '\r\n');
  for (let changes = random.pick([0, 0, 0, 1, 1, 2]); changes > 0; changes--) given = changed(random, given);
  return given;
}
