import { REFUSED, ZodType, type Absence } from './schema.js';

/** Schemas of one value, which hold for it as it is. */
abstract class ZodScalar extends ZodType {
  override readonly absence: Absence = 'refused';

  protected abstract holds(value: unknown): boolean;

  protected override read(value: unknown): unknown {
    return this.holds(value) ? value : REFUSED;
  }
}

export class ZodString extends ZodScalar {
  protected override holds(value: unknown): boolean {
    return typeof value === 'string';
  }

  min(length: number): this {
    return this.with((value: string) => value.length >= length);
  }

  max(length: number): this {
    return this.with((value: string) => value.length <= length);
  }

  regex(pattern: RegExp): this {
    return this.with((value: string) => {
      pattern.lastIndex = 0;
      return pattern.test(value);
    });
  }
}

export class ZodNumber extends ZodScalar {
  protected override holds(value: unknown): boolean {
    return Number.isFinite(value);
  }

  min(least: number): this {
    return this.with((value: number) => value >= least);
  }

  max(most: number): this {
    return this.with((value: number) => value <= most);
  }
}

export class ZodInt extends ZodNumber {
  protected override holds(value: unknown): boolean {
    return Number.isSafeInteger(value);
  }
}

export class ZodBoolean extends ZodScalar {
  protected override holds(value: unknown): boolean {
    return typeof value === 'boolean';
  }
}

export class ZodUnknown extends ZodScalar {
  protected override holds(): boolean {
    return true;
  }
}

export class ZodNever extends ZodScalar {
  protected override holds(): boolean {
    return false;
  }
}

/** One of some values. */
export class ZodChoice extends ZodScalar {
  constructor(readonly options: readonly unknown[]) {
    super();
  }

  get value(): unknown {
    return this.options[0];
  }

  protected override holds(value: unknown): boolean {
    return this.options.includes(value);
  }
}

/** Text of a certain form. */
export class ZodForm extends ZodScalar {
  constructor(private readonly isForm: (text: string) => boolean) {
    super();
  }

  protected override holds(value: unknown): boolean {
    return typeof value === 'string' && this.isForm(value);
  }
}
