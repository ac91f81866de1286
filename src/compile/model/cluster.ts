import * as z from 'zod';
import { COMPANION_NODE_IMAGE, LOG_LEVELS } from '../../shared/contract/companion-env.js';
import { atLeastOne, timeZone, upgradeSettings } from '../../shared/contract/upgrade-settings.js';
import { didYouMean } from '../../shared/diagnostics/suggest.js';
import { labelMap } from '../../shared/kubernetes/fields.js';
import { hasRegistry, isRepository, registryOf } from '../../shared/kubernetes/image-reference.js';
import { codes } from '../../shared/diagnostics/codes.js';
import { checkProgram } from './companion-image.js';
import { gitops } from './gitops.js';
import { gpuDriver } from './gpu-driver.js';
import { postponableChanges } from '../releases/changes.js';
import { releaseHelp } from '../releases/release-help.js';
import { taintFrom } from '../../shared/kubernetes/selection/taints.js';
import { helpForText, helps } from './shapes/help.js';
import { isConfigMapKey, isDnsLabel, isLabelValue, isQualifiedName } from '../../shared/kubernetes/names.js';
import { patch } from './patch.js';
import { secretName } from './shapes/image-spec.js';
import { nodeAffinity, toleration } from './shapes/pod.js';
import { cronJobSchedule, imageText, quantity, textMap } from './shapes/text.js';
import { strictObject } from '../../shared/lib/strict-object.js';
import { DEFAULT_NAMESPACE } from '../../shared/contract/network-operator.js';

/** API version of Weft's own kinds. */
export const WEFT_API_VERSION = 'weft.dev/v1alpha1';

/** The kind of the documents that have in a base what a Cluster has in a cluster. */
export const CLUSTER_BASE = 'ClusterBase';

const labelText = (what: string) =>
  z
    .string()
    .min(1)
    .refine(isLabelValue, {
      error: `must be what the node's ${what} label holds: letters, digits, \`-\`, \`_\`, \`.\``,
    });

const configMapKey = z
  .string()
  .refine(isConfigMapKey, { error: 'must be letters, digits, `-`, `_` and `.`' })
  .describe('A key.');

const taint = strictObject(() => ({
  key: z.string().refine(isQualifiedName, { error: 'must be a label key' }).describe('Key of the taint.'),
  value: z.string().optional().describe('Value of the taint.'),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).describe('Effect of the taint.'),
  timeAdded: z.unknown().optional().describe('Ignored.'),
})).register(helps, helpForText(taintHelp));

/** A taint as `kubectl taint` and `kubectl describe node` have it. */
function taintHelp(text: string): string | undefined {
  const { key, value, effect } = taintFrom(text);
  if (key === '' || effect === '') return undefined;
  return `write \`{key: ${key}, ${value === undefined ? '' : `value: ${JSON.stringify(value)}, `}effect: ${effect}}\``;
}

