import type { Construct } from 'constructs';
import { cniDirectories, podField, pullSecrets } from '../../components/pod-parts.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import { clusterRole, clusterRoleBinding, serviceAccount } from '../../../shared/kubernetes/rbac.js';
import type { KubernetesObject, ObjectMeta, PolicyRule, StringMap } from '../../../shared/kubernetes/types.js';
import type { Cluster } from '../../model/config.js';
import type { WhereaboutsInput } from '../../model/input.js';
import type { AddOnProps } from '../add-on.js';
import { AddOnConstruct, type DeployedInCluster } from '../add-on-construct.js';
import type { WhereaboutsSection, WhereaboutsSpec } from './schema.js';

/** Objects and their names as in k8snetworkplumbingwg/whereabouts v0.9.4, doc/crds. */
const NAME = 'whereabouts';
const CONFIG = 'whereabouts-config';
const SCHEDULE_KEY = 'cron-expression';

/** The directory of the node that the plugin knows (whereabouts v0.9.4, pkg/config/config.go `GetFlatIPAM`). */
const CNI_CONFIGURATION = '/etc/cni/net.d';

/** The props of `Whereabouts`: its section of the Cluster document, and the cluster. */
export interface WhereaboutsProps extends Omit<WhereaboutsInput, 'deploy'>, DeployedInCluster {}

/** whereabouts, if it is deployed. */
export class Whereabouts extends AddOnConstruct {
  constructor(scope: Construct, id: string, props: WhereaboutsProps) {
    super(scope, id, 'whereabouts', props);
  }

  /** @internal */
  protected override build({ spec, cluster }: AddOnProps<WhereaboutsSpec>): void {
    if (!spec.deploy) return;
    const namespace = spec.namespaceOverride || cluster.namespace;
    const parts: Parts = { spec, cluster, of: (name, labels) => ({ name, namespace, ...(labels && { labels }) }) };
    const objects = [
      ...accountAndRights(parts, namespace),
      daemonSet(parts),
      ...(spec.reconciler.enabled ? reconciler(parts) : []),
      ...(spec.nodeSliceController.enabled ? [nodeSliceController(parts)] : []),
    ];
    for (const object of objects) addObject(this, object);
  }
}

interface Parts {
  readonly spec: WhereaboutsSection;
  readonly cluster: Cluster;
  /** Metadata of an object in the namespace. */
  readonly of: (name: string, labels?: StringMap) => ObjectMeta;
}

const READ = ['get', 'list', 'watch'];
const RULES: readonly PolicyRule[] = [
  {
    apiGroups: ['whereabouts.cni.cncf.io'],
    resources: ['ippools', 'overlappingrangeipreservations', 'nodeslicepools'],
    verbs: [...READ, 'create', 'update', 'patch', 'delete'],
  },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['*'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch', 'get'] },
  { apiGroups: [''], resources: ['nodes'], verbs: READ },
  { apiGroups: ['k8s.cni.cncf.io'], resources: ['network-attachment-definitions'], verbs: READ },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update', 'get'] },
];

function accountAndRights({ of }: Parts, namespace: string): readonly KubernetesObject[] {
  return [
    serviceAccount(of(NAME)),
    clusterRole({ name: 'whereabouts-cni' }, RULES),
    clusterRoleBinding({ name: NAME }, { name: NAME, namespace }, 'whereabouts-cni'),
  ];
}

const NODE = podField('NODENAME', 'spec.nodeName');
const NAMESPACE = podField('WHEREABOUTS_NAMESPACE', 'metadata.namespace');

type Placed = Pick<WhereaboutsSection, 'nodeSelector' | 'affinity' | 'tolerations'>;

function podSpec({ spec }: Parts, { nodeSelector, affinity, tolerations }: Placed, more: object): object {
  const given = {
    nodeSelector,
    affinity,
    tolerations,
    ...pullSecrets(spec),
  };
  const filled = Object.entries(given).filter(([, value]) => Object.keys(value).length > 0);
  return { serviceAccountName: NAME, ...Object.fromEntries(filled), ...more };
}

/**
 * The mounts at which the programs expect directories of the nodes. The plugin looks for its files in this directory of the node
 * and in no other, wherever the container runtime has its CNI configuration, so its pods write them there.
 */
function cniMounts({ cluster }: Parts) {
  return {
    volumeMounts: [
      { name: 'cnibin', mountPath: '/host/opt/cni/bin' },
      { name: 'cni-net-dir', mountPath: '/host/etc/cni/net.d' },
    ],
    volumes: [
      { name: 'cnibin', hostPath: { path: cniDirectories(cluster).bin } },
      { name: 'cni-net-dir', hostPath: { path: CNI_CONFIGURATION } },
    ],
  };
}

/** The DaemonSet installs the plugin, renews its credentials, and releases addresses of deleted pods. */
function daemonSet(parts: Parts): KubernetesObject {
  const { spec } = parts;
  const { volumeMounts, volumes } = cniMounts(parts);
  const script = [
    'SLEEP=false source /install-cni.sh',
    '/token-watcher.sh &',
    `/ip-control-loop -log-level ${spec.logLevel}`,
    '',
  ];
  const container = {
    name: NAME,
    command: ['/bin/sh'],
    args: ['-c', script.join('\n')],
    image: spec.image,
    env: [NODE, NAMESPACE],
    resources: spec.resources,
    securityContext: { privileged: true },
    volumeMounts,
  };
  const labels = { tier: 'node', app: NAME };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: parts.of(NAME, labels),
    spec: {
      selector: { matchLabels: { name: NAME } },
      updateStrategy: { type: 'RollingUpdate' },
      template: {
        metadata: { labels: { ...labels, name: NAME } },
        spec: podSpec(parts, spec, { hostNetwork: true, containers: [container], volumes }),
      },
    },
  };
}

/** There is no leader election, so there is one pod, and never two during a replacement. */
function deployment(parts: Parts, name: string, labels: StringMap, spec: object): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: parts.of(name, labels),
    spec: {
      replicas: 1,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: { name } },
      template: { metadata: { labels: { ...labels, name } }, spec },
    },
  };
}

function reconciler(parts: Parts): readonly KubernetesObject[] {
  const { spec, of } = parts;
  const name = 'whereabouts-reconciler';
  const volume = 'cron-scheduler-configmap';
  const container = {
    name,
    command: ['/ip-reconciler'],
    args: ['-log-level', spec.logLevel],
    image: spec.image,
    env: [NAMESPACE],
    resources: spec.reconciler.resources,
    volumeMounts: [{ name: volume, mountPath: '/cron-schedule' }],
  };
  const configMap = { name: CONFIG, defaultMode: 0o744, items: [{ key: SCHEDULE_KEY, path: 'config' }] };
  const pod = podSpec(parts, spec.reconciler, { containers: [container], volumes: [{ name: volume, configMap }] });
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: of(CONFIG),
      data: { [SCHEDULE_KEY]: spec.reconciler.schedule },
    },
    deployment(parts, name, { tier: 'node', app: name }, pod),
  ];
}

function nodeSliceController(parts: Parts): KubernetesObject {
  const { spec } = parts;
  const name = 'whereabouts-controller';
  const { volumeMounts, volumes } = cniMounts(parts);
  const container = {
    name: NAME,
    command: ['/node-slice-controller'],
    image: spec.image,
    env: [NODE, NAMESPACE],
    resources: spec.nodeSliceController.resources,
    volumeMounts,
  };
  return deployment(
    parts,
    name,
    { app: name },
    podSpec(parts, spec.nodeSliceController, { containers: [container], volumes }),
  );
}
