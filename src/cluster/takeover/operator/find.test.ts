import { describe, expect, it } from '@jest/globals';
import { findOperator, runningReason, type FoundOperator } from './find.js';
import type { ListedObject } from '../../../shared/kubernetes/listed-object.js';

const IMAGE = 'nvcr.io/nvidia/cloud-native/network-operator:v26.4.0';
const podSpec = (image: string) => ({ containers: [{ name: 'manager', image }] });
const deployment = (
  metadata: ListedObject['metadata'],
  labels: Record<string, string>,
  image = 'x:1',
): ListedObject => ({
  metadata: { name: 'op', namespace: 'ns', ...metadata },
  spec: { replicas: 1, template: { metadata: { labels }, spec: podSpec(image) } },
});
const CHART = { 'app.kubernetes.io/name': 'network-operator' };
const OLM = { 'control-plane': 'nvidia-network-operator-controller' };
const find = (lists: Partial<Parameters<typeof findOperator>[0]>) =>
  findOperator({ deployments: [], pods: [], leases: [], ...lists });

describe('findOperator', () => {
  const release = { 'meta.helm.sh/release-name': 'op', 'meta.helm.sh/release-namespace': 'other' };
  it.each([
    { name: 'kubectl', found: deployment({}, CHART), owners: [{ kind: 'manifests' }] },
    {
      name: 'Helm',
      found: deployment({ annotations: release }, CHART),
      owners: [{ kind: 'helm', namespace: 'other', name: 'op' }],
    },
    {
      name: 'a rendered chart',
      found: deployment({ labels: { 'app.kubernetes.io/managed-by': 'Helm' } }, CHART),
      owners: [{ kind: 'manifests' }],
    },
    {
      name: 'OLM, by its owner reference',
      found: deployment({ ownerReferences: [{ kind: 'ClusterServiceVersion', name: 'csv' }] }, OLM),
      owners: [{ kind: 'olm', namespace: 'ns', name: 'csv' }],
    },
    {
      name: 'OLM, by its labels',
      found: deployment(
        { labels: { 'olm.owner.kind': 'ClusterServiceVersion', 'olm.owner': 'csv', 'olm.owner.namespace': 'olm' } },
        OLM,
      ),
      owners: [{ kind: 'olm', namespace: 'olm', name: 'csv' }],
    },
    {
      name: 'Argo CD, by its annotation',
      found: deployment({ annotations: { 'argocd.argoproj.io/tracking-id': 'nvidia:apps/Deployment:ns/op' } }, CHART),
      owners: [{ kind: 'argocd', name: 'nvidia' }],
    },
    {
      name: 'Argo CD, by its field manager',
      found: deployment(
        {
          labels: { 'app.kubernetes.io/instance': 'nvidia' },
          managedFields: [{ manager: 'argocd-controller', operation: 'Apply' }],
        },
        CHART,
      ),
      owners: [{ kind: 'argocd', name: 'nvidia' }],
    },
    {
      name: 'a Kustomization',
      found: deployment(
        { labels: { 'kustomize.toolkit.fluxcd.io/name': 'k', 'kustomize.toolkit.fluxcd.io/namespace': 'flux' } },
        CHART,
      ),
      owners: [{ kind: 'flux', resource: 'Kustomization', namespace: 'flux', name: 'k' }],
    },
    {
      name: 'a HelmRelease, with its release',
      found: deployment({ annotations: release, managedFields: [{ manager: 'helm-controller' }] }, CHART),
      owners: [
        { kind: 'flux', resource: 'HelmRelease' },
        { kind: 'helm', namespace: 'other', name: 'op' },
      ],
    },
    {
      name: 'other labels, by its image',
      found: deployment({}, { 'app.kubernetes.io/name': 'renamed' }, IMAGE),
      owners: [{ kind: 'manifests' }],
    },
  ])('finds a Deployment of $name', ({ found, owners }) => {
    const others = [deployment({}, { app: 'x' }), { metadata: {} }];
    expect(find({ deployments: [...others, found] })).toMatchObject({ deployments: [found], owners });
  });

  it('finds its unfinished pods by each label and by the image', () => {
    const pod = (name: string, labels: Record<string, string>, image: string, phase = 'Running'): ListedObject => ({
      metadata: { name, namespace: name, labels },
      spec: podSpec(image),
      status: { phase },
    });
    const pods = [
      pod('chart', CHART, 'x:1'),
      pod('olm', OLM, 'x:1', 'Pending'),
      pod('image', {}, IMAGE),
      pod('hook', CHART, IMAGE, 'Succeeded'),
      pod('other', { app: 'x' }, 'network:1'),
    ];
    expect(find({ pods }).pods).toEqual(['chart/chart', 'olm/olm', 'image/image']);
  });

  it('finds nothing of it in another namespace than that of the output', () => {
    const metadata = { name: '12620820.mellanox.com', namespace: 'tenant', labels: CHART };
    const object = {
      metadata,
      spec: { ...podSpec(IMAGE), template: { metadata, spec: podSpec(IMAGE) }, holderIdentity: 'x' },
    };
    const lists = { deployments: [object], pods: [object], leases: [object] };
    expect(findOperator(lists, 'ns')).toEqual({ deployments: [], pods: [], leases: [], owners: [] });
    expect(findOperator(lists, 'tenant').pods).toHaveLength(1);
  });
});

describe('runningReason', () => {
  const lease = (renewTime: string, holderIdentity = 'op_1'): ListedObject => ({
    metadata: { name: '12620820.mellanox.com', namespace: 'ns' },
    spec: { holderIdentity, renewTime, leaseDurationSeconds: 15 },
  });
  const withLease = (one: ListedObject): FoundOperator => find({ leases: [one, { metadata: { name: 'other' } }] });
  const renews = 'op_1 renews the Lease ns/12620820.mellanox.com of the operator';
  it.each([
    { name: 'nothing is there', now: find({}), before: find({}), reason: undefined },
    {
      name: 'a pod is there',
      now: find({ pods: [{ metadata: { name: 'p', namespace: 'ns', labels: OLM } }] }),
      before: find({}),
      reason: 'the pod ns/p of the operator runs',
    },
    { name: 'the Lease stays', now: withLease(lease('t1')), before: withLease(lease('t1')), reason: undefined },
    { name: 'the Lease is renewed', now: withLease(lease('t2')), before: withLease(lease('t1')), reason: renews },
    { name: 'the Lease is new', now: withLease(lease('t2')), before: find({}), reason: renews },
    {
      name: 'the Lease was released',
      now: withLease(lease('t2', '')),
      before: withLease(lease('t1')),
      reason: undefined,
    },
  ])('$name', ({ now, before, reason }) => {
    expect(runningReason(now, before)).toBe(reason);
  });
});
