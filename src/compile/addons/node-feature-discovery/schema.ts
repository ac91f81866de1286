import * as z from 'zod';
import { countOrPercentage, labelMap, labelValue } from '../../../shared/kubernetes/fields.js';
import { isRepository, isTagOrDigest } from '../../../shared/kubernetes/image-reference.js';
import { envVar, toleration } from '../../model/shapes/pod.js';
import { textMap } from '../../model/shapes/text.js';
import { addOnSection } from '../add-on.js';
import {
  affinity,
  count,
  kubernetesType,
  nameOrNone,
  namespaceOverride,
  objectName,
  port,
  pullSecrets,
  resources,
} from '../shapes.js';
import { goDuration, goDurationOrNone, masterConfig, topologyUpdaterConfig, workerConfig } from './config.js';
import { strictObject } from '../../../shared/lib/strict-object.js';

/**
 * The section has the names and the defaults of the operator's chart (network-operator b06827e0, deployment/network-operator
 * values.yaml, with the sub-chart node-feature-discovery 0.2.1).
 */
const seconds = count.optional();

const probe = (defaults: { initialDelaySeconds?: number; failureThreshold?: number }) =>
  strictObject(() => ({
    initialDelaySeconds: seconds.describe('Seconds before the first probe.'),
    timeoutSeconds: seconds.describe('Seconds after which a probe has failed.'),
    periodSeconds: seconds.describe('Seconds between probes.'),
    successThreshold: seconds.describe('Probes that must succeed.'),
    failureThreshold: seconds.describe('Probes that may fail.'),
  }))
    .transform((given) => ({ ...defaults, ...given }))
    .prefault({});

const serviceAccount = (create: boolean, name: string) =>
  strictObject(() => ({
    create: z.boolean().default(create).describe('Render the ServiceAccount.'),
    name: nameOrNone.default(name).describe('Its name; empty for the name of the workload.'),
    annotations: textMap.default({}).describe('Its annotations.'),
  }))
    .prefault({})
    .describe('ServiceAccount of the pods.');

const TCP_PORTS = [80, 443, 53].map((one) => ({ port: one, protocol: 'TCP' }));
const networkPolicy = () =>
  strictObject(() => ({
    enabled: z.boolean().default(false).describe('Render a NetworkPolicy.'),
    egress: z
      .array(kubernetesType('NetworkPolicyEgressRule', 'A rule.'))
      .default([{ ports: [...TCP_PORTS, { port: 53, protocol: 'UDP' }, { port: 6443, protocol: 'TCP' }] }])
      .describe('Its egress rules.'),
    ingress: z
      .array(kubernetesType('NetworkPolicyIngressRule', 'A rule.'))
      .default([{ ports: [{ protocol: 'TCP', port: 'http' }] }])
      .describe('Its ingress rules.'),
  }))
    .prefault({})
    .describe('NetworkPolicy of the pods.');

const podDisruptionBudget = () =>
  strictObject(() => ({
    enable: z.boolean().default(false).describe('Render a PodDisruptionBudget.'),
    minAvailable: countOrPercentage.default(1).describe('Pods that must stay: a number or a percentage.'),
    unhealthyPodEvictionPolicy: z
      .enum(['AlwaysAllow', 'IfHealthyBudget'])
      .default('AlwaysAllow')
      .describe('Which pods that are not ready may be evicted.'),
  }))
    .prefault({})
    .describe('PodDisruptionBudget of the pods.');

/** The user of the container: the topology updater reads sockets of root. */
const securityContext = (user: Readonly<Record<string, unknown>>) =>
  kubernetesType('SecurityContext', 'Security context of the container.').default({
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
    ...user,
  });

/** Common fields of all four programs. */
const common = () => ({
  annotations: textMap.default({}).describe('Annotations of the pods.'),
  labels: textMap.default({}).describe('More labels of the pods.'),
  nodeSelector: labelMap.default({}).describe('Nodes that the pods may run on.'),
  affinity: affinity('Affinity of the pods.').default({}),
  extraArgs: z.array(z.string()).default([]).describe('More arguments of the program.'),
  extraEnvs: z.array(envVar).default([]).describe('More environment variables.'),
  hostNetwork: z.boolean().default(false).describe('Use the network of the node.'),
  hostUsers: z.boolean().optional().describe('Use the user namespace of the node.'),
  dnsPolicy: z.string().default('ClusterFirstWithHostNet').describe('DNS policy of the pods.'),
  port: port.default(8080).describe('Port of health and metrics.'),
  podSecurityContext: kubernetesType('PodSecurityContext', 'Security context of the pods.').default({}),
  initContainers: z
    .array(kubernetesType('Container', 'A container.'))
    .default([])
    .describe('Containers that run first.'),
  revisionHistoryLimit: count.optional().describe('How many old revisions are kept.'),
  networkPolicy: networkPolicy(),
});

