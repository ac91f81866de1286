import { hasEntries } from '../../../shared/lib/has-entries.js';
import { isObject, parsedJson } from '../../../shared/lib/json.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';

/** What applies the output. */
export type Applier = 'plain' | 'argocd' | 'flux' | 'helm';

/** Field managers of each: kubectl and Helm up to 3 by `Update`, the others by `Apply`. */
const MANAGERS: Readonly<Record<Applier, RegExp>> = {
  plain: /^kubectl(?:-client-side-apply)?$/,
  argocd: /^argocd-(?:controller|application-controller)$/,
  flux: /^(?:kustomize-controller|helm-controller)$/,
  helm: /^(?:helm|helm-controller)$/,
};

/** The name under which a server-side apply of each is recorded. */
export const FIELD_MANAGER: Readonly<Record<Applier, string>> = {
  plain: 'kubectl',
  argocd: 'argocd-controller',
  flux: 'kustomize-controller',
  helm: 'helm',
};

/** A set of fields in the form of `fieldsV1`: `{"f:spec": {"f:replicas": {}}}`; undefined for no field. */
type FieldSet = Readonly<Record<string, unknown>> | undefined;

/** Who owns which fields of a live object. */
export interface ManagedFields {
  /** Whether the object says who owns its fields; `kubectl get -o json` leaves that out. */
  readonly isKnown: boolean;
  /** Fields of what applies the output. */
  readonly ours: readonly FieldSet[];
  readonly others: readonly { readonly manager: string; readonly fields: FieldSet }[];
}

/** @param applier what applies the output */
export function managedFields(object: KubernetesObject, applier: Applier): ManagedFields {
  const found = (object.metadata as { readonly managedFields?: unknown }).managedFields;
  const entries = Array.isArray(found) ? found.filter(isObject) : [];
  const read = entries.flatMap(({ manager, fieldsV1, subresource }) =>
    typeof manager === 'string' && isObject(fieldsV1) && (subresource ?? '') === ''
      ? [{ manager, fields: fieldsV1 }]
      : [],
  );
  const isOurs = ({ manager }: { readonly manager: string }) => MANAGERS[applier].test(manager);
  return {
    isKnown: entries.length > 0,
    ours: read.filter(isOurs).map(({ fields }) => fields),
    others: read.filter((one) => !isOurs(one)),
  };
}

/** The same sets below a field. */
export function ofField({ isKnown, ours, others }: ManagedFields, key: string): ManagedFields {
  return below({ isKnown, ours, others }, (set) => set[`f:${key}`]);
}

/** The same sets below a member of a list, which `fieldsV1` names by its keys or by its value. */
export function ofMember(managed: ManagedFields, member: unknown): ManagedFields {
  return below(managed, (set) => {
    const name = Object.keys(set).find((step) => isNameOf(step, member));
    return name === undefined ? undefined : set[name];
  });
}

function below(managed: ManagedFields, step: (set: Readonly<Record<string, unknown>>) => unknown): ManagedFields {
  const inner = (set: FieldSet): FieldSet => {
    const found = set === undefined ? undefined : step(set);
    return isObject(found) ? found : undefined;
  };
  return {
    isKnown: managed.isKnown,
    ours: managed.ours.map(inner),
    others: managed.others.map(({ manager, fields }) => ({ manager, fields: inner(fields) })),
  };
}

function isNameOf(step: string, member: unknown): boolean {
  if (step.startsWith('v:')) return step === `v:${JSON.stringify(member)}`;
  if (!step.startsWith('k:') || !isObject(member)) return false;
  const keys = parsedJson(step.slice(2));
  return isObject(keys) && hasEntries(member, keys);
}

/** Whether what applies the output owns the field, so that the field goes when it is no longer rendered. */
export function isOwnedByUs({ ours }: ManagedFields): boolean {
  return ours.some((set) => set !== undefined);
}

/** The other managers that own the field. */
export function otherOwners({ others }: ManagedFields): readonly string[] {
  return [...new Set(others.filter(({ fields }) => fields !== undefined).map(({ manager }) => manager))];
}
