import { fullName, selectorLabels } from '../chart-names.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { podField, pullSecrets } from '../../components/pod-parts.js';
import { controllerLabels, imageOf, meta, partLabels, type Parts } from './names.js';
import { accountName } from './rbac.js';

const CONTROLLER = 'maintenance-operator-controller-manager';

/** The operator. */
export function deployment(parts: Parts): KubernetesObject {
  const controller = controllerLabels(parts);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: meta(parts, fullName(parts), { ...partLabels(parts, CONTROLLER), ...controller }),
    spec: {
      replicas: parts.spec.operator.replicas,
      selector: { matchLabels: controller },
      template: {
        metadata: {
          annotations: { 'kubectl.kubernetes.io/default-container': 'manager' },
          labels: { 'app.kubernetes.io/component': CONTROLLER, ...controller },
        },
        spec: podSpec(parts),
      },
    },
  };
}

function filled(fields: Readonly<Record<string, object>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value).length > 0));
}

function podSpec(parts: Parts): object {
  const { operator } = parts.spec;
  const { admissionController, nodeSelector, affinity, tolerations } = operator;
  const secret = { defaultMode: 0o644, secretName: admissionController.certificates.secretNames.operator };
  return {
    priorityClassName: 'system-cluster-critical',
    ...filled({ tolerations, nodeSelector, affinity }),
    ...pullSecrets({ imagePullSecrets: parts.spec.imagePullSecrets.map(({ name }) => name) }),
    securityContext: { runAsNonRoot: true },
    serviceAccountName: accountName(parts),
    terminationGracePeriodSeconds: 10,
    containers: [container(parts)],
    ...(admissionController.enable ? { volumes: [{ name: 'cert', secret }] } : {}),
  };
}

const probe = (path: string, initialDelaySeconds: number, periodSeconds: number) => ({
  httpGet: { path, port: 8081 },
  initialDelaySeconds,
  periodSeconds,
});

function container({ spec, cluster }: Parts): object {
  const { operator } = spec;
  const { enable } = operator.admissionController;
  const { imagePullPolicy } = operator.image;
  const mountPath = '/tmp/k8s-webhook-server/serving-certs';
  return {
    name: 'manager',
    command: ['/manager'],
    args: ['--leader-elect'],
    env: [podField('OPERATOR_NAMESPACE', 'metadata.namespace'), { name: 'ENABLE_WEBHOOKS', value: String(enable) }],
    image: imageOf(spec, cluster),
    ...(imagePullPolicy === undefined ? {} : { imagePullPolicy }),
    livenessProbe: probe('/healthz', 15, 20),
    readinessProbe: probe('/readyz', 5, 10),
    ...(enable ? { ports: [{ containerPort: 9443, name: 'webhook-server', protocol: 'TCP' }] } : {}),
    resources: filled(operator.resources),
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    ...(enable ? { volumeMounts: [{ mountPath, name: 'cert', readOnly: true }] } : {}),
  };
}

/** The webhook that validates NodeMaintenances, and its Service. */
export function webhook(parts: Parts): readonly KubernetesObject[] {
  const { webhookService, operator } = parts.spec;
  const { certificates } = operator.admissionController;
  const { namespace } = parts.cluster;
  const name = fullName(parts, '-webhook-service');
  const path = '/validate-maintenance-nvidia-com-v1alpha1-nodemaintenance';
  const service = { name, namespace, path };
  const injected = { 'cert-manager.io/inject-ca-from': `${namespace}/${fullName(parts, '-serving-cert')}` };
  const { caBundle } = certificates;
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: meta(parts, name, partLabels(parts, 'webhook')),
      spec: { type: webhookService.type, selector: controllerLabels(parts), ports: webhookService.ports },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: {
        name: fullName(parts, '-validating-webhook-configuration'),
        ...(certificates.certManager.enable ? { annotations: injected } : {}),
        labels: selectorLabels(parts),
      },
      webhooks: [
        {
          admissionReviewVersions: ['v1'],
          clientConfig: caBundle === '' ? { service } : { caBundle, service },
          failurePolicy: 'Fail',
          name: 'vnodemaintenance.kb.io',
          rules: [
            {
              apiGroups: ['maintenance.nvidia.com'],
              apiVersions: ['v1alpha1'],
              operations: ['CREATE'],
              resources: ['nodemaintenances'],
            },
          ],
          sideEffects: 'None',
        },
      ],
    },
  ];
}
