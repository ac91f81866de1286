import { NETWORK_OPERATOR_GROUP } from '../../shared/contract/network-operator.js';
import { withoutLiveFields, type ListedObject, type NamedObject } from '../../shared/kubernetes/listed-object.js';
import { isDnsSubdomain } from '../../shared/kubernetes/names.js';
import { isObject, listAt, textAt, valueAt } from '../../shared/lib/json.js';
import { locatedKind } from '../reader/kinds.js';
import { located, type LocatedObject } from '../reader/located.js';
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

const PLURALS: Readonly<Record<string, string>> = {
  NicClusterPolicy: 'nicclusterpolicies',
  NicNodePolicy: 'nicnodepolicies',
};
const CUSTOM_RESOURCE = { apiVersion: /^mellanox\.com\/v[0-9a-z]+$/, kind: /^[A-Za-z]+$/ };

/** An object of a backup with its place; undefined for one that is not the operator's, which no takeover saves. */
export function savedObject(object: NamedObject): LocatedObject | undefined {
  const { apiVersion, kind, metadata } = object;
  if (!isDnsSubdomain(metadata.name) || metadata.namespace !== undefined) return undefined;
  if (CUSTOM_RESOURCE.apiVersion.test(apiVersion) && CUSTOM_RESOURCE.kind.test(kind)) {
    return located({ apiVersion, plural: PLURALS[kind] ?? `${kind.toLowerCase()}s` }, object);
  }
  const isOperators = kind === 'CustomResourceDefinition' ? isDefinition(object) : isForOperator(object);
  const known = KNOWN.find((one) => one.kind === kind && one.apiVersion === apiVersion);
  return isOperators && known ? located(known, object, wordOf(known)) : undefined;
}

const KNOWN = (
  ['CustomResourceDefinition', 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] as const
).map(locatedKind);

/** What kubectl calls a kind in the lines of a takeover. */
export function wordOf({ kind, plural }: { readonly kind: string; readonly plural: string }): string {
  return kind === 'CustomResourceDefinition' ? 'customresourcedefinition' : plural;
}

function isDefinition({ metadata: { name }, ...object }: NamedObject): boolean {
  return textAt(object, 'spec', 'group') === NETWORK_OPERATOR_GROUP && name.endsWith(`.${NETWORK_OPERATOR_GROUP}`);
}

/** Whether a webhook configuration is for custom resources of the operator only, and asks a Service of the cluster. */
export function isForOperator(configuration: object): boolean {
  const webhooks = listAt(configuration, 'webhooks');
  const groups = webhooks.flatMap((one) => listAt(one, 'rules')).flatMap((rule) => listAt(rule, 'apiGroups'));
  const asksService = (one: unknown) =>
    isObject(valueAt(one, ['clientConfig', 'service'])) && valueAt(one, ['clientConfig', 'url']) === undefined;
  return groups.length > 0 && groups.every((group) => group === NETWORK_OPERATOR_GROUP) && webhooks.every(asksService);
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
