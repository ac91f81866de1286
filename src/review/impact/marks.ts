import { listedNames } from '../../shared/lib/listed.js';
import { KEEP_ANNOTATIONS, NOT_SUBSTITUTED } from '../../shared/contract/labels.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { hasEntries } from '../../shared/lib/has-entries.js';
import { FIRST_WAVE, NOT_EXTRANEOUS } from '../../compile/gitops/delivery-annotations.js';
import { textsAt } from '../../cluster/changes/data.js';
import type { ObjectChange } from '../../cluster/changes/objects.js';

/** What labels and annotations begin with that Weft computes. */
const COMPUTED = [
  'weft.dev/',
  'nvidia.com/',
  'nvidia.network-operator.',
  'ds-owner',
  'app.kubernetes.io/version',
  'helm.sh/chart',
];
/** The values of annotations that Weft writes itself, into documents, too. */
const OWN = { ...KEEP_ANNOTATIONS, ...NOT_EXTRANEOUS, ...FIRST_WAVE, ...NOT_SUBSTITUTED };
const SHOWN = 5;

/** Keys of labels or annotations whose values differ, but not as Weft changes them itself. */
export function changedMarks(change: ObjectChange, field: 'labels' | 'annotations'): readonly string[] {
  const marksOf = (object: KubernetesObject) => textsAt(object, 'metadata', field);
  const before = change.kind === 'added' ? new Map<string, string>() : marksOf(change.from);
  const after = change.kind === 'removed' ? new Map<string, string>() : marksOf(change.to);
  const isOwn = (key: string, value: string | undefined) => value === undefined || hasEntries(OWN, { [key]: value });
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    return was !== is && !(isOwn(key, was) && isOwn(key, is));
  });
}

/** Keys of labels or annotations whose values a person changed. */
export function writtenMarks(change: ObjectChange, field: 'labels' | 'annotations'): readonly string[] {
  return changedMarks(change, field).filter((key) => !COMPUTED.some((prefix) => key.startsWith(prefix)));
}

/**
 * A sentence about labels and annotations of a changed object that a person wrote; empty if there are none. Argo CD, Flux, Helm, kustomize and others
 * act by them: they delete, replace, leave out or rename an object.
 */
export function markNotes(change: ObjectChange): readonly string[] {
  if (change.kind !== 'changed') return [];
  const keys = [...writtenMarks(change, 'labels'), ...writtenMarks(change, 'annotations')];
  if (keys.length === 0) return [];
  return [`${listedNames(keys, SHOWN)}: by labels and annotations others delete, replace or leave out an object`];
}
