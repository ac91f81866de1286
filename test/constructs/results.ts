import { type Diagnostic, InvalidConfigError } from 'weft-gitops';

/** What an object is told apart by. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Kind, namespace and name. */
export const identity = ({ kind, metadata: { name, namespace = '' } }: Manifest) => `${kind} ${namespace} ${name}`;
/** Objects by kind, namespace and name: the order in which constructs made them says nothing. */
export const inOrder = (objects: unknown) =>
  [...(objects as readonly Manifest[])].sort((a, b) => (identity(a) < identity(b) ? -1 : 1));

/** What a program that is wrong is told; none where it is right. */
export function diagnosticsOf(make: () => unknown): readonly Diagnostic[] {
  try {
    make();
  } catch (error) {
    if (error instanceof InvalidConfigError) return error.diagnostics;
    throw error;
  }
  return [];
}
