import { NAMESPACE } from '../simulated/fleet.js';
import type { ApiClient, LiveObject } from './api-client.js';

/**
 * Stand-ins for what keeps an operator installed. Each does only what matters to a takeover: it writes the replicas again that its own
 * object wants. Their CRDs are reduced to names.
 */
export const OWNER_CRDS: readonly LiveObject[] = [
  crd('operators.coreos.com', 'v1alpha1', 'ClusterServiceVersion'),
  crd('operators.coreos.com', 'v1alpha1', 'Subscription'),
  crd('kustomize.toolkit.fluxcd.io', 'v1', 'Kustomization'),
];

function crd(group: string, name: string, kind: string): LiveObject {
  const singular = kind.toLowerCase();
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${singular}s.${group}` },
    spec: {
      ...{ group, scope: 'Namespaced', names: { kind, plural: `${singular}s`, singular } },
      versions: [{ name, served: true, storage: true, schema }],
    },
  };
}

interface Owner {
  readonly stop: () => void;
}

/** The Kustomization `flux-system/operator`, which has the Deployment: that gets its labels. */
export async function createKustomization(client: ApiClient, deployment: string): Promise<LiveObject> {
  const [namespace, name, group] = ['flux-system', 'operator', 'kustomize.toolkit.fluxcd.io'];
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const labels = { [`${group}/name`]: name, [`${group}/namespace`]: namespace };
  const annotations = { 'argocd.argoproj.io/tracking-id': null };
  await client.ask('PATCH', deployment, { metadata: { labels, annotations } }, 'merge');
  return client.create({
    ...{ apiVersion: `${group}/v1`, kind: 'Kustomization', metadata: { name, namespace } },
    spec: { interval: '10m', prune: true, path: './operator', sourceRef: { kind: 'GitRepository', name: 'fleet' } },
  });
}

/** Flux's kustomize-controller: git has one replica of the operator. A Kustomization that is suspended is left alone. */
export function startKustomizeController(client: ApiClient, deployment: string, kustomization: LiveObject): Owner {
  return keepReplicas(client, deployment, async () => {
    const spec = (await client.get(kustomization))?.['spec'] as { readonly suspend?: boolean } | undefined;
    return spec?.suspend === true ? undefined : 1;
  });
}

/** OLM with the Subscription that installed the version: the Deployment is as its ClusterServiceVersion has it. */
export async function startOlm(client: ApiClient, version: LiveObject, deployment: LiveObject): Promise<Owner> {
  await client.create({
    ...{ apiVersion: 'operators.coreos.com/v1alpha1', kind: 'Subscription' },
    metadata: { name: 'network-operator', namespace: NAMESPACE },
    spec: { name: 'nvidia-network-operator', channel: 'v26.4', source: 'certified-operators' },
    status: { installedCSV: version.metadata.name, state: 'AtLatestKnown' },
  });
  return keepReplicas(client, await client.pathOf(deployment), async () => {
    const spec = (await client.get(version))?.['spec'] as InstallSpec | undefined;
    return spec?.install.spec.deployments.find(({ name }) => name === deployment.metadata.name)?.spec.replicas;
  });
}

interface InstallSpec {
  readonly install: {
    readonly spec: { readonly deployments: readonly { readonly name: string; readonly spec: { replicas: number } }[] };
  };
}

function keepReplicas(client: ApiClient, path: string, wanted: () => Promise<number | undefined>): Owner {
  const end = path.lastIndexOf('/');
  const [collection, name] = [path.slice(0, end), path.slice(end + 1)];
  const stop = client.watch(collection, (_, { metadata, spec }) => {
    if (metadata.name !== name) return;
    const { replicas } = spec as { readonly replicas: number };
    void wanted()
      .then(async (count) => {
        if (count === undefined || count === replicas) return;
        await client.send('PATCH', path, { spec: { replicas: count } }, 'merge');
      })
      .catch(() => undefined);
  });
  return { stop };
}
