/**
 * What the quick bundle of the command has in place of zod (scripts/build.ts): the same schemas, which say yes and give the
 * value, or leave all else to zod in the other bundle. So a run whose documents hold never loads zod: its schemas take a
 * quarter of such a run. What is here is as much of zod 4 as our schemas use.
 */
import { ZodArray, ZodObject, ZodRecord, ZodUnion } from './collections.js';
import { ZodBoolean, ZodChoice, ZodForm, ZodInt, ZodNever, ZodNumber, ZodString, ZodUnknown } from './scalars.js';
import { NeedsZod, type ZodType } from './schema.js';
import { isCidr, isIpv4, isIpv6 } from './addresses.js';

export { ZodArray, ZodObject, ZodRecord, ZodUnion } from './collections.js';
export { ZodDefault, ZodOptional, ZodPrefault, ZodType } from './schema.js';

type Shape = Readonly<Record<string, ZodType>>;

export const string = () => new ZodString();
export const number = () => new ZodNumber();
export const int = () => new ZodInt();
export const boolean = () => new ZodBoolean();
export const unknown = () => new ZodUnknown();
export const never = () => new ZodNever();
export const literal = (value: unknown) => new ZodChoice(Array.isArray(value) ? value : [value]);
const choice = (values: readonly unknown[]) => new ZodChoice(values);
export const array = (element: ZodType) => new ZodArray(element);
export const record = (key: ZodType, value: ZodType) => new ZodRecord(key, value);
export const object = (shape: Shape) => new ZodObject(shape, 'dropped');
export const strictObject = (shape: Shape) => new ZodObject(shape, 'refused');
export const looseObject = (shape: Shape) => new ZodObject(shape, 'kept');
export const union = (options: readonly ZodType[]) => new ZodUnion(options);
/** Its alternatives exclude each other. */
export const discriminatedUnion = (_key: string, options: readonly ZodType[]) => new ZodUnion(options);

export const ipv4 = () => new ZodForm(isIpv4);
export const ipv6 = () => new ZodForm(isIpv6);
export const cidrv4 = () => new ZodForm(isCidr(isIpv4, 32));
export const cidrv6 = () => new ZodForm(isCidr(isIpv6, 128));

function onlyZod(): never {
  throw new NeedsZod();
}

/** What is registered is said of values that do not hold. */
export const registry = () => ({ add: () => undefined, get: onlyZod });
export const config = () => undefined;
export { choice as enum, onlyZod as toJSONSchema, onlyZod as prettifyError };
