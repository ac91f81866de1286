import * as z from 'zod';
import { countOrPercentage, labelValue } from '../../../shared/kubernetes/fields.js';
import { imageText, textMap } from '../../model/shapes/text.js';
import { isTagOrDigest } from '../../../shared/kubernetes/image-reference.js';
import { nameOf } from '../../model/shapes/object-name.js';
import { addOnSection } from '../add-on.js';
import { count, objectName, placement, pullSecrets, releaseName, resources } from '../shapes.js';
import { servicePorts } from './service-ports.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

/**
 * The section has the names and the defaults of the operator's chart (network-operator b06827e0, deployment/network-operator
 * values.yaml, with the sub-chart maintenance-operator-chart 0.0.1).
 */
const image = () =>
  strictObject(() => ({
    repository: imageText.optional().describe('Registry and path. Default: from the release.'),
    name: z.string().min(1).optional().describe('Name. Default: from the release.'),
    tag: z
      .string()
      .refine(isTagOrDigest, { error: 'must be a tag or a digest' })
      .optional()
      .describe('Tag. Default: from the release.'),
    imagePullPolicy: z
      .enum(['Always', 'IfNotPresent', 'Never'])
      .optional()
      .describe('When it is pulled. Default: that of Kubernetes.'),
  }))
    .prefault({})
    .describe('Its image.');

const certificates = () =>
  strictObject(() => ({
    secretNames: strictObject(() => ({
      operator: nameOf('Secret', objectName).default('maintenance-webhook-cert').describe('Secret of the webhook.'),
    }))
      .prefault({})
      .describe('Name of the Secret with the certificate.'),
    certManager: strictObject(() => ({
      enable: z
        .boolean()
        .default(true)
        .describe('cert-manager keeps the certificate. `false`: the Secret is there, and `caBundle` is needed.'),
      generateSelfSigned: z
        .boolean()
        .default(true)
        .describe('Render an Issuer that signs by itself, and a Certificate.'),
    }))
      .prefault({})
      .describe('cert-manager.'),
    caBundle: z
      .string()
      .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, { error: 'must be base64' })
      .default('')
      .describe('Certificates, in base64, by which the API server trusts the webhook; not needed with cert-manager.'),
  }))
    .prefault({})
    .describe('Certificate of the webhook.');

const operator = () =>
  strictObject(() => ({
    image: image(),
    ...placement({ operator: 'Exists' }),
    resources: resources({ cpu: '500m', memory: '128Mi' }, { cpu: '10m', memory: '64Mi' }),
    replicas: count.default(1).describe('Replicas; with several one is the leader.'),
    serviceAccount: strictObject(() => ({ annotations: textMap.default({}).describe('Its annotations.') }))
      .prefault({})
      .describe('Its ServiceAccount.'),
    admissionController: strictObject(() => ({
      enable: z.boolean().default(false).describe('Validate NodeMaintenances.'),
      certificates: certificates(),
    }))
      .prefault({})
      .describe('The webhook.'),
  }))
    .prefault({})
    .describe('The operator.');

const operatorConfig = () =>
  strictObject(() => ({
    deploy: z.boolean().default(false).describe('Render the MaintenanceOperatorConfig `default`.'),
    logLevel: z.enum(['debug', 'info', 'error']).default('info').describe('Log level.'),
    maxParallelOperations: countOrPercentage
      .optional()
      .describe('Nodes in maintenance at once; 0 for no limit. Default: 1.'),
    maxUnavailable: countOrPercentage.optional().describe('Nodes that may be unavailable. Default: no limit.'),
    maxNodeMaintenanceTimeSeconds: count.optional().describe('Seconds that one node may take. Default: 3600.'),
  }))
    .prefault({})
    .describe('The MaintenanceOperatorConfig.');

const webhookService = () =>
  strictObject(() => ({
    type: z.enum(['ClusterIP', 'NodePort', 'LoadBalancer']).default('ClusterIP').describe('Type of the Service.'),
    ports: servicePorts()
      .default([{ port: 443, protocol: 'TCP', targetPort: 9443 }])
      .describe('Its ports.'),
  }))
    .prefault({})
    .describe('Service of the webhook.');

const maintenanceOperator = () =>
  strictObject(() => ({
    deploy: z.boolean().default(false).describe('Render the Maintenance Operator.'),
    releaseName: releaseName(),
    nameOverride: labelValue.default('maintenance-operator').describe('Value of the label `app.kubernetes.io/name`.'),
    fullnameOverride: objectName
      .default('network-operator-maintenance-operator')
      .describe('What the names of all objects begin with.'),
    imagePullSecrets: pullSecrets(),
    operator: operator(),
    operatorConfig: operatorConfig(),
    webhookService: webhookService(),
    kubernetesClusterDomain: objectName.default('cluster.local').describe('Domain of the cluster.'),
  })).superRefine(({ operator: given }, context) => {
    const { enable, certificates: of } = given.admissionController;
    if (!enable || of.certManager.enable || of.caBundle !== '') return;
    const path = ['operator', 'admissionController', 'certificates', 'caBundle'];
    context.addIssue({ code: 'custom', path, message: 'is missing: cert-manager is off, and nothing else sets it' });
  });

/** The section of a Cluster document without it. */
const ABSENT = { deploy: false } as const;

export const maintenanceOperatorSpec = addOnSection(maintenanceOperator, ABSENT).describe(
  'The Maintenance Operator, with the names of the values of the operator’s chart.',
);

/** The section of a document that has one. */
export type MaintenanceSection = z.output<ReturnType<typeof maintenanceOperator>>;
export type MaintenanceOperatorSpec = MaintenanceSection | typeof ABSENT;
