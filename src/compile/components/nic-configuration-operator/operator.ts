import type { BuildContext } from '../component.js';
import type { Instance } from '../../model/config.js';
import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { Container, KubernetesObject, PodSpec } from '../../../shared/kubernetes/types.js';
import {
  clusterMetadata,
  CONTROL_PLANE_TOLERATIONS,
  controlPlaneAffinity,
  deploymentTolerations,
  environment,
  GPU_TOLERATION,
  pullSecrets,
  visible,
} from '../pod-parts.js';
import { OPERATOR } from './names.js';
import { resourcesOf } from './resources.js';
import type { NicConfigurationOperatorSpec } from './schema.js';

const CONTAINER = 'manager';

/** The operator that makes NicDevices of templates and drains nodes for them (060-operator.yaml). */
export function operatorDeployment(
  component: { readonly statusName: string },
  instance: Instance<NicConfigurationOperatorSpec>,
  { cluster }: BuildContext,
): KubernetesObject {
  const labels = { 'app.kubernetes.io/component': OPERATOR };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: clusterMetadata(OPERATOR, cluster.namespace, component, labels),
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'kubectl.kubernetes.io/default-container': CONTAINER } },
        spec: podSpec(instance),
      },
    },
  };
}

function podSpec(instance: Instance<NicConfigurationOperatorSpec>): PodSpec {
  const { spec } = instance;
  const claimName = spec.nicFirmwareStorage?.pvcName;
  return {
    priorityClassName: 'system-cluster-critical',
    tolerations: deploymentTolerations(instance, [...CONTROL_PLANE_TOLERATIONS, GPU_TOLERATION]),
    affinity: { nodeAffinity: controlPlaneAffinity(instance) },
    ...pullSecrets(spec.operator),
    securityContext: { fsGroup: 65532, runAsNonRoot: true },
    serviceAccountName: OPERATOR,
    terminationGracePeriodSeconds: 10,
    containers: [container(spec)],
    ...(claimName === undefined ? {} : { volumes: [{ name: 'firmware-cache', persistentVolumeClaim: { claimName } }] }),
  };
}

function container(spec: NicConfigurationOperatorSpec): Container {
  const health = (path: string) => ({ httpGet: { path, port: 8081 } });
  return {
    name: CONTAINER,
    command: ['/manager'],
    image: imageReference(spec.operator),
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    env: visible([{ name: 'LOG_LEVEL', value: spec.logLevel }, ...environment(spec.env ?? [])]),
    livenessProbe: { ...health('/healthz'), initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { ...health('/readyz'), initialDelaySeconds: 5, periodSeconds: 10 },
    ...resourcesOf(spec, OPERATOR, {
      limits: { cpu: '1000m', memory: '5Gi' },
      requests: { cpu: '100m', memory: '256Mi' },
    }),
    ...(spec.nicFirmwareStorage
      ? { volumeMounts: [{ name: 'firmware-cache', mountPath: '/nic-firmware', readOnly: false }] }
      : {}),
  };
}
