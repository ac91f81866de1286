/**
 * How a YAML scalar becomes a value. `kubectl apply` reads text with sigs.k8s.io/yaml, which uses go.yaml.in/yaml/v2
 * (resolve.go and decode.go, v2.4.2): a mixture of YAML 1.1 keywords and Go's number syntax that is unique to it.
 * `scalars.testdata.json` has results of that library.
 */

/** A value that JSON can hold; an integer keeps its exact digits until the caller requests the JavaScript number. */
export type Scalar =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'str'; readonly value: string };

type ScalarType = Scalar['type'];

/** `problem` is a lower-case fact about the value. */
export type Resolved<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

const casings = (word: string): string[] => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()];

const words: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...['y', 'yes', 'true', 'on'].flatMap(casings).map((w): [string, Scalar] => [w, { type: 'bool', value: true }]),
  ...['n', 'no', 'false', 'off'].flatMap(casings).map((w): [string, Scalar] => [w, { type: 'bool', value: false }]),
  ...['', '~', 'null', 'Null', 'NULL'].map((w): [string, Scalar] => [w, { type: 'null' }]),
  ...['.nan', '.NaN', '.NAN'].map((w): [string, Scalar] => [w, { type: 'float', value: Number.NaN }]),
  ...['.inf', '.Inf', '.INF'].flatMap((w): [string, Scalar][] => [
    [w, { type: 'float', value: Infinity }],
    [`+${w}`, { type: 'float', value: Infinity }],
    [`-${w}`, { type: 'float', value: -Infinity }],
  ]),
]);

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;
const maxUint64 = 2n ** 64n - 1n;

/** Go's base 0: the prefix of the text selects the base, and a leading zero alone means octal. */
const integerForms: readonly { readonly form: RegExp; readonly prefix: string }[] = [
  { form: /^0[xX]([0-9a-fA-F]+)$/, prefix: '0x' },
  { form: /^0[oO]([0-7]+)$/, prefix: '0o' },
  { form: /^0[bB]([01]+)$/, prefix: '0b' },
  { form: /^0([0-7]*)$/, prefix: '0o0' },
  { form: /^([1-9][0-9]*)$/, prefix: '' },
];

function parseDigits(digits: string): bigint | undefined {
  // 64 bits are at most 64 binary digits and leading zeros; longer text is not converted, because that is slow.
  const shortened = digits.replace(/^(0[xXoObB]?)0+/, '$10');
  if (shortened.length > 70) {
    return undefined;
  }
  for (const { form, prefix } of integerForms) {
    const found = form.exec(shortened)?.[1];
    if (found !== undefined) {
      return BigInt(prefix + found);
    }
  }
  return undefined;
}

/** `digits` may carry a sign; a value without one may use all 64 bits, as Go's ParseUint allows. */
function parseInteger(text: string, parse: (digits: string) => bigint | undefined): bigint | undefined {
  const signed = text.startsWith('-') || text.startsWith('+');
  const magnitude = parse(signed ? text.slice(1) : text);
  if (magnitude === undefined) {
    return undefined;
  }
  const value = text.startsWith('-') ? -magnitude : magnitude;
  return value >= minInt64 && value <= (signed ? maxInt64 : maxUint64) ? value : undefined;
}

const plainFloat = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
/** Go's ParseFloat reads text that starts with a dot unchanged, and allows an underscore between two digits. */
const dottedFloat = /^\.[0-9]+(_[0-9]+)*([eE][-+]?[0-9]+(_[0-9]+)*)?$/;

/** Go's ParseFloat refuses a number that is too large for 64 bits, so it stays text. */
function parseFloatText(text: string): Scalar | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

const binaryDigits = (digits: string): bigint | undefined =>
  /^[01]{1,64}$/.test(digits) ? BigInt(`0b${digits}`) : undefined;

function resolveNumber(text: string): Scalar | undefined {
  const plain = text.replaceAll('_', '');
  const int = parseInteger(plain, parseDigits);
  if (int !== undefined) {
    return { type: 'int', value: int };
  }
  if (plainFloat.test(plain)) {
    const float = parseFloatText(plain);
    if (float !== undefined) {
      return float;
    }
  }
  // goyaml also parses the digits after 0b alone, and they may have a sign.
  const binary = plain.startsWith('0b') ? parseInteger(plain.slice(2), binaryDigits) : undefined;
  return binary === undefined ? undefined : { type: 'int', value: binary };
}

