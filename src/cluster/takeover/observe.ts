import { legacyKeys } from '../../shared/contract/legacy-keys.js';
import { MAINTENANCE_ANNOTATION, readMaintenanceRecord } from '../../shared/contract/maintenance-record.js';
import {
  NETWORK_OPERATOR_API_VERSION,
  NETWORK_OPERATOR_GROUP,
  NETWORK_OPERATOR_LEASE,
} from '../../shared/contract/network-operator.js';
import {
  COMPANION_NAMES,
  COMPANION_COMPONENT,
  COMPONENT_LABEL,
  OFED_LABEL_PREFIX,
  REVISION_LABEL,
} from '../../shared/contract/labels.js';
import type { ApiClient } from '../../shared/kube-client/api-client.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { isObject, textAt, valueAt } from '../../shared/lib/json.js';
import { located } from '../reader/located.js';
import type { LocatedKind } from '../reader/kinds.js';
import { read, type Want } from '../reader/read.js';
import { servedKinds, type ServedKinds } from '../reader/served.js';
import { findOperator, isUnfinished, type FoundOperator } from './operator/find.js';
import type { OperatorOwner } from './operator/owner.js';
import { readRendered } from './rendered.js';
import { isForOperator, wordOf } from './saved.js';
import type { Applier, OperatorResource, Saved, TakeoverState } from './state.js';
import { realOwners } from './steps.js';

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
  readonly deployments: readonly NamedObject[];
}

/** The kinds of custom resources that the operator has, by their plurals; newer ones are found by their CRDs. */
const PLURALS = ['nicclusterpolicies', 'nicnodepolicies', 'macvlannetworks', 'hostdevicenetworks', 'ipoibnetworks'];

/** Reads everything that the steps look at. An error of the cluster ends the command. */
export async function observe(client: ApiClient, input: ObserveInput, before: Before): Promise<Observation> {
  const { namespace } = input;
  const versions = [NETWORK_OPERATOR_API_VERSION, ...input.objects.map(({ apiVersion }) => apiVersion)];
  const [served, deployments, pods, leases] = await Promise.all([
    servedKinds(client, versions),
    objectsOf(client, { kind: 'Deployment' }),
    // Those of the operator and of the companion are of no DaemonSet.
    objectsOf(client, { kind: 'Pod', namespace, labels: `!${REVISION_LABEL}` }),
    objectsOf(client, { kind: 'Lease', namespace, fields: `metadata.name=${NETWORK_OPERATOR_LEASE}` }),
  ]);
  const operator = findOperator({ deployments, pods, leases }, namespace);
  const [compared, resources, webhooks, olm, companion, markedNodes, activeOwners] = await Promise.all([
    readRendered(client, served, input.objects, before.compares),
    readResources(client, served),
    readWebhooks(client),
    readOlm(client, operator.owners),
    input.isUndo ? readCompanion(client, served, input, pods) : { workloads: [], pods: [], objects: [] },
    input.isUndo ? readMarkedNodes(client) : [],
    readActiveOwners(client, operator.owners),
  ]);
  const outputOwners = companion.workloads.flatMap(({ live }) => realOwners(live));
  const activeOutputOwners = await readActiveOwners(client, outputOwners);
  const state: TakeoverState = {
    namespace,
    applier: input.applier,
    operator,
    saved: before.saved,
    ...(before.operator !== undefined && { operatorBefore: before.operator }),
    ...compared,
    ...resources,
    webhooks,
    ...olm,
    companion,
    markedNodes,
    activeOwners,
    activeOutputOwners,
  };
  return { state, deployments };
}

async function objectsOf(client: ApiClient, ...wants: readonly Want[]): Promise<readonly NamedObject[]> {
  return (await read(client, wants)).items;
}

const CRD = 'CustomResourceDefinition';
const resource = (object: NamedObject, kind: LocatedKind): OperatorResource => ({
  ...located(kind, object, wordOf(kind)),
  owners: realOwners(object),
});

async function readResources(
  client: ApiClient,
  served: ServedKinds,
): Promise<Pick<TakeoverState, 'crds' | 'customResources'>> {
  const kinds = [...served.values()].filter(({ apiVersion }) => apiVersion === NETWORK_OPERATOR_API_VERSION);
  const crds = PLURALS.map((plural): Want => ({ kind: CRD, name: `${plural}.${NETWORK_OPERATOR_GROUP}` }));
  const { items } = await read(client, [...crds, ...kinds.map((kind): Want => ({ kind }))], {}, resource);
  const isCrd = ({ live }: OperatorResource) => live.kind === CRD;
  return { crds: items.filter(isCrd), customResources: items.filter((one) => !isCrd(one)) };
}

