import {
  COMPANION_NAMES,
  INSTALL_DIGEST_ANNOTATION,
  OFED_DRIVER_LABEL,
  POLICY_KEY,
  REVISION_LABEL,
} from '../../src/shared/contract/labels.js';
import { installDigest } from '../../src/shared/contract/install-digest.js';
import type { UpgradePolicyInput } from '../../src/shared/contract/upgrade-policy.js';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';

const NAMESPACE = 'nno';
const DAEMON_SET = 'mofed';
const START = Date.parse('2026-11-25T00:00:00Z');
/** When plans of tests begin. */
export const AT = new Date('2026-12-01T12:00:00Z');

type OfedDriver = Extract<UpgradePolicyInput['drivers'][number], { kind: 'ofed' }>;

/** A fleet with one driver, of which each node runs the old version. */
export interface Fleet {
  /** What `weft synth` renders for the new version. */
  readonly objects: readonly KubernetesObject[];
  readonly snapshot: { readonly items: readonly Record<string, unknown>[] };
}

interface FleetInput {
  readonly nodes: number;
  readonly podsPerNode?: number;
  readonly upgradePolicy?: OfedDriver['policies'][number]['upgradePolicy'];
  readonly rollout?: UpgradePolicyInput['rollout'];
  /** Parts of the `spec` of each budget, one for each workload; absent: none. */
  readonly budget?: object;
  /** Pods that a node takes. Default: twice as many as it has. */
  readonly places?: number;
}

/** How many pods a workload has. */
const REPLICAS = 10;

export function fleetOf(input: FleetInput): Fleet {
  const { nodes, podsPerNode = 2, budget } = input;
  const names = Array.from({ length: nodes }, (_, index) => `node-${String(index).padStart(4, '0')}`);
  const total = nodes * podsPerNode;
  const workloads = Array.from({ length: Math.ceil(total / REPLICAS) }, (_, index) => `app-${index}`);
  const items: Record<string, unknown>[] = [
    ...names.map((name, index) => nodeOf(name, index, input.places ?? 2 * podsPerNode + 5)),
    daemonSetOf('old', '1'),
    revisionOf('old', 'hash-old'),
    ...names.map(driverPodOf),
    ...workloads.map((name) => replicaSetOf(name, Math.min(REPLICAS, total))),
    ...Array.from({ length: total }, (_, index) =>
      podOf(`app-${index % workloads.length}`, index, names[index % nodes] ?? ''),
    ),
    ...(budget === undefined ? [] : workloads.map((name) => budgetOf(name, budget))),
  ];
  return { objects: rendered(input), snapshot: { items } };
}

function rendered({ upgradePolicy = {}, rollout = {} }: FleetInput): readonly KubernetesObject[] {
  const { metadata, ...rest } = daemonSetOf('new', undefined) as unknown as KubernetesObject;
  const { spec } = rest as unknown as { readonly spec: { readonly template: Parameters<typeof installDigest>[0] } };
  const digest = installDigest(spec.template);
  const daemonSet = { ...rest, metadata: { ...metadata, annotations: { [INSTALL_DIGEST_ANNOTATION]: digest } } };
  const policy: UpgradePolicyInput = {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'UpgradePolicy',
    rollout,
    drivers: [
      {
        kind: 'ofed',
        namespace: NAMESPACE,
        daemonSetSelector: OFED_DRIVER_LABEL,
        podSelector: OFED_DRIVER_LABEL,
        containerName: 'mofed-container',
        policies: [
          {
            name: 'NicClusterPolicy',
            upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: 2, drain: DRAIN, ...upgradePolicy },
            daemonSets: [{ name: DAEMON_SET, digest }],
          },
        ],
      },
    ],
  };
  const { policyConfigMap, cronJob } = COMPANION_NAMES;
  return [
    daemonSet,
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: policyConfigMap },
      data: { [POLICY_KEY]: JSON.stringify(policy) },
    },
    { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: cronJob }, spec: { schedule: '*/10 * * * *' } },
  ];
}

const DRAIN = { enable: true, force: false, timeoutSeconds: 300, deleteEmptyDir: true };

