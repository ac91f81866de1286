import { driverKeys } from '../../../src/shared/contract/labels.js';
import type { ApiClient, LiveObject } from '../bed/api-client.js';
import type { ControlPlane } from '../bed/control-plane.js';
import { applyAll } from '../bed/apply-set.js';
import { foreignCrd } from '../bed/foreign-crds.js';
import { untilRolledOut } from './fleet.js';
import { startOperatorFlow, type OperatorFlow } from './operator-flow.js';

/** The GPU operator as the API server sees it: its driver and validator DaemonSets, and its upgrade controller. */

export const GPU_NAMESPACE = 'gpu-operator';
const DRIVER = 'nvidia-driver-daemonset';
const VALIDATOR = 'nvidia-operator-validator';

export function isGpuDriver({ metadata }: LiveObject): boolean {
  return metadata.labels?.['app'] === DRIVER;
}

/** What the upgrade controller reads: its policy begins no node by itself. */
const CLUSTER_POLICY: LiveObject = {
  apiVersion: 'nvidia.com/v1',
  kind: 'ClusterPolicy',
  metadata: { name: 'cluster-policy' },
  spec: {
    driver: { upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: 0, maxUnavailable: 0, podDeletion: {} } },
  },
};

/** Its CRDs, reduced to names. */
const CRDS = [
  foreignCrd('nvidia.com', 'v1', 'ClusterPolicy', 'clusterpolicies', 'Cluster'),
  foreignCrd('nvidia.com', 'v1alpha1', 'NVIDIADriver', 'nvidiadrivers', 'Cluster'),
  foreignCrd('nvidia.com', 'v1alpha1', 'GPUCluster', 'gpuclusters', 'Cluster'),
];

function daemonSet(name: string, image: string, type: string): LiveObject {
  const labels = { app: name, 'app.kubernetes.io/component': name === DRIVER ? 'nvidia-driver' : name };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: GPU_NAMESPACE, labels },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type },
      template: {
        metadata: { labels },
        spec: {
          tolerations: [{ operator: 'Exists' }],
          automountServiceAccountToken: false,
          containers: [{ name: name === DRIVER ? 'nvidia-driver-ctr' : name, image }],
        },
      },
    },
  };
}

/** Installs the operator with a driver of this version on every node, and waits for its pods. */
export async function installGpuOperator(client: ApiClient, version: string): Promise<void> {
  const metadata = { name: GPU_NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } };
  const { problems } = await applyAll(client, [
    { apiVersion: 'v1', kind: 'Namespace', metadata },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: GPU_NAMESPACE } },
    ...CRDS,
    CLUSTER_POLICY,
    daemonSet(DRIVER, imageOf(version), 'OnDelete'),
    daemonSet(VALIDATOR, 'registry.example.com/validator:1', 'RollingUpdate'),
  ]);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  await untilRolledOut(client, () => true, { namespace: GPU_NAMESPACE });
}

/** Gives the driver DaemonSet another version, as the operator does when its ClusterPolicy changes. */
export async function setGpuDriver(client: ApiClient, version: string): Promise<void> {
  const path = `/apis/apps/v1/namespaces/${GPU_NAMESPACE}/daemonsets/${DRIVER}`;
  const containers = [{ name: 'nvidia-driver-ctr', image: imageOf(version) }];
  await client.ask('PATCH', path, { spec: { template: { spec: { containers } } } }, 'strategic');
}

function imageOf(version: string): string {
  return `registry.example.com/driver:${version}`;
}

/** Nodes without a GPU driver of this version: one line each. */
export async function nodesWithoutGpuDriver(client: ApiClient, version: string): Promise<readonly string[]> {
  const pods = (await client.list(`/api/v1/namespaces/${GPU_NAMESPACE}/pods`)).filter(isGpuDriver);
  return pods.flatMap(({ metadata, spec }) => {
    const { containers, nodeName = '' } = spec as {
      readonly nodeName?: string;
      readonly containers: readonly { readonly image: string }[];
    };
    const image = containers[0]?.image ?? '';
    return image === imageOf(version) && metadata.deletionTimestamp === undefined ? [] : [`${nodeName}: ${image}`];
  });
}

/** Starts its upgrade controller. */
export function startGpuOperator(controlPlane: ControlPlane, workloads: string): OperatorFlow {
  return startOperatorFlow(controlPlane, workloads, {
    keys: driverKeys('gpu'),
    namespace: GPU_NAMESPACE,
    isDriver: isGpuDriver,
    beginsCordoned: true,
  });
}
