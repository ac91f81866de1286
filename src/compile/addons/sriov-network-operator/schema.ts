import * as z from 'zod';
import { sriovDrain } from '../../../shared/contract/operator-upgrade-policy.js';
import { labelMap, labelValue } from '../../../shared/kubernetes/fields.js';
import { imageText } from '../../model/shapes/text.js';
import { nameOf } from '../../model/shapes/object-name.js';
import { addOnSection } from '../add-on.js';
import { nameOrNone, objectName, placement, portText, releaseName } from '../shapes.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

/**
 * The section has the names and the defaults of the operator's chart (network-operator b06827e0, deployment/network-operator
 * values.yaml, with the sub-chart sriov-network-operator 0.1.0).
 */
const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const PCI_IDS = /^[0-9a-f]{4} [0-9a-f]{4} [0-9a-f]{4}$/;

const metricsExporter = () =>
  strictObject(() => ({
    port: portText.default('9110').describe('Port of the exporter.'),
    certificates: strictObject(() => ({
      secretName: nameOf('Secret', objectName)
        .default('metrics-exporter-cert')
        .describe('Secret with its certificate.'),
    }))
      .prefault({})
      .describe('Certificate of the exporter.'),
    prometheusOperator: strictObject(() => ({
      enabled: z.boolean().default(false).describe('Let the operator make a ServiceMonitor.'),
      serviceAccount: objectName.default('prometheus-k8s').describe('ServiceAccount of Prometheus.'),
      namespace: objectName.default('monitoring').describe('Namespace of that ServiceAccount.'),
      deployRules: z.boolean().default(false).describe('Let the operator make PrometheusRules.'),
    }))
      .prefault({})
      .describe('What it makes for the Prometheus Operator.'),
  }))
    .prefault({})
    .describe('The metrics exporter, which the feature gate `metricsExporter` turns on.');

const webhookPort = () =>
  strictObject(() => ({ port: portText.default('6443').describe('Port of the API server.') }))
    .prefault({})
    .describe('Its NetworkPolicy.');

const admissionControllers = () =>
  strictObject(() => ({
    enabled: z.boolean().default(false).describe('Run the webhook of the operator and the resources injector.'),
    networkPolicy: strictObject(() => ({ operator: webhookPort(), injector: webhookPort() }))
      .prefault({})
      .describe('NetworkPolicies that the operator makes for them.'),
    certificates: strictObject(() => ({
      secretNames: strictObject(() => ({
        operator: nameOf('Secret', objectName).default('operator-webhook-cert').describe('Secret of the webhook.'),
        injector: nameOf('Secret', objectName)
          .default('network-resources-injector-cert')
          .describe('Secret of the injector.'),
      }))
        .prefault({})
        .describe('Names of the Secrets with the certificates.'),
      certManager: strictObject(() => ({
        enabled: z
          .boolean()
          .default(true)
          .describe(
            'cert-manager keeps the certificates. `false`: the Secrets are there, with `tls.crt`, `tls.key`, and `ca.crt` ' +
              'in base64.',
          ),
        generateSelfSigned: z
          .boolean()
          .default(true)
          .describe('Render Issuers that sign by themselves and Certificates. `false`: Certificates are yours.'),
      }))
        .prefault({})
        .describe('cert-manager.'),
    }))
      .superRefine(({ secretNames, certManager }, context) => {
        if (!certManager.enabled || !certManager.generateSelfSigned) return;
        if (secretNames.operator !== secretNames.injector) return;
        const path = ['secretNames', 'injector'];
        context.addIssue({ code: 'custom', path, message: ': the certificate of the webhook is in this Secret' });
      })
      .prefault({})
      .describe('Certificates of the admission controllers.'),
  }))
    .prefault({})
    .describe('The admission controllers.');

const tlsText = (description: string) => z.string().default('').describe(description);

const operator = () =>
  strictObject(() => ({
    ...placement({ operator: 'In', values: [''] }),
    extraEnv: z.record(z.string(), scalar).default({}).describe('More environment variables, by name.'),
    tls: strictObject(() => ({
      cipherSuites: tlsText('Cipher suites; empty: those of Go.'),
      minVersion: tlsText('The oldest version of TLS; empty: that of Go.'),
      curvePreferences: tlsText('Groups of the key exchange; empty: those of Go.'),
    }))
      .prefault({})
      .describe('TLS of webhooks and metrics.'),
    resourcePrefix: labelValue
      .min(1)
      .default('nvidia.com')
      .describe('What the names of its resources begin with; networks name the whole.'),
    cniBinPath: z
      .string()
      .startsWith('/')
      .optional()
      .describe('Directory of CNI programs. Default: that of the Cluster.'),
    clusterType: z
      .enum(['kubernetes', 'openshift'])
      .optional()
      .describe('What the cluster is. Default: `platform` of the Cluster.'),
    staleNodeStateCleanupDelayMinutes: z
      .union([z.string().regex(/^\d{1,6}$/, { error: 'must be a number of minutes' }), z.int().min(0).max(999_999)])
      .transform(String)
      .default('30')
      .describe('Minutes until the state of a node without a config daemon is removed.'),
    metricsExporter: metricsExporter(),
    externalDrainer: strictObject(() => ({
      enabled: z
        .boolean()
        .default(false)
        .describe('The companion drains nodes, with those of driver upgrades. `false`: the operator drains by itself.'),
      ...sriovDrain.shape,
    }))
      .prefault({})
      .describe(
        'Who drains nodes for a change of their virtual functions, and how the companion does. The chart has `enabled` alone.',
      ),
    admissionControllers: admissionControllers(),
  }))
    .prefault({})
    .describe('The operator.');

