import { type Diagnostic, InvalidConfigError } from 'weft-gitops';

/** The fields that identify an object. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Kind, namespace and name. */
export const identity = ({ kind, metadata: { name, namespace = '' } }: Manifest) => `${kind} ${namespace} ${name}`;
/** Objects sorted by kind, namespace and name, because the order in which constructs create them does not matter. */
export const inOrder = (objects: unknown) =>
  [...(objects as readonly Manifest[])].sort((a, b) => (identity(a) < identity(b) ? -1 : 1));

/** The diagnostics of a program; empty if it has no errors. */
export function diagnosticsOf(make: () => unknown): readonly Diagnostic[] {
  try {
    make();
  } catch (error) {
    if (error instanceof InvalidConfigError) return error.diagnostics;
    throw error;
  }
  return [];
}