/** Webhook configurations that are for custom resources of the operator only. */
async function readWebhooks(client: ApiClient): Promise<readonly OperatorResource[]> {
  const wants = [{ kind: 'MutatingWebhookConfiguration' }, { kind: 'ValidatingWebhookConfiguration' }] as const;
  const { items } = await read(client, wants, {}, (object, kind) =>
    isForOperator(object) ? resource(object, kind) : undefined,
  );
  return items;
}

async function readOlm(
  client: ApiClient,
  owners: readonly OperatorOwner[],
): Promise<Pick<TakeoverState, 'serviceVersions' | 'subscriptions'>> {
  const found = owners.flatMap((owner) => (owner.kind === 'olm' ? [owner] : []));
  const versions = found.map(({ namespace, name }) => ({ kind: 'ClusterServiceVersion', namespace, name }) as const);
  const names = new Set(found.map(({ name }) => name));
  const places = [...new Set(found.map(({ namespace }) => namespace))];
  const [serviceVersions, subscriptions] = await Promise.all([
    read(client, versions, {}, (object, kind) => located(kind, object, 'clusterserviceversion')),
    read(
      client,
      places.map((namespace) => ({ kind: 'Subscription', namespace }) as const),
      { without: ['forbidden', 'unavailable'] },
      (object, kind) =>
        names.has(textAt(object, 'status', 'installedCSV') ?? '') ? located(kind, object, 'subscription') : undefined,
    ),
  ]);
  return { serviceVersions: serviceVersions.items, subscriptions: subscriptions.items };
}

async function readCompanion(
  client: ApiClient,
  served: ServedKinds,
  { namespace, objects }: ObserveInput,
  pods: readonly NamedObject[],
): Promise<TakeoverState['companion']> {
  const ofCompanion = objects.filter(({ metadata }) => metadata.labels?.[COMPONENT_LABEL] === COMPANION_COMPONENT);
  const names = new Set(ofCompanion.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
  const kinds = [...served].flatMap(([name, kind]) => (names.has(name) && !isWorkload(kind) ? [kind] : []));
  const labelled = (kind: Want['kind']): Want => ({
    kind,
    labels: `${COMPONENT_LABEL}=${COMPANION_COMPONENT}`,
    ...((typeof kind === 'string' || kind.isNamespaced) && { namespace }),
  });
  const wants = [
    ...[...WORKLOADS, ...kinds].map(labelled),
    // What the companion creates itself has no label.
    ...([{ kind: 'ConfigMap', namespace, name: COMPANION_NAMES.statusConfigMap }] as const),
    ...([{ kind: 'Lease', namespace, name: COMPANION_NAMES.lease }] as const),
  ];
  const { items } = await read(client, wants, {}, (object, kind) => located(kind, object));
  const found = [...new Map(items.map((one) => [one.path, one])).values()];
  return {
    workloads: found.filter(({ live }) => isWorkload(live)),
    pods: pods.filter((pod) => isCompanionPod(pod, namespace)).map(({ metadata }) => `${namespace}/${metadata.name}`),
    objects: found.filter(({ live }) => !isWorkload(live)),
  };
}

const WORKLOADS = ['CronJob', 'Job'] as const;
const isWorkload = ({ kind }: { readonly kind?: string }) => kind === 'CronJob' || kind === 'Job';

function isCompanionPod(pod: NamedObject, namespace: string): boolean {
  const { metadata } = pod;
  const isOfCompanion = metadata.labels?.[COMPONENT_LABEL] === COMPANION_COMPONENT;
  return isOfCompanion && metadata.namespace === namespace && isUnfinished(pod);
}

const { cordoned, outdated, failure } = legacyKeys(OFED_LABEL_PREFIX);
const MARKS = [MAINTENANCE_ANNOTATION, cordoned, outdated, failure];

async function readMarkedNodes(client: ApiClient): Promise<TakeoverState['markedNodes']> {
  const { items } = await read(client, [{ kind: 'Node' }], {}, ({ metadata: { name, annotations } }) => {
    const marks = [...MARKS, ...(readMaintenanceRecord(annotations?.[MAINTENANCE_ANNOTATION])?.protected ?? [])];
    const keys = marks.filter((key) => annotations?.[key] !== undefined);
    return keys.length === 0 ? undefined : { name, keys };
  });
  return items;
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
  const options = { without: ['forbidden', 'unavailable'] } as const;
  if (owner.kind === 'argocd') {
    const { items } = await read(client, [{ kind: 'Application' }], options, (object) =>
      object.metadata.name === owner.name ? isObject(valueAt(object, ['spec', 'syncPolicy', 'automated'])) : undefined,
    );
    return items.length === 0 || items.includes(true);
  }
  if (owner.kind !== 'flux') return false;
  const { resource: kind, namespace, name } = owner;
  if (name === undefined || namespace === undefined) return true;
  const { items } = await read(client, [{ kind, namespace, name }], options);
  return !items.some((object) => valueAt(object, ['spec', 'suspend']) === true);
}
