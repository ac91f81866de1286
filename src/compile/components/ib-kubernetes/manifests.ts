import type { Construct } from 'constructs';
import type { InCluster } from '../../model/cluster-scope.js';
import type { IbKubernetesInput } from '../../model/input.js';
import type { BuildContext, ComponentProps } from '../component.js';
import { ComponentConstruct } from '../component-construct.js';
import type { Instance } from '../../model/config.js';
import type { EnvVar } from '../../model/shapes/pod.js';
import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { KubernetesObject, PodSpec, PolicyRule } from '../../../shared/kubernetes/types.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import {
  clusterRole,
  clusterRoleBinding,
  privilegedOnOpenshift,
  serviceAccount,
} from '../../../shared/kubernetes/rbac.js';
import {
  clusterMetadata,
  CONTROL_PLANE_TOLERATIONS,
  controlPlaneAffinity,
  deploymentTolerations,
  GPU_TOLERATION,
  podField,
  pullSecrets,
  resourcesOr,
} from '../pod-parts.js';
import type { IbKubernetesSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-ib-kubernetes';
export const CONTAINER = 'ib-kubernetes';

const component = { statusName: STATUS_NAME };
const NAME = 'ib-kubernetes';

const RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'patch', 'watch'] },
  {
    apiGroups: ['k8s.cni.cncf.io'],
    resources: ['network-attachment-definitions'],
    verbs: ['get', 'list', 'watch'],
  },
  {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['get', 'list', 'create', 'update', 'patch', 'watch'],
  },
  { apiGroups: [''], resources: ['events'], verbs: ['create'] },
];

type IbInstance = Instance<IbKubernetesSpec>;

/** The props of `IbKubernetes`: its section of a policy, and the cluster. */
export interface IbKubernetesProps extends IbKubernetesInput, InCluster {}

/**
 * ib-kubernetes: a Deployment that configures the subnet manager (UFM) for pods with InfiniBand devices
 * (network-operator b06827e0, manifests/state-ib-kubernetes).
 */
export class IbKubernetes extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: IbKubernetesProps) {
    super(scope, id, 'ib-kubernetes', props);
  }

  /** @internal */
  protected override build({ instances, context }: ComponentProps<IbKubernetesSpec>): void {
    const { namespace, isOpenshift } = context.cluster;
    const metadata = clusterMetadata(NAME, namespace, component);
    const unscoped = clusterMetadata(NAME, undefined, component);
    for (const instance of instances) {
      addObject(this, serviceAccount(metadata));
      for (const object of isOpenshift ? privilegedOnOpenshift(metadata) : []) addObject(this, object);
      addObject(this, clusterRole(unscoped, RULES));
      addObject(this, clusterRoleBinding(unscoped, { name: NAME, namespace }));
      addObject(this, deployment(instance, context));
    }
  }
}

function deployment(instance: IbInstance, { cluster }: BuildContext): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      ...clusterMetadata(NAME, cluster.namespace, component),
      // The text is upstream's: the object must stay equal to the operator's.
      annotations: {
        'kubernetes.io/description': 'This deployment launches the ib-kubernetes daemon for Infiniband CNI.\n',
      },
    },
    spec: {
      progressDeadlineSeconds: 600,
      strategy: { type: 'Recreate' },
      replicas: 1,
      selector: { matchLabels: { name: NAME } },
      template: {
        metadata: { labels: { name: NAME, component: 'network', type: 'infra', 'kubernetes.io/os': 'linux' } },
        spec: podSpec(instance),
      },
    },
  };
}

function podSpec(instance: IbInstance): PodSpec {
  const { spec } = instance;
  return {
    priorityClassName: 'system-cluster-critical',
    serviceAccountName: NAME,
    hostNetwork: true,
    affinity: { nodeAffinity: controlPlaneAffinity(instance) },
    tolerations: deploymentTolerations(instance, [...CONTROL_PLANE_TOLERATIONS, GPU_TOLERATION]),
    ...pullSecrets(spec),
    containers: [
      {
        name: CONTAINER,
        image: imageReference(spec),
        imagePullPolicy: 'IfNotPresent',
        command: ['/ib-kubernetes'],
        ...resourcesOr(spec, CONTAINER, { requests: { cpu: '100m', memory: '300Mi' } }),
        env: environment(spec),
      },
    ],
  };
}

function environment(spec: IbKubernetesSpec): readonly EnvVar[] {
  const required = (key: string): EnvVar => ({
    name: key,
    valueFrom: { secretKeyRef: { name: spec.ufmSecret, key } },
  });
  const optional = (key: string): EnvVar => ({
    name: key,
    valueFrom: { secretKeyRef: { name: spec.ufmSecret, key, optional: true } },
  });
  return [
    podField('K8S_NODE', 'spec.nodeName'),
    podField('POD_NAMESPACE', 'metadata.namespace'),
    podField('POD_UID', 'metadata.uid'),
    { name: 'DAEMON_SM_PLUGIN', value: 'ufm' },
    { name: 'DAEMON_PERIODIC_UPDATE', value: String(spec.periodicUpdateSeconds) },
    { name: 'GUID_POOL_RANGE_START', value: spec.pKeyGUIDPoolRangeStart },
    { name: 'GUID_POOL_RANGE_END', value: spec.pKeyGUIDPoolRangeEnd },
    ...['UFM_USERNAME', 'UFM_PASSWORD', 'UFM_ADDRESS'].map(required),
    ...['UFM_HTTP_SCHEMA', 'UFM_PORT', 'UFM_CERTIFICATE'].map(optional),
  ];
}
