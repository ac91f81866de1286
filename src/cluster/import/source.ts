import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import type { Comment } from '../../compile/render/yaml/input-document.js';

/** A document of the cluster folder. */
export interface ImportedDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  /** In the order in which a person writes it. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly comments: readonly Comment[];
}

/** A part of an import: documents, and what there is to say about it. */
export interface Imported {
  readonly documents: readonly ImportedDocument[];
  readonly findings: readonly Diagnostic[];
}

/** `Kind namespace/name`. */
export function labelOf({ kind, metadata: { namespace, name } }: NamedObject): string {
  return `${kind} \`${namespace === undefined ? name : `${namespace}/${name}`}\``;
}

/** Whether an object is in a namespace; in a file it may name none. */
export function isIn(namespace: string | undefined, place: string): boolean {
  return namespace === undefined || namespace === place;
}
