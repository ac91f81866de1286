/**
 * Kubernetes resource quantities, exact (k8s.io/apimachinery pkg/api/resource, v0.36).
 *
 * The value is kept as an integer number of nano-units, the finest grain that the API server keeps.
 */
const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;
const NANO = 9;
const MAX_EXPONENT = 30;
/** No quantity of a client is as long, and big numbers are read in quadratic time. */
const MAX_CHARACTERS = 100;

const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);

type Format = 'binary' | 'decimal' | 'exponent';

/** A parsed quantity. Compare `nano`; print with {@link formatQuantity}. */
interface Quantity {
  /** The value in units of 10⁻⁹. */
  readonly nano: bigint;
  readonly format: Format;
}

/** Reads a quantity; `undefined` if the text is not valid. */
export function parseQuantity(text: string | number): Quantity | undefined {
  const match = PATTERN.exec(String(text).slice(0, MAX_CHARACTERS + 1));
  if (!match || match[0].length > MAX_CHARACTERS) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const format = formatOf(suffix);
  const scale = scaleOf(suffix, format);
  if (scale === undefined) return undefined;
  const digits = BigInt(`${whole}${fraction}` || '0') * scale.multiplier;
  const exponent = NANO + scale.exponent - fraction.length;
  const magnitude = exponent >= 0 ? digits * 10n ** BigInt(exponent) : divideUp(digits, 10n ** BigInt(-exponent));
  return { nano: sign === '-' ? -magnitude : magnitude, format };
}

/** The API server reads more than 63 bits as the most that they hold. */
const MAX_AMOUNT = 2 ** 63;

/** An amount that a container asks for, or that a node has: a finite number of units, from 0 on; `undefined` if the text is none. */
export function unitsOf(text: string | number): number | undefined {
  const { nano } = parseQuantity(text) ?? {};
  return nano === undefined || nano < 0n ? undefined : Math.min(Number(nano) / 10 ** NANO, MAX_AMOUNT);
}

/** A value below the finest grain is rounded up, away from zero, as the API server does. */
function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

function formatOf(suffix: string): Format {
  if (BINARY.includes(suffix)) return 'binary';
  return /^[eE]./.test(suffix) ? 'exponent' : 'decimal';
}

function scaleOf(suffix: string, format: Format): { multiplier: bigint; exponent: number } | undefined {
  if (format === 'binary') return { multiplier: 1024n ** BigInt(BINARY.indexOf(suffix) + 1), exponent: 0 };
  if (format === 'decimal') return { multiplier: 1n, exponent: DECIMAL.get(suffix) ?? 0 };
  const exponent = Number(suffix.slice(1));
  return Math.abs(exponent) > MAX_EXPONENT ? undefined : { multiplier: 1n, exponent };
}

/**
 * The canonical text: no fraction, the largest suffix that keeps the value whole. A Go client writes the same text for
 * a quantity that it has read, so equal quantities give equal manifests: `0.5` is `500m`, `1024Mi` is `1Gi`.
 */
export function formatQuantity({ nano, format }: Quantity): string {
  const sign = nano < 0n ? '-' : '';
  const magnitude = nano < 0n ? -nano : nano;
  if (magnitude === 0n) return '0';
  const unit = 10n ** BigInt(NANO);
  // Binary suffixes cannot express fractions, and below 1024 the API server prefers the decimal form.
  if (format === 'binary' && magnitude % unit === 0n && magnitude >= 1024n * unit) {
    return sign + withBinarySuffix(magnitude / unit);
  }
  return sign + withDecimalSuffix(magnitude, format === 'exponent');
}

function withBinarySuffix(value: bigint): string {
  let power = 0;
  let rest = value;
  while (rest % 1024n === 0n && power < BINARY.length) {
    rest /= 1024n;
    power += 1;
  }
  return `${rest}${power === 0 ? '' : (BINARY[power - 1] ?? '')}`;
}

function withDecimalSuffix(nano: bigint, asExponent: boolean): string {
  let exponent = -NANO;
  let rest = nano;
  while (rest % 1000n === 0n && (asExponent || exponent < 18)) {
    rest /= 1000n;
    exponent += 3;
  }
  if (asExponent) return exponent === 0 ? `${rest}` : `${rest}e${exponent}`;
  const suffix = [...DECIMAL].find(([, power]) => power === exponent)?.[0] ?? '';
  return `${rest}${suffix}`;
}

const MAX_FAST_DIGITS = 18;

/**
 * True if a Go client writes a quantity unchanged although it is not canonical, such as `+1` or `1.500`, because of the
 * fast path of `ParseQuantity`. Another text would be another pod template.
 */
function keepsSpelling(text: string): boolean {
  const [, , whole = '', fraction = '', suffix = ''] = PATTERN.exec(text) ?? [];
  const shifted = `${whole.replace(/^0+/, '') || '0'}${fraction}`;
  const format = formatOf(suffix);
  if (format === 'binary') {
    const exponent = 10 * (BINARY.indexOf(suffix) + 1);
    const isFast = fraction === '' && 14 - shifted.length - Math.trunc(exponent * 0.3) >= 0;
    return isFast && BigInt(shifted) % 8n !== 0n;
  }
  const scale = (scaleOf(suffix, format)?.exponent ?? 1) - fraction.length;
  const isFast = shifted.length <= MAX_FAST_DIGITS && scale >= -NANO;
  return isFast && scale % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
}

/** The text that a Go client writes for a quantity that a schema has accepted: mostly the canonical one. */
export function canonicalQuantity(text: string | number): string {
  const quantity = parseQuantity(text);
  if (!quantity) return String(text);
  return typeof text === 'string' && keepsSpelling(text) ? text : formatQuantity(quantity);
}
