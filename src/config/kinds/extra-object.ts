import * as z from 'zod';
import { metadata } from '../shapes/document.js';
import type { DocumentKind } from './kinds.js';

/** A Kubernetes object of any kind that is laid out with the rest; its fields are the API server's to check. */
const extraObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  // Names of RBAC objects may hold what others' may not; the API server knows which.
  metadata: z.looseObject({
    ...metadata.shape,
    name: z.string().regex(/^(?!\.{1,2}$)[^/%\s]+$/, { error: 'must be a name' }),
  }),
});
export type ExtraObject = z.output<typeof extraObject>;

/** The kind of such an object. */
export function extraObjectKind(apiVersion: string, kind: string): DocumentKind {
  return { apiVersion, kind, role: 'object', schema: extraObject };
}
