import {
  NETWORK_OPERATOR_API_VERSION,
  NETWORK_OPERATOR_GROUP,
  NETWORK_OPERATOR_LEASE,
} from '../../shared/contract/network-operator.js';
import {
  COMPANION_NAMES,
  COMPANION_COMPONENT,
  COMPONENT_LABEL,
  driverKeys,
  OFED_LABEL_PREFIX,
  REVISION_LABEL,
} from '../../shared/contract/labels.js';
import type { ApiClient } from '../../shared/kube-client/api-client.js';
import { ask } from '../../shared/kube-client/ask.js';
import { listAll } from '../../shared/kube-client/list.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { shellWord } from '../../shared/lib/escape.js';
import { isObject, valueAt } from '../../shared/lib/json.js';
import { findOperator, isUnfinished, type FoundOperator } from '../../cluster/takeover/operator/find.js';
import type { ListedObject } from '../../shared/kubernetes/listed-object.js';
import type { OperatorOwner } from '../../cluster/takeover/operator/owner.js';
import type { Applier, LocatedObject, OperatorResource, Saved, TakeoverState } from '../../cluster/takeover/state.js';
import { realOwners } from '../../cluster/takeover/steps.js';
import { pathOf, servedKinds, type ServedKinds } from '../cluster/discovery.js';
import { valueOf } from '../../cluster/reader/answers.js';
import { located } from './located.js';
import { getAll, getOne, readRendered } from './rendered.js';

/** What does not change while a command runs. */
export interface ObserveInput {
  readonly namespace: string;
  readonly applier: Applier;
  readonly objects: readonly KubernetesObject[];
  /** The way back: reads the companion and the nodes, too. */
  readonly isUndo: boolean;
}

/** What an earlier look knows. */
interface Before {
  readonly saved: Saved;
  /** The operator at an earlier look, at least a Lease's duration ago. */
  readonly operator: FoundOperator | undefined;
  /** Whether to ask the server what applying would change. */
  readonly compares: boolean;
}

/** A state, and the Deployments of all namespaces. */
export interface Observation {
  readonly state: TakeoverState;
  readonly deployments: readonly ListedObject[];
}

const WEBHOOKS = 'admissionregistration.k8s.io/v1';
/** API versions that are read beside those of the rendered objects. */
const READ_VERSIONS = [NETWORK_OPERATOR_API_VERSION, WEBHOOKS, 'v1', 'batch/v1', 'coordination.k8s.io/v1'];
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** The kinds of custom resources that the operator has, by their plurals; newer ones are found by their CRDs. */
const PLURALS = ['nicclusterpolicies', 'nicnodepolicies', 'macvlannetworks', 'hostdevicenetworks', 'ipoibnetworks'];

/** Reads everything that the steps look at. An error of the cluster ends the command. */
export async function observe(client: ApiClient, input: ObserveInput, before: Before): Promise<Observation> {
  const [served, deployments, pods, leases] = await Promise.all([
    servedKinds(client, [...READ_VERSIONS, ...input.objects.map(({ apiVersion }) => apiVersion)]),
    getAll(client, '/apis/apps/v1/deployments'),
    readPods(client, input.namespace),
    getAll(
      client,
      `/apis/coordination.k8s.io/v1/namespaces/${input.namespace}/leases?fieldSelector=metadata.name%3D${NETWORK_OPERATOR_LEASE}`,
    ),
  ]);
  const operator = findOperator({ deployments, pods, leases }, input.namespace);
  const [compared, resources, webhooks, olm, companion, markedNodes, activeOwners] = await Promise.all([
    readRendered(client, served, input.objects, before.compares),
    readResources(client, served),
    readWebhooks(client, served),
    readOlm(client, operator.owners),
    input.isUndo ? readCompanion(client, served, input, pods) : { workloads: [], pods: [], objects: [] },
    input.isUndo ? readMarkedNodes(client) : [],
    readActiveOwners(client, operator.owners),
  ]);
  const outputOwners = companion.workloads.flatMap(({ live }) => realOwners(live));
  const activeOutputOwners = await readActiveOwners(client, outputOwners);
  const state: TakeoverState = {
    ...{ namespace: input.namespace, applier: input.applier, operator, saved: before.saved },
    ...(before.operator !== undefined && { operatorBefore: before.operator }),
    ...{ ...compared, ...resources, webhooks, ...olm, companion, markedNodes, activeOwners, activeOutputOwners },
  };
  return { state, deployments };
}

