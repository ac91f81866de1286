/**
 * Names that the generator, `weft diff` and the companion share. A name of an operator is verbatim, and its comment names the
 * operator; names that begin with `weft.dev/` are Weft's.
 */

import { memoized } from '../lib/memo.js';

/** Node and pod keys of one driver's upgrade flow, from the driver's label prefix (`ofed`, `gpu`). */
export interface DriverKeys {
  /** Label of a node: its state in the flow. */
  readonly state: string;
  /** Label of a node: `true` skips its upgrade. */
  readonly skip: string;
  /** Label of a pod: `true` excludes it from the drain. */
  readonly skipDrain: string;
  /** Annotation of a node, set by the driver's init container: not empty while the driver waits to be loaded safely. */
  readonly safeLoad: string;
  /** Annotation of a node: present when the node was unschedulable before its upgrade, so its cordon stays. */
  readonly initialState: string;
  /** Annotation of a node: `true` asks for an upgrade although the driver pod is in sync. */
  readonly requested: string;
  /** Annotation of a node: present while the Maintenance Operator cordons and drains the node for this driver. */
  readonly requestorMode: string;
  /** Annotation of a node, ours: `<rollout> <Unix seconds>` of its last finished upgrade; canaries soak from then on. */
  readonly done: string;
}

const INITIAL_STATE = '-driver-upgrade.node-initial-state.unschedulable';

/** Whether a key of a node is the `initialState` of any driver. */
export function isInitialState(key: string): boolean {
  return key.startsWith('nvidia.com/') && key.endsWith(INITIAL_STATE);
}

/**
 * The keys of the driver with this label prefix.
 *
 * Those under `nvidia.com` are the format strings of k8s-operator-libs, `pkg/upgrade/consts.go`, at 11e747a; the operators
 * fill in `ofed` and `gpu`.
 *
 * The same object for the same prefix: a decision looks the keys up in the labels and annotations of all nodes, and a lookup by a text that
 * was just put together takes V8 several times as long.
 */
export const driverKeys = memoized((prefix: string): DriverKeys => {
  const upstream = `nvidia.com/${prefix}-driver-upgrade`;
  const ours = `weft.dev/${prefix}`;
  const operator = operatorDriver(prefix);
  return {
    state: `${upstream}-state`,
    skip: `${upstream}.skip`,
    skipDrain: `${upstream}-drain.skip`,
    safeLoad: `${upstream}.driver-wait-for-safe-load`,
    initialState: `nvidia.com/${prefix}${INITIAL_STATE}`,
    requested: `${upstream}-requested`,
    requestorMode: `${upstream}-requestor-mode`,
    done: `${ours}-done`,
    ...(operator !== undefined && sharedKeys(driverKeys(operator))),
  };
});

/** The keys that users and the maintenance operator know by the name of the operator's driver. */
function sharedKeys({ skip, skipDrain, requestorMode }: DriverKeys): Partial<DriverKeys> {
  return { skip, skipDrain, requestorMode };
}

const OPERATOR_PREFIX = /^weft-(.+)$/;

/**
 * Label prefix of an operator's driver whose nodes the companion takes out, from that of its own flow: `gpu` for `weft-gpu`; undefined for other
 * prefixes. The operator restarts the driver, and its state label is its own: the GPU operator removes it from every node when
 * `autoUpgrade` is off.
 */
export function operatorDriver(prefix: string): string | undefined {
  return OPERATOR_PREFIX.exec(prefix)?.[1];
}

/** The label prefix of the companion's own flow for the driver of an operator whose nodes it takes out. */
export function companionPrefix(prefix: string): string {
  return `weft-${prefix}`;
}

/** Matches the state label of any driver; the group is its prefix. */
export const ANY_STATE_LABEL = /^nvidia\.com\/(.+)-driver-upgrade-state$/;

/**
 * Annotation of a node: `true` keeps k8s-driver-manager from evicting, draining and uncordoning by itself: gpu-operator a22dbf671,
 * `controllers/state_manager.go`; k8s-driver-manager bd62ca7d, `cmd/driver-manager/main.go`.
 */
export const GPU_UPGRADE_ENABLED_ANNOTATION = 'nvidia.com/gpu-driver-upgrade-enabled';

