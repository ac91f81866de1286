import { allComponents } from '../../compile/components/all.js';
import {
  ANY_STATE_LABEL,
  OFED_DRIVER_CONTAINER,
  OFED_DRIVER_LABEL,
  OFED_LABEL_PREFIX,
  STATE_LABEL,
} from '../../shared/contract/labels.js';
import type { Session } from '../../cluster/client/session.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { compareText } from '../../shared/lib/json.js';
import { countByImpact } from '../../review/diff/diff.js';
import { isDriver } from '../../review/impact/driver.js';
import { driverSetOf } from '../../review/impact/driver-sets.js';
import { checkPools } from '../../cluster/pools/check.js';
import { isNicNode, type ClusterNode } from '../../cluster/pools/nodes.js';
import {
  CLUSTER_POLICY,
  componentStates,
  ownerOf,
  policyState,
  type DesiredState,
} from '../../cluster/status/components.js';
import type { ClusterStatus, NodeStatus } from '../../cluster/status/model.js';
import { gateOf, pooledNodes, type PooledNode } from '../../cluster/status/node-pools.js';
import { readPod, type StatusPod } from '../../cluster/status/pods.js';
import { createKubePort } from '../../companion/runtime/kube-port/kube-port.js';
import { liveObjects } from '../cluster/live-objects.js';
import { listNodes } from '../../cluster/reader/nodes.js';
import { Refusal } from '../../cluster/reader/answers.js';
import { read } from '../../cluster/reader/read.js';
import type { Rendered } from '../compile/loaded.js';
import { compareWithCluster } from '../diff/live.js';
import type { RenderedCluster } from '../diff/rendered.js';
import { driverVersions, versionOf } from '../upgrade/images.js';
import { statusRows, uncoveredNodes, type StatusRow } from '../upgrade/rows.js';
import { survey } from '../upgrade/survey.js';

/** A cluster to look at. */
export interface Target {
  readonly name: string;
  readonly namespace: string;
  /** Absent: nothing is rendered here, so the components are those that the cluster has. */
  readonly cluster?: RenderedCluster;
}

/** Asks a live cluster how it is. */
export async function observeStatus(session: Session, target: Target, where: string): Promise<ClusterStatus> {
  const { cluster, name, namespace } = target;
  const [found, upgrade] = await Promise.all([liveFacts(session, target), upgradeFacts(session, namespace)]);
  const { live, nodes, differs } = found;
  const config = cluster?.result.config;
  const pooled = pooledNodes(nodes, config?.cluster.pools ?? []);
  const desired = cluster === undefined ? statesOf(live) : desiredStates(cluster.result);
  const pods = await podsIn(session, namespacesOf(live, namespace));
  const known = allComponents.map(({ statusName }) => statusName);
  const components = componentStates(
    desired,
    { objects: live, pods, nodes: pooled, hasMounted: cluster !== undefined },
    known,
    cluster?.sides.rendered,
  );
  const drivers = (cluster?.sides.rendered ?? []).filter(isDriver).map(driverSetOf);
  const check = config === undefined ? undefined : checkPools(nodes, config, drivers);
  const unlisted = upgrade.uncovered.map((node) => ({ node, why: 'no driver DaemonSet is for it' }));
  return {
    name,
    where,
    state: policyState(components),
    components,
    nodes: nodeStatuses(nodes, pooled, pods, upgrade),
    uncovered: check === undefined ? unlisted : [...check.uncovered, ...check.withoutDriver],
    ...(differs && { differs }),
    notes: [...found.notes, ...upgrade.notes],
  };
}

interface LiveFacts {
  readonly live: readonly KubernetesObject[];
  readonly nodes: readonly ClusterNode[];
  readonly differs?: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
}

async function liveFacts(session: Session, { cluster, namespace }: Target): Promise<LiveFacts> {
  if (cluster === undefined) {
    const [{ objects, forbidden }, nodes] = await Promise.all([
      liveObjects(session, [], [namespace]),
      listNodes(session),
    ]);
    return { live: objects, nodes, notes: [...forbidden.values()] };
  }
  const { live, nodes, diff, diagnostics } = await compareWithCluster(session, cluster);
  const differs = Object.fromEntries(countByImpact(diff.objects));
  return { live, nodes, differs, notes: diagnostics.map(({ message }) => message) };
}

interface UpgradeFacts {
  readonly rows: readonly StatusRow[];
  readonly hasSeveralDrivers: boolean;
  readonly uncovered: readonly string[];
  readonly notes: readonly string[];
}

/** What `weft upgrade status` says; nothing where no companion is applied. */
async function upgradeFacts(session: Session, namespace: string): Promise<UpgradeFacts> {
  const connection = { ...session, port: createKubePort(session.client, namespace) };
  try {
    const found = await survey(connection, { namespace });
    const rows = statusRows(found, await driverVersions(session.client, found.policy));
    const hasSeveralDrivers = found.policy.drivers.length > 1;
    return { rows, hasSeveralDrivers, uncovered: uncoveredNodes(found), notes: [] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message } = error.diagnostic;
    const notes = code === 'WEFT0392' ? [] : [message];
    return { rows: [], hasSeveralDrivers: false, uncovered: [], notes };
  }
}

