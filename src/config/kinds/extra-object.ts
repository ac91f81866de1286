import * as z from 'zod';
import { metadata } from '../shapes/document.js';
import type { DocumentKind } from './kinds.js';

/** A Kubernetes object of any kind that is laid out with the rest; its fields are the API server's to check. */
const extraObject = z.looseObject({
  apiVersion: z
    .string()
    .regex(/^(?:[a-z0-9][a-z0-9.-]*\/)?[a-z0-9]+$/, { error: 'must be a version, or `group/version`' }),
  kind: z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,62}$/, { error: 'must be a kind: letters and digits' }),
  // Names of RBAC objects may hold what others' may not; the API server knows which.
  metadata: z.looseObject({
    ...metadata.shape,
    // What no kind allows: paths, and characters that are not seen.
    name: z.string().regex(/^(?!\.{1,2}$)[^/\\%\s\p{C}]{1,253}$/u, { error: 'must be a name' }),
  }),
});
export type ExtraObject = z.output<typeof extraObject>;

/** The kind of such an object. */
export function extraObjectKind(apiVersion: string, kind: string): DocumentKind {
  return { apiVersion, kind, role: 'object', schema: extraObject };
}
