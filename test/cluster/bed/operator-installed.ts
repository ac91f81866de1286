import { chartObjects } from '../../conformance/recorded.js';
import { NAMESPACE } from '../simulated/fleet.js';
import type { ApiClient, LiveObject } from './api-client.js';
import { label } from './apply-set.js';

const RELEASE = 'network-operator';
const MANAGED = { 'app.kubernetes.io/managed-by': 'Helm' };
const OF_RELEASE = { 'meta.helm.sh/release-name': RELEASE, 'meta.helm.sh/release-namespace': NAMESPACE };
export const OPERATOR_IMAGE = 'nvcr.io/nvidia/cloud-native/network-operator:v26.10.0';

/** Creates what the operator's chart installs with its defaults, Node Feature Discovery too, as Helm does. Its hooks have run and are gone. */
export async function installByHelm(client: ApiClient): Promise<readonly LiveObject[]> {
  const installed: LiveObject[] = [];
  // A takeover is of the operator's own release, and what the tests render is the newest.
  const text = JSON.stringify(chartObjects('01-defaults')).replace(
    /\/network-operator:v[\w.-]+/g,
    '/network-operator:v26.10.0',
  );
  for (const object of JSON.parse(text) as readonly LiveObject[]) {
    const { annotations = {}, labels = {} } = object.metadata;
    if (annotations['helm.sh/hook'] !== undefined) continue;
    const metadata = {
      ...{ ...object.metadata, annotations: { ...annotations, ...OF_RELEASE }, labels: { ...labels, ...MANAGED } },
    };
    installed.push(await client.create({ ...object, metadata }, 'helm'));
  }
  return installed;
}

/** The Deployment of OLM's bundle, with the ClusterServiceVersion that owns it and the Subscription. Their CRDs are reduced to names. */
export async function installByOlm(
  client: ApiClient,
): Promise<{ readonly deployment: LiveObject; readonly version: LiveObject }> {
  const name = 'nvidia-network-operator-controller-manager';
  const labels = { 'control-plane': 'nvidia-network-operator-controller' };
  const spec = {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'manager', image: OPERATOR_IMAGE }] } },
  };
  const group = 'operators.coreos.com/v1alpha1';
  const version = await client.create({
    ...{
      apiVersion: group,
      kind: 'ClusterServiceVersion',
      metadata: { name: 'nvidia-network-operator.v26.10.0', namespace: NAMESPACE },
    },
    spec: { install: { spec: { deployments: [{ name, spec }] } } },
  });
  const owner = {
    ...{ apiVersion: group, kind: version.kind, name: version.metadata.name, uid: version.metadata.uid ?? '' },
    ...{ controller: false, blockOwnerDeletion: false },
  };
  const deployment = await client.create(
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: NAMESPACE, ownerReferences: [owner] },
      spec,
    },
    'olm',
  );
  return { deployment, version };
}

/** The Lease that the operator holds. It is renewed while `renewLease` runs, and lasts a second. */
export function operatorLease(renewTime: Date): LiveObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: '12620820.mellanox.com', namespace: NAMESPACE },
    spec: {
      ...{ holderIdentity: 'network-operator_1', leaseDurationSeconds: 1 },
      renewTime: renewTime.toISOString().replace('Z', '000Z'),
    },
  };
}

/** What is there of these objects: UID, and the generation of DaemonSets, which each change of a template raises. */
export async function identities(client: ApiClient, objects: readonly LiveObject[]): Promise<readonly string[]> {
  const live = await Promise.all(objects.map((object) => client.get(object)));
  return objects.map((object, index) => {
    const { uid, generation } = live[index]?.metadata ?? {};
    return `${label(object)} ${uid ?? 'gone'}${object.kind === 'DaemonSet' ? ` generation ${String(generation)}` : ''}`;
  });
}
