import {
  driverKeys,
  OFED_DRIVER_CONTAINER,
  OFED_GATE_LABEL,
  INSTALL_DIGEST_ANNOTATION,
} from '../../src/contract/labels.js';
import { upgradePolicyHash, upgradePolicySchema, type UpgradePolicyInput } from '../../src/contract/upgrade-policy.js';
import { clusterText, compile, policyText } from '../golden/compile.js';
import type { LiveObject } from './api-client.js';
import { applyOrder } from './apply-order.js';
import { applyAll } from './apply-set.js';
import { judge, type PodPlace, type Verdict } from './audit.js';
import { companionAccess, policyConfigMap } from './companion-objects.js';
import { companionStarter, type CompanionOptions, type CompanionProcess } from './companion-process.js';
import type { ControlPlane } from './control-plane.js';
import { DRIVER_LABEL, driverFiles, isDriver, isReady, NAMESPACE, nodeOf, nodesOf, untilRolledOut } from './fleet.js';
import { until } from './guarded-process.js';
import { startKubelets, type SimulatedKubelets } from './simulated-kubelets.js';
import { seed, startTestBed } from './test-bed.js';

const KERNEL = '6.8.0-31-generic';
const VERSIONS = ['doca3.2.0-25.10-1.2.8.0-2', 'doca3.3.0-26.01-1.0.0.0-0', 'doca3.4.0-26.04-1.0.0.0-0'] as const;
const WORKLOADS = 'work';

type DriverInput = UpgradePolicyInput['drivers'][number];

