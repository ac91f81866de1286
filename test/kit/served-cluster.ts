import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installDigest } from '../../src/shared/contract/install-digest.js';
import { driverKeys, NFD_LABELS, OFED_DRIVER_LABEL } from '../../src/shared/contract/labels.js';
import type { UpgradePolicyInput } from '../../src/shared/contract/upgrade-policy.js';
import { GPU_LABELS } from './gpu-drivers.js';
import { runWeft, withCluster, type Printed } from './run-weft.js';
import { ofedDriver } from './snapshots.js';

/** A cluster whose nodes have several drivers, as objects of the API by their paths: what the kubectl of `test/kube-server` serves. */

export const NAMESPACE = 'nvidia-network-operator';
export const POLICY_PATH = `/api/v1/namespaces/${NAMESPACE}/configmaps/weft-companion-policy`;
export const SRIOV_STATES_PATH = '/apis/sriovnetwork.openshift.io/v1/namespaces/sriov/sriovnetworknodestates';

type Drivers = UpgradePolicyInput['drivers'];
export type ServedObjects = Readonly<Record<string, object>>;

interface ServedNode {
  /** The state label of each flow, by label prefix. */
  readonly states?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly isCordoned?: boolean;
  /** Versions of its driver pods. Default: both as their DaemonSets, which have `new`; undefined: it has no such pod. */
  readonly ofed?: string | undefined;
  readonly gpu?: string | undefined;
}

export const listOf = (...items: readonly object[]) => ({ metadata: { resourceVersion: '9' }, items });

/** The answer to a user who may not list the resource. */
export function forbidden(resource: string): object {
  const message = `${resource} is forbidden: User "viewer" cannot list resource "${resource}"`;
  return { kind: 'Status', code: 403, reason: 'Forbidden', message };
}

const OFED = { namespace: 'nno', name: 'mofed', container: 'mofed-container', labels: { [OFED_DRIVER_LABEL]: '' } };
const GPU = { namespace: 'gpu', name: 'gpu-driver', container: 'nvidia-driver-ctr', labels: GPU_LABELS };
type Kind = typeof OFED | typeof GPU;

function template({ name, container }: Kind, version: string): { readonly spec: object } {
  return { spec: { containers: [{ name: container, image: `${name}:${version}` }] } };
}

const digest = (kind: Kind) => installDigest(template(kind, 'new'));
/** What the served GPU DaemonSet installs. */
export const GPU_DIGEST = digest(GPU);

/** An OFED driver whose DaemonSet is served. */
export function servedOfed(upgrade: Parameters<typeof ofedDriver>[0] = {}): Drivers[number] {
  const upgradePolicy = { autoUpgrade: true, ...upgrade };
  const daemonSets = [{ name: OFED.name, digest: digest(OFED) }];
  return ofedDriver({}, { policies: [{ name: 'NicClusterPolicy', upgradePolicy, daemonSets }] });
}

function daemonSet(kind: Kind): object {
  const { namespace, name, labels } = kind;
  const annotations = { 'weft.dev/install-digest': digest(kind) };
  return {
    metadata: { namespace, name, uid: `uid-${name}`, resourceVersion: '1', generation: 1, labels, annotations },
    spec: { template: template(kind, 'new'), updateStrategy: { type: 'OnDelete' } },
    status: { observedGeneration: 1, desiredNumberScheduled: 1, numberAvailable: 1, updatedNumberScheduled: 1 },
  };
}

function ownedBy({ name }: Kind): readonly object[] {
  return [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid: `uid-${name}`, controller: true }];
}

function revision(kind: Kind, version: string): object {
  const { namespace, name } = kind;
  const labels = { 'controller-revision-hash': version };
  const metadata = { namespace, name: `${name}-${version}`, labels, ownerReferences: ownedBy(kind) };
  return { metadata, data: { spec: { template: template(kind, version) } } };
}

