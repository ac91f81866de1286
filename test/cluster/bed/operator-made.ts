import type { ApiClient, LiveObject } from './api-client.js';
import { NAMESPACE } from '../simulated/fleet.js';
import { label } from './apply-set.js';

/**
 * The operator's field manager: it names none, so the API server takes the name of its program, which its Dockerfile calls
 * `manager`.
 */
export const OPERATOR = 'manager';

/** CRDs as Helm installs them, custom resources as a user applied them. Returns the resources with their UIDs. */
export async function createOwners(client: ApiClient, owners: readonly LiveObject[]): Promise<readonly LiveObject[]> {
  const live: LiveObject[] = [];
  for (const owner of owners) live.push((await client.apply(owner, { manager: 'kubectl' })).body);
  return live;
}

/**
 * Creates objects as the operator does: fields that the API does not know are dropped, each has a controller reference to its
 * custom resource, and an annotation with the operator's hash of it. Returns the live objects by label, and those that the API
 * server refuses.
 */
export async function createAsOperator(
  client: ApiClient,
  objects: readonly LiveObject[],
  owners: readonly LiveObject[],
): Promise<{ readonly live: ReadonlyMap<string, LiveObject>; readonly refused: readonly string[] }> {
  const live = new Map<string, LiveObject>();
  const refused: string[] = [];
  for (const object of objects) {
    const owned = withOwner(withNamespace(object), owners);
    try {
      live.set(label(owned), await client.create(owned, OPERATOR));
    } catch (error) {
      refused.push(`${label(owned)}: ${(error as Error).message}`);
    }
  }
  return { live, refused };
}

/** A HostDeviceNetwork without a namespace gives an object without one: a quirk that Weft does not repeat. */
function withNamespace(object: LiveObject): LiveObject {
  if (object.kind !== 'NetworkAttachmentDefinition' || object.metadata.namespace !== undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace: 'default' } };
}

function withOwner(object: LiveObject, owners: readonly LiveObject[]): LiveObject {
  const owner = ownerFor(object, owners);
  if (!owner) throw new Error(`no custom resource can own ${label(object)}`);
  const { apiVersion, kind, metadata } = owner;
  const reference = { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true };
  return {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...object.metadata.annotations, 'nvidia.network-operator.revision': '1234567' },
      ownerReferences: [{ ...reference, blockOwnerDeletion: true }],
    },
  };
}

/** Networks own the objects of their name, NicNodePolicies those with their label, the NicClusterPolicy all others. */
function ownerFor({ kind, metadata }: LiveObject, owners: readonly LiveObject[]): LiveObject | undefined {
  if (kind === 'NetworkAttachmentDefinition') {
    return owners.find((owner) => owner.kind.endsWith('Network') && owner.metadata.name === metadata.name);
  }
  const policies = owners.filter((owner) => owner.kind.endsWith('Policy'));
  const byLabel = policies.find((owner) => `nnp-${owner.metadata.name}` === metadata.labels?.['ds-owner']);
  return byLabel ?? policies.find((owner) => owner.kind === 'NicClusterPolicy') ?? policies[0];
}

/** Replaces the operator's own Deployment, with the label of its chart. */
export function operatorDeployment(): LiveObject {
  const labels = { 'app.kubernetes.io/name': 'network-operator' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'network-operator', namespace: NAMESPACE, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'manager', image: 'nvcr.io/nvidia/cloud-native/network-operator:v26.10.0' }] },
      },
    },
  };
}
