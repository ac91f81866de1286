import { COMPANION_NAMES } from '../../src/shared/contract/labels.js';
import { liveItems } from '../plan/input-folder.js';
import { gpuDriver } from '../kit/gpu-drivers.js';
import { sriovDriver } from '../kit/shared-nodes.js';
import { listOf, servedCluster, servedOfed, SRIOV_STATES_PATH, type ServedObjects } from '../kit/served-cluster.js';

/** Objects of clusters, whole enough that each reader reads each of its fields. */

const NFD = 'feature.node.kubernetes.io';
const NAMESPACE = 'nvidia-network-operator';
const TIME = '2026-11-20T00:00:00Z';
const SELECTOR = { matchLabels: { app: 'db' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['a'] }] };
const NODE_TERMS = [{ matchExpressions: [{ key: 'rack', operator: 'In', values: ['rack-0', 'rack-1'] }] }];

const POD_SPEC = {
  nodeName: 'node-0000',
  nodeSelector: { rack: 'rack-0' },
  hostNetwork: true,
  terminationGracePeriodSeconds: 5,
  overhead: { cpu: '10m' },
  tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule', tolerationSeconds: 3 }],
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: NODE_TERMS } },
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: SELECTOR, topologyKey: 'rack', namespaces: ['apps'], namespaceSelector: SELECTOR },
      ],
    },
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: SELECTOR, topologyKey: 'kubernetes.io/hostname', matchLabelKeys: ['app'] },
      ],
    },
  },
  topologySpreadConstraints: [
    {
      ...{ maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule', labelSelector: SELECTOR },
      ...{ minDomains: 1, matchLabelKeys: ['app'], nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Ignore' },
    },
  ],
  volumes: [
    { name: 'scratch', emptyDir: {} },
    { name: 'data', persistentVolumeClaim: { claimName: 'data-0' } },
  ],
  initContainers: [{ name: 'init', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } }],
  containers: [
    {
      ...{ name: 'db', image: 'example.com/db:1', ports: [{ hostPort: 5000, containerPort: 5000, protocol: 'TCP' }] },
      resources: { requests: { cpu: '500m', memory: '1Gi', 'nvidia.com/gpu': '1' }, limits: { 'nvidia.com/gpu': '1' } },
      env: [{ name: 'DRIVER_CONFIG_DIGEST', value: 'x' }],
    },
  ],
  resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu-0' }],
};

const owner = (kind: string, name: string) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: `uid-${name}`, controller: true }],
});
const metadata = (name: string, more: object = {}) => ({
  ...{ name, namespace: 'apps', uid: `uid-${name}`, resourceVersion: '5', creationTimestamp: TIME, generation: 1 },
  ...{ labels: { app: 'db', tier: 'a' }, annotations: { note: 'x' } },
  ...more,
});