/** Other names of the architectures. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  'x86-64': 'amd64',
  x64: 'amd64',
  aarch64: 'arm64',
};

function architectureHelp(text: string): string | undefined {
  const meant = Object.hasOwn(ARCHITECTURES, text) ? ARCHITECTURES[text] : undefined;
  return meant === undefined ? undefined : `write \`${meant}\`, as Kubernetes calls it`;
}

const existingConfigMap = strictObject(() => ({
  name: z.string().describe('Name of the ConfigMap.'),
  keys: z.array(configMapKey).min(1).describe('Its keys.'),
})).register(
  helps,
  helpForText((text) => `write \`{name: ${text}, keys: [\u2026]}\`, with the keys of the ConfigMap`),
);

/** Nodes of the same OS, version, kernel and architecture. The names of the NFD labels are the operator's. */
const nodePool = strictObject(() => ({
  name: z
    .string()
    .refine(isDnsLabel, { error: 'must be lower-case letters, digits and `-`' })
    .describe('Name of the pool.'),
  osName: labelText('system-os_release.ID').describe(
    'OS of the nodes: label `feature.node.kubernetes.io/system-os_release.ID`.',
  ),
  osVersion: labelText('system-os_release.VERSION_ID').describe(
    'Version of the OS, in quotes: label `feature.node.kubernetes.io/system-os_release.VERSION_ID`.',
  ),
  arch: z
    .enum(['amd64', 'arm64'])
    .describe('Architecture of the nodes: label `kubernetes.io/arch`.')
    .register(helps, helpForText(architectureHelp)),
  kernel: labelText('kernel-version.full')
    .optional()
    .describe('Kernel that the driver DaemonSet is pinned to: label `feature.node.kubernetes.io/kernel-version.full`.'),
  kernels: z
    .array(labelText('kernel-version.full'))
    .min(1)
    .optional()
    .describe(
      'Several kernels, as during a rolling kernel update. Without `kernel` and `kernels` one DaemonSet serves all.',
    ),
  containerRuntime: z
    .enum(['containerd', 'cri-o', 'docker'])
    .optional()
    .describe('Container runtime of the nodes. Default: `cri-o` on OpenShift, else `containerd`.'),
  rhcosVersion: z
    .string()
    .refine(isLabelValue, { error: 'must be what the node label holds: letters, digits, `-`, `_`, `.`' })
    .optional()
    .describe('OpenShift: label `feature.node.kubernetes.io/system-os_release.OSTREE_VERSION`.'),
  labels: textMap.default({}).describe('Other labels that all nodes of the pool have; NicNodePolicies select by them.'),
  taints: z
    .array(taint)
    .default([])
    .describe('Taints of the nodes. A pool whose taints a policy does not tolerate gets no driver DaemonSet.'),
})).describe('Nodes of the same OS, OS version, kernel and architecture.');

timeZone.register(
  helps,
  helpForText((text) => didYouMean(text, Intl.supportedValuesOf('timeZone'))),
);

atLeastOne.register(
  helps,
  helpForText((text) =>
    /^0+%?$/.test(text) ? 'write `1`: new nodes stop after the first failure. `paused: true` begins none' : undefined,
  ),
);

const companion = strictObject(() => ({
  program: z
    .enum(['image', 'configMap'])
    .optional()
    .describe(
      'Where the program is. Default: in the image, if `image` or the release of Weft names one and `nodeImage` is absent; else in a ConfigMap.',
    ),
  image: imageText
    .default('')
    .describe('Image with the program, built from the Dockerfile. Default: the one that the release of Weft names.'),
  nodeImage: imageText
    .refine((text) => text !== '', { error: 'must be an image' })
    .optional()
    .describe(
      `Image of Node 24 or newer that runs the program of the ConfigMap. Default: \`${COMPANION_NODE_IMAGE}\`.`,
    ),
  imagePullSecrets: z.array(secretName).default([]).describe('Names of Secrets for the registry of the image.'),
  schedule: cronJobSchedule
    .default('*/10 * * * *')
    .describe('Schedule of the CronJob, in UTC on most clusters; empty for none.'),
  resources: strictObject(() => ({
    limits: z.record(z.string(), quantity).optional().describe('The most that it may use.'),
    requests: z.record(z.string(), quantity).optional().describe('What the scheduler sets aside.'),
  }))
    .optional()
    .describe('Compute resources of the companion. Default: requests of 100m and 128Mi, a limit of 512Mi.'),
  tolerations: z
    .array(toleration)
    .default([])
    .describe('Tolerations of the companion, beside those for the control plane and for cordoned nodes.'),
  nodeSelector: labelMap.default({}).describe('Nodes that the companion may run on.'),
  affinity: nodeAffinity
    .optional()
    .describe(
      'Nodes that the companion should run on. Default: those without NICs, and none whose driver is upgraded.',
    ),
  logLevel: z.enum(LOG_LEVELS).default('info').describe('The least level that is logged.'),
  monitoring: strictObject(() => ({
    enable: z
      .boolean()
      .default(false)
      .describe('Whether a PodMonitor, a PrometheusRule and a ConfigMap with a Grafana dashboard are rendered.'),
    labels: labelMap
      .default({})
      .describe('Labels of the PodMonitor and the PrometheusRule, by which the Prometheus Operator selects them.'),
    scrapeInterval: z
      .string()
      .regex(/^[1-9]\d*(?:ms|s|m|h)$/, { error: 'must be a duration of Prometheus such as `30s`' })
      .default('30s')
      .describe('How often Prometheus reads the metrics.'),
    dashboardLabels: labelMap
      .default({ grafana_dashboard: '1' })
      .describe('Labels of the ConfigMap with the dashboard, by which the sidecar of Grafana finds it.'),
  }))
    .prefault({})
    .describe('Monitoring by the Prometheus Operator, which has to be installed, and Grafana.'),
  client: strictObject(() => ({
    qps: z.number().min(1).max(10_000).default(50).describe('Requests each second, on average.'),
    burst: z.int().min(1).max(10_000).default(100).describe('Requests that may be sent at once after a rest.'),
  }))
    .prefault({})
    .describe('Limits of the companion’s requests to the API server.'),
}))
  .superRefine(checkProgram)
  .describe('The companion Job.');

