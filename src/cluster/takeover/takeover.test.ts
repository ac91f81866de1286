import { describe, expect, it } from '@jest/globals';
import { findOperator, type FoundOperator } from './operator/find.js';
import type { ListedObject } from '../../shared/kubernetes/listed-object.js';
import { nextStep, planOf } from './next-step.js';
import { preflight, removalLines } from './preflight.js';
import { toSave } from './saved.js';
import type { OperatorResource, RenderedObject, TakeoverState } from './state.js';
import { serviceVersionReplicas, TAKEOVER_STEPS } from './steps.js';
import { UNDO_STEPS } from './undo-steps.js';
import { disownWrite, unmarkWrite } from './writes.js';

const NAMESPACE = 'nvidia-network-operator';
const deployment = (replicas: number, metadata: ListedObject['metadata'] = {}, tag = 'v26.4.0'): ListedObject => ({
  metadata: { name: 'network-operator', namespace: NAMESPACE, ...metadata },
  spec: { replicas, template: { spec: { containers: [{ image: `nvcr.io/x/network-operator:${tag}` }] } } },
});
const lease = (renewTime: string): ListedObject => ({
  metadata: { name: '12620820.mellanox.com', namespace: NAMESPACE },
  spec: { holderIdentity: 'a', renewTime },
});
const operator = (lists: Partial<Parameters<typeof findOperator>[0]> = {}): FoundOperator =>
  findOperator({ deployments: [deployment(0)], pods: [], leases: [], ...lists });

const OWNER = { apiVersion: 'mellanox.com/v1alpha1', kind: 'NicClusterPolicy', name: 'p' };
const OTHER = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const POLICY = { apiVersion: 'mellanox.com/v1alpha1', kind: 'NicClusterPolicy', metadata: { name: 'p' } };
const resource: OperatorResource = {
  ...{ path: '/r', reference: 'nicclusterpolicy.mellanox.com/p', owners: [] },
  live: { ...POLICY, metadata: { ...POLICY.metadata, resourceVersion: '1' } },
};
const definition: OperatorResource = {
  path: '/c',
  reference: 'crd/p',
  live: { apiVersion: 'v1', kind: 'CustomResourceDefinition', metadata: {} },
  owners: [],
};
const rendered = (change: Partial<RenderedObject> = {}, metadata: ListedObject['metadata'] = {}): RenderedObject => ({
  object: { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'd' } },
  ...{ path: '/d', reference: 'daemonset.apps/d' },
  live: { metadata: { managedFields: [{ manager: 'kubectl', operation: 'Apply' }], ...metadata } },
  ...change,
});

/** A cluster that was taken over. */
const taken: TakeoverState = {
  ...{
    namespace: NAMESPACE,
    applier: 'kubectl',
    operator: operator(),
    activeOwners: [],
    activeOutputOwners: [],
    serviceVersions: [],
  },
  ...{ subscriptions: [], rendered: [rendered()], strays: [], customResources: [], crds: [], webhooks: [] },
  ...{ saved: new Map(), companion: { workloads: [], pods: [], objects: [] }, markedNodes: [] },
};
const saved = new Map([
  [resource.reference, { apiVersion: 'mellanox.com/v1alpha1', kind: 'NicClusterPolicy', metadata: { name: 'p' } }],
]);