/** A list for `weft plan --snapshot`. */
export function snapshotItems(): object {
  const status = {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: TIME }],
    containerStatuses: [
      { name: 'db', ready: true, restartCount: 0, state: { running: { startedAt: TIME } } },
      { name: 'ended', ready: false, state: { terminated: { finishedAt: TIME }, waiting: { reason: 'Error' } } },
    ],
    initContainerStatuses: [{ name: 'init', ready: true, state: { terminated: { finishedAt: TIME } } }],
  };
  const deleting = { deletionTimestamp: TIME, finalizers: ['example.com/keep'] };
  const [node, ...others] = liveItems();
  const taints = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule', timeAdded: TIME }];
  const objects = [
    { ...node, spec: { unschedulable: true, taints } },
    { kind: 'Pod', metadata: metadata('db-0', owner('StatefulSet', 'db')), spec: POD_SPEC, status },
    { kind: 'Pod', metadata: metadata('db-1', { ...owner('StatefulSet', 'db'), ...deleting }), spec: POD_SPEC, status },
    { kind: 'Pod', metadata: metadata('train-0', owner('Job', 'train')), spec: { nodeName: 'node-0001' }, status },
    { kind: 'StatefulSet', metadata: metadata('db'), spec: { replicas: 2 } },
    { kind: 'Job', metadata: metadata('train'), spec: { parallelism: 1, completions: 3 } },
    {
      ...{ kind: 'PodDisruptionBudget', metadata: metadata('db') },
      spec: { selector: SELECTOR, maxUnavailable: '50%', unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      status: { disruptionsAllowed: 1 },
    },
    { kind: 'PersistentVolumeClaim', metadata: metadata('data-0'), spec: { volumeName: 'pv-0' } },
    {
      ...{ kind: 'PersistentVolume', metadata: metadata('pv-0') },
      spec: { nodeAffinity: { required: { nodeSelectorTerms: NODE_TERMS } } },
    },
    {
      kind: 'ConfigMap',
      metadata: metadata(COMPANION_NAMES.statusConfigMap, { annotations: { 'weft.dev/paused': 'false' } }),
      data: { 'status.json': '{}' },
    },
  ];
  return { apiVersion: 'v1', kind: 'List', items: [...objects, ...others] };
}

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'a',
    labels: {
      ...{ [`${NFD}/pci-15b3.present`]: 'true', [`${NFD}/kernel-version.full`]: '6.8.0-31-generic' },
      ...{ [`${NFD}/system-os_release.ID`]: 'ubuntu', [`${NFD}/system-os_release.VERSION_ID`]: '24.04' },
      'kubernetes.io/arch': 'amd64',
    },
  },
  spec: { taints: [{ key: 'dedicated', value: 'hpc', effect: 'NoSchedule' }] },
  status: { nodeInfo: { containerRuntimeVersion: 'containerd://1.7.27' } },
};

/** A list for `weft pools`. */
export function nodeList(): object {
  const other = { ...NODE, metadata: { ...NODE.metadata, name: 'b' }, spec: { taints: [] } };
  return { apiVersion: 'v1', kind: 'List', items: [NODE, other] };
}

const custom = (kind: string, name: string, spec: object, more: object = {}) => ({
  ...{ apiVersion: 'mellanox.com/v1alpha1', kind, metadata: { name, uid: name, generation: 2, ...more }, spec },
});

/** A list for `weft import`. */
export function operatorItems(): object {
  const env = [
    { name: 'CNI_BIN_DIR', value: '/var/lib/cni' },
    { name: 'OFED_INIT_CONTAINER_IMAGE', value: 'nvcr.io/nvidia/mellanox/init:network-operator-v26.4.1' },
  ];
  const containers = [{ name: 'manager', image: 'nvcr.io/nvidia/cloud-native/network-operator:v26.4.1', env }];
  const labels = { 'control-plane': 'nvidia-network-operator-controller', 'app.kubernetes.io/instance': 'prod' };
  const image = { image: 'doca-driver', repository: 'nvcr.io/nvidia/mellanox', version: 'doca3.4.1-26.04-1.1.0.0-1' };
  const ipam = '{"type": "whereabouts", "range": "10.0.0.0/24"}';
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      NODE,
      {
        ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
        metadata: { name: 'controller-manager', namespace: NAMESPACE, labels, annotations: { note: 'x' } },
        spec: { replicas: 1, template: { metadata: { labels }, spec: { containers } } },
      },
      custom('NicClusterPolicy', 'nic-cluster-policy', {
        ofedDriver: { ...image, certConfig: { name: 'corp-ca' }, env: [{ name: 'A', value: 'b' }] },
        rdmaSharedDevicePlugin: {
          config: '{"configList": [{"resourceName": "a", "rdmaHcaMax": 63, "selectors": {"vendors": ["15b3"]}}]}',
        },
        tolerations: [{ key: 'dedicated', operator: 'Exists' }],
      }),
      custom('MacvlanNetwork', 'net', { master: 'ens1', mode: 'bridge', mtu: 1500, ipam, networkNamespace: 'default' }),
      custom('HostDeviceNetwork', 'dev', { resourceName: 'rdma', ipam }),
      custom(
        'NicNodePolicy',
        'node',
        { nodeSelector: { a: 'b' } },
        { labels: { a: 'b' }, managedFields: [{ manager: 'm' }] },
      ),
      {
        ...{ apiVersion: 'nv-ipam.nvidia.com/v1alpha1', kind: 'IPPool' },
        metadata: { name: 'rdma', namespace: NAMESPACE, finalizers: ['x'], labels: { a: 'b' }, ...owner('Kind', 'x') },
        spec: {
          subnet: '10.0.0.0/24',
          perNodeBlockSize: 8,
          gateway: '10.0.0.1',
          exclusions: [{ startIP: '10.0.0.2', endIP: '10.0.0.3' }],
        },
      },
      {
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'corp-ca', namespace: NAMESPACE } },
        data: { 'root.crt': '' },
      },
    ],
  };
}