function driverPod(kind: Kind, nodeName: string, version: string): object {
  const { namespace, name, container } = kind;
  const labels = { ...kind.labels, 'controller-revision-hash': version };
  const containerStatuses = [{ name: container, ready: true, restartCount: 0, state: { running: {} } }];
  return {
    metadata: {
      ...{ namespace, name: `${name}-${nodeName}`, uid: `${name}-${nodeName}`, labels },
      ownerReferences: ownedBy(kind),
    },
    spec: { ...template(kind, version).spec, nodeName },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], containerStatuses },
  };
}

function nodeObject(name: string, { states = {}, isCordoned = false, ...node }: ServedNode): object {
  const labels = Object.fromEntries(Object.entries(states).map(([prefix, state]) => [driverKeys(prefix).state, state]));
  return {
    metadata: {
      ...{ name, uid: `uid-${name}`, resourceVersion: '1', annotations: node.annotations ?? {} },
      labels: { [NFD_LABELS.nicPresent]: 'true', ...labels, ...node.labels },
    },
    spec: { unschedulable: isCordoned },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

/** The objects of a cluster with these drivers, and others instead of them or beside them. */
export function servedCluster(
  drivers: Drivers,
  nodes: Readonly<Record<string, ServedNode>>,
  more: ServedObjects = {},
): ServedObjects {
  const hasSriov = drivers.some(({ kind }) => kind === 'sriov');
  const sriovNodeStates = { namespace: 'sriov', resourcePrefix: 'nvidia.com/' };
  const base = { apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy', drivers };
  const policy = { ...base, ...(hasSriov && { sriovNodeStates }) };
  const named = Object.entries(nodes);
  const kinds = [OFED, GPU].filter(({ namespace }) => drivers.some((driver) => driver.namespace === namespace));
  const podsOf = (kind: Kind) =>
    named.flatMap(([name, node]) => {
      const key = kind === OFED ? 'ofed' : 'gpu';
      const version = key in node ? node[key] : 'new';
      return version === undefined ? [] : [driverPod(kind, name, version)];
    });
  const ofKind = (kind: Kind): ServedObjects => ({
    [`/api/v1/namespaces/${kind.namespace}/pods`]: listOf(...podsOf(kind)),
    [`/apis/apps/v1/namespaces/${kind.namespace}/daemonsets`]: listOf(daemonSet(kind)),
    [`/apis/apps/v1/namespaces/${kind.namespace}/controllerrevisions`]: listOf(
      revision(kind, 'new'),
      revision(kind, 'old'),
    ),
  });
  return {
    '/apis': { groups: [] },
    [POLICY_PATH]: { data: { 'policy.json': JSON.stringify(policy) } },
    '/api/v1/nodes': listOf(...named.map(([name, node]) => nodeObject(name, node))),
    '/api/v1/pods': listOf(...kinds.flatMap(podsOf)),
    ...Object.fromEntries(kinds.flatMap((kind) => Object.entries(ofKind(kind)))),
    ...more,
  };
}

interface Served {
  readonly weft: (...args: readonly string[]) => Promise<Printed>;
  /** The objects as they are now. */
  readonly objects: () => Readonly<Record<string, { readonly items?: readonly NamedObject[] }>>;
  readonly node: (name: string) => NamedObject['metadata'];
}

interface NamedObject {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
}

/** Serves the objects to `weft` from a file in the folder, which a command may change. */
export function serve(folder: string, served: ServedObjects): Served {
  const file = join(folder, 'cluster.json');
  writeFileSync(file, JSON.stringify(served));
  const objects = () => JSON.parse(readFileSync(file, 'utf8')) as ReturnType<Served['objects']>;
  return {
    weft: (...args) => runWeft(args, { cwd: folder, env: withCluster(file) }),
    objects,
    node(name) {
      const found = objects()['/api/v1/nodes']?.items?.find(({ metadata }) => metadata.name === name);
      if (found === undefined) throw new Error(name);
      return found.metadata;
    },
  };
}