/** Reads a scalar that has neither quotes nor a tag. */
export function resolvePlain(text: string): Scalar {
  const word = words.get(text);
  if (word !== undefined) {
    return word;
  }
  const first = text.charAt(0);
  let number: Scalar | undefined;
  if (first === '.') {
    number = dottedFloat.test(text) ? parseFloatText(text.replaceAll('_', '')) : undefined;
  } else if ((first >= '0' && first <= '9') || first === '+' || first === '-') {
    number = resolveNumber(text);
  }
  return number ?? { type: 'str', value: text };
}

const tagPrefix = 'tag:yaml.org,2002:';
const typeNames: Readonly<Record<ScalarType, string>> = {
  null: 'null',
  bool: 'a boolean',
  int: 'an integer',
  float: 'a number',
  str: 'text',
};

/** Reads a scalar with an explicit tag, whose long form is given; quotes do not matter then, except to `!`. */
export function resolveTagged(text: string, tag: string): Resolved<Scalar> {
  if (tag === '!' || tag === `${tagPrefix}str`) {
    return { ok: true, value: { type: 'str', value: text } };
  }
  const type = tag.startsWith(tagPrefix) ? tag.slice(tagPrefix.length) : '';
  if (type !== 'null' && type !== 'bool' && type !== 'int' && type !== 'float') {
    const shown = tag.startsWith(tagPrefix) ? `!!${type}` : tag;
    return { ok: false, problem: `the tag \`${shown}\` has no meaning in a Kubernetes document` };
  }
  const value = resolvePlain(text);
  if (value.type === type) {
    return { ok: true, value };
  }
  if (type === 'float' && value.type === 'int' && value.value <= maxInt64) {
    return { ok: true, value: { type: 'float', value: Number(value.value) } };
  }
  return { ok: false, problem: `\`${text}\` is ${typeNames[value.type]}, but its tag says !!${type}` };
}

/** The JavaScript value, if it means exactly the same as the text. */
export function scalarToJson(scalar: Scalar): Resolved<string | number | boolean | null> {
  switch (scalar.type) {
    case 'null':
      return { ok: true, value: null };
    case 'bool':
    case 'str':
      return { ok: true, value: scalar.value };
    case 'int': {
      const value = Number(scalar.value);
      return Number.isSafeInteger(value)
        ? { ok: true, value }
        : { ok: false, problem: `the integer ${scalar.value} has more digits than a JSON number keeps` };
    }
    case 'float':
      // Adding zero turns negative zero, which is equal to zero in every Kubernetes field, into zero.
      return Number.isFinite(scalar.value)
        ? { ok: true, value: scalar.value + 0 }
        : { ok: false, problem: `YAML reads this as ${scalar.value}, which a JSON number cannot be` };
  }
}

/** A key that is not text, as sigs.k8s.io/yaml converts it: numbers are printed with 32-bit precision. */
export function scalarToKey(scalar: Scalar): Resolved<string> {
  switch (scalar.type) {
    case 'str':
      return { ok: true, value: scalar.value };
    case 'bool':
      return { ok: true, value: String(scalar.value) };
    case 'int':
      return scalar.value <= maxInt64
        ? { ok: true, value: String(scalar.value) }
        : { ok: false, problem: `the key ${scalar.value} is larger than a 64-bit integer` };
    case 'float':
      return { ok: true, value: formatFloat32(scalar.value) };
    case 'null':
      return { ok: false, problem: 'a key is null' };
  }
}

/** Go's `strconv.FormatFloat(value, 'g', -1, 32)`, with goyaml's text for infinity and NaN. */
function formatFloat32(value: number): string {
  const rounded = Math.fround(value);
  if (Number.isNaN(rounded)) {
    return '.nan';
  }
  if (!Number.isFinite(rounded)) {
    return rounded > 0 ? '.inf' : '-.inf';
  }
  if (rounded === 0) {
    return Object.is(rounded, -0) ? '-0' : '0';
  }
  let digits = 1;
  while (digits < 9 && Math.fround(Number(rounded.toExponential(digits - 1))) !== rounded) {
    digits++;
  }
  const [mantissa, exponent] = rounded.toExponential(digits - 1).split('e') as [string, string];
  const power = Number(exponent);
  if (power < -4 || power >= 6) {
    return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  return String(Number(`${mantissa}e${exponent}`));
}