/** The components and networks that a cluster renders, each for its custom resource. */
function desiredStates({ config, objects }: Rendered): readonly DesiredState[] {
  const names = new Map(allComponents.map(({ id, statusName }) => [id, statusName]));
  const states = grouped(
    objects.flatMap(({ folder, object }) => {
      const name = names.get(folder) ?? object.metadata.labels?.[STATE_LABEL];
      return name === undefined ? [] : [{ name, owner: ownerOf(object), object }];
    }),
  );
  const networks = new Map(config.networks.map(({ name, kind }) => [name, kind]));
  return [...states, ...withoutObjects(config, states)].flatMap((state) => {
    const kinds = state.objects.map(({ metadata }) => networks.get(metadata.name));
    const isNetwork = !allComponents.some(({ statusName }) => statusName === state.name);
    if (!isNetwork) return [state];
    return state.objects.map((object, index) => ({
      name: state.name,
      owner: `${kinds[index] ?? 'Network'}/${object.metadata.name}`,
      objects: [object],
    }));
  });
}

/** Sections of policies that render nothing: drivers that no node pool takes. */
function withoutObjects({ instances }: Rendered['config'], states: readonly DesiredState[]): readonly DesiredState[] {
  const has = new Set(states.map(({ name, owner }) => `${name} ${owner}`));
  return allComponents.flatMap(({ id, statusName }) =>
    (instances.get(id) ?? []).flatMap(({ owner: { kind, name } }) => {
      const owner = kind === CLUSTER_POLICY ? kind : `${kind}/${name}`;
      return has.has(`${statusName} ${owner}`) ? [] : [{ name: statusName, owner, objects: [] }];
    }),
  );
}

/** The components that a live cluster has. */
function statesOf(live: readonly KubernetesObject[]): readonly DesiredState[] {
  return grouped(
    live.flatMap((object) => {
      const name = object.metadata.labels?.[STATE_LABEL];
      return name === undefined ? [] : [{ name, owner: ownerOf(object), object }];
    }),
  );
}

interface Owned {
  readonly name: string;
  readonly owner: string;
  readonly object: KubernetesObject;
}

function grouped(owned: readonly Owned[]): readonly DesiredState[] {
  const states = new Map<string, DesiredState & { readonly objects: KubernetesObject[] }>();
  for (const { name, owner, object } of owned) {
    const key = `${name} ${owner}`;
    const state = states.get(key) ?? { name, owner, objects: [] };
    state.objects.push(object);
    states.set(key, state);
  }
  return [...states.values()];
}

function namespacesOf(live: readonly KubernetesObject[], namespace: string): readonly string[] {
  const workloads = live.filter(({ kind }) => kind === 'DaemonSet' || kind === 'Deployment');
  return [...new Set([namespace, ...workloads.flatMap(({ metadata }) => metadata.namespace ?? [])])];
}

async function podsIn({ client }: Session, namespaces: readonly string[]): Promise<readonly StatusPod[]> {
  const wants = namespaces.map((namespace) => ({ kind: 'Pod', namespace }) as const);
  return (await read(client, wants, {}, readPod)).items;
}

/** The nodes with a NIC or a driver. */
function nodeStatuses(
  nodes: readonly ClusterNode[],
  pooled: readonly PooledNode[],
  pods: readonly StatusPod[],
  { rows, hasSeveralDrivers }: UpgradeFacts,
): readonly NodeStatus[] {
  const byName = new Map(pooled.map((node) => [node.name, node]));
  const byNode = groupBy(rows, (row) => row.node);
  const images = new Map(
    pods
      .filter(({ labels }) => labels[OFED_DRIVER_LABEL] !== undefined)
      .map((pod) => [pod.node, pod.images[OFED_DRIVER_CONTAINER]]),
  );
  return nodes.flatMap((live): readonly NodeStatus[] => {
    const { name } = live;
    const node = byName.get(name);
    const own = byNode.get(name) ?? [];
    if (node === undefined || (own.length === 0 && !isNicNode(live))) return [];
    const image = images.get(name);
    const running = image === undefined ? '' : versionOf(image);
    const drivers =
      own.length > 0 ? own.map((row) => statusOfRow(row, hasSeveralDrivers)) : labelStatuses(live, running);
    return drivers.map((driver) => ({ name, pool: node.pool, gate: gateOf(node), ...driver }));
  });
}

type DriverStatus = Pick<NodeStatus, 'labelPrefix' | 'driver' | 'upgrade' | 'waitsFor'>;

function statusOfRow({ driver, from, to, state, waitsFor }: StatusRow, hasSeveralDrivers: boolean): DriverStatus {
  return {
    ...(hasSeveralDrivers && { labelPrefix: driver }),
    driver: to === '' || to === from ? from : `${from || 'none'} → ${to}`,
    upgrade: state,
    waitsFor,
  };
}

/** The drivers of a node of which only its state labels are known. */
function labelStatuses({ labels }: ClusterNode, ofedVersion: string): readonly DriverStatus[] {
  const states = [...labels].flatMap(([key, upgrade]) => {
    const [, labelPrefix] = ANY_STATE_LABEL.exec(key) ?? [];
    return labelPrefix === undefined ? [] : [{ labelPrefix, upgrade }];
  });
  if (states.length < 2) return [{ driver: ofedVersion, upgrade: states[0]?.upgrade ?? '', waitsFor: '' }];
  return states
    .sort((a, b) => compareText(a.labelPrefix, b.labelPrefix))
    .map(({ labelPrefix, upgrade }) => {
      const driver = labelPrefix === OFED_LABEL_PREFIX ? ofedVersion : '';
      return { labelPrefix, driver, upgrade, waitsFor: '' };
    });
}
