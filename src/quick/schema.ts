/**
 * Thrown where the answer is left to zod: by what only words for people need, such as the issues of a value that does not
 * hold.
 */
export class NeedsZod extends Error {
  constructor() {
    super('only zod itself can tell');
  }
}

/** Instead of a value: what was given does not hold. */
export const REFUSED = Symbol('refused');

type Check = (value: never) => boolean;

/** What a mapping makes of a key that is absent. */
export type Absence = 'refused' | 'left out' | 'filled in';

interface Refinement {
  readonly value: unknown;
  readonly issues: unknown[];
  readonly addIssue: (issue: unknown) => void;
}

/** What a schema of zod can be asked, as far as the input is concerned; descriptions and messages are dropped. */
export abstract class ZodType {
  /** Sorted by age; all see the value that was read. */
  protected checks: readonly Check[] = [];
  abstract readonly absence: Absence;

  /** The value of what was given before its checks, or {@link REFUSED}. */
  protected abstract read(value: unknown): unknown;

  run(value: unknown): unknown {
    const result = this.read(value);
    if (result === REFUSED) return REFUSED;
    for (const check of this.checks) if (!check(result as never)) return REFUSED;
    return result;
  }

  safeParse(value: unknown) {
    const data = this.run(value);
    if (data !== REFUSED) return { success: true, data };
    return {
      success: false,
      get error(): never {
        throw new NeedsZod();
      },
    };
  }

  parse(value: unknown): unknown {
    const data = this.run(value);
    if (data === REFUSED) throw new NeedsZod();
    return data;
  }

  /** The same schema with one check more, as each method of zod makes another schema. */
  protected with(check: Check): this {
    const copy = Object.assign(Object.create(Object.getPrototypeOf(this) as object) as this, this);
    copy.checks = [...this.checks, check];
    return copy;
  }

  refine(holds: (value: never) => unknown): this {
    return this.with((value) => Boolean(holds(value)));
  }

  superRefine(look: (value: never, context: Refinement) => void): this {
    return this.check((context) => look(context.value as never, context));
  }

  check(look: (context: Refinement) => void): this {
    return this.with((value) => {
      const issues: unknown[] = [];
      look({ value, issues, addIssue: (issue) => issues.push(issue) });
      return issues.length === 0;
    });
  }

  describe(): this {
    return this;
  }

  register(): this {
    return this;
  }

  optional(): ZodOptional {
    return new ZodOptional(this);
  }

  default(value: unknown): ZodDefault {
    return new ZodDefault(this, value);
  }

  prefault(value: unknown): ZodPrefault {
    return new ZodPrefault(this, value);
  }
}

abstract class Wrapper extends ZodType {
  constructor(protected readonly inner: ZodType) {
    super();
  }

  unwrap(): ZodType {
    return this.inner;
  }
}

export class ZodOptional extends Wrapper {
  override get absence(): Absence {
    return this.inner.absence === 'filled in' ? 'filled in' : 'left out';
  }

  protected override read(value: unknown): unknown {
    return value === undefined && this.inner.absence !== 'filled in' ? undefined : this.inner.run(value);
  }
}

/** A value of its own for whoever gets it, as deep as zod copies it. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...(value as unknown[])];
  return typeof value === 'object' && value !== null ? { ...value } : value;
}

abstract class Filled extends Wrapper {
  override readonly absence = 'filled in';

  constructor(
    inner: ZodType,
    private readonly value: unknown,
  ) {
    super(inner);
  }

  protected filling(): unknown {
    return typeof this.value === 'function' ? (this.value as () => unknown)() : copyOf(this.value);
  }
}

/** What is filled in is not checked. */
export class ZodDefault extends Filled {
  protected override read(value: unknown): unknown {
    const result = value === undefined ? undefined : this.inner.run(value);
    return result === undefined ? this.filling() : result;
  }
}

/** What is filled in is checked like what is given. */
export class ZodPrefault extends Filled {
  protected override read(value: unknown): unknown {
    return this.inner.run(value === undefined ? this.filling() : value);
  }
}
