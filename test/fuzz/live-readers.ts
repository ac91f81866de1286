import { legacyKeys } from '../../src/shared/contract/legacy-keys.js';
import { undoNotices } from '../../src/cli/takeover/undo-notices.js';
import { compareWith } from '../../src/cluster/import/compare.js';
import { filesOf } from '../../src/cluster/import/files.js';
import { importCluster } from '../../src/cluster/import/import.js';
import { readLive } from '../../src/cluster/import/live.js';
import { planOf } from '../../src/cluster/takeover/next-step.js';
import { observe } from '../../src/cluster/takeover/observe.js';
import { preflight, removalLines } from '../../src/cluster/takeover/preflight.js';
import { toSave } from '../../src/cluster/takeover/saved.js';
import { TAKEOVER_STEPS } from '../../src/cluster/takeover/steps.js';
import { UNDO_STEPS } from '../../src/cluster/takeover/undo-steps.js';
import { OFED_LABEL_PREFIX } from '../../src/shared/contract/labels.js';
import { escapeLine } from '../../src/shared/lib/escape.js';
import { isObject, listAt, textAt } from '../../src/shared/lib/json.js';
import { compile, PLAIN_CLUSTER, policyText } from '../golden/compile.js';
import { listOf, NAMESPACE, type ServedObjects } from '../kit/served-cluster.js';
import { operatorItems } from './cluster-objects.js';
import type { Json } from './mutate.js';
import type { Reader } from './reader.js';
import { fakeClient, fakeSession, printed } from './served.js';

/** What a command reads of a live cluster with the operator, before it prints. */
export function liveReaders(): readonly Reader[] {
  const seed = () => Promise.resolve(operatorCluster() as unknown as Json);
  return [
    { name: 'takeover', seed, read: (value) => printed(() => takeoverText(value)) },
    { name: 'takeover --undo', seed, read: (value) => printed(() => undoText(value)) },
    {
      name: 'import --live',
      seed: () => Promise.resolve(oneOperator()),
      read: (value) => printed(() => importText(value)),
    },
  ];
}

const POLICY = '  ofedDriver:\n    upgradePolicy: {autoUpgrade: true}\n  nvIpam: {}\n';
const RENDERED = compile({
  'cluster.yaml': PLAIN_CLUSTER,
  'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', POLICY),
}).placed.map(({ object }) => object);
const shown = (lines: readonly string[]) => lines.map((line) => `${escapeLine(line)}\n`).join('');

function look(value: Json, isUndo: boolean) {
  const input = { namespace: NAMESPACE, applier: 'kubectl', objects: RENDERED, isUndo } as const;
  return observe(fakeClient(value), input, { saved: new Map(), operator: undefined, compares: !isUndo });
}

async function takeoverText(value: Json): Promise<string> {
  const { state, deployments } = await look(value, false);
  const resources = [...state.customResources, ...state.crds, ...state.webhooks];
  const saved = new Map(resources.map(({ reference, live }) => [reference, toSave(live)]));
  const plan = planOf(TAKEOVER_STEPS, { ...state, saved, operatorBefore: state.operator });
  return shown([
    ...preflight({ state, deployments, gate: 'label' }).flatMap(({ message, lines = [] }) => [message, ...lines]),
    ...plan.flatMap(({ lines }) => lines),
    ...state.operator.owners.flatMap((owner) => removalLines(owner, state)),
  ]);
}

async function undoText(value: Json): Promise<string> {
  const { state } = await look(value, true);
  const notices = undoNotices(state, [], 'clusters/east');
  return shown([...notices.map(({ message }) => message), ...planOf(UNDO_STEPS, state).flatMap(({ lines }) => lines)]);
}

async function importText(value: Json): Promise<string> {
  const source = await readLive(fakeSession(value), {}, () => undefined);
  const imported = importCluster({ ...source, name: 'east' });
  const files = filesOf(compareWith(imported, []).fresh).map(({ text }) => text);
  return [...files, ...[...source.findings, ...imported.findings].map(({ message }) => escapeLine(message))].join('\n');
}

/** The same with one operator: an import refuses two in a namespace. */
function oneOperator(): Json {
  return operatorCluster((item) => textAt(item, 'metadata', 'name') !== 'network-operator') as unknown as Json;
}

/** Where the API server has the kinds of the operator's items, and others of a cluster that a takeover reads. */
function operatorCluster(isServed: (item: object) => boolean = () => true): ServedObjects {
  const items = listAt(operatorItems(), 'items').filter(isObject);
  const all = [...items.map((item) => ({ ...item })), ...others()].filter(isServed);
  const lists = new Map<string, object[]>();
  const named: Record<string, object> = {};
  const resources = new Map<string, Map<string, object>>();
  for (const item of all) {
    const [apiVersion = '', kind = ''] = [textAt(item, 'apiVersion'), textAt(item, 'kind')];
    const namespace = textAt(item, 'metadata', 'namespace');
    const plural = `${kind.toLowerCase().replace(/y$/, 'ie')}s`;
    const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const within = namespace === undefined ? '' : `/namespaces/${namespace}`;
    for (const path of new Set([`${group}/${plural}`, `${group}${within}/${plural}`])) {
      lists.set(path, [...(lists.get(path) ?? []), item]);
    }
    named[`${group}${within}/${plural}/${textAt(item, 'metadata', 'name') ?? ''}`] = item;
    const kinds = resources.get(group) ?? new Map<string, object>();
    resources.set(group, kinds.set(kind, { name: plural, kind, namespaced: namespace !== undefined }));
  }
  const groups = [...resources.keys()].flatMap((path) => {
    const [, root = '', name = '', version = ''] = path.split('/');
    return root === 'apis' ? [{ name, versions: [{ version }], preferredVersion: { version } }] : [];
  });
  return {
    ...Object.fromEntries([...lists].map(([path, found]) => [path, listOf(...found)])),
    ...named,
    ...Object.fromEntries([...resources].map(([path, kinds]) => [path, { resources: [...kinds.values()] }])),
    ...{ '/apis': { groups }, '/version': { gitVersion: 'v1.34.0' } },
  };
}