const config = () =>
  strictObject(() => ({
    deploy: z.boolean().default(true).describe('Render the SriovOperatorConfig `default`.'),
    configDaemonNodeSelector: labelMap
      .default({ 'beta.kubernetes.io/os': 'linux' })
      .describe(
        'Nodes that are configured. With `driver.gate: label` the label of the gate is added, so that a node is configured ' +
          'once its driver is loaded.',
      ),
    logLevel: z.int().min(0).max(2).default(2).describe('Log level of operator and config daemon.'),
    disableDrain: z.boolean().default(false).describe('Do not drain nodes for changes that need it.'),
    configurationMode: z.enum(['daemon', 'systemd']).default('daemon').describe('What configures a node.'),
    disablePlugins: z
      .array(z.enum(['mellanox']).describe('Name of a plugin.'))
      .default([])
      .describe('Plugins of the config daemon that are off.'),
    featureGates: z.record(z.string(), z.boolean()).default({}).describe('Feature gates, by name.'),
    configDaemonEnvVars: z
      .record(z.string(), scalar)
      .default({})
      .describe('Environment variables of the config daemon, by name.'),
  }))
    .prefault({})
    .describe('The SriovOperatorConfig.');

const image = (description: string) =>
  imageText
    .refine((text) => text !== '', { error: 'must be an image' })
    .optional()
    .describe(`${description} Default: from the release.`);

const images = () =>
  strictObject(() => ({
    operator: image('The operator.'),
    sriovConfigDaemon: image('The config daemon.'),
    sriovCni: image('The SR-IOV CNI.'),
    ibSriovCni: image('The SR-IOV CNI for InfiniBand.'),
    ovsCni: image('The OVS CNI.'),
    rdmaCni: image('The RDMA CNI.'),
    sriovDevicePlugin: image('The device plugin.'),
    sriovDraDriver: image('The DRA driver.'),
    webhook: image('The webhook of the operator.'),
    resourcesInjector: imageText
      .default('ghcr.io/k8snetworkplumbingwg/network-resources-injector:v1.7.0')
      .describe('The resources injector.'),
    metricsExporter: imageText
      .default('ghcr.io/k8snetworkplumbingwg/sriov-network-metrics-exporter')
      .describe('The metrics exporter.'),
    metricsExporterKubeRbacProxy: imageText
      .default('quay.io/brancz/kube-rbac-proxy:v0.21.2')
      .describe('The proxy in front of the metrics exporter.'),
  }))
    .prefault({})
    .describe('Images of the operator and of what it makes.');

const sriovNetworkOperator = () =>
  strictObject(() => ({
    deploy: z.boolean().default(false).describe('Render the SR-IOV Network Operator.'),
    releaseName: releaseName(),
    nameOverride: labelValue.default('sriov-network-operator').describe('Value of the label `app.kubernetes.io/name`.'),
    fullnameOverride: objectName
      .default('network-operator-sriov-network-operator')
      .describe('Name of the Deployment, its account and its roles.'),
    imagePullSecrets: z
      .array(nameOf('Secret', nameOrNone.min(1).describe('Name of a Secret.')))
      .default([])
      .describe('Secrets with registry credentials, also for what the operator makes.'),
    operator: operator(),
    sriovOperatorConfig: config(),
    supportedExtraNICs: z
      .record(
        z.string().regex(/^[-._a-zA-Z0-9]+$/, { error: 'must be letters, digits, `-`, `_` and `.`' }),
        z.string().regex(PCI_IDS, { error: 'must be three PCI ids such as `8086 1521 1520`' }),
      )
      .default({})
      .describe('More NICs, by name: PCI ids of the vendor, of the NIC, and of its virtual functions.'),
    images: images(),
    draDriver: strictObject(() => ({
      cdiRoot: z.string().startsWith('/').default('/var/run/cdi').describe('Directory of CDI files.'),
      defaultInterfacePrefix: z.string().min(1).default('net').describe('What names of interfaces begin with.'),
    }))
      .prefault({})
      .describe('The DRA driver.'),
  }));

/** The section of a Cluster document without it. */
const ABSENT = { deploy: false } as const;

export const sriovNetworkOperatorSpec = addOnSection(sriovNetworkOperator, ABSENT).describe(
  'The SR-IOV Network Operator, with the names of the values of the operator’s chart.',
);

/** The section of a document that has one. */
export type SriovSection = z.output<ReturnType<typeof sriovNetworkOperator>>;
export type SriovNetworkOperatorSpec = SriovSection | typeof ABSENT;