/** Pods that may be of the operator or of the companion: those of the namespace that are of no DaemonSet, of which there are few. */
function readPods(client: ApiClient, namespace: string): Promise<readonly ListedObject[]> {
  const selector = encodeURIComponent(`!${REVISION_LABEL}`);
  return getAll(client, `/api/v1/namespaces/${namespace}/pods?labelSelector=${selector}`);
}

const withOwners = (one: LocatedObject): OperatorResource => ({ ...one, owners: realOwners(one.live) });

async function readResources(
  client: ApiClient,
  served: ServedKinds,
): Promise<Pick<TakeoverState, 'crds' | 'customResources'>> {
  const found = await Promise.all(
    PLURALS.map((plural) => getOne(client, `${CRDS}/${plural}.${NETWORK_OPERATOR_GROUP}`)),
  );
  const crds = found.flat().map((live) => {
    const name = live.metadata?.name ?? '';
    return withOwners({
      path: `${CRDS}/${name}`,
      reference: `customresourcedefinition.apiextensions.k8s.io/${shellWord(name)}`,
      live,
    });
  });
  const kinds = [...served.values()].filter(({ apiVersion }) => apiVersion === NETWORK_OPERATOR_API_VERSION);
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const answer = await listAll(client, pathOf(kind), (item) => item as ListedObject);
      const items = answer.kind === 'gone' ? [] : valueOf(answer).items;
      return items.map((item) => withOwners(located(kind, item)));
    }),
  );
  return { crds, customResources: lists.flat() };
}

/** Webhook configurations that are for custom resources of the operator only. */
async function readWebhooks(client: ApiClient, served: ServedKinds): Promise<readonly OperatorResource[]> {
  const kinds = [...served.values()].filter(
    ({ apiVersion, kind }) => apiVersion === WEBHOOKS && kind.endsWith('WebhookConfiguration'),
  );
  const lists = await Promise.all(
    kinds.map(async (kind) =>
      (await getAll(client, pathOf(kind)))
        .filter((item) => isForOperator(item))
        .map((item) => withOwners(located(kind, item))),
    ),
  );
  return lists.flat();
}

function isForOperator(configuration: object): boolean {
  const webhooks = valueAt(configuration, ['webhooks']);
  if (!Array.isArray(webhooks) || webhooks.length === 0) return false;
  const groups = webhooks.flatMap((one) => (valueAt(one, ['rules']) ?? []) as readonly object[]);
  return groups.length > 0 && groups.every((rule) => String(valueAt(rule, ['apiGroups'])) === NETWORK_OPERATOR_GROUP);
}

const OLM = '/apis/operators.coreos.com/v1alpha1/namespaces';

async function readOlm(
  client: ApiClient,
  owners: readonly OperatorOwner[],
): Promise<Pick<TakeoverState, 'serviceVersions' | 'subscriptions'>> {
  const found = owners.flatMap((owner) => (owner.kind === 'olm' ? [owner] : []));
  const [versions, subscriptions] = await Promise.all([
    Promise.all(
      found.map(async ({ namespace, name }) => {
        const path = `${OLM}/${namespace}/clusterserviceversions/${name}`;
        const reference = `clusterserviceversion.operators.coreos.com/${name} -n ${namespace}`;
        return (await getOne(client, path)).map((live) => ({ path, reference, live }));
      }),
    ),
    Promise.all(
      found.map(async ({ namespace, name }) => {
        const answer = await listAll(client, `${OLM}/${namespace}/subscriptions`, (item) => item as ListedObject);
        const items = answer.kind === 'ok' ? answer.value.items : [];
        return items
          .filter(({ status }) => valueAt(status, ['installedCSV']) === name)
          .map((live) => ({
            path: `${OLM}/${namespace}/subscriptions/${live.metadata?.name ?? ''}`,
            reference: `subscription.operators.coreos.com/${shellWord(live.metadata?.name ?? '')} -n ${shellWord(namespace)}`,
            live,
          }));
      }),
    ),
  ]);
  return { serviceVersions: versions.flat(), subscriptions: subscriptions.flat() };
}

const COMPANION_SELECTOR = `labelSelector=${encodeURIComponent(`${COMPONENT_LABEL}=${COMPANION_COMPONENT}`)}`;

