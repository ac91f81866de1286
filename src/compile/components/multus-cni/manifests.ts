import type { Construct } from 'constructs';
import type { InCluster } from '../../model/cluster-scope.js';
import type { MultusCniInput } from '../../model/input.js';
import type { BuildContext, ComponentProps } from '../component.js';
import { ComponentConstruct } from '../component-construct.js';
import { addConfigured, configAnnotation } from '../config-hash.js';
import type { Instance } from '../../model/config.js';
import { jsonConfig, readableJson } from '../../model/shapes/json-text.js';
import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { Container, KubernetesObject, PodSpec, PolicyRule } from '../../../shared/kubernetes/types.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import { ALL_VERBS, clusterRole, clusterRoleBinding, serviceAccount } from '../../../shared/kubernetes/rbac.js';
import { cniDirectories, clusterMetadata, daemonSetTolerations, pullSecrets, resourcesOr } from '../pod-parts.js';
import type { MultusCniSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-multus-cni';
export const CONTAINER = 'kube-multus';

const component = { statusName: STATUS_NAME };
const ACCOUNT = 'multus';
const CONFIG_MAP = 'multus-cni-config';
const APP_LABELS = { tier: 'node', app: 'multus' };
const LABELS = { ...APP_LABELS, name: 'multus' };
const AMOUNTS = { cpu: '100m', memory: '50Mi' };
/**
 * Multus's containers write to directories of root. The operator also sets `privileged` for the pod, which has no such
 * field.
 */
const AS_ROOT = { privileged: true, runAsUser: 0 };

const RULES: readonly PolicyRule[] = [
  {
    apiGroups: ['k8s.cni.cncf.io'],
    resources: ['network-attachment-definitions'],
    verbs: ALL_VERBS,
  },
  { apiGroups: [''], resources: ['pods', 'pods/status'], verbs: ['get', 'update'] },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
  {
    apiGroups: ['resource.k8s.io'],
    resources: ['resourceclaims', 'resourceclaims/status', 'resourceslices'],
    verbs: ['get', 'list'],
  },
];

type MultusInstance = Instance<MultusCniSpec>;

/** The props of `MultusCni`: its section of a policy, and the cluster. */
export interface MultusCniProps extends MultusCniInput, InCluster {}

/** Multus as a thin plugin: a DaemonSet that installs it on every node (network-operator b06827e0, manifests/state-multus-cni). */
export class MultusCni extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: MultusCniProps) {
    super(scope, id, 'multus-cni', props);
  }

  /** @internal */
  protected override build({ instances, context }: ComponentProps<MultusCniSpec>): void {
    const { namespace } = context.cluster;
    const unscoped = clusterMetadata(ACCOUNT, undefined, component);
    for (const instance of instances) {
      addObject(this, clusterRole(unscoped, RULES));
      addObject(this, serviceAccount(clusterMetadata(ACCOUNT, namespace, component)));
      addObject(this, clusterRoleBinding(unscoped, { name: ACCOUNT, namespace }));
      const hasConfig = jsonConfig(instance.spec.config) !== undefined;
      addConfigured(this, hasConfig ? configMap(instance, context) : undefined, daemonSet(instance, context));
    }
  }
}

function configMap({ spec }: MultusInstance, { cluster }: BuildContext): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: clusterMetadata(CONFIG_MAP, cluster.namespace, component, APP_LABELS),
    data: { 'cni-conf.json': readableJson(spec.config) },
  };
}

function daemonSet(instance: MultusInstance, context: BuildContext): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: clusterMetadata('kube-multus-ds', context.cluster.namespace, component, LABELS),
    spec: {
      selector: { matchLabels: { name: LABELS.name } },
      updateStrategy: { type: 'RollingUpdate' },
      template: {
        metadata: {
          labels: LABELS,
          ...configAnnotation(instance.spec),
        },
        spec: podSpec(instance, context),
      },
    },
  };
}

function podSpec(instance: MultusInstance, { cluster }: BuildContext): PodSpec {
  const { spec } = instance;
  const directories = cniDirectories(cluster);
  return {
    hostNetwork: true,
    ...(instance.affinity && { affinity: { nodeAffinity: instance.affinity } }),
    serviceAccountName: ACCOUNT,
    ...pullSecrets(spec),
    tolerations: daemonSetTolerations(instance),
    priorityClassName: 'system-node-critical',
    terminationGracePeriodSeconds: 10,
    initContainers: [installContainer(spec)],
    containers: [multusContainer(spec, directories.network)],
    volumes: [
      { name: 'cninetwork', hostPath: { path: directories.network } },
      { name: 'cnibin', hostPath: { path: directories.bin } },
      ...(jsonConfig(spec.config) === undefined
        ? []
        : [
            {
              name: 'multus-cni-config',
              configMap: { name: CONFIG_MAP, items: [{ key: 'cni-conf.json', path: '00-multus.conf' }] },
            },
          ]),
    ],
  };
}

function installContainer(spec: MultusCniSpec): Container {
  return {
    name: 'install-multus-binary',
    image: imageReference(spec),
    command: ['/install_multus'],
    args: ['--type', 'thin'],
    resources: { requests: { cpu: '10m', memory: '15Mi' } },
    securityContext: AS_ROOT,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [{ name: 'cnibin', mountPath: '/host/opt/cni/bin', mountPropagation: 'Bidirectional' }],
  };
}

function multusContainer(spec: MultusCniSpec, networkDirectory: string): Container {
  const hasConfig = jsonConfig(spec.config) !== undefined;
  return {
    name: CONTAINER,
    image: imageReference(spec),
    command: ['/thin_entrypoint'],
    args: [
      `--multus-conf-file=${hasConfig ? '/tmp/multus-conf/00-multus.conf' : 'auto'}`,
      '--multus-autoconfig-dir=/host/etc/cni/net.d',
      '--cni-conf-dir=/host/etc/cni/net.d',
      '--cleanup-config-on-exit',
      '--skip-config-watch',
      '--cni-bin-dir=/host/opt/cni/bin',
      `--multus-kubeconfig-file-host=${networkDirectory}/multus.d/multus.kubeconfig`,
    ],
    ...resourcesOr(spec, CONTAINER, { requests: AMOUNTS, limits: AMOUNTS }),
    securityContext: AS_ROOT,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: 'cninetwork', mountPath: '/host/etc/cni/net.d' },
      { name: 'cnibin', mountPath: '/host/opt/cni/bin' },
      ...(hasConfig ? [{ name: 'multus-cni-config', mountPath: '/tmp/multus-conf' }] : []),
    ],
  };
}