describe('the steps of a takeover', () => {
  it('are all done where the operator is gone', () => {
    expect(nextStep(TAKEOVER_STEPS, taken)).toBeUndefined();
  });

  it.each([
    {
      step: 'backup',
      kind: 'save',
      name: 'a custom resource that is not saved',
      state: { customResources: [resource] },
    },
    {
      ...{ step: 'backup', kind: 'save', name: 'a custom resource that was changed since' },
      state: { customResources: [resource], saved: new Map([[resource.reference, { ...POLICY, spec: {} }]]) },
    },
    { step: 'stop', kind: 'write', name: 'replicas', state: { operator: operator({ deployments: [deployment(1)] }) } },
    {
      ...{ step: 'stop', kind: 'person', name: 'replicas that GitOps wants' },
      state: { operator: operator({ deployments: [deployment(1)] }), activeOwners: [{ kind: 'argocd' }] },
    },
    {
      ...{ step: 'stop', kind: 'wait', name: 'a pod' },
      state: {
        operator: operator({ pods: [{ metadata: { labels: { 'app.kubernetes.io/name': 'network-operator' } } }] }),
      },
    },
    { step: 'stop', kind: 'wait', name: 'a Lease', state: { operator: operator({ leases: [lease('1')] }) } },
    {
      ...{ step: 'stop', kind: 'wait', name: 'a Lease that is renewed' },
      state: { operator: operator({ leases: [lease('2')] }), operatorBefore: operator({ leases: [lease('1')] }) },
    },
    {
      ...{ step: 'leases', kind: 'write', name: 'a Lease that stays as it is' },
      state: { operator: operator({ leases: [lease('1')] }), operatorBefore: operator({ leases: [lease('1')] }) },
    },
    { step: 'apply', kind: 'write', name: 'a change', state: { rendered: [rendered({ change: 'update' })] } },
    {
      step: 'apply',
      kind: 'write',
      name: 'another manager',
      state: { rendered: [rendered({}, { managedFields: [] })] },
    },
    { step: 'apply', kind: 'stop', name: 'a refusal', state: { rendered: [rendered({ refused: 'immutable' })] } },
    { step: 'apply', kind: 'person', name: 'GitOps', state: { applier: 'gitops', rendered: [rendered()] } },
    {
      ...{ step: 'owner-references', kind: 'write', name: 'an owner' },
      state: { rendered: [rendered({}, { ...rendered().live?.metadata, ownerReferences: [OWNER] })] },
    },
    {
      ...{ step: 'owner-references', kind: 'write', name: 'an owner of an object that is not rendered' },
      state: { strays: [{ path: '/s', reference: 's', live: { metadata: { ownerReferences: [OWNER] } } }] },
    },
    {
      ...{ step: 'custom-resources', kind: 'write', name: 'a custom resource that is saved' },
      state: { customResources: [resource], saved },
    },
    {
      ...{ step: 'custom-resources', kind: 'person', name: 'a custom resource that GitOps has' },
      state: { customResources: [{ ...resource, owners: [{ kind: 'argocd', name: 'a' }] }], saved },
    },
    {
      ...{ step: 'crds', kind: 'write', name: 'a CRD' },
      state: { crds: [definition], saved: new Map([[definition.reference, definition.live]]) },
    },
  ] as const)('$step: $kind for $name', ({ step, kind, state }) => {
    expect(nextStep(TAKEOVER_STEPS, { ...taken, ...state })).toMatchObject({ step: { id: step }, look: { kind } });
  });

  it('a plan has the commands of each step that is not done', () => {
    const plan = planOf(TAKEOVER_STEPS, { ...taken, customResources: [resource], crds: [definition], saved });
    expect(plan.filter(({ isDone }) => !isDone).map(({ step, lines }) => [step.id, ...lines])).toEqual([
      ['backup', 'kubectl get crd/p -o yaml'],
      ['custom-resources', 'kubectl delete nicclusterpolicy.mellanox.com/p --cascade=orphan'],
      ['crds', 'kubectl delete crd/p'],
    ]);
  });
});