async function readCompanion(
  client: ApiClient,
  served: ServedKinds,
  { namespace, objects }: ObserveInput,
  pods: readonly ListedObject[],
): Promise<TakeoverState['companion']> {
  const ofCompanion = objects.filter(({ metadata }) => metadata.labels?.[COMPONENT_LABEL] === COMPANION_COMPONENT);
  const names = [...WORKLOADS, ...ofCompanion.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)];
  const kinds = [...served].filter(([key]) => names.includes(key));
  const lists = await Promise.all(
    kinds.map(async ([key, kind]) => {
      const items = await getAll(client, `${pathOf(kind, namespace)}?${COMPANION_SELECTOR}`);
      return items.map((item) => [key, located(kind, item)] as const);
    }),
  );
  const named = await Promise.all(
    NAMED.map(async ([key, name]) => {
      const kind = served.get(key);
      if (kind === undefined) return [];
      return (await getOne(client, `${pathOf(kind, namespace)}/${name}`)).map((live) => located(kind, live));
    }),
  );
  const isWorkload = ([key]: readonly [string, LocatedObject]) => WORKLOADS.includes(key);
  const others = [
    ...lists
      .flat()
      .filter((one) => !isWorkload(one))
      .map(([, one]) => one),
    ...named.flat(),
  ];
  return {
    workloads: lists
      .flat()
      .filter(isWorkload)
      .map(([, one]) => one),
    pods: pods
      .filter((pod) => isCompanionPod(pod, namespace))
      .map(({ metadata }) => `${namespace}/${metadata?.name ?? ''}`),
    objects: [...new Map(others.map((one) => [one.path, one])).values()],
  };
}

const WORKLOADS = ['batch/v1 CronJob', 'batch/v1 Job'];
/** What the companion creates itself, without its label. */
const NAMED = [
  ['v1 ConfigMap', COMPANION_NAMES.statusConfigMap],
  ['coordination.k8s.io/v1 Lease', COMPANION_NAMES.lease],
] as const;

function isCompanionPod(pod: ListedObject, namespace: string): boolean {
  const { metadata } = pod;
  const isOfCompanion = metadata?.labels?.[COMPONENT_LABEL] === COMPANION_COMPONENT;
  return isOfCompanion && metadata.namespace === namespace && isUnfinished(pod);
}

const KEYS = driverKeys(OFED_LABEL_PREFIX);
const MARKS = [KEYS.cordoned, KEYS.outdated, KEYS.failure];

async function readMarkedNodes(client: ApiClient): Promise<TakeoverState['markedNodes']> {
  const read = (node: object) => (node as ListedObject).metadata;
  const { items } = valueOf(await listAll(client, '/api/v1/nodes', read));
  return items
    .map((metadata) => ({
      name: metadata?.name ?? '',
      keys: MARKS.filter((key) => metadata?.annotations?.[key] !== undefined),
    }))
    .filter(({ keys }) => keys.length > 0);
}

/** The objects of GitOps tools that own the operator and reconcile it. One that cannot be read counts as switched on. */
async function readActiveOwners(
  client: ApiClient,
  owners: readonly OperatorOwner[],
): Promise<readonly OperatorOwner[]> {
  const active = await Promise.all(owners.map(async (owner) => ((await isActive(client, owner)) ? [owner] : [])));
  return active.flat();
}

async function isActive(client: ApiClient, owner: OperatorOwner): Promise<boolean> {
  if (owner.kind === 'argocd') {
    const answer = await listAll(client, '/apis/argoproj.io/v1alpha1/applications', (item) => item as ListedObject);
    const named =
      answer.kind === 'ok' ? answer.value.items.filter(({ metadata }) => metadata?.name === owner.name) : [];
    return named.length === 0 || named.some(({ spec }) => isObject(valueAt(spec, ['syncPolicy', 'automated'])));
  }
  if (owner.kind !== 'flux') return false;
  const { resource, namespace, name } = owner;
  if (name === undefined || namespace === undefined) return true;
  const group = FLUX_PATHS[resource];
  const path = `/apis/${group}/namespaces/${namespace}/${resource.toLowerCase()}s/${name}`;
  const answer = await ask(client, { method: 'GET', path }, (object) => valueAt(object, ['spec', 'suspend']));
  return !(answer.kind === 'ok' && answer.value === true);
}

const FLUX_PATHS = {
  Kustomization: 'kustomize.toolkit.fluxcd.io/v1',
  HelmRelease: 'helm.toolkit.fluxcd.io/v2',
} as const;