/**
 * Reason of the Events about a driver's upgrade: `GetEventReason` in k8s-operator-libs, `pkg/upgrade/util.go`. Where the companion takes nodes out for
 * the flow of an operator, the Events of both have one reason.
 */
export function eventReason(prefix: string): string {
  return `${(operatorDriver(prefix) ?? prefix).toUpperCase()}DriverUpgrade`;
}

/**
 * Annotations of a node, `true`: its autoscaler does not remove it, which would take a node that is drained for an empty one. Cluster Autoscaler (`FAQ.md`),
 * Karpenter v1 (`concepts/disruption`).
 */
export const AUTOSCALER_ANNOTATIONS: readonly string[] = [
  'cluster-autoscaler.kubernetes.io/scale-down-disabled',
  'karpenter.sh/do-not-disrupt',
];
/** Annotation of a node, ours: `true` leaves the node cordoned at the end of its maintenance. */
export const KEEP_CORDON_ANNOTATION = 'weft.dev/keep-cordon';

/** Label of OFED driver DaemonSets and pods, with an empty value: network-operator v26.7, `pkg/consts/consts.go`. */
export const OFED_DRIVER_LABEL = 'nvidia.com/ofed-driver';
/** Where a DaemonSet has its labels and those of its pods: `OFED_DRIVER_LABEL` at one of them makes it an OFED driver. */
export const DAEMON_SET_LABELS = [
  ['metadata', 'labels'],
  ['spec', 'template', 'metadata', 'labels'],
] as const;
/** Name of the driver container whose readiness the gate follows: network-operator, `controllers/mofed_wait_labels.go`. */
export const OFED_DRIVER_CONTAINER = 'mofed-container';
/** Init container of the driver's pods, of the operator's own image: network-operator, `manifests/state-ofed-driver`. */
export const OFED_INIT_CONTAINER = 'network-operator-init-container';
/** Label prefix of the OFED driver: network-operator, `main.go` (`upgrade.SetDriverName("ofed")`). */
export const OFED_LABEL_PREFIX = 'ofed';
/** Which policy a driver DaemonSet and its pods belong to: network-operator, `pkg/consts/consts.go`. */
export const DS_OWNER_LABEL = 'ds-owner';
/** What a component's objects carry: network-operator, `pkg/consts/consts.go`. */
export const STATE_LABEL = 'nvidia.network-operator.state';
/** Finds the operator's controller pods: selector labels of its Helm chart, `templates/_helpers.tpl`. */
export const NETWORK_OPERATOR_POD_SELECTOR = 'app.kubernetes.io/name=network-operator';

/** Gate label of a node: `"false"` once the OFED driver is loaded: network-operator, `pkg/nodeinfo/attributes.go`. */
export const OFED_GATE_LABEL = 'network.nvidia.com/operator.mofed.wait';
/** The folder of the OFED driver on a node, which its container mounts. */
export const OFED_READY_FOLDER = '/run/mellanox/drivers';
/** File that the OFED driver container writes when it is done; its startup probe in the operator's manifests reads it. */
export const OFED_READY_FILE = `${OFED_READY_FOLDER}/.driver-ready`;
/** The init container that waits for that file; older releases of the operator have one of this name for the same purpose. */
export const OFED_WAIT_CONTAINER = 'ofed-driver-validation';

/** Namespace of the labels of Node Feature Discovery. */
export const NFD_PREFIX = 'feature.node.kubernetes.io/';

/** Labels that Node Feature Discovery sets on nodes; keys as in network-operator, `pkg/nodeinfo/attributes.go`. */
export const NFD_LABELS = {
  nicPresent: 'feature.node.kubernetes.io/pci-15b3.present',
  osName: 'feature.node.kubernetes.io/system-os_release.ID',
  osVersion: 'feature.node.kubernetes.io/system-os_release.VERSION_ID',
  rhcosVersion: 'feature.node.kubernetes.io/system-os_release.OSTREE_VERSION',
  kernel: 'feature.node.kubernetes.io/kernel-version.full',
} as const;