const MANAGERS = [{ manager: 'argocd-controller', operation: 'Update', time: '2026-11-20T00:00:00Z', fieldsV1: {} }];
const OWNERS = [
  { apiVersion: 'mellanox.com/v1alpha1', kind: 'NicClusterPolicy', name: 'nic-cluster-policy', uid: 'u' },
];
const COMPANION = { 'weft.dev/component': 'companion' };

/** Objects of this kind, with these metadata beside the name and a namespace. */
function objectOf(apiVersion: string, kind: string, name: string, metadata: object, more: object = {}): object {
  return { ...{ apiVersion, kind, metadata: { name, uid: `uid-${name}`, ...metadata } }, ...more };
}

function others(): readonly object[] {
  const within = { namespace: NAMESPACE };
  const chart = { 'app.kubernetes.io/name': 'network-operator', 'control-plane': 'nvidia-network-operator-controller' };
  const annotations = {
    'meta.helm.sh/release-name': 'op',
    'argocd.argoproj.io/tracking-id': 'app:apps/Deployment:a/b',
  };
  const olm = [{ apiVersion: 'operators.coreos.com/v1alpha1', kind: 'ClusterServiceVersion', name: 'csv', uid: 'u' }];
  const pods = { containers: [{ name: 'manager', image: 'nvcr.io/nvidia/cloud-native/network-operator:v26.4.0' }] };
  const flux = { 'kustomize.toolkit.fluxcd.io/name': 'k', 'kustomize.toolkit.fluxcd.io/namespace': 'flux' };
  const template = { metadata: { labels: chart }, spec: pods };
  const rules = [{ apiGroups: ['mellanox.com'], operations: ['*'], resources: ['*'] }];
  const of = objectOf;
  return [
    of(
      'apps/v1',
      'Deployment',
      'network-operator',
      { ...within, labels: { ...chart, ...flux }, annotations, ownerReferences: olm, managedFields: MANAGERS },
      { spec: { replicas: 1, template } },
    ),
    of('v1', 'Pod', 'op-0', { ...within, labels: chart }, { spec: pods, status: { phase: 'Running' } }),
    of('v1', 'Pod', 'companion-0', { ...within, labels: COMPANION }, { status: { phase: 'Running' } }),
    of('coordination.k8s.io/v1', 'Lease', '12620820.mellanox.com', within, {
      spec: { holderIdentity: 'a', renewTime: '2026-11-20T00:00:00.000000Z', leaseDurationSeconds: 15 },
    }),
    of('coordination.k8s.io/v1', 'Lease', 'weft-companion', { ...within, labels: COMPANION }),
    of('v1', 'ConfigMap', 'weft-companion-status', within, { data: { 'status.json': '{}' } }),
    of('batch/v1', 'CronJob', 'weft-companion', { ...within, labels: COMPANION, annotations }),
    of('batch/v1', 'Job', 'weft-companion-1', { ...within, labels: COMPANION, ownerReferences: OWNERS }),
    of('v1', 'Node', 'n', { annotations: { [legacyKeys(OFED_LABEL_PREFIX).cordoned]: 'true' } }),
    of('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'nicclusterpolicies.mellanox.com', { labels: chart }),
    of('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'hook', {}, { webhooks: [{ rules }] }),
    of('operators.coreos.com/v1alpha1', 'ClusterServiceVersion', 'csv', within, {
      spec: { install: { spec: { deployments: [{ name: 'op', spec: { replicas: 1 } }] } } },
    }),
    of('operators.coreos.com/v1alpha1', 'Subscription', 'sub', within, { status: { installedCSV: 'csv' } }),
    of(
      'argoproj.io/v1alpha1',
      'Application',
      'app',
      { namespace: 'argocd' },
      { spec: { syncPolicy: { automated: {} } } },
    ),
    of('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', 'k', { namespace: 'flux' }, { spec: { suspend: true } }),
    of(
      'apps/v1',
      'DaemonSet',
      'old',
      { ...within, ownerReferences: OWNERS, managedFields: MANAGERS },
      { spec: { template } },
    ),
    ...RENDERED.slice(0, 12).map((object) => ({
      ...object,
      metadata: { ...object.metadata, ownerReferences: OWNERS, managedFields: MANAGERS },
    })),
  ];
}
