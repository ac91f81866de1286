import { isObject } from '../lib/json.js';
import { NeedsZod, REFUSED, ZodType, type Absence } from './schema.js';
import { ZodChoice } from './scalars.js';

type Shape = Readonly<Record<string, ZodType>>;
type Mapping = Readonly<Record<string, unknown>>;

function isPlain(value: Mapping): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export class ZodArray extends ZodType {
  override readonly absence: Absence = 'refused';

  constructor(readonly element: ZodType) {
    super();
  }

  protected override read(value: unknown): unknown {
    if (!Array.isArray(value)) return REFUSED;
    const result: unknown[] = [];
    for (const item of value) {
      const read = this.element.run(item);
      if (read === REFUSED) return REFUSED;
      result.push(read);
    }
    return result;
  }

  min(length: number): this {
    return this.with((value: readonly unknown[]) => value.length >= length);
  }

  max(length: number): this {
    return this.with((value: readonly unknown[]) => value.length <= length);
  }

  length(length: number): this {
    return this.with((value: readonly unknown[]) => value.length === length);
  }
}

export class ZodRecord extends ZodType {
  override readonly absence: Absence = 'refused';

  constructor(
    readonly keyType: ZodType,
    readonly valueType: ZodType,
  ) {
    super();
  }

  protected override read(value: unknown): unknown {
    if (!isObject(value)) return REFUSED;
    // A record of some keys must have all of them; and instances of a class are no records.
    if (this.keyType instanceof ZodChoice || !isPlain(value)) throw new NeedsZod();
    const result: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) {
      if (key === '__proto__') continue;
      const read = this.keyType.run(key) === REFUSED ? REFUSED : this.valueType.run(inner);
      if (read === REFUSED) return REFUSED;
      result[key] = read;
    }
    return result;
  }
}

/** With those of its prototype, as zod asks for them: a program of the input may have given some to every object. */
function keysOf(value: Mapping): readonly string[] {
  const keys: string[] = [];
  for (const key in value) keys.push(key);
  return keys;
}

/** What becomes of keys that a mapping does not know. */
type Unknown = 'refused' | 'dropped' | 'kept';

export class ZodObject extends ZodType {
  override readonly absence: Absence = 'refused';

  constructor(
    readonly shape: Shape,
    private readonly unknown: Unknown,
  ) {
    super();
  }

  extend(shape: Shape): ZodObject {
    const extended = new ZodObject({ ...this.shape, ...shape }, this.unknown);
    extended.checks = this.checks;
    return extended;
  }

  protected override read(value: unknown): unknown {
    if (!isObject(value)) return REFUSED;
    const result: Record<string, unknown> = {};
    let known = 0;
    for (const key of Object.keys(this.shape)) {
      const field = this.shape[key] as ZodType;
      const isPresent = key in value;
      if (isPresent) known += 1;
      else if (field.absence === 'refused') return REFUSED;
      else if (field.absence === 'left out') continue;
      const read = field.run(value[key]);
      if (read === REFUSED) return REFUSED;
      if (read !== undefined || isPresent) result[key] = read;
    }
    return this.withOthers(value, known, result);
  }

  private withOthers(value: Mapping, known: number, result: Record<string, unknown>): unknown {
    if (this.unknown === 'dropped') return result;
    if (this.unknown === 'refused') return keysOf(value).length === known ? result : REFUSED;
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(this.shape, key) && key !== '__proto__') result[key] = value[key];
    }
    return result;
  }
}

export class ZodUnion extends ZodType {
  constructor(readonly options: readonly ZodType[]) {
    super();
  }

  override get absence(): Absence {
    const all = this.options.map(({ absence }) => absence);
    return all.includes('filled in') ? 'filled in' : all.includes('left out') ? 'left out' : 'refused';
  }

  protected override read(value: unknown): unknown {
    for (const option of this.options) {
      const read = option.run(value);
      if (read !== REFUSED) return read;
    }
    return REFUSED;
  }
}
