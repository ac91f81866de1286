import { NETWORK_OPERATOR_REVISION } from '../../shared/contract/network-operator.js';
import type { ApiClient } from '../../shared/kube-client/api-client.js';
import { ask } from '../../shared/kube-client/ask.js';
import type { Answer } from '../../shared/kube-client/types.js';
import type { ListedObject } from '../../shared/kubernetes/listed-object.js';
import { isCustomResource } from './operator/owner.js';
import type { LocatedObject } from '../reader/located.js';
import type { RenderedObject, Write } from './state.js';
import { shellWord } from '../../shared/lib/escape.js';

/** Who applies by hand. Later calls of `kubectl apply --server-side` then remove fields that leave the output. */
export const FIELD_MANAGER = 'kubectl';
const MERGE = 'application/merge-patch+json';

export function send(client: ApiClient, { method, path, body, contentType }: Write): Promise<Answer<undefined>> {
  const exchange = { method, path, ...(body && { body }), ...(contentType !== undefined && { contentType }) };
  return ask(client, exchange, () => undefined);
}

/** A field manager that is to go, and the operations for which. */
export type StaleManager = (manager: string) => boolean;

export function scaleWrite({ path, reference }: LocatedObject, replicas: number): Write {
  return {
    method: 'PATCH',
    path,
    contentType: MERGE,
    body: { spec: { replicas } },
    command: `kubectl scale ${reference} --replicas=${replicas}`,
  };
}

/** The Operator Lifecycle Manager brings back the replicas of the ClusterServiceVersion. */
export function serviceVersionWrite({ path, reference }: LocatedObject, deployments: number, replicas: number): Write {
  const body = Array.from({ length: deployments }, (_, index) => ({
    op: 'add',
    path: `/spec/install/spec/deployments/${index}/spec/replicas`,
    value: replicas,
  }));
  return {
    method: 'PATCH',
    path,
    contentType: 'application/json-patch+json',
    body,
    command: `kubectl patch ${reference} --type=json -p ${shellWord(JSON.stringify(body))}`,
  };
}

export function applyWrite({ object, path = '', reference }: RenderedObject): Write {
  return {
    method: 'PATCH',
    path: `${path}?fieldManager=${FIELD_MANAGER}&force=true`,
    contentType: 'application/apply-patch+yaml',
    body: object,
    command: `kubectl apply --server-side --force-conflicts -f - # ${reference}`,
  };
}

/** Removes the owner references to custom resources of the operator; another writer in between is a conflict. */
export function disownWrite({ path, reference, live }: LocatedObject): Write {
  const kept = (live.metadata?.ownerReferences ?? []).filter((owner) => !isCustomResource(owner));
  const ownerReferences = kept.length === 0 ? null : kept;
  const metadata = { resourceVersion: live.metadata?.resourceVersion, ownerReferences };
  return {
    method: 'PATCH',
    path,
    contentType: MERGE,
    body: { metadata },
    command: `kubectl patch ${reference} --type=merge -p ${shellWord(JSON.stringify({ metadata: { ownerReferences } }))}`,
  };
}

/** Removes field managers and the revision; undefined where there is nothing to remove. */
export function unmarkWrite({ path, reference, live }: LocatedObject, isStale: StaleManager): Write | undefined {
  const entries = live.metadata?.managedFields ?? [];
  const stale = entries.flatMap((entry, index) => (isStaleEntry(entry, isStale) ? [index] : [])).reverse();
  const hasRevision = live.metadata?.annotations?.[NETWORK_OPERATOR_REVISION] !== undefined;
  if (stale.length === 0 && !hasRevision) return undefined;
  const operations = [
    ...stale.flatMap((index) => [
      { op: 'test', path: `/metadata/managedFields/${index}/manager`, value: entries[index]?.manager },
      { op: 'remove', path: `/metadata/managedFields/${index}` },
    ]),
    ...(hasRevision ? [{ op: 'remove', path: `/metadata/annotations/${NETWORK_OPERATOR_REVISION}` }] : []),
  ];
  return {
    method: 'PATCH',
    path,
    contentType: 'application/json-patch+json',
    body: operations,
    command: `kubectl patch ${reference} --type=json -p ${shellWord(JSON.stringify(operations))}`,
  };
}

function isStaleEntry(entry: ManagedEntry, isStale: StaleManager): boolean {
  return entry.operation === 'Update' && (entry.subresource ?? '') === '' && isStale(entry.manager ?? '');
}

type ManagedEntry = NonNullable<NonNullable<ListedObject['metadata']>['managedFields']>[number];

export function deleteWrite({ path, reference, live }: LocatedObject, propagation: 'Orphan' | 'Background'): Write {
  const uid = live.metadata?.uid;
  const cascade = propagation === 'Orphan' ? ' --cascade=orphan' : '';
  return {
    method: 'DELETE',
    path,
    body: { propagationPolicy: propagation, ...(uid !== undefined && { preconditions: { uid } }) },
    command: `kubectl delete ${reference}${cascade}`,
  };
}

/** Creates a saved object again. `path` is that of the object. */
export function createWrite(path: string, object: ListedObject, reference: string): Write {
  return {
    method: 'POST',
    path: path.replace(/\/[^/]*$/, ''),
    body: object,
    command: `kubectl create -f - # ${reference}`,
  };
}
