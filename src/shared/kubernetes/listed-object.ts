import * as z from 'zod';
import { isObject } from '../lib/json.js';

/** An item of a list, as the API server or `kubectl get -o json` gives it. Fields that are empty may be missing. */
export interface ListedObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ListedMeta;
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly [field: string]: unknown;
}

export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

interface ListedMeta {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly generation?: number;
  readonly managedFields?: readonly {
    readonly manager?: string;
    readonly operation?: string;
    readonly subresource?: string;
  }[];
}

/** An object as the API server returns it, or as `kubectl get -o yaml` writes it, with what names it. */
export interface NamedObject extends ListedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ListedMeta & { readonly name: string };
}

const texts = z.record(z.string(), z.string()).optional();
/** What is read of the metadata of any object. A field that is null is absent, as for the API server. */
const metadata = z.preprocess(
  (value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) : value,
  z.looseObject({
    name: z.string().min(1),
    namespace: z.string().optional(),
    labels: texts,
    annotations: texts,
    ownerReferences: z.array(z.looseObject({ kind: z.string(), name: z.string() })).optional(),
    managedFields: z.array(z.looseObject({ manager: z.string().optional() })).optional(),
  }),
);
const named = z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata });

/** A value as an object of Kubernetes with a name; `undefined` for anything else. */
export function namedObject(value: unknown): NamedObject | undefined {
  return named.safeParse(value).data as NamedObject | undefined;
}

/** The field for which a value is no such object, as a path. */
export function malformedField(value: unknown): readonly PropertyKey[] {
  return named.safeParse(value).error?.issues[0]?.path ?? [];
}

/** The object as a person writes it: without `status`, and without what the server and controllers write into `metadata`. */
export function withoutLiveFields<Live extends ListedObject>(object: Live): Live {
  const { name, namespace, labels, annotations } = object.metadata ?? {};
  const fields = Object.entries(object).filter(([key]) => key !== 'status');
  return {
    ...Object.fromEntries(fields),
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    },
  } as unknown as Live;
}