const time = (offsetSeconds: number): string =>
  new Date(START + offsetSeconds * 1000).toISOString().replace('.000', '');

function nodeOf(name: string, index: number, pods: number): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: `uid-${name}`,
      resourceVersion: '1',
      labels: { nic: 'yes', rack: `rack-${index % 4}`, 'kubernetes.io/hostname': name },
    },
    spec: {},
    status: {
      allocatable: { cpu: '64', memory: '256Gi', pods: String(pods) },
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time(0) }],
    },
  };
}

function daemonSetOf(version: string, uid: string | undefined): Record<string, unknown> {
  const labels = { [OFED_DRIVER_LABEL]: '', 'ds-owner': 'NicClusterPolicy' };
  const secrets = { args: ['--password=secret'], env: [{ name: 'A', value: 'secret' }] };
  const containers = [{ name: 'mofed-container', image: `example.com/driver:${version}`, ...secrets }];
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: DAEMON_SET, namespace: NAMESPACE, labels, generation: 1, ...(uid !== undefined && { uid }) },
    spec: {
      selector: { matchLabels: { app: DAEMON_SET } },
      template: {
        metadata: { labels: { ...labels, app: DAEMON_SET } },
        spec: { nodeSelector: { nic: 'yes' }, containers },
      },
    },
    status: { observedGeneration: 1 },
  };
}

function revisionOf(version: string, hash: string): Record<string, unknown> {
  const { spec } = daemonSetOf(version, '1') as { readonly spec: { readonly template: object } };
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${DAEMON_SET}-${hash}`,
      namespace: NAMESPACE,
      labels: { [REVISION_LABEL]: hash },
      ownerReferences: [ownerOf('DaemonSet', DAEMON_SET, '1')],
    },
    revision: 1,
    data: { spec: { template: spec.template } },
  };
}

function ownerOf(kind: string, name: string, uid: string): object {
  return { apiVersion: 'apps/v1', kind, name, uid, controller: true };
}

const READY = [{ type: 'Ready', status: 'True', lastTransitionTime: time(240) }];

function statusOf(name: string): object {
  const containerStatuses = [{ name, ready: true, restartCount: 0, state: { running: { startedAt: time(0) } } }];
  return { phase: 'Running', conditions: READY, containerStatuses };
}

function driverPodOf(nodeName: string): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${DAEMON_SET}-${nodeName}`,
      namespace: NAMESPACE,
      uid: `uid-driver-${nodeName}`,
      creationTimestamp: time(0),
      labels: {
        [OFED_DRIVER_LABEL]: '',
        'ds-owner': 'NicClusterPolicy',
        app: DAEMON_SET,
        [REVISION_LABEL]: 'hash-old',
      },
      ownerReferences: [ownerOf('DaemonSet', DAEMON_SET, '1')],
    },
    spec: { nodeName, containers: [{ name: 'mofed-container', image: 'example.com/driver:old' }] },
    status: statusOf('mofed-container'),
  };
}

function replicaSetOf(name: string, replicas: number): Record<string, unknown> {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, namespace: 'apps', uid: `uid-${name}` },
    spec: { replicas },
  };
}

/** A pod of a workload. */
export function podOf(app: string, index: number, nodeName: string): Record<string, unknown> {
  const resources = { requests: { cpu: '1', memory: '1Gi' } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${app}-pod-${index}`,
      namespace: 'apps',
      uid: `uid-pod-${index}`,
      creationTimestamp: time(0),
      labels: { app },
      annotations: { secret: 'annotation' },
      ownerReferences: [ownerOf('ReplicaSet', app, `uid-${app}`)],
    },
    spec: {
      nodeName,
      containers: [{ name: 'main', image: 'example.com/secret:1', env: [{ name: 'A', value: 'secret' }], resources }],
    },
    status: statusOf('main'),
  };
}

function budgetOf(app: string, spec: object): Record<string, unknown> {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: app, namespace: 'apps' },
    spec: { selector: { matchLabels: { app } }, ...spec },
  };
}
