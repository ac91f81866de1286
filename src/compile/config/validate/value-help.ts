import type * as z from 'zod';
import type { Diagnostic, Location, PathStep } from '../../../shared/diagnostics/diagnostic.js';
import { didYouMean } from '../../../shared/diagnostics/suggest.js';
import { keysAt, schemasAt } from './schema-walk.js';
import { helps } from '../../model/shapes/help.js';

type Hint = Pick<Diagnostic, 'label' | 'help'>;

/** A value that a schema refuses. */
interface Refused {
  readonly issue: z.core.$ZodIssue;
  readonly value: unknown;
  readonly location: Location;
  /** Of the whole document. */
  readonly schema: z.ZodType;
  readonly path: readonly PathStep[];
}

/** Label and help for a refused value: from the help that the schema registers, or from the form of the value. */
export function valueHint(refused: Refused): Hint {
  const { issue, value, schema, path } = refused;
  if (issue.code === 'invalid_key') return {};
  const registered = schemasAt(schema, path).flatMap((one) => helps.get(one)?.help(writtenValue(refused)) ?? []);
  const [help] = registered;
  if (value === undefined) return help === undefined ? {} : { help };
  if (issue.code === 'invalid_type') {
    const hint = typeHint(refused, issue.expected);
    return help === undefined ? hint : { ...hint, help };
  }
  if (help !== undefined) return { help };
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return {};
  const near = didYouMean(value, issue.values.map(String));
  return near === undefined ? {} : { help: near };
}

/** YAML reads some unquoted words as numbers and booleans; if text is required, the fix is quotes. */
function typeHint(refused: Refused, expected: string): Hint {
  const { value, location } = refused;
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
    const label = `YAML reads this as the ${typeof value} ${String(value)}`;
    return { ...(isYaml(location) ? { label } : {}), ...textHint(refused) };
  }
  if (typeof value === 'string' && /^(?:number|int)$/.test(expected) && /^-?\d+$/.test(value)) {
    return { label: 'this is text', help: `write ${value}, without quotes` };
  }
  if (typeof value === 'string' && expected === 'boolean' && /^(?:true|false)$/i.test(value)) {
    return { label: 'this is text', help: `write ${value.toLowerCase()}, without quotes` };
  }
  if (value === true && expected === 'object' && keysAt(refused.schema, refused.path).includes('deploy'))
    return { help: 'write `{deploy: true}`' };
  if (expected === 'array' && typeof value === 'object' && value !== null)
    return { label: 'this is one', help: 'write a list: `- ` before it, or `[…]` around it' };
  return value === null ? { label: 'this is empty', help: 'give a value, or remove the key' } : {};
}

/** Quotes alone do not help if the text would be refused too. */
function textHint(refused: Refused): Hint {
  const text = String(writtenValue(refused));
  const errors = schemasAt(refused.schema, refused.path).map((one) => one.safeParse(text).error);
  if (errors.includes(undefined)) return { help: `write ${JSON.stringify(text)}` };
  const issues = errors.flatMap((error) => error?.issues ?? []);
  const said = issues.find(({ code }) => code === 'custom' || code === 'invalid_format');
  return said?.message.startsWith('must ') ? { help: `it ${said.message}` } : {};
}

/** A number or a boolean as written in the file, `26.10` and not `26.1`; any other value unchanged. */
function writtenValue({ value, location }: Refused): unknown {
  if (typeof value !== 'number' && typeof value !== 'boolean') return value;
  return (isYaml(location) ? sourceText(location) : undefined) ?? String(value);
}

/** In a `cluster.ts` the place is the key, and there is no YAML. */
function isYaml(location: Location): boolean {
  return location.column !== undefined && !location.file.endsWith('.ts');
}

function sourceText({ sourceLine, column, endColumn }: Location): string | undefined {
  return sourceLine !== undefined && column !== undefined && endColumn !== undefined
    ? sourceLine.slice(column - 1, endColumn - 1)
    : undefined;
}