/** The text in the status ConfigMap of the companion, under the path of its value. */
export const STATUS = '@status';
const STATUS_OF_COMPANION = { run: 'x', policyHash: 'y', waiting: [], moreWaiting: 0, problems: [] };

/** What a cluster serves to `weft status`, by path. */
export function servedObjects(): ServedObjects {
  const cluster = servedCluster([servedOfed({ drain: { enable: true, force: true } }), gpuDriver(), sriovDriver()], {
    a: { states: { ofed: 'upgrade-required', 'weft-sriov': 'drain-required' }, ofed: 'old' },
    b: { isCordoned: true, gpu: 'old' },
  });
  return { ...cluster, ...discovery(), ...customResources(), [STATUS]: STATUS_OF_COMPANION };
}

function discovery(): ServedObjects {
  const resources = (...all: readonly (readonly [string, string])[]) => ({
    resources: all.map(([name, kind]) => ({ name, kind, namespaced: true })),
  });
  const served: ServedObjects = {
    '/apis/apps/v1': resources(['daemonsets', 'DaemonSet'], ['deployments', 'Deployment']),
    '/apis/nvidia.com/v1': resources(['clusterpolicies', 'ClusterPolicy']),
    '/apis/sriovnetwork.openshift.io/v1': resources(['sriovnetworknodestates', 'SriovNetworkNodeState']),
    '/apis/k8s.cni.cncf.io/v1': resources(['network-attachment-definitions', 'NetworkAttachmentDefinition']),
    '/apis/batch/v1': resources(['jobs', 'Job']),
    '/apis/rbac.authorization.k8s.io/v1': resources(['roles', 'Role']),
  };
  const groups = Object.keys(served).map((path) => {
    const [, , name = '', version = ''] = path.split('/');
    return { name, versions: [{ version }], preferredVersion: { version } };
  });
  return { ...served, '/api/v1': resources(['configmaps', 'ConfigMap'], ['services', 'Service']), '/apis': { groups } };
}

function customResources(): ServedObjects {
  const annotations = {
    'sriovnetwork.openshift.io/desired-state': 'Drain_Required',
    'sriovnetwork.openshift.io/current-state': 'Idle',
  };
  const state = {
    metadata: { name: 'a', namespace: 'sriov', uid: 'u', resourceVersion: '1', generation: 1, annotations },
    spec: { interfaces: [{ vfGroups: [{ resourceName: 'vfs' }] }] },
    status: { syncStatus: 'Succeeded', lastSyncError: '' },
  };
  const upgradePolicy = {
    ...{ autoUpgrade: true, maxParallelUpgrades: 1, maxUnavailable: '25%', drain: { enable: true } },
    ...{ podDeletion: { force: true }, waitForCompletion: { podSelector: 'a=b', timeoutSeconds: 3 } },
  };
  const policy = {
    metadata: { name: 'gpu' },
    spec: { driver: { upgradePolicy }, sandboxWorkloads: { enabled: true } },
  };
  const labels = { 'nvidia.network-operator.state': 'state-macvlan' };
  const network = {
    metadata: { name: 'n', namespace: 'default', labels, ...owner('MacvlanNetwork', 'n') },
    spec: { config: '{}' },
  };
  return {
    [SRIOV_STATES_PATH]: listOf(state),
    '/apis/nvidia.com/v1/clusterpolicies': listOf(policy),
    '/apis/k8s.cni.cncf.io/v1/network-attachment-definitions': listOf(network),
  };
}