/**
 * Matches the labels that Node Feature Discovery itself sets for NVIDIA NICs, where its worker is told to label class 02. They begin
 * with the class and the vendor; other parts follow where `deviceLabelFields` says so.
 */
export const STOCK_NFD_NIC_LABEL = /^feature\.node\.kubernetes\.io\/pci-02(?:00|07)_15b3(?:_[0-9a-f]+)*\.present$/;

/** Well-known node label of Kubernetes itself. */
export const ARCH_LABEL = 'kubernetes.io/arch';

/** Label prefix of the GPU driver: gpu-operator a22dbf671, `cmd/gpu-operator/main.go` (`upgrade.SetDriverName("gpu")`). */
export const GPU_LABEL_PREFIX = 'gpu';
/** Finds the pods of the GPU operator: gpu-operator a22dbf671, Helm chart and bundle. */
export const GPU_OPERATOR_POD_SELECTOR = 'app.kubernetes.io/component=gpu-operator';
/** Resources of pods that hold a GPU: gpu-operator a22dbf671, `cmd/gpu-operator/main.go` (`gpuPodSpecFilter`). */
export const GPU_RESOURCE_PREFIXES: readonly string[] = ['nvidia.com/gpu', 'nvidia.com/mig-'];

/** API group of the SR-IOV Network Operator. */
export const SRIOV_GROUP = 'sriovnetwork.openshift.io';
/** Label prefix of virtual functions, ours: the operator has no upgrade flow. */
export const SRIOV_LABEL_PREFIX = 'sriov';

/** Annotations by which the config daemon asks for a drain and the drainer answers: sriov-network-operator 249e20012, `pkg/consts`. */
export const SRIOV_DRAIN_KEYS = {
  /** Of the SriovNetworkNodeState of its node: what the config daemon asks for. The node has the same, which is to go. */
  desired: 'sriovnetwork.openshift.io/desired-state',
  /** The answer of the drainer. */
  current: 'sriovnetwork.openshift.io/current-state',
  /** `true` where the operator leaves the drain to another drainer. */
  external: 'sriovnetwork.openshift.io/use-external-drainer',
} as const;

/** Label by which a DaemonSet's pod names its ControllerRevision: Kubernetes `apps/v1`, DefaultDaemonSetUniqueLabelKey. */
export const REVISION_LABEL = 'controller-revision-hash';
/** Annotation of pods that the kubelet runs from a file: Kubernetes `core/v1`, MirrorPodAnnotationKey. */
export const MIRROR_POD_ANNOTATION = 'kubernetes.io/config.mirror';

/** Annotation of a driver DaemonSet, ours: the install digest of its pod template as rendered. */
export const INSTALL_DIGEST_ANNOTATION = 'weft.dev/install-digest';

/**
 * Annotations of a driver's pods, one for each container whose image a mirror of the cluster moved: `<from>=<to>`, the prefix before and after. Where
 * the image is pinned to the digest that NVIDIA published for its tag, both are the whole reference.
 */
export const MIRROR_ANNOTATION_PREFIX = 'mirror.weft.dev/';
/** Label of pods that pull the new image of a driver, ours: the driver's label prefix. */
export const PRE_PULL_LABEL = 'weft.dev/pre-pull';
/** Label of the same pods: the install digest of the DaemonSet whose image they pull. */
export const PRE_PULL_DIGEST_LABEL = 'weft.dev/install-digest';
/**
 * Annotation of an object, ours: the worst class of a change that its removal or a change of its `spec` may be, where the object
 * does not show it. `drain`: pods on nodes depend on it, and end without a drain when it goes.
 */
export const REMOVAL_ANNOTATION = 'weft.dev/removal';

/** Prefixes of the annotations of Argo CD and Helm, each by its project's documentation. */
const DELIVERY_PREFIXES = ['argocd.argoproj.io/', 'helm.sh/'];
/** Those of Flux, which reads them from labels, too: fluxcd/pkg, ssa/utils/match.go, AnyInMetadata. */
const FLUX_PREFIX = 'kustomize.toolkit.fluxcd.io/';
/**
 * Those of kustomize, which leaves an object with `config.kubernetes.io/local-config` out, and renames one by
 * `internal.config.kubernetes.io/needsHashSuffix`: kustomize, api/internal/utils/annotations.go and kyaml/kio/filters/local.go.
 */