const registryPrefix = z.string().refine((text) => isRepository(text) && hasRegistry(text), {
  error: 'must be a registry such as `nvcr.io`, or a registry and a path without a tag',
});

const mirror = strictObject(() => ({
  from: registryPrefix.describe(
    'Registry, or registry and path, that references begin with: `nvcr.io/nvidia`. Docker Hub is `docker.io`.',
  ),
  to: registryPrefix.describe('What they begin with instead: `harbor.corp/nvidia`.'),
}));

const mirrors = z
  .array(mirror)
  .refine((list) => new Set(list.map(({ from }) => from)).size === list.length, {
    error: 'two mirrors have the same `from`',
  })
  .default([])
  .describe(
    'Registries that stand for others, for every image of the output: those of policies, add-ons, the companion, other documents and patches. The longest `from` counts. A driver whose image moves only by this is not installed again.',
  );

const pullSecrets = z
  .record(
    z.string().refine((text) => registryOf(`${text}/image`) === text, { error: 'must be a registry: `harbor.corp`' }),
    z.array(secretName).min(1).describe('Names of Secrets in the namespace of the pods.'),
  )
  .default({})
  .describe(
    'Pull Secrets by registry: every pod with an image of that registry gets them, beside those of its own section.',
  );

const openshift = strictObject(() => ({
  useDriverToolkit: z.boolean().default(true).describe('Compile drivers in the OpenShift Driver Toolkit.'),
  driverToolkitImages: z
    .record(z.string(), imageText)
    .default({})
    .describe('Image of the Driver Toolkit by RHCOS version: tags of the ImageStream `openshift/driver-toolkit`.'),
  proxy: strictObject(() => ({
    httpProxy: z.string().default('').describe('Proxy for http.'),
    httpsProxy: z.string().default('').describe('Proxy for https.'),
    noProxy: z.string().default('').describe('Hosts that need none.'),
    trustedCA: z.boolean().default(false).describe('Whether the cluster-wide proxy has a CA of its own.'),
  }))
    .prefault({})
    .describe('The cluster-wide proxy: `status` of `Proxy/cluster`.'),
})).describe('What the operator reads from an OpenShift cluster.');

/** Which live cluster a Cluster document describes. */
export const access = strictObject(() => ({
  context: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Context of the kubeconfig: used without `--context`. Another one is an error unless `clusterUID` decides.',
    ),
  clusterUID: z
    .string()
    .min(1)
    .optional()
    .describe(
      '`metadata.uid` of the namespace `kube-system`, by whatever context it is reached. Another one is an error.',
    ),
})).describe('The live cluster that commands reach for this document.');

const uninstallPart = strictObject(() => ({
  nodePools: z.array(z.string().describe('Name of a node pool.')).default([]).describe('Pools that lose the driver.'),
  policies: z
    .array(z.string().describe('Name of a NicClusterPolicy or NicNodePolicy.'))
    .default([])
    .describe('Policies whose driver goes.'),
}));

