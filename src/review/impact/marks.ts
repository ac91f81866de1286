import { listedNames } from '../../shared/lib/listed.js';
import { KEEP_ANNOTATIONS, NOT_SUBSTITUTED } from '../../shared/contract/labels.js';
import { hasEntries } from '../../shared/lib/has-entries.js';
import { FIRST_WAVE, NOT_EXTRANEOUS } from '../../compile/gitops/delivery-annotations.js';
import { textsAt } from '../../cluster/changes/data.js';
import type { ObjectChange } from '../../cluster/changes/objects.js';

/** What labels and annotations begin with that Weft computes. */
const COMPUTED = ['weft.dev/', 'nvidia.com/', 'nvidia.network-operator.', 'app.kubernetes.io/version', 'helm.sh/chart'];
/** The values of annotations that Weft writes itself. */
const OWN = { ...KEEP_ANNOTATIONS, ...NOT_EXTRANEOUS, ...FIRST_WAVE, ...NOT_SUBSTITUTED };
const SHOWN = 5;

/**
 * A sentence about labels and annotations of a changed object that a person wrote; empty if there are none. Argo CD, Flux, Helm, kustomize and others
 * act by them: they delete, replace, leave out or rename an object.
 */
export function markNotes(change: ObjectChange): readonly string[] {
  if (change.kind !== 'changed') return [];
  const keys = ['labels', 'annotations'].flatMap((field) => {
    const [before, after] = [change.from, change.to].map((side) => textsAt(side, 'metadata', field));
    return [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])].filter((key) => {
      const values = [before?.get(key), after?.get(key)];
      const isOwn = values.every((value) => value === undefined || hasEntries(OWN, { [key]: value }));
      return values[0] !== values[1] && !isOwn && !COMPUTED.some((prefix) => key.startsWith(prefix));
    });
  });
  if (keys.length === 0) return [];
  return [`${listedNames(keys, SHOWN)}: by labels and annotations others delete, replace or leave out an object`];
}