const KUSTOMIZE_PREFIXES = ['config.kubernetes.io/', 'internal.config.kubernetes.io/', 'kustomize.config.k8s.io/'];

/** Whether an annotation tells a delivery tool, or `weft diff`, what may be done with an object. */
export function isDeliveryAnnotation(key: string): boolean {
  const prefixes = [...DELIVERY_PREFIXES, ...KUSTOMIZE_PREFIXES];
  return key === REMOVAL_ANNOTATION || isDeliveryLabel(key) || prefixes.some((prefix) => key.startsWith(prefix));
}

/** The same of a label. */
export function isDeliveryLabel(key: string): boolean {
  return key.startsWith(FLUX_PREFIX);
}

/** Label of every object of the companion, ours. */
export const COMPONENT_LABEL = 'weft.dev/component';
export const COMPANION_COMPONENT = 'companion';
/** Labels of every object of the companion. */
export const COMPANION_LABELS = { [COMPONENT_LABEL]: COMPANION_COMPONENT };
/** The ConfigMap that the init container of every driver reads. */
export const INIT_CONFIG_MAP = 'ofed-init-container-config';
/** Its key. */
export const INIT_CONFIG_KEY = 'config.json';

/** Annotation of the status ConfigMap, ours: any value but `false` pauses the companion. */
export const PAUSED_ANNOTATION = 'weft.dev/paused';
/** Annotation of the status ConfigMap, ours: nodes begin outside of maintenance windows until this time (RFC 3339). */
export const IGNORE_WINDOWS_ANNOTATION = 'weft.dev/ignore-windows-until';

/** Events about nodes are in this namespace: the API server takes those of objects without a namespace there. */
export const NODE_EVENT_NAMESPACE = 'default';
/** Annotation of an Event, ours: the rows of the transition table that were taken, separated by spaces. */
export const EVENT_ROWS_ANNOTATION = 'weft.dev/transitions';

/** Names of the companion's objects. */
export const COMPANION_NAMES = {
  account: 'weft-companion',
  /** The name of the program's ConfigMap is this and a hash of the program, because it cannot be changed. */
  programPrefix: 'weft-companion-program-',
  policyConfigMap: 'weft-companion-policy',
  statusConfigMap: 'weft-companion-status',
  dashboardConfigMap: 'weft-companion-dashboard',
  lease: 'weft-companion',
  cronJob: 'weft-companion',
  /** The Job's name is this and a hash of what needs a new run. */
  jobPrefix: 'weft-companion-',
} as const;
/** Key of the policy document in its ConfigMap. */
export const POLICY_KEY = 'policy.json';
/** Key of the name of the Job that carries the policy out, beside the policy; absent without a CronJob. */
export const JOB_KEY = 'job';
/** Key of the policy's hash, beside the policy: where it is not that of the policy, somebody changed the policy by hand. */
export const POLICY_HASH_KEY = 'hash';
/** Key of the program in its ConfigMap. */
export const PROGRAM_KEY = 'program';

/**
 * Annotations that keep GitOps controllers and Helm from deleting an object that left the input: Argo CD sync options,
 * Flux's kustomize-controller, Helm's resource policy, each by its project's documentation.
 */
export const KEEP_ANNOTATIONS: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
  'helm.sh/resource-policy': 'keep',
};

/** Labels of a Namespace: what pods its namespace may have (kubernetes/pod-security-admission, api/constants.go). */
export const POD_SECURITY_LABELS = [
  'pod-security.kubernetes.io/audit',
  'pod-security.kubernetes.io/enforce',
  'pod-security.kubernetes.io/warn',
] as const;

/** The level of the namespace of the drivers, which are privileged pods. */
export const POD_SECURITY_LEVEL = 'privileged';

/**
 * Keeps Flux from replacing `${…}` in an object if a Kustomization has `postBuild` (kustomize-controller,
 * docs/spec/v1/kustomizations.md, "Post build variable substitution").
 */
export const NOT_SUBSTITUTED: Readonly<Record<string, string>> = {
  'kustomize.toolkit.fluxcd.io/substitute': 'disabled',
};
