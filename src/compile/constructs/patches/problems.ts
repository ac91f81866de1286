import type { PathStep } from '../../../shared/diagnostics/diagnostic.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { listed } from '../../../shared/lib/listed.js';

/** A problem of a patch. */
export interface PatchProblem {
  /** Its place in `spec.patches`. */
  readonly index: number;
  /** It determines the severity. A patch with an error is not applied. */
  readonly code: 'WEFT0244' | 'WEFT0245' | 'WEFT0246' | 'WEFT0487' | 'WEFT0277' | 'WEFT0278';
  /** Path of the problem below the patch. */
  readonly path: readonly PathStep[];
  /** Whether the problem is the key or the value. Default: the value. */
  readonly at?: 'key';
  /** The message after the name of the patch. */
  readonly message: string;
  readonly help?: string;
}

/** A problem of a patch with one object. Equal problems with several objects become one `PatchProblem`. */
export interface ObjectProblem {
  readonly code: PatchProblem['code'];
  readonly path: readonly PathStep[];
  readonly at?: 'key';
  /** The message; `objects` is a list of the affected objects. */
  readonly messageFor: (objects: string) => string;
  readonly help?: string;
}

/** Joins equal findings about several objects into one problem. */
export function joinProblems(
  index: number,
  found: readonly { readonly object: KubernetesObject; readonly finding: ObjectProblem }[],
): readonly PatchProblem[] {
  const groups = new Map<string, { readonly finding: ObjectProblem; readonly objects: KubernetesObject[] }>();
  for (const { object, finding } of found) {
    const key = JSON.stringify([finding.code, finding.path, finding.messageFor('')]);
    const group = groups.get(key) ?? { finding, objects: [] };
    groups.set(key, group);
    group.objects.push(object);
  }
  return [...groups.values()].map(({ finding, objects }) => {
    const { messageFor, ...rest } = finding;
    return { index, ...rest, message: messageFor(listText(objects)) };
  });
}

const LISTED = 3;

/** `DaemonSet a, DaemonSet b and 2 more`. */
function listText(objects: readonly KubernetesObject[]): string {
  return listed(
    objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    LISTED,
  );
}
