import type { BuildContext } from '../component.js';
import type { Instance } from '../../model/config.js';
import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { Container, KubernetesObject, PodSpec } from '../../../shared/kubernetes/types.js';
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
import { CERTIFICATE_SECRET, CONTROLLER } from './names.js';
import type { NvIpamCniSpec } from './schema.js';

const LABELS = { component: CONTROLLER, app: 'nv-ipam', name: CONTROLLER };

/** The Deployment that gives each node its addresses (040-nv-ipam-controller.yaml). */
export function controllerDeployment(
  component: { readonly statusName: string },
  instance: Instance<NvIpamCniSpec>,
  { cluster }: BuildContext,
): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      ...clusterMetadata(CONTROLLER, cluster.namespace, component, LABELS),
      annotations: {
        'kubernetes.io/description': 'This deployment launches the nv-ipam controller for nv-ipam.\n',
      },
    },
    spec: {
      strategy: { type: 'RollingUpdate' },
      replicas: 2,
      selector: { matchLabels: { name: CONTROLLER } },
      template: { metadata: { labels: LABELS }, spec: podSpec(instance) },
    },
  };
}

function podSpec(instance: Instance<NvIpamCniSpec>): PodSpec {
  const { spec } = instance;
  return {
    priorityClassName: 'system-cluster-critical',
    serviceAccountName: CONTROLLER,
    affinity: {
      podAntiAffinity: {
        // Preferred only, so that both replicas also fit on a cluster of one node.
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            podAffinityTerm: {
              labelSelector: { matchExpressions: [{ key: 'name', operator: 'In', values: [CONTROLLER] }] },
              topologyKey: 'kubernetes.io/hostname',
            },
          },
        ],
      },
      nodeAffinity: controlPlaneAffinity(instance),
    },
    tolerations: deploymentTolerations(instance, [GPU_TOLERATION, ...CONTROL_PLANE_TOLERATIONS]),
    ...pullSecrets(spec),
    containers: [container(spec)],
    ...(spec.enableWebhook
      ? { volumes: [{ name: 'cert', secret: { defaultMode: 420, secretName: CERTIFICATE_SECRET } }] }
      : {}),
  };
}

function container(spec: NvIpamCniSpec): Container {
  const health = (path: string) => ({ httpGet: { path, port: 8081 } });
  const mountPath = '/tmp/k8s-webhook-server/serving-certs';
  return {
    name: CONTROLLER,
    image: imageReference(spec),
    imagePullPolicy: 'IfNotPresent',
    command: ['/ipam-controller'],
    args: [
      '--leader-elect=true',
      '--leader-elect-namespace=$(POD_NAMESPACE)',
      '--ippools-namespace=$(POD_NAMESPACE)',
      ...(spec.enableWebhook ? ['--webhook=true'] : []),
    ],
    env: [podField('POD_NAMESPACE', 'metadata.namespace')],
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    livenessProbe: { ...health('/healthz'), initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { ...health('/readyz'), initialDelaySeconds: 5, periodSeconds: 10 },
    ...resourcesOr(spec, CONTROLLER, { requests: { cpu: '100m', memory: '300Mi' } }),
    ...(spec.enableWebhook ? { volumeMounts: [{ mountPath, name: 'cert', readOnly: true }] } : {}),
  };
}