const master = () =>
  strictObject(() => ({
    ...common(),
    enable: z.boolean().default(true).describe('Render the master, which labels nodes.'),
    config: masterConfig()
      .default({ extraLabelNs: ['nvidia.com'] })
      .describe('Its configuration file. Default: `extraLabelNs: [nvidia.com]`.'),
    instance: z.string().default('').describe('Name that tells several deployments in one cluster apart.'),
    replicaCount: count.default(1).describe('Replicas; with several one is the leader.'),
    resyncPeriod: goDurationOrNone.default('').describe('How often all nodes are looked at again.'),
    extraLabelNs: z.array(z.string()).default([]).describe('More namespaces of labels that may be set.'),
    denyLabelNs: z.array(z.string()).default([]).describe('Namespaces of labels that may not be set.'),
    enableTaints: z.boolean().default(false).describe('Let rules taint nodes.'),
    nfdApiParallelism: count.optional().describe('Nodes that are updated at once.'),
    deploymentAnnotations: textMap.default({}).describe('Annotations of the Deployment.'),
    tolerations: z
      .array(toleration)
      .default([{ key: 'node-role.kubernetes.io/control-plane', operator: 'Equal', value: '', effect: 'NoSchedule' }])
      .describe('Tolerations of the pods.'),
    affinity: affinity('Affinity of the pods.').default({
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 1,
            preference: {
              matchExpressions: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'In', values: [''] }],
            },
          },
        ],
      },
    }),
    resources: resources({ memory: '4Gi' }, { cpu: '100m', memory: '128Mi' }),
    securityContext: securityContext({ runAsNonRoot: true }),
    serviceAccount: serviceAccount(true, 'node-feature-discovery'),
    startupProbe: probe({ failureThreshold: 30 }).describe('Probe until the program is up.'),
    livenessProbe: probe({}).describe('Probe that restarts the container.'),
    readinessProbe: probe({ failureThreshold: 10 }).describe('Probe that makes the pod ready.'),
    podDisruptionBudget: podDisruptionBudget(),
  }))
    .prefault({})
    .describe('nfd-master.');