describe('the steps back', () => {
  const running = operator({ deployments: [deployment(1)] });
  it.each([
    { step: 'order', kind: 'stop', name: 'an operator without custom resources', state: { saved, operator: running } },
    { step: 'order', kind: 'stop', name: 'no custom resource anywhere', state: {} },
    { step: 'custom-resources', kind: 'write', name: 'a saved custom resource', state: { saved } },
    {
      step: 'operator',
      kind: 'write',
      name: 'an operator that is stopped',
      state: { saved, customResources: [resource] },
    },
    {
      ...{ step: 'operator', kind: 'person', name: 'an operator that is gone' },
      state: { saved, customResources: [resource], operator: operator({ deployments: [] }) },
    },
    {
      ...{ step: 'companion', kind: 'person', name: 'a Job that GitOps has' },
      state: {
        saved,
        activeOutputOwners: [{ kind: 'flux', resource: 'Kustomization' }],
        companion: { workloads: [resource], pods: [], objects: [] },
      },
    },
    {
      ...{ step: 'companion', kind: 'wait', name: 'a pod of the companion' },
      state: { saved, companion: { workloads: [], pods: ['n/p'], objects: [] } },
    },
  ] as const)('$step: $kind for $name', ({ step, kind, state }) => {
    expect(nextStep(UNDO_STEPS, { ...taken, ...state })).toMatchObject({ step: { id: step }, look: { kind } });
  });

  it('have a plan with the last one also without a backup, where the custom resources are still there', () => {
    const plan = planOf(UNDO_STEPS, { ...taken, customResources: [resource] });
    expect(plan.filter(({ isDone }) => !isDone).map(({ step, lines }) => [step.id, ...lines])).toEqual([
      ['operator', `kubectl scale deployment.apps/network-operator -n ${NAMESPACE} --replicas=1`],
    ]);
  });

  it('are all done where the operator runs with its custom resources', () => {
    const state = { ...taken, saved, customResources: [resource], operator: running };
    expect(nextStep(UNDO_STEPS, state)).toBeUndefined();
    const hidden = (renewTime: string) => operator({ deployments: [], leases: [lease(renewTime)] });
    const renewed = { ...state, operator: hidden('2'), operatorBefore: hidden('1') };
    expect(nextStep(UNDO_STEPS, renewed)).toBeUndefined();
  });
});

describe('writes', () => {
  it('keep other owners', () => {
    const live = { metadata: { resourceVersion: '7', ownerReferences: [OWNER, OTHER] } };
    expect(disownWrite({ path: '/d', reference: 'd', live }).body).toEqual({
      metadata: { resourceVersion: '7', ownerReferences: [OTHER] },
    });
  });

  it('remove managers from the last to the first, and not those of a status', () => {
    const managedFields = [
      { manager: 'manager', operation: 'Update' },
      { manager: 'manager', operation: 'Update', subresource: 'status' },
      { manager: 'helm', operation: 'Update' },
      { manager: 'manager', operation: 'Apply' },
    ];
    const live = { metadata: { managedFields, annotations: { 'nvidia.network-operator.revision': '1' } } };
    const write = unmarkWrite({ path: '/d', reference: 'd', live }, (manager) => manager !== 'kubectl');
    expect(write?.body).toEqual([
      { op: 'test', path: '/metadata/managedFields/2/manager', value: 'helm' },
      { op: 'remove', path: '/metadata/managedFields/2' },
      { op: 'test', path: '/metadata/managedFields/0/manager', value: 'manager' },
      { op: 'remove', path: '/metadata/managedFields/0' },
      { op: 'remove', path: '/metadata/annotations/nvidia.network-operator.revision' },
    ]);
    expect(unmarkWrite({ path: '/d', reference: 'd', live: {} }, () => true)).toBeUndefined();
  });

  it('a saved object can be created again', () => {
    const live = {
      ...{ apiVersion: 'v1', kind: 'A', spec: { a: 1 }, status: {} },
      metadata: {
        name: 'a',
        uid: 'u',
        resourceVersion: '1',
        generation: 2,
        managedFields: [],
        annotations: { b: 'c' },
      },
    };
    expect(toSave(live)).toEqual({
      apiVersion: 'v1',
      kind: 'A',
      spec: { a: 1 },
      metadata: { name: 'a', annotations: { b: 'c' } },
    });
  });
});