/** A fleet whose drivers are to be upgraded, and the companion that does it. */
export interface UpgradeBed {
  readonly controlPlane: ControlPlane;
  readonly kubelets: SimulatedKubelets;
  /** Starts the companion for the policy that was applied last. */
  readonly start: (options?: CompanionOptions) => CompanionProcess;
  /** Applies the next driver version as GitOps would, and the policy for it. */
  readonly nextVersion: () => Promise<void>;
  /** What the companion did so far. */
  readonly judge: () => Verdict;
  /** Nodes that do not have the version that was applied last, ready and uncordoned: one line each. */
  readonly behind: () => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

export interface UpgradeBedOptions {
  readonly nodes: number;
  /** Pods of a Deployment with a budget, for each node. */
  readonly podsPerNode: number;
  readonly upgradePolicy: Extract<DriverInput, { api: 'network-operator' }>['policies'][number]['upgradePolicy'];
  readonly rollout?: DriverInput['rollout'];
  /** How long a new driver takes to load, at most. Default: 200. */
  readonly loadMsMax?: number;
}

/** Starts a control plane with the first driver version on every node, workloads, and the companion's rights. */
export async function startUpgradeBed(name: string, options: UpgradeBedOptions): Promise<UpgradeBed> {
  const controlPlane = await startTestBed(name);
  const { client } = controlPlane;
  const kubelets = startKubelets(client, {
    seed: seed(),
    filesOf: driverFiles,
    ignoresTermination: isDriver,
    // Ten minutes of grace are a second and a half.
    graceSpeed: 400,
    ...(options.loadMsMax !== undefined && { delayMsMax: options.loadMsMax }),
  });
  const nodes = nodesOf({ name: 'node', count: options.nodes, os: 'ubuntu', osVersion: '24.04', kernel: KERNEL });
  for (const node of nodes) await kubelets.addNode(node);
  const places = new Map<string, PodPlace>();
  const stopWatch = client.watch('/api/v1/pods', (_type, pod) => {
    const node = nodeOf(pod);
    if (node !== '')
      places.set(`${pod.metadata.namespace ?? ''}/${pod.metadata.name}`, { node, isDriver: isDriver(pod) });
  });
  let versionIndex = -1;
  let policyHash = '';

  async function applyNext(): Promise<void> {
    const { objects, policy } = render(VERSIONS[++versionIndex % VERSIONS.length] ?? '', options);
    const all = [...applyOrder('Argo CD', objects), ...(versionIndex === 0 ? companionAccess() : [])];
    const { problems } = await applyAll(client, [...all, policyConfigMap(policy)]);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    policyHash = upgradePolicyHash(upgradePolicySchema.parse(policy));
  }
  await applyNext();
  await untilRolledOut(client, isReady);
  await applyWorkloads(client, options.nodes * options.podsPerNode);
  const start = await companionStarter(controlPlane);
  return {
    controlPlane,
    kubelets,
    start: ({ env, ...rest } = {}) => start({ ...rest, env: { WEFT_POLICY_HASH: policyHash, ...env } }),
    nextVersion: applyNext,
    judge: () => judge(controlPlane, (pod) => places.get(pod)),
    behind: () => nodesBehind(client, VERSIONS[versionIndex % VERSIONS.length] ?? ''),
    async stop() {
      stopWatch();
      kubelets.stop();
      await controlPlane.stop();
    },
  };
}

function render(
  version: string,
  options: UpgradeBedOptions,
): { objects: readonly LiveObject[]; policy: UpgradePolicyInput } {
  const files = {
    'cluster.yaml': clusterText(`  release: v26.7
  nodeFeatureDiscovery: {rules: false}
  nodePools:
    - {name: nodes, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: ${KERNEL}}
`),
    'policy.yaml': policyText(
      'NicClusterPolicy',
      'nic-cluster-policy',
      `  ofedDriver: {version: ${version}}\n  rdmaSharedDevicePlugin: {}\n`,
    ),
  };
  const { placed, diagnostics } = compile(files);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const objects = placed.map(({ object }): LiveObject => object);
  const daemonSets = objects
    .filter(({ kind, metadata }) => kind === 'DaemonSet' && metadata.labels?.[DRIVER_LABEL] !== undefined)
    .map(({ metadata }) => ({
      name: metadata.name,
      digest: metadata.annotations?.[INSTALL_DIGEST_ANNOTATION] ?? '',
    }));
  const driver: DriverInput = {
    ...{ api: 'network-operator', labelPrefix: 'ofed', namespace: NAMESPACE },
    ...{ daemonSetSelector: DRIVER_LABEL, podSelector: DRIVER_LABEL, containerName: OFED_DRIVER_CONTAINER },
    controllerPodSelector: 'app.kubernetes.io/name=network-operator',
    gate: { kind: 'ready-file', label: OFED_GATE_LABEL, podSelectors: ['app=rdma-shared-dp'] },
    ...(options.rollout !== undefined && { rollout: options.rollout }),
    policies: [{ name: 'NicClusterPolicy', upgradePolicy: options.upgradePolicy, daemonSets }],
  };
  return { objects, policy: { apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy', drivers: [driver] } };
}

/** A Deployment of pods that may be evicted, a fifth of them at a time. */
async function applyWorkloads(client: ControlPlane['client'], replicas: number): Promise<void> {
  const labels = { app: 'web' };
  const allowed = { 'pod-security.kubernetes.io/enforce': 'privileged' };
  const container = { name: 'web', image: 'registry.example.com/web:1' };
  const { problems } = await applyAll(client, [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: WORKLOADS, labels: allowed } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: WORKLOADS },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 1, containers: [container] } },
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: WORKLOADS },
      spec: { maxUnavailable: '20%', selector: { matchLabels: labels } },
    },
  ]);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  await until('the workloads run', async () => {
    const pods = await client.list(`/api/v1/namespaces/${WORKLOADS}/pods`);
    return pods.length === replicas && pods.every(isReady) ? true : undefined;
  });
}

async function nodesBehind(client: ControlPlane['client'], version: string): Promise<readonly string[]> {
  const pods = (await client.list(`/api/v1/namespaces/${NAMESPACE}/pods`)).filter(isDriver);
  const nodes = await client.list('/api/v1/nodes');
  return nodes.flatMap(({ metadata, spec }) => {
    const images = pods
      .filter((pod) => nodeOf(pod) === metadata.name && isReady(pod))
      .map((pod) => (pod['spec'] as { containers: readonly { image: string }[] }).containers[0]?.image ?? '');
    const { unschedulable } = spec as { readonly unschedulable?: boolean };
    const state = metadata.labels?.[driverKeys('ofed').state] ?? '';
    const isDone =
      images.some((image) => image.includes(version)) && unschedulable !== true && state === 'upgrade-done';
    return isDone
      ? []
      : [`${metadata.name}: ${state}, ${unschedulable === true ? 'cordoned' : 'open'}, ${images.join()}`];
  });
}