const worker = () =>
  strictObject(() => ({
    ...common(),
    enable: z.boolean().default(true).describe('Render the worker, which finds what a node has.'),
    config: workerConfig()
      .default({
        sources: { pci: { deviceClassWhitelist: ['0300', '0302'], deviceLabelFields: ['vendor'] } },
      })
      .describe(
        'Its configuration file. Default: labels for display and 3D controllers by vendor, `pci-<vendor>.present`.',
      ),
    ownerRefs: z
      .array(z.enum(['pod', 'ds', 'node']))
      .default(['pod', 'ds'])
      .describe('Owners of the NodeFeature objects; with the last of them labels go.'),
    mountUsrSrc: z.boolean().default(false).describe('Mount `/usr/src` of the node.'),
    daemonsetAnnotations: textMap.default({}).describe('Annotations of the DaemonSet.'),
    tolerations: z
      .array(toleration)
      .default([
        { key: 'node-role.kubernetes.io/master', operator: 'Exists', effect: 'NoSchedule' },
        { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' },
        { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' },
      ])
      .describe('Tolerations of the pods.'),
    priorityClassName: nameOrNone.default('').describe('Priority class of its pods; goes before the common one.'),
    updateStrategy: kubernetesType('DaemonSetUpdateStrategy', 'Update strategy of the DaemonSet.').default({
      rollingUpdate: { maxUnavailable: '10%' },
    }),
    resources: resources({ memory: '512Mi' }, { cpu: '5m', memory: '64Mi' }),
    securityContext: securityContext({ runAsNonRoot: true }),
    serviceAccount: serviceAccount(false, 'node-feature-discovery'),
    livenessProbe: probe({ initialDelaySeconds: 10 }).describe('Probe that restarts the container.'),
    readinessProbe: probe({ initialDelaySeconds: 5, failureThreshold: 10 }).describe('Probe that makes the pod ready.'),
  }))
    .prefault({})
    .describe('nfd-worker.');

const gc = () =>
  strictObject(() => ({
    ...common(),
    enable: z.boolean().default(true).describe('Render the garbage collector of NodeFeature objects.'),
    replicaCount: count.default(1).describe('Replicas.'),
    interval: goDuration.default('1h').describe('How often it runs.'),
    deploymentAnnotations: textMap.default({}).describe('Annotations of the Deployment.'),
    tolerations: z.array(toleration).default([]).describe('Tolerations of the pods.'),
    resources: resources({ memory: '1Gi' }, { cpu: '10m', memory: '128Mi' }),
    securityContext: securityContext({ runAsNonRoot: true }),
    serviceAccount: serviceAccount(false, 'node-feature-discovery'),
    livenessProbe: probe({ initialDelaySeconds: 10 }).describe('Probe that restarts the container.'),
    readinessProbe: probe({ initialDelaySeconds: 5 }).describe('Probe that makes the pod ready.'),
    podDisruptionBudget: podDisruptionBudget(),
  }))
    .prefault({})
    .describe('nfd-gc.');

const topologyUpdater = () =>
  strictObject(() => ({
    ...common(),
    enable: z.boolean().default(false).describe('Render the topology updater.'),
    createCRDs: z.boolean().default(false).describe('Render the CRD of NodeResourceTopology.'),
    config: topologyUpdaterConfig().default({}).describe('Its configuration file. Default: empty.'),
    updateInterval: goDuration.default('60s').describe('How often it looks.'),
    watchNamespace: z.string().default('*').describe('Namespace whose pods it looks at; `*` for all.'),
    kubeletConfigPath: z.string().default('').describe('Configuration file of the kubelet; empty: it is asked.'),
    kubeletPodResourcesSockPath: z.string().default('').describe('Socket of the kubelet’s pod resources.'),
    kubeletStateDir: z.string().default('/var/lib/kubelet').describe('State directory of the kubelet.'),
    podSetFingerprint: z.boolean().default(true).describe('Write a fingerprint of the pods.'),
    daemonsetAnnotations: textMap.default({}).describe('Annotations of the DaemonSet.'),
    tolerations: z.array(toleration).default([]).describe('Tolerations of the pods.'),
    resources: resources({ memory: '60Mi' }, { cpu: '50m', memory: '40Mi' }),
    securityContext: securityContext({ runAsUser: 0 }),
    serviceAccount: serviceAccount(true, ''),
    livenessProbe: probe({ initialDelaySeconds: 10 }).describe('Probe that restarts the container.'),
    readinessProbe: probe({ initialDelaySeconds: 5, failureThreshold: 10 }).describe('Probe that makes the pod ready.'),
  }))
    .prefault({})
    .describe('nfd-topology-updater.');

const image = () =>
  strictObject(() => ({
    repository: z
      .string()
      .refine(isRepository, {
        error: 'must be a registry and a path, such as `registry.k8s.io/nfd/node-feature-discovery`',
      })
      .optional()
      .describe('Registry, path and name of the image. Default: from the release.'),
    tag: z
      .string()
      .refine(isTagOrDigest, { error: 'must be a tag or a digest' })
      .optional()
      .describe('Its tag. Default: from the release.'),
    pullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']).default('IfNotPresent').describe('When it is pulled.'),
  }));

const nodeFeatureDiscovery = () =>
  strictObject(() => ({
    deploy: z.boolean().default(false).describe('Render Node Feature Discovery. A cluster has exactly one.'),
    rules: z
      .boolean()
      .default(true)
      .describe(
        'Render the rule that gives nodes the label of an NVIDIA NIC, where something selects by it. `false` where the nodes ' +
          'have the label otherwise.',
      ),
    image: image().prefault({}).describe('Image of all programs.'),
    imagePullSecrets: pullSecrets(),
    releaseName: labelValue
      .min(1)
      .default('network-operator')
      .describe('Value of the label `app.kubernetes.io/instance`, by which selectors find their pods.'),
    nameOverride: labelValue.default('node-feature-discovery').describe('Value of the label `app.kubernetes.io/name`.'),
    fullnameOverride: objectName
      .default('network-operator-node-feature-discovery')
      .describe('What the names of all objects begin with.'),
    namespaceOverride: namespaceOverride('Namespace. Default: that of the Cluster.'),
    featureGates: z
      .record(z.string().regex(/^[A-Za-z]\w*$/), z.boolean())
      .default({ NodeFeatureAPI: true })
      .describe('Feature gates.'),
    priorityClassName: nameOrNone.default('').describe('Priority class of all pods.'),
    master: master(),
    worker: worker(),
    gc: gc(),
    topologyUpdater: topologyUpdater(),
    prometheus: strictObject(() => ({
      enable: z.boolean().default(false).describe('Render a PodMonitor.'),
      scrapeInterval: z.string().default('10s').describe('How often metrics are read.'),
      labels: textMap.default({}).describe('More labels of the PodMonitor.'),
    }))
      .prefault({})
      .describe('Metrics for the Prometheus Operator.'),
  }));

const DESCRIPTION = 'Node Feature Discovery, with the names of the values of the operator’s chart.';
/** The section of a Cluster document without it. */
const ABSENT = { deploy: false, rules: true } as const;

export const nodeFeatureDiscoverySpec = addOnSection(nodeFeatureDiscovery, ABSENT).describe(DESCRIPTION);

/** The section of a document that has one. */
export type DiscoverySection = z.output<ReturnType<typeof nodeFeatureDiscovery>>;
export type NodeFeatureDiscoverySpec = DiscoverySection | typeof ABSENT;