const driver = strictObject(() => ({
  gate: z
    .enum(['ready-file', 'label'])
    .default('ready-file')
    .describe('What keeps device plugins off a node until its driver is loaded: see the guide.'),
  initContainerImage: imageText
    .optional()
    .describe('The operator’s init container. Default: from the release; empty for none.'),
  precompiledTags: z.array(z.string()).default([]).describe('Tags of precompiled drivers that the registry holds.'),
  uninstall: z
    .union([z.boolean(), uninstallPart])
    .default(false)
    .describe(
      'First of two steps that take the driver off the nodes: off all, or off those of some pools and policies.',
    ),
}));

const extended = z
  .array(z.string().min(1).describe('Path of a folder, from that of this document.'))
  .default([])
  .describe(
    'Folders with documents that this cluster shares with others: see the guide. Later ones win, and this one last.',
  );

const POOLS_HELP = '`kubectl get nodes -o json | weft pools` prints the pools of a cluster';

/** A minor version of Weft. */
export const weftVersion = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5})$/, {
    error: 'must be a minor version of Weft such as `"0.3"`, without the patch version',
  })
  .describe(
    'Minor version of Weft that renders the cluster, in quotes. Another one leaves the output as it is. Default: any.',
  );

/** Facts that the operator reads from the live cluster or from its Helm values; without the sections of add-ons. */
export const clusterSpec = strictObject(() => ({
  weft: weftVersion.optional(),
  extends: extended,
  release: z
    .string()
    .register(helps, { help: (value) => releaseHelp(typeof value === 'string' ? value : '') })
    .optional()
    .describe('Release, or one version of it, that fills image, repository and version. Default: none.'),
  postponedChanges: z
    .array(z.enum(postponableChanges).describe('The name of a change.'))
    .default([])
    .describe(
      'Changes of the release that replace drivers: these objects stay as they were before, until a maintenance of the nodes comes anyway.',
    ),
  kubernetesVersion: z
    .string()
    .regex(/^v?\d+\.\d+(?:\.\d+)?$/, { error: 'must be a version such as `"1.34"`' })
    .optional()
    .describe('Version of Kubernetes, in quotes.'),
  platform: z.enum(['kubernetes', 'openshift']).default('kubernetes').describe('What the cluster is.'),
  namespace: z
    .string()
    .refine(isDnsLabel, { error: 'must be lower-case letters, digits and `-`' })
    .default(DEFAULT_NAMESPACE)
    .describe('Namespace of everything that is rendered.'),
  nodePools: z
    .array(nodePool)
    .describe('The pools of nodes. `weft pools` prints them from the live cluster.')
    .register(helps, { help: (value) => (value === undefined ? POOLS_HELP : undefined) }),
  cni: strictObject(() => ({
    binDirectory: z
      .string()
      .default('')
      .describe('Directory of the CNI programs on the nodes. Default: the platform’s.'),
    networkDirectory: z.string().default('').describe('Directory of the CNI configuration. Default: the platform’s.'),
  }))
    .prefault({})
    .describe('Where the nodes keep CNI files.'),
  driver: driver.prefault({}).describe('Driver settings that the operator takes from its own environment.'),
  gpuDriver: gpuDriver.optional(),
  existingConfigMaps: z
    .array(existingConfigMap)
    .default([])
    .describe('ConfigMaps that are in the namespace already and that a policy names.'),
  openshift: openshift.prefault({}),
  mirrors,
  pullSecrets,
  upgrade: upgradeSettings.prefault({}),
  companion: companion.prefault({}),
  gitops: gitops.prefault({}),
  access: access.prefault({}),
  denyWarnings: z
    .array(
      z
        .string()
        .refine((code) => codes[code]?.severity === 'warning', {
          error: 'must be the code of a warning such as `WEFT0236`',
        })
        .describe('The code of a warning.'),
    )
    .default([])
    .describe(
      'Warnings that are errors for this cluster, by their codes. `weft synth --deny-warnings` makes all of them errors.',
    ),
  patches: z
    .array(patch)
    .default([])
    .describe('Changes to objects that components make, for what their options do not say. Applied last.'),
})).describe('A cluster, as far as manifests depend on it.');

/** The `spec` of a Cluster document with all defaults, without the sections of add-ons. */
export type ClusterSpec = z.output<typeof clusterSpec>;
