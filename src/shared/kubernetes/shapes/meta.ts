import * as z from 'zod';
import { unitsOf } from '../quantity.js';

/**
 * The fields of objects that are read, as the API has them. All are optional that the API server leaves out where they are empty. Fields that
 * nothing reads are not here, and may have any shape.
 */

/** What a schema describes; objects of a cluster are never changed. */
export type Shape<Schema extends z.ZodType> = Frozen<z.output<Schema>>;
type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

export const texts = z.record(z.string(), z.string());

/** `Time` and `MicroTime` of meta/v1. */
export const time = z.string().refine((text) => /^\d{4}-\d\d-\d\d[Tt]/.test(text) && !Number.isNaN(Date.parse(text)), {
  error: 'a time in RFC 3339',
});

/** A number of things or seconds. The library refuses one that a double does not hold. */
export const count = z
  .int({ error: ({ code }) => (code === 'too_big' ? 'a number below 2^53' : undefined) })
  .min(0, { error: 'a number from 0 on' });

const AMOUNT = 'a quantity from 0 on';
const isAmount = (value: string | number): boolean => unitsOf(value) !== undefined;

export const quantities = z.record(
  z.string(),
  z.union([z.string(), z.number()], { error: AMOUNT }).refine(isAmount, { error: AMOUNT }),
);
/** The API server writes them as text. */
export const quantityTexts = z.record(z.string(), z.string().refine(isAmount, { error: AMOUNT }));

/** With more digits a percentage may be infinite. */
const LONGEST_PERCENTAGE = 10;
const NUMBER_OR_PERCENTAGE = 'a number or a percentage';
export const numberOrPercentage = z.union(
  [z.int(), z.string().max(LONGEST_PERCENTAGE, { error: NUMBER_OR_PERCENTAGE })],
  { error: NUMBER_OR_PERCENTAGE },
);

const owner = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  controller: z.boolean().exactOptional(),
});

const metadata = z.object({
  name: z.string().exactOptional(),
  namespace: z.string().exactOptional(),
  uid: z.string().exactOptional(),
  resourceVersion: z.string().exactOptional(),
  generation: count.exactOptional(),
  creationTimestamp: time.exactOptional(),
  deletionTimestamp: time.exactOptional(),
  labels: texts.exactOptional(),
  annotations: texts.exactOptional(),
  finalizers: z.array(z.string()).exactOptional(),
  /** Who wrote which fields, and when. */
  managedFields: z
    .array(
      z.object({
        manager: z.string().exactOptional(),
        operation: z.string().exactOptional(),
        subresource: z.string().exactOptional(),
        time: time.exactOptional(),
        fieldsV1: z.record(z.string(), z.unknown()).exactOptional(),
      }),
    )
    .exactOptional(),
  ownerReferences: z.array(owner).exactOptional(),
});

/** What every object has. */
export const objectSchema = z.object({ metadata: metadata.exactOptional() });
export type ApiObject = Shape<typeof objectSchema>;

export const conditions = z.array(
  z.object({
    type: z.string(),
    status: z.string(),
    reason: z.string().exactOptional(),
    message: z.string().exactOptional(),
    lastTransitionTime: time.exactOptional(),
  }),
);

export const requirements = z.array(
  z.object({ key: z.string(), operator: z.string(), values: z.array(z.string()).exactOptional() }),
);

export const labelSelector = z.object({
  matchLabels: texts.exactOptional(),
  matchExpressions: requirements.exactOptional(),
});
