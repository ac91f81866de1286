import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { cniDirectories, podField, pullSecrets } from '../../components/pod-parts.js';
import { imageOfVariable, imagesOf, PULL_SECRETS_VARIABLE, type ImageVariable } from './images.js';
import { meta, type Parts } from './names.js';
import type { SriovSection } from './schema.js';

const text = (name: string, value: string) => ({ name, value });
const secretEnv = (name: string, secret: string) => ({
  name,
  valueFrom: { secretKeyRef: { name: secret, key: 'ca.crt' } },
});

/** The operator's Deployment. As in the chart, its selector has no label of the release. */
export function deployment(parts: Parts): KubernetesObject {
  const { spec } = parts;
  const matchLabels = { name: 'sriov-network-operator' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: meta(parts, spec.fullnameOverride),
    spec: {
      replicas: 1,
      selector: { matchLabels },
      strategy: { type: 'Recreate' },
      template: {
        metadata: { annotations: { 'openshift.io/required-scc': 'restricted-v2' }, labels: matchLabels },
        spec: podSpec(parts),
      },
    },
  };
}

function podSpec(parts: Parts): object {
  const { spec, cluster } = parts;
  const { nodeSelector, affinity, tolerations } = spec.operator;
  return {
    ...(Object.keys(nodeSelector).length > 0 ? { nodeSelector } : {}),
    ...(Object.keys(affinity).length > 0 ? { affinity } : {}),
    ...(tolerations.length > 0 ? { tolerations } : {}),
    serviceAccountName: spec.fullnameOverride,
    priorityClassName: 'system-node-critical',
    ...pullSecrets(spec),
    containers: [
      {
        name: spec.fullnameOverride,
        image: imagesOf(spec, cluster)['operator'],
        command: ['sriov-network-operator'],
        securityContext: {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        resources: { requests: { cpu: '100m', memory: '100Mi' } },
        env: environment(parts),
      },
    ],
  };
}

/** In the order of the chart, because Kubernetes keeps the order. */
function environment(parts: Parts): readonly object[] {
  const { spec, cluster } = parts;
  const { operator, draDriver, imagePullSecrets } = spec;
  const { metricsExporter: exporter } = operator;
  const images = imagesOf(spec, cluster);
  const image = (name: ImageVariable) => text(name, imageOfVariable(images, name));
  return [
    podField('WATCH_NAMESPACE', 'metadata.namespace'),
    image('SRIOV_CNI_IMAGE'),
    image('SRIOV_INFINIBAND_CNI_IMAGE'),
    image('OVS_CNI_IMAGE'),
    image('RDMA_CNI_IMAGE'),
    image('SRIOV_DEVICE_PLUGIN_IMAGE'),
    image('SRIOV_DRA_DRIVER_IMAGE'),
    text('DRA_DRIVER_CDI_ROOT', draDriver.cdiRoot),
    text('DRA_DRIVER_DEFAULT_INTERFACE_PREFIX', draDriver.defaultInterfacePrefix),
    image('NETWORK_RESOURCES_INJECTOR_IMAGE'),
    text('OPERATOR_NAME', 'sriov-network-operator'),
    image('SRIOV_NETWORK_CONFIG_DAEMON_IMAGE'),
    image('SRIOV_NETWORK_WEBHOOK_IMAGE'),
    image('METRICS_EXPORTER_IMAGE'),
    text('METRICS_EXPORTER_PORT', exporter.port),
    text('METRICS_EXPORTER_SECRET_NAME', exporter.certificates.secretName),
    image('METRICS_EXPORTER_KUBE_RBAC_PROXY_IMAGE'),
    ...(operator.externalDrainer.enabled ? [text('USE_EXTERNAL_DRAINER', 'true')] : []),
    ...prometheusEnvironment(exporter.prometheusOperator),
    text('RESOURCE_PREFIX', operator.resourcePrefix),
    // A name without a value, as in the chart: the operator reads empty text.
    imagePullSecrets.length > 0
      ? text(PULL_SECRETS_VARIABLE, imagePullSecrets.join(','))
      : { name: PULL_SECRETS_VARIABLE },
    podField('NAMESPACE', 'metadata.namespace'),
    podField('POD_NAME', 'metadata.name'),
    podField('NODE_NAME', 'spec.nodeName'),
    { name: 'RELEASE_VERSION' },
    text('SRIOV_CNI_BIN_PATH', operator.cniBinPath ?? cniDirectories(cluster).bin),
    text('CLUSTER_TYPE', operator.clusterType ?? cluster.spec.platform),
    text('STALE_NODE_STATE_CLEANUP_DELAY_MINUTES', operator.staleNodeStateCleanupDelayMinutes),
    ...Object.entries(operator.extraEnv)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => text(name, value)),
    text('TLS_CIPHER_SUITES', operator.tls.cipherSuites),
    text('TLS_MIN_VERSION', operator.tls.minVersion),
    text('TLS_CURVE_PREFERENCES', operator.tls.curvePreferences),
    ...webhookEnvironment(operator.admissionControllers),
  ];
}

type Operator = SriovSection['operator'];

function prometheusEnvironment(given: Operator['metricsExporter']['prometheusOperator']): readonly object[] {
  if (!given.enabled) return [];
  const prefix = 'METRICS_EXPORTER_PROMETHEUS';
  return [
    text(`${prefix}_OPERATOR_ENABLED`, 'true'),
    text(`${prefix}_DEPLOY_RULES`, String(given.deployRules)),
    text(`${prefix}_OPERATOR_SERVICE_ACCOUNT`, given.serviceAccount),
    text(`${prefix}_OPERATOR_NAMESPACE`, given.namespace),
  ];
}

function webhookEnvironment(given: Operator['admissionControllers']): readonly object[] {
  if (!given.enabled) return [];
  const { secretNames, certManager } = given.certificates;
  const prefix = 'ADMISSION_CONTROLLERS_CERTIFICATES';
  return [
    text('OPERATOR_WEBHOOK_NETWORK_POLICY_PORT', given.networkPolicy.operator.port),
    text('INJECTOR_WEBHOOK_NETWORK_POLICY_PORT', given.networkPolicy.injector.port),
    text(`${prefix}_OPERATOR_SECRET_NAME`, secretNames.operator),
    text(`${prefix}_INJECTOR_SECRET_NAME`, secretNames.injector),
    ...(certManager.enabled
      ? [text(`${prefix}_CERT_MANAGER_ENABLED`, 'true')]
      : [
          secretEnv(`${prefix}_OPERATOR_CA_CRT`, secretNames.operator),
          secretEnv(`${prefix}_INJECTOR_CA_CRT`, secretNames.injector),
        ]),
  ];
}
