import { withoutLiveFields, type ListedObject } from '../../shared/kubernetes/listed-object.js';
import type { Saved } from './state.js';

export type SavedPart = 'crds' | 'customResources' | 'webhooks';

/** Saved objects with their references, by what they are. */
export function savedParts(saved: Saved): Readonly<Record<SavedPart, readonly (readonly [string, ListedObject])[]>> {
  const entries = [...saved];
  const isCrd = ([, { kind }]: readonly [string, ListedObject]) => kind === 'CustomResourceDefinition';
  const isWebhook = ([, { kind }]: readonly [string, ListedObject]) => kind?.endsWith('WebhookConfiguration') === true;
  return {
    crds: entries.filter(isCrd),
    webhooks: entries.filter(isWebhook),
    customResources: entries.filter((one) => !isCrd(one) && !isWebhook(one)),
  };
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** An object as it can be created again: without status and what the server writes. */
export function toSave(object: ListedObject): ListedObject {
  const { metadata: { annotations = {}, ...metadata } = {}, ...rest } = withoutLiveFields(object);
  const kept = Object.entries(annotations).filter(([key]) => key !== LAST_APPLIED);
  const { ownerReferences } = object.metadata ?? {};
  return {
    ...rest,
    metadata: {
      ...metadata,
      ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
      ...(ownerReferences && { ownerReferences }),
    },
  };
}