describe('preflight', () => {
  const ofRelease = (name: string): ListedObject['metadata'] => ({
    labels: { 'app.kubernetes.io/name': name },
    annotations: { 'meta.helm.sh/release-name': 'op', 'meta.helm.sh/release-namespace': NAMESPACE },
  });
  const rule = { apiVersion: 'nfd.k8s-sigs.io/v1alpha1', kind: 'NodeFeatureRule', metadata: { name: 'r' } };
  const look = (state: Partial<TakeoverState>, deployments: readonly ListedObject[] = []) =>
    preflight({
      state: { ...taken, rendered: [rendered({ object: rule })], ...state },
      gate: 'label',
      deployments,
      release: 'v26.4.1',
    });
  const stops = (...args: Parameters<typeof look>) => look(...args).filter(({ level }) => level === 'stop');

  it('has nothing against a cluster as the guide describes it', () => {
    expect(stops({})).toEqual([]);
  });

  it.each([
    {
      name: 'an old operator',
      state: { operator: operator({ deployments: [deployment(1, {}, 'v26.1.2')] }) },
      message: 'upgrade it to v26.4 first',
    },
    {
      name: 'an operator of another release',
      state: { operator: operator({ deployments: [deployment(1, {}, 'v26.7.0')] }) },
      message: 'the operator is v26.7.0, and the output is that of v26.4: write `release: v26.7.0`',
    },
    { name: 'a refusal', state: { rendered: [rendered({ refused: 'immutable' })] }, message: 'is refused: immutable' },
  ])('stops for $name', ({ state, message }) => {
    expect(stops(state)).toMatchObject([{ message: expect.stringContaining(message) }]);
  });

  it('stops for an operator of another namespace, but not where the namespace of the output has one', () => {
    const other = deployment(1, { namespace: 'x' });
    const message = expect.stringContaining('the operator is in the namespace x') as unknown;
    expect(stops({ operator: operator({ deployments: [] }) }, [other])).toMatchObject([{ message }]);
    expect(stops({}, [other])).toEqual([]);
  });

  it('stops for Node Feature Discovery of the release that is not rendered, and names what an uninstall deletes', () => {
    const own = deployment(1, ofRelease('network-operator'));
    const discovery = { metadata: { name: 'nfd', namespace: NAMESPACE, ...ofRelease('node-feature-discovery') } };
    const sriov = { metadata: { name: 's', namespace: NAMESPACE, ...ofRelease('sriov-network-operator') } };
    const found = look({ operator: operator({ deployments: [own] }) }, [own, discovery, sriov]);
    const text = JSON.stringify(found);
    expect(text).toContain('nodeFeatureDiscovery: {deploy: true}');
    expect(text).toContain('Node Feature Discovery, and with `postDeleteCleanup` its labels on all nodes');
    expect(text).toContain('a Job that deletes the SriovOperatorConfig');
  });

  it('says which pods are replaced, at once and later', () => {
    const text = JSON.stringify(
      look({ rendered: [rendered({ restarts: 'now' }), rendered({ reference: 'late', restarts: 'on-delete' })] }),
    );
    expect(text).toContain('pods are replaced, in a rolling update (gate: label): daemonset.apps/d');
    expect(text).toContain('stay until they are deleted: late');
  });

  it.each([
    { owner: { kind: 'helm', namespace: 'n', name: 'r' }, line: 'kubectl delete secret -n n -l owner=helm,name=r' },
    { owner: { kind: 'olm', namespace: 'n', name: 'csv' }, line: 'kubectl delete clusterserviceversion -n n csv' },
  ] as const)('says how to remove what $owner.kind left', ({ owner, line }) => {
    expect(removalLines(owner, taken)).toContain(line);
  });
});

it.each([{ deployments: [null] }, { deployments: ['x', 1] }, { deployments: [{ spec: null }] }])(
  'a ClusterServiceVersion of any shape counts one replica of each of its Deployments: $deployments',
  ({ deployments }) => {
    const live = { metadata: { name: 'v' }, spec: { install: { spec: { deployments } } } };
    expect(serviceVersionReplicas({ path: '/v', reference: 'clusterserviceversion/v', live })).toBe(1);
  },
);
