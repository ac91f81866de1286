// The types of documents are in src/compile/model/input.ts and src/compile/model/kubernetes-types.ts; lib/index.d.ts of the package has them, too.
import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { IConstruct } from 'constructs';

/**
 * Why no pod of a program runs on a node. `policy`: no policy with the section selects it. `taint`, `label`, `kernel`, `os`, `architecture`: what keeps
 * its pods away. `gate`: they wait for a driver, which the node does not get. `uninstall`: the Cluster document takes the driver off.
 */
declare type AbsenceKind = 'policy' | 'taint' | 'label' | 'kernel' | 'os' | 'architecture' | 'gate' | 'uninstall';

/** The add-ons that a Cluster can have, by the key of their section. */
export declare interface AddOnComponents {
  /** The section `maintenanceOperator`; `undefined` where the Cluster does not have it. */
  readonly maintenanceOperator: MaintenanceOperator | undefined;
  /** The section `nodeFeatureDiscovery`; `undefined` where the Cluster does not have it. */
  readonly nodeFeatureDiscovery: NodeFeatureDiscovery | undefined;
  /** The section `sriovNetworkOperator`; `undefined` where the Cluster does not have it. */
  readonly sriovNetworkOperator: SriovNetworkOperator | undefined;
  /** The section `whereabouts`; `undefined` where the Cluster does not have it. */
  readonly whereabouts: Whereabouts | undefined;
}

/** An add-on with its objects. It replaces its section in the `spec` of the `Cluster`. */
export declare abstract class AddOnConstruct extends InstalledConstruct {
  /** @throws InvalidConfigError when the section has an error, or when the cluster already has it. */
  constructor(scope: Construct, id: string, addOnId: string, props: DeployedInCluster);
}

/** An add-on with its own construct: a section of the Cluster. */
declare interface AddOnPart {
  readonly kind: 'add-on';
  readonly construct: Construct;
  readonly addOnId: string;
  /** The input of the section. */
  readonly values: object;
  /** Adds the objects, from what the section becomes in the configuration of the cluster. */
  build(props: unknown): void;
}

/**
 * The sections of a Cluster document for the values of the operator's Helm chart, by key. `null` removes a default, and
 * maps are merged into their defaults, as in Helm. Values that have no meaning without Helm are left out. Unknown
 * values are kept, and the Cluster document is refused for them.
 */
export declare function addOnSectionsOfChart(values: ChartValues): Readonly<Record<string, unknown>>;

/** A network of a workload, with its NetworkAttachmentDefinition. */
declare interface Attachment {
  readonly selection: NetworkSelection;
  readonly definition: KubernetesObject;
}

/** Settings of the interface in a workload's pods. Multus and the network determine missing ones. */
export declare type AttachmentOptions = Omit<NetworkSelection, 'name' | 'namespace'>;

/** Values of the operator's Helm chart, or a part of them. */
export declare type ChartValues = Readonly<Record<string, unknown>>;

/**
 * A cluster: the objects of its documents, and the owner of the constructs that get it as `cluster`. It also creates
 * the namespace of the drivers, CustomResourceDefinitions and add-ons. When the chart is validated, the rules look at
 * all documents and constructs together, as for `weft synth`.
 */
export declare class Cluster extends Construct implements ClusterScope {
  /** The components of the NicClusterPolicy among `documents`. */
  readonly policy: NicClusterPolicy;
  /** The add-ons whose sections are in `spec`, each by its key: `cluster.addOns.whereabouts`. */
  readonly addOns: AddOnComponents;
  /** The node pools: one for each kernel. */
  readonly pools: readonly NodePool[];
  /** Namespace of the drivers. */
  readonly namespace: string;
  private readonly parts;
  private readonly objects;
  private readonly constructs;
  /** Of the objects of the cluster and its constructs: policies share some of them. */
  private readonly identities;
  private readonly workloads;
  /** The program's objects to which its documents and constructs refer. */
  private uses;
  private checked;
  /** The problems of the patches and of the objects, once the objects are complete. */
  private patched;
  /** @throws InvalidConfigError when a document has an error that does not depend on others. */
  constructor(scope: Construct, id: string, props: ClusterProps);
  /** The CustomResourceDefinitions of its components and add-ons so far. */
  get crds(): readonly MadeObject[];
  /** All diagnostics about the current documents and constructs, warnings included. */
  get diagnostics(): readonly Diagnostic[];
  /**
   * The table of coverage: for each node pool and each component or add-on, whether its nodes get a pod, and why not. Of the current constructs;
   * with the effect of patches once the chart was validated. Empty while there are errors.
   */
  get coverage(): readonly PoolCoverage[];
  /** Adds a construct's part of the configuration. The constructs of this library call it. */
  add(part: ClusterPart): void;
  /** The configuration with the part, and with the objects of the program that it refers to. */
  private addPart;
  private addConstruct;
  private addWorkload;
  private isOfPart;
  private messages;
  private found;
  private check;
  /**
   * Builds the components again, now from the whole configuration, and fills their objects. A tree of their own, because a
   * component builds the objects of all its policies together, and here each policy has its part of them.
   */
  private fill;
  /** Completes the objects from the whole configuration, once, if there is no error. */
  private complete;
}

declare type ClusterPart = SectionPart | AddOnPart | NetworkPart | PolicyPart | UsePart;

/** The components that a NicClusterPolicy can have, by the last key of their section. */
declare interface ClusterPolicyComponents {
  /** The section `secondaryNetwork.cniPlugins`; `undefined` where the policy does not have it. */
  readonly cniPlugins: ContainerNetworkingPlugins | undefined;
  /** The section `docaTelemetryService`; `undefined` where the policy does not have it. */
  readonly docaTelemetryService: DocaTelemetryService | undefined;
  /** The section `ibKubernetes`; `undefined` where the policy does not have it. */
  readonly ibKubernetes: IbKubernetes | undefined;
  /** The section `secondaryNetwork.ipoib`; `undefined` where the policy does not have it. */
  readonly ipoib: IpoibCni | undefined;
  /** The section `secondaryNetwork.multus`; `undefined` where the policy does not have it. */
  readonly multus: MultusCni | undefined;
  /** The section `nicConfigurationOperator`; `undefined` where the policy does not have it. */
  readonly nicConfigurationOperator: NicConfigurationOperator | undefined;
  /** The section `nicFeatureDiscovery`; `undefined` where the policy does not have it. */
  readonly nicFeatureDiscovery: NicFeatureDiscovery | undefined;
  /** The section `nvIpam`; `undefined` where the policy does not have it. */
  readonly nvIpam: NvIpamCni | undefined;
  /** The section `ofedDriver`; `undefined` where the policy does not have it. */
  readonly ofedDriver: OfedDriver | undefined;
  /** The section `rdmaSharedDevicePlugin`; `undefined` where the policy does not have it. */
  readonly rdmaSharedDevicePlugin: RdmaSharedDevicePlugin | undefined;
  /** The section `spectrumXOperator`; `undefined` where the policy does not have it. */
  readonly spectrumXOperator: SpectrumXOperator | undefined;
  /** The section `sriovDevicePlugin`; `undefined` where the policy does not have it. */
  readonly sriovDevicePlugin: SriovDevicePlugin | undefined;
}

/** The props of a `Cluster`. */
export declare interface ClusterProps {
  /**
   * Name of the cluster, if there is no Cluster document.
   *
   * @default the id of the construct
   */
  readonly name?: string;
  /**
   * The properties of the cluster: the `spec` of a Cluster document.
   *
   * @default that of the Cluster document among `documents`
   */
  readonly spec?: ClusterSpecInput;
  /**
   * Documents, the same that `weft synth` reads from the folder of a cluster.
   *
   * @default none: policies and networks are constructs of their own
   */
  readonly documents?: readonly InputDocument[];
}

/** A cluster that constructs belong to: the construct `Cluster`. */
export declare interface ClusterScope {
  /** Adds a construct's part of the configuration. The constructs of this library call it. */
  readonly add: (part: ClusterPart) => void;
  /** The CustomResourceDefinitions of its components and add-ons so far. */
  readonly crds?: readonly MadeObject[];
}

/** Objects of a cluster, as `kubectl get … -o json` prints them, or as `weft plan --save` writes them. */
export declare interface ClusterSnapshot {
  readonly items: readonly object[];
}

/**
 * A component with its objects. In a user's program it belongs to the NicClusterPolicy of its cluster, which does not
 * need a construct.
 */
export declare abstract class ComponentConstruct extends InstalledConstruct {
  /** @throws InvalidConfigError when the section has an error, or when the policy already has it. */
  constructor(scope: Construct, id: string, componentId: string, props: InCluster);
  /** The node pools on which it runs: those that the policy selects and whose taints it tolerates. */
  get pools(): readonly NodePool[];
}

declare interface ComputeResources {
  readonly limits?: StringMap;
  readonly requests?: StringMap;
}

/** A ConfigMap that we emit. */
export declare interface ConfigMapObject extends KubernetesObject {
  readonly kind: 'ConfigMap';
  readonly data: StringMap;
}

declare interface Container {
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly securityContext?: {
    readonly privileged?: boolean;
    readonly runAsUser?: number;
    readonly runAsGroup?: number;
    readonly allowPrivilegeEscalation?: boolean;
    readonly capabilities?: {
      readonly add?: readonly string[];
      readonly drop?: readonly string[];
    };
    readonly seLinuxOptions?: {
      readonly level: string;
    };
  };
  readonly resources?: ComputeResources;
  readonly volumeMounts?: readonly VolumeMount[];
  readonly terminationMessagePolicy?: 'File' | 'FallbackToLogsOnError';
  readonly startupProbe?: ContainerProbe;
  readonly livenessProbe?: ContainerProbe | HttpProbe;
  readonly readinessProbe?: ContainerProbe | HttpProbe;
}

/**
 * The standard CNI plugins: a DaemonSet that copies them to every node (network-operator b06827e0,
 * manifests/state-container-networking-plugins).
 */
export declare class ContainerNetworkingPlugins extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: ContainerNetworkingPluginsProps);
}

/** The props of `ContainerNetworkingPlugins`: its section of a policy, and the cluster. */
export declare interface ContainerNetworkingPluginsProps extends ContainerNetworkingPluginsInput, InCluster {}

declare interface ContainerProbe {
  readonly exec: {
    readonly command: readonly string[];
  };
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
  readonly failureThreshold: number;
  readonly successThreshold: number;
  readonly timeoutSeconds: number;
}

/** A DaemonSet that we emit. */
export declare interface DaemonSetObject extends KubernetesObject {
  readonly kind: 'DaemonSet';
  readonly spec: {
    readonly selector: {
      readonly matchLabels: StringMap;
    };
    readonly template: PodTemplate;
  };
}

/** Props of every add-on, in addition to the fields of its section. */
export declare interface DeployedInCluster extends InCluster {
  /**
   * Whether the add-on is rendered.
   *
   * @default true
   */
  readonly deploy?: boolean | undefined;
}

/** A Deployment that we emit. */
export declare interface DeploymentObject extends KubernetesObject {
  readonly kind: 'Deployment';
  readonly spec: {
    readonly selector: {
      readonly matchLabels: StringMap;
    };
    readonly template: PodTemplate;
  };
}

/** A resource that a device plugin offers to pods. */
export declare interface DeviceResource {
  /** With its prefix, for the requests of pods. */
  readonly name: string;
  /**
   * Adds the resource to requests and limits of a container of the workload.
   *
   * @param workload a Pod, Deployment, StatefulSet, DaemonSet, ReplicaSet, Job or CronJob of cdk8s-plus, or an `ApiObject` of one
   */
  readonly requestFrom: (workload: Construct, options?: RequestOptions) => void;
}

/**
 * An error or a warning about the input. `message` is a lower-case fact in terms of the configuration; only `help`
 * proposes changes.
 */
export declare interface Diagnostic {
  /** `WEFT` and four digits, as registered in `codes.ts`. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly location?: Location;
  /** Where in the document, for instance `['spec', 'ofedDriver', 'version']`. */
  readonly path?: readonly PathStep[];
  /** A short text about the place, printed after the caret. */
  readonly label?: string;
  readonly help?: string;
  /** A second place that the message is about, for two documents in conflict. */
  readonly related?: {
    readonly location: Location;
    readonly message: string;
  };
}

/**
 * The DOCA telemetry service: a DaemonSet, and its configuration if the policy names none (network-operator b06827e0,
 * manifests/state-doca-telemetry-service).
 */
export declare class DocaTelemetryService extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: DocaTelemetryServiceProps);
}

/** The props of `DocaTelemetryService`: its section of a policy, and the cluster. */
export declare interface DocaTelemetryServiceProps extends DocaTelemetryServiceInput, InCluster {}

/** The policy by which the companion does what k8s-driver-manager did. */
export declare interface DriverManagerPolicy {
  /** `gpuDriver.upgradePolicy` of a Cluster document. */
  readonly upgradePolicy: NonNullable<NonNullable<ClusterSpecInput['gpuDriver']>['upgradePolicy']>;
  /** In what the companion differs from k8s-driver-manager with this environment, as sentences without a full stop. */
  readonly notes: readonly string[];
}

/** An entry of the environment of a container. */
export declare interface DriverManagerVariable {
  readonly name: string;
  /** Absent: empty text. */
  readonly value?: string;
}

/** The names of the durations. */
declare const DURATION_NAMES: readonly ['driver', 'workload', 'termination', 'job'];

declare type DurationName = (typeof DURATION_NAMES)[number];

/** A pod that ends before it is done. */
declare interface EndedPod {
  /** As `namespace/name`. */
  readonly pod: string;
  readonly node: string;
  /** Its Job, as `namespace/name`; null: it has no controller, so nothing starts it again. */
  readonly job: string | null;
  readonly at: string;
  /** How long it has run then; null: the snapshot has no `startTime` of it. */
  readonly ranSeconds: number | null;
}

/** An environment variable; where its value comes from is passed on as it was given. */
declare interface EnvVar {
  readonly name: string;
  readonly value?: string | undefined;
  readonly valueFrom?: object | undefined;
}

/** The place of an entry of `extends`. */
declare type ExtendsPlace = Pick<Location, 'file' | 'line' | 'column'>;

/**
 * The `gpuDriver.upgradePolicy` of a Cluster document for the environment of k8s-driver-manager, the init container of GPU driver pods. Give
 * it the variables of that container as its DaemonSet has them, because the GPU operator sets some that a ClusterPolicy does not name.
 * For a variable that is absent the default of k8s-driver-manager holds; other variables are ignored; of two with one name the last counts.
 *
 * | variable | default | what it becomes |
 * | --- | --- | --- |
 * | `ENABLE_GPU_POD_EVICTION` | `true` | nothing: the companion evicts pods that hold a GPU in any case. If `ENABLE_AUTO_DRAIN` is off too, `autoUpgrade: false` |
 * | `ENABLE_AUTO_DRAIN` | `true` | `drain.enable` |
 * | `DRAIN_USE_FORCE` | `false` | `force` of `gpuPodDeletion` and `drain` |
 * | `DRAIN_DELETE_EMPTYDIR_DATA` | `false` | `deleteEmptyDir` of both |
 * | `DRAIN_TIMEOUT_SECONDS` | `0s` | `timeoutSeconds` of both: a duration of Go, rounded up to seconds; 0 for no limit |
 * | `DRAIN_POD_SELECTOR_LABEL` | empty | `podSelector` of `drain` |
 *
 * Source: k8s-driver-manager bd62ca7d, `cmd/driver-manager/main.go` and `internal/kubernetes/client.go`.
 *
 * @throws Error that names every variable which k8s-driver-manager would refuse
 * @example
 * const env = daemonSet.spec.template.spec.initContainers.find(({ name }) => name === 'k8s-driver-manager').env;
 * const { upgradePolicy, notes } = gpuUpgradePolicyOf(env);
 */
export declare function gpuUpgradePolicyOf(environment: readonly DriverManagerVariable[]): DriverManagerPolicy;

/**
 * The NetworkAttachmentDefinition of a HostDeviceNetwork (network-operator b06827e0, manifests/state-hostdevice-network).
 * Without a namespace it goes to `default`; the operator leaves the namespace out, and the API server refuses that.
 */
export declare class HostDeviceNetwork extends NetworkConstruct {
  constructor(scope: Construct, id: string, props: HostDeviceNetworkProps);
}

/** The props of `HostDeviceNetwork`: the `spec` of its document, and the cluster. */
export declare interface HostDeviceNetworkProps extends HostDeviceNetworkSpecInput, NetworkProps {}

declare interface HttpProbe {
  readonly httpGet: {
    readonly path: string;
    readonly port: number;
  };
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
}

/**
 * ib-kubernetes: a Deployment that configures the subnet manager (UFM) for pods with InfiniBand devices
 * (network-operator b06827e0, manifests/state-ib-kubernetes).
 */
export declare class IbKubernetes extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: IbKubernetesProps);
}

/** The props of `IbKubernetes`: its section of a policy, and the cluster. */
export declare interface IbKubernetesProps extends IbKubernetesInput, InCluster {}

/** Props of every construct that belongs to a cluster. */
export declare interface InCluster {
  /** The construct `Cluster` with the nodes, the release and the namespace of the cluster. */
  readonly cluster: ClusterScope;
}

/** How a cluster comes to a base. */
declare interface Inheritance extends ExtendsPlace {
  /** The entries of the bases between the cluster and this one; absent if there are none. */
  readonly through?: readonly ExtendsPlace[];
}

/** A component or an add-on with its objects. */
export declare abstract class InstalledConstruct extends Construct {
  constructor(scope: Construct, id: string, cluster: ClusterScope);
  /** All objects, in the order in which they were added. */
  get objects(): readonly MadeObject[];
  /** Its DaemonSets. */
  get daemonSets(): readonly MadeObject<DaemonSetObject>[];
  /** Its Deployments. */
  get deployments(): readonly MadeObject<DeploymentObject>[];
  /** Its ConfigMaps. */
  get configMaps(): readonly MadeObject<ConfigMapObject>[];
  /** The CustomResourceDefinitions that come with it. A cluster has each of them once: they are among the objects of its `Cluster`. */
  get crds(): readonly MadeObject[];
}

/**
 * Documents or props have errors. The message is the output of `weft synth`; `diagnostics` has the same as data. Their
 * `location.file` is the path of the construct, or kind and name of the document.
 */
export declare class InvalidConfigError extends Error {
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]);
}

/**
 * The IPoIB CNI plugin: a DaemonSet that copies it to every node (network-operator b06827e0,
 * manifests/state-ipoib-cni).
 */
export declare class IpoibCni extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: IpoibCniProps);
}

/** The props of `IpoibCni`: its section of a policy, and the cluster. */
export declare interface IpoibCniProps extends IpoibCniInput, InCluster {}

/**
 * The NetworkAttachmentDefinition of an IPoIBNetwork (network-operator b06827e0, manifests/state-ipoib-network). Unlike
 * that of a MacvlanNetwork it always has the field `master`, empty if none is given.
 */
export declare class IPoIBNetwork extends NetworkConstruct {
  constructor(scope: Construct, id: string, props: IPoIBNetworkProps);
}

/** The props of `IPoIBNetwork`: the `spec` of its document, and the cluster. */
export declare interface IPoIBNetworkProps extends IPoIBNetworkSpecInput, NetworkProps {}

/** Any object that we emit. */
export declare interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** One place in the input. Lines and columns count from 1; columns count UTF-16 units. */
export declare interface Location {
  /** Path as the user would type it, relative to the working directory. */
  readonly file: string;
  /** Absent if the input has no text, as in a `cluster.ts`. */
  readonly line?: number;
  readonly column?: number;
  /** Column after the last character of the place, on the same line. */
  readonly endColumn?: number;
  /** The text of the line, without its line break. */
  readonly sourceLine?: string;
  /** For a place in a base: by which clusters it is inherited. One of a run over several clusters names each. */
  readonly inheritedBy?: readonly Inheritance[];
}

/** The NetworkAttachmentDefinition of a MacvlanNetwork (network-operator b06827e0, manifests/state-macvlan-network). */
export declare class MacvlanNetwork extends NetworkConstruct {
  constructor(scope: Construct, id: string, props: MacvlanNetworkProps);
}

/** The props of `MacvlanNetwork`: the `spec` of its document, and the cluster. */
export declare interface MacvlanNetworkProps extends MacvlanNetworkSpecInput, NetworkProps {}

/** An object in the tree: an `ApiObject` to depend on, to label and to patch, whose manifest has a type. */
export declare interface MadeObject<T extends KubernetesObject = KubernetesObject> extends ApiObject {
  readonly name: string;
  toJson(): T;
}

/** The Maintenance Operator, if it is deployed. */
export declare class MaintenanceOperator extends AddOnConstruct {
  constructor(scope: Construct, id: string, props: MaintenanceOperatorProps);
  /** The MaintenanceOperatorConfig; absent if `operatorConfig.deploy` is false. */
  get config(): MadeObject<KubernetesObject & MaintenanceOperatorConfigDocument> | undefined;
}

/** The props of `MaintenanceOperator`: its section of the Cluster document, and the cluster. */
export declare interface MaintenanceOperatorProps extends Omit<MaintenanceOperatorInput, 'deploy'>, DeployedInCluster {}

/** Multus as a thin plugin: a DaemonSet that installs it on every node (network-operator b06827e0, manifests/state-multus-cni). */
export declare class MultusCni extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: MultusCniProps);
}

/** The props of `MultusCni`: its section of a policy, and the cluster. */
export declare interface MultusCniProps extends MultusCniInput, InCluster {}

/** A ConfigMap, a Secret or a PersistentVolumeClaim of cdk8s-plus, or an `ApiObject` of one of these kinds. */
export declare interface NamedObject extends IConstruct {
  readonly kind: string;
  readonly name: string;
}

/** A NetworkAttachmentDefinition that we emit. */
export declare interface NetworkAttachmentObject extends KubernetesObject {
  readonly kind: 'NetworkAttachmentDefinition';
  readonly metadata: ObjectMeta & {
    readonly namespace: string;
  };
  /** `config` is the CNI configuration as JSON text. */
  readonly spec: {
    readonly config: string;
  };
}

/** A network: a NetworkAttachmentDefinition to which workloads are attached. */
export declare abstract class NetworkConstruct extends Construct {
  private readonly cluster;
  /**
   * @throws InvalidConfigError when a field has an error, or when the cluster already has a network of this kind and
   *   name.
   */
  constructor(scope: Construct, id: string, documentKind: string, props: NetworkProps);
  /** The NetworkAttachmentDefinition. */
  get attachment(): MadeObject<NetworkAttachmentObject>;
  /**
   * Attaches the pods of a workload to the network: adds it at the end of their annotation
   * `k8s.v1.cni.cncf.io/networks`. A network can be attached several times.
   *
   * @param workload a Pod, Deployment, StatefulSet, DaemonSet, ReplicaSet, Job or CronJob of cdk8s-plus, or an `ApiObject` of one
   */
  attachTo(workload: Construct, options?: AttachmentOptions): void;
}

/** A network with its own construct. */
declare interface NetworkPart {
  readonly kind: 'network';
  readonly construct: Construct;
  /** Kind of the document. */
  readonly documentKind: string;
  readonly name: string;
  /** The input `spec` of the document. */
  readonly values: object;
  build(network: unknown): void;
}

/** Props of every network, in addition to the fields of its kind. */
export declare interface NetworkProps extends InCluster {
  /**
   * Name of the network and of its NetworkAttachmentDefinition.
   *
   * @default the id of the construct
   */
  readonly name?: string;
}

/**
 * A network in the annotation of a pod (multus-cni master, pkg/types/types.go `NetworkSelectionElement`). Multus names an interface
 * `net1`, `net2` … where none is given.
 */
declare interface NetworkSelection {
  readonly name: string;
  readonly namespace: string;
  /**
   * Name of the interface in the pod.
   *
   * @default `net` and the place of the network in the list, from 1 on
   */
  readonly interface?: string;
  /**
   * Requested addresses of the interface, with or without a prefix length; the IPAM of the network must support the
   * capability `ips`.
   *
   * @default the IPAM chooses
   */
  readonly ips?: readonly string[];
  /**
   * MAC address of the interface; a plugin of the network must support the capability `mac`.
   *
   * @default the plugin chooses
   */
  readonly mac?: string;
  /**
   * GUID of the InfiniBand device.
   *
   * @default the subnet manager's choice
   */
  readonly infinibandGuid?: string;
  /**
   * Gateways of the pod's default route, through this interface.
   *
   * @default the default route of the pod stays as it is
   */
  readonly defaultRoute?: readonly string[];
}

export declare interface NicClusterPolicy extends ClusterPolicyComponents {}

/**
 * The components of the NicClusterPolicy, each as a construct under the key of its section: `policy.ofedDriver`. Components that
 * have constructs of their own belong to the same policy, and take its `global`, tolerations and affinity.
 */
export declare class NicClusterPolicy extends Construct {
  /** @throws InvalidConfigError when the policy has an error, or when the cluster has another one. */
  constructor(scope: Construct, id: string, props: NicClusterPolicyProps);
}

/** The props of a `NicClusterPolicy`. */
export declare interface NicClusterPolicyProps extends InCluster {
  /**
   * The `spec` of the document.
   *
   * @default the policy has no section
   */
  readonly spec?: NicClusterPolicySpecInput;
}

/**
 * The NIC configuration operator: a Deployment, a DaemonSet that configures the NICs, and a claim for firmware
 * (network-operator b06827e0, manifests/state-nic-configuration-operator).
 */
export declare class NicConfigurationOperator extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: NicConfigurationOperatorProps);
}

/** The props of `NicConfigurationOperator`: its section of a policy, and the cluster. */
export declare interface NicConfigurationOperatorProps extends NicConfigurationOperatorInput, InCluster {}

/** NIC feature discovery: a DaemonSet (network-operator b06827e0, manifests/state-nic-feature-discovery). */
export declare class NicFeatureDiscovery extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: NicFeatureDiscoveryProps);
}

/** The props of `NicFeatureDiscovery`: its section of a policy, and the cluster. */
export declare interface NicFeatureDiscoveryProps extends NicFeatureDiscoveryInput, InCluster {}

export declare interface NicNodePolicy extends NodePolicyComponents {}

/** The components of one NicNodePolicy, each as a construct under the key of its section: `policy.ofedDriver`. */
export declare class NicNodePolicy extends Construct {
  /** @throws InvalidConfigError when the policy has an error, or when the cluster has another one of this name. */
  constructor(scope: Construct, id: string, props: NicNodePolicyProps);
}

/** The props of a `NicNodePolicy`. */
export declare interface NicNodePolicyProps extends InCluster {
  /**
   * Name of the policy, which is part of the names of its objects.
   *
   * @default the id of the construct
   */
  readonly name?: string;
  /** The `spec` of the document. */
  readonly spec: NicNodePolicySpecInput;
}

/** Node affinity, passed on as it was given. */
declare interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: object | undefined;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly object[] | undefined;
}

/** Node Feature Discovery, if it is deployed, and its rule, if an object selects by the label of the rule. */
export declare class NodeFeatureDiscovery extends AddOnConstruct {
  constructor(scope: Construct, id: string, props: NodeFeatureDiscoveryProps);
  /** The rule that labels nodes with an NVIDIA NIC; absent if no object of the cluster selects by its label. */
  get rule(): MadeObject<RuleObject> | undefined;
}

/** The props of `NodeFeatureDiscovery`: its section of the Cluster document, and the cluster. */
export declare interface NodeFeatureDiscoveryProps
  extends Omit<NodeFeatureDiscoveryInput, 'deploy'>, DeployedInCluster {}

/** The upgrade of one node by one driver, in the run of median length. */
export declare interface NodePlan {
  readonly node: string;
  readonly driver: string;
  /** Its upgrade pool, or else its policy. Empty: no policy has the node. */
  readonly pool: string;
  /** The value of the label that `upgrade.topologyKey` names; null: there is none. */
  readonly topologyDomain: string | null;
  /** `upgraded`, `failed`, or the state in which it stays. */
  readonly outcome: 'upgraded' | 'failed' | 'in-progress' | 'waiting';
  /** A node that begins after a node of the wave is through begins the next wave. Null: it never begins. */
  readonly wave: number | null;
  /** The start of the plan for a node that is in progress then. */
  readonly beginsAt: string | null;
  readonly endsAt: string | null;
  /** What it waited for last before it began. Of kind `nothing`, the message says whether it is in progress at the start. */
  readonly after: {
    readonly kind: WaitKind | 'nothing';
    readonly message: string;
  };
  /** Pods that are evicted, as `namespace/name`. */
  readonly evicted: readonly string[];
  /** What happens to it, in order. */
  readonly history: readonly PlannedEvent[];
}

/** The components that a NicNodePolicy can have, by the last key of their section. */
declare interface NodePolicyComponents {
  /** The section `ofedDriver`; `undefined` where the policy does not have it. */
  readonly ofedDriver: OfedDriver | undefined;
  /** The section `rdmaSharedDevicePlugin`; `undefined` where the policy does not have it. */
  readonly rdmaSharedDevicePlugin: RdmaSharedDevicePlugin | undefined;
  /** The section `sriovDevicePlugin`; `undefined` where the policy does not have it. */
  readonly sriovDevicePlugin: SriovDevicePlugin | undefined;
}

/** Nodes of one OS, OS version, architecture and at most one kernel; a pool of the input with several kernels becomes several. */
export declare interface NodePool {
  readonly name: string;
  readonly osName: string;
  readonly osVersion: string;
  readonly arch: string;
  /** Absent if one driver DaemonSet serves every kernel of the OS version. */
  readonly kernel?: string;
  readonly containerRuntime: string;
  /** Empty if the nodes do not run RHCOS. */
  readonly rhcosVersion: string;
  /** The pool's own labels, and the labels that NFD sets on its nodes. */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}

declare type NodeState = keyof typeof STATES;

/**
 * NV-IPAM: a controller that gives each node its addresses, a DaemonSet that allocates them to pods, and an optional webhook
 * (network-operator b06827e0, manifests/state-nv-ipam-cni).
 */
export declare class NvIpamCni extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: NvIpamCniProps);
}

/** The props of `NvIpamCni`: its section of a policy, and the cluster. */
export declare interface NvIpamCniProps extends NvIpamCniInput, InCluster {}

/** Metadata of an object that we emit. Always with an explicit name. */
declare interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
}

/** Something that keeps nodes from coming through, or delays them to another window. */
export declare interface Obstacle {
  readonly kind:
    | 'budget'
    | 'finalizer'
    | 'termination'
    | 'no-controller'
    | 'empty-dir'
    | 'unschedulable-pods'
    | 'window'
    | 'horizon'
    | 'eviction'
    | WaitKind;
  /** Whether nodes do not come through because of it. */
  readonly isStuck: boolean;
  /** It would be in the way if all others were solved: the plan goes on without their nodes. Default: false. */
  readonly isNext?: true;
  readonly nodes: readonly string[];
  /** As `namespace/name`. */
  readonly pod?: string;
  /** As `namespace/name`. */
  readonly budget?: string;
  readonly message: string;
  readonly help: string;
}

/**
 * The DOCA-OFED driver: a DaemonSet for each OS, version and kernel of each policy's pools, and what their pods need.
 * If no pool is selected, it adds only the ConfigMap of the proxy's CA, like the operator.
 */
export declare class OfedDriver extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: OfedDriverProps);
}

/** The props of `OfedDriver`: its section of a policy, and the cluster. */
export declare interface OfedDriverProps extends OfedDriverInput, InCluster {}

/** A step into a document: a key of a mapping or an index of a sequence. */
declare type PathStep = string | number;

/** What an upgrade costs, in the run of median length. */
declare interface PlannedCost {
  /** For how long nodes are cordoned, in all. One that stays cordoned counts until the end of the plan. */
  readonly nodeHours: number;
  /** The same with the GPUs that each node offers. Null: no node of the cluster offers any. */
  readonly gpuHours: number | null;
  /** Running pods of Jobs, and without a controller, that are evicted or deleted; those that have run longest first. */
  readonly endedPods: readonly EndedPod[];
  /** Other running pods of their groups: a PodGroup, a JobSet or a job of Kubeflow, which usually starts again as a whole. */
  readonly groupPods: number;
}

/** How long something takes. */
export declare interface PlannedDuration {
  readonly name: DurationName;
  readonly from: number;
  readonly to: number;
  /** Where the numbers are from. */
  readonly source: string;
}

/** Something that happens to a node. */
declare interface PlannedEvent {
  readonly at: string;
  /** The state of the node after it. */
  readonly state: NodeState;
  readonly message: string;
}

declare interface PlannedSpan {
  readonly from: string;
  readonly to: string;
}

/** What an upgrade costs that starts at a time, as its own plan says. */
declare interface PlannedStart {
  readonly startsAt: string;
  readonly endsAt: string | null;
  readonly nodes: number;
  readonly upgraded: number;
  /** How many pods end before they are done. */
  readonly endedPods: number;
  readonly nodeHours: number;
  readonly gpuHours: number | null;
}

export declare interface PlanOptions {
  /** When the change is applied. */
  readonly at: Date;
  /** How long things take, in seconds. Default: as measured in the cluster, else stated defaults. */
  readonly durations?: Readonly<
    Partial<
      Record<
        DurationName,
        {
          readonly from: number;
          readonly to: number;
        }
      >
    >
  >;
  /** How often the upgrade is simulated, each time with other durations out of the ranges. Default: 10. */
  readonly runs?: number;
  /** The seed of the first run. Default: 1. */
  readonly seed?: number;
  /** Called after each run, of so many. */
  readonly onRun?: (done: number, total: number) => void;
}

/**
 * What the companion will do when a cluster gets these objects: its own decisions on a simulated cluster, in simulated time.
 *
 * @param objects the rendered objects of the cluster: `items` of `weft synth -o json`
 * @param snapshot objects of the live cluster: a List, as kubectl prints it or as `weft plan --save` writes it
 * @throws Error where the objects have no policy of the companion, which upgrade nothing, or where the snapshot is none
 * @example
 * const plan = planUpgrade(rendered.items, snapshot, { at: new Date() });
 * const stuck = plan.obstacles.filter(({ isStuck }) => isStuck);
 */
export declare function planUpgrade(
  objects: readonly KubernetesObject[],
  snapshot: ClusterSnapshot,
  options: PlanOptions,
): UpgradePlan;

declare interface PodAffinityTerm {
  readonly labelSelector: {
    readonly matchExpressions: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values?: readonly string[];
    }[];
  };
  readonly topologyKey: string;
}

declare interface PodAntiAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight: number;
    readonly podAffinityTerm: PodAffinityTerm;
  }[];
}

declare interface PodSpec {
  readonly priorityClassName?: string;
  readonly serviceAccountName?: string;
  /** The old name of the same field. */
  readonly serviceAccount?: string;
  readonly securityContext?: {
    readonly fsGroup?: number;
    readonly runAsNonRoot?: boolean;
  };
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly tolerations?: readonly Toleration[];
  readonly affinity?: {
    readonly nodeAffinity?: NodeAffinity;
    readonly podAntiAffinity?: PodAntiAffinity;
  };
  readonly imagePullSecrets?: readonly {
    readonly name: string;
  }[];
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly terminationGracePeriodSeconds?: number;
  readonly volumes?: readonly Volume[];
  readonly nodeSelector?: StringMap;
}

declare interface PodTemplate {
  readonly metadata: {
    readonly labels: StringMap;
    readonly annotations?: StringMap;
  };
  readonly spec: PodSpec;
}

/** Networks and resources that are added to the pods of a workload when it is written. */
declare interface PodWorkload {
  readonly object: ApiObject;
  readonly networks: Attachment[];
  readonly requests: ResourceRequest[];
}

/** A policy document with a construct. */
declare interface PolicyPart {
  readonly kind: 'policy';
  readonly construct: Construct;
  readonly documentKind: 'NicClusterPolicy' | 'NicNodePolicy';
  readonly name: string;
  readonly values: object;
  build(config: unknown): void;
}

/** What the nodes of a pool get of one program of a component or an add-on. */
export declare interface PoolCoverage {
  /** Name of the pool. */
  readonly pool: string;
  /** Of the nodes; absent if the pool is for every kernel. */
  readonly kernel?: string;
  /** Id of the component or the add-on: the name of its folder in the output. */
  readonly component: string;
  /** The same as `component`; of an add-on, which may run several programs, the name of the DaemonSet. */
  readonly program: string;
  /** The DaemonSets that put a pod on the nodes, as `<namespace>/<name>`; empty with `absence`. */
  readonly daemonSets: readonly string[];
  /** The policies that own them: `NicNodePolicy gb200`. Empty for an add-on. */
  readonly policies: readonly string[];
  /** Why no pod of it runs there: the kind of the cause, and a part of a sentence. */
  readonly absence?: {
    readonly kind: AbsenceKind;
    readonly message: string;
  };
}

/**
 * The RDMA shared device plugin: a DaemonSet and its configuration for each policy (network-operator b06827e0,
 * manifests/state-rdma-shared-device-plugin).
 */
export declare class RdmaSharedDevicePlugin extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: RdmaSharedDevicePluginProps);
  /** The ConfigMap with the plugin's configuration; absent if the section has no `config`. */
  get configMap(): MadeObject<ConfigMapObject> | undefined;
  /** The resources that pods can request, in the order of the configuration. */
  get resources(): readonly DeviceResource[];
}

/** The props of `RdmaSharedDevicePlugin`: its section of a policy, and the cluster. */
export declare interface RdmaSharedDevicePluginProps extends RdmaSharedDevicePluginInput, InCluster {}

/** The container and the number of devices. */
export declare interface RequestOptions {
  /**
   * Name of the container.
   *
   * @default the first container
   */
  readonly container?: string;
  /**
   * How many.
   *
   * @default 1
   */
  readonly count?: number;
}

/** An extended resource that a container requests. */
declare interface ResourceRequest {
  /** With its prefix. */
  readonly resource: string;
  /** Name of the container. Absent for the first. */
  readonly container?: string;
  readonly count: number;
}

/** A NodeFeatureRule; on OpenShift its API has another group. */
declare type RuleObject = KubernetesObject & Pick<NodeFeatureRuleDocument, 'kind' | 'spec'>;

/** A section of the NicClusterPolicy with its own construct. */
declare interface SectionPart {
  readonly kind: 'section';
  readonly construct: Construct;
  readonly componentId: string;
  /** The input of the section. */
  readonly values: object;
  /** Adds the objects, from what the section becomes in the configuration of the cluster. */
  build(props: unknown): void;
}

declare type Severity = 'error' | 'warning';

/**
 * The Spectrum-X operator: a DaemonSet that sets up the flows of its node (network-operator b06827e0,
 * manifests/state-spectrum-x-operator).
 */
export declare class SpectrumXOperator extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: SpectrumXOperatorProps);
}

/** The props of `SpectrumXOperator`: its section of a policy, and the cluster. */
export declare interface SpectrumXOperatorProps extends SpectrumXOperatorInput, InCluster {}

/**
 * The SR-IOV network device plugin: a DaemonSet and its configuration for each policy (network-operator b06827e0,
 * manifests/state-sriov-device-plugin).
 */
export declare class SriovDevicePlugin extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: SriovDevicePluginProps);
  /** The ConfigMap with the plugin's configuration; absent if the section has no `config`. */
  get configMap(): MadeObject<ConfigMapObject> | undefined;
  /** The resources that pods can request, in the order of the configuration. */
  get resources(): readonly DeviceResource[];
}

/** The props of `SriovDevicePlugin`: its section of a policy, and the cluster. */
export declare interface SriovDevicePluginProps extends SriovDevicePluginInput, InCluster {}

/** The SR-IOV Network Operator, if it is deployed. */
export declare class SriovNetworkOperator extends AddOnConstruct {
  constructor(scope: Construct, id: string, props: SriovNetworkOperatorProps);
  /** The SriovOperatorConfig; absent if `sriovOperatorConfig.deploy` is false. */
  get config(): MadeObject<KubernetesObject & SriovOperatorConfigDocument> | undefined;
}

/** The props of `SriovNetworkOperator`: its section of the Cluster document, and the cluster. */
export declare interface SriovNetworkOperatorProps
  extends Omit<SriovNetworkOperatorInput, 'deploy'>, DeployedInCluster {}

/** Values of the state label, verbatim from k8s-operator-libs `pkg/upgrade/consts.go`; the empty one is an absent label. */
declare const STATES: {
  readonly '': 'rest';
  readonly 'upgrade-required': 'pending';
  readonly 'cordon-required': 'drain';
  readonly 'wait-for-jobs-required': 'drain';
  readonly 'pod-deletion-required': 'drain';
  readonly 'drain-required': 'drain';
  readonly 'pod-restart-required': 'restart';
  readonly 'validation-required': 'restart';
  readonly 'uncordon-required': 'uncordon';
  readonly 'upgrade-done': 'rest';
  readonly 'upgrade-failed': 'failed';
  readonly 'node-maintenance-required': 'maintenance';
  readonly 'post-maintenance-required': 'return';
};

declare type StringMap = Readonly<Record<string, string>>;

/** A taint of a node. */
declare interface Taint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: string;
}

/** How a time is spent: the sum of these is the whole time. */
declare interface TimeSpent {
  /** A node is in progress. */
  readonly work: number;
  /** No node is in progress, and no maintenance window is open. */
  readonly window: number;
  /** No node is in progress in a window, and canaries soak. */
  readonly soak: number;
  /** No node is in progress for another reason, such as the schedule of the CronJob. */
  readonly other: number;
}

/** A toleration of a pod. */
declare interface Toleration {
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly value?: string | undefined;
  readonly effect?: string | undefined;
  readonly tolerationSeconds?: number | undefined;
}

/** What an upgrade will do, as `weft plan --format json` prints it. Times are in ISO 8601, durations in seconds. */
export declare interface UpgradePlan {
  /** When the change is applied. */
  readonly startsAt: string;
  /** When the last node is through; null: no run comes to an end. */
  readonly endsAt: string | null;
  /** How long it takes until the last node that comes through is through. */
  readonly duration: {
    /** Half of the runs take no longer. */
    readonly half: number;
    /** Nine of ten runs take no longer. */
    readonly nineOfTen: number;
  };
  /** What that time is in the run of median length, in seconds. */
  readonly time: TimeSpent;
  /** How often the upgrade was simulated, and the seed of the first run. */
  readonly runs: number;
  readonly seed: number;
  /** Nodes of which a driver is upgraded, or is to be. */
  readonly nodes: number;
  /** Nodes that begin. */
  readonly begun: number;
  /** Nodes that come through for all their drivers. */
  readonly upgraded: number;
  readonly waves: number;
  readonly podsEvicted: number;
  readonly cost: PlannedCost;
  /** The starts that were compared, in order; the plan is that of the cheapest. Absent: its start was given. */
  readonly starts?: readonly PlannedStart[];
  /** The nodes in the order of their begin, once for each driver; those that never begin come last. */
  readonly nodePlans: readonly NodePlan[];
  /** When nodes may begin: the windows from the start to the end of the upgrade. Empty: always. */
  readonly windows: readonly PlannedSpan[];
  /** When the canaries run before other nodes follow. */
  readonly soaks: readonly PlannedSpan[];
  /** How many nodes may be in progress at once; null: the policy has no limit. */
  readonly nodesAtOnce: number | null;
  /** How many pods the scheduler finds no node for, whenever that changes. */
  readonly podsWithoutNode: readonly {
    readonly at: string;
    readonly pods: number;
  }[];
  /** Why the plan upgrades no node; empty: it upgrades some. */
  readonly idle: readonly string[];
  /** What is in the way of nodes: of those that do not come through first, and what would be next last. */
  readonly obstacles: readonly Obstacle[];
  /** How long things take, and how that is known. */
  readonly durations: readonly PlannedDuration[];
  /** What the cluster has that is not simulated. */
  readonly notes: readonly string[];
}

/** A workload that uses a network or a resource, which is checked when the chart is validated. */
declare interface UsePart {
  readonly kind: 'use';
  /** The network, or the component that offers the resource. */
  readonly construct: Construct;
  readonly workload: PodWorkload;
}

declare interface Volume {
  readonly name: string;
  readonly hostPath?: {
    readonly path: string;
    readonly type?: string;
  };
  readonly configMap?: {
    readonly name: string;
    readonly items?: readonly {
      readonly key: string;
      readonly path: string;
    }[];
  };
  readonly emptyDir?: Readonly<Record<string, never>>;
  readonly secret?: {
    readonly secretName: string;
    readonly defaultMode?: number;
  };
  readonly persistentVolumeClaim?: {
    readonly claimName: string;
  };
}

declare interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly readOnly?: boolean;
  readonly mountPropagation?: 'None' | 'HostToContainer' | 'Bidirectional';
}

/** Everything that a node can wait for. */
declare const WAIT_KINDS: {
  readonly jobs: {
    readonly namesBlockers: true;
    readonly waitsFor: 'pods of jobs, by the selector of the policy';
    readonly advice: readonly [
      'wait for the jobs, or end them',
      'set `waitForCompletion.timeoutSeconds` in the policy: 0 waits without a limit',
    ];
  };
  readonly evictions: {
    readonly namesBlockers: true;
    readonly waitsFor: 'pods that must be evicted, and budgets that do not allow it';
    readonly advice: readonly [
      'free the budget that is named: more replicas, or repair the pods that it counts as not ready',
      'delete the pod that is named, where its loss is acceptable',
      'label the pod SKIP=true to leave it on the node',
    ];
  };
  readonly pods: {
    readonly left: 'with pods that no drain may evict';
    readonly namesBlockers: true;
    readonly waitsFor: 'the user: the node has pods that the policy does not allow to evict, or whose PodDisruptionBudget never does, so it is not taken out';
    readonly advice: readonly [
      'delete or move the pod that is named, or allow its eviction: `drain: {force: true, deleteEmptyDir: true}`, or a budget that allows one',
      'label the pod SKIP=true to leave it on the node',
    ];
  };
  readonly budget: {
    readonly namesBlockers: true;
    readonly waitsFor: 'PodDisruptionBudgets that allow no eviction of pods of the node now, so that it is not taken out';
    readonly advice: readonly [
      'free the budget that is named: more replicas, or repair the pods that it counts as not ready; leave a pod one budget',
      'delete the pod that is named, where its loss is acceptable',
      'label the pod SKIP=true to leave it on the node',
    ];
  };
  readonly termination: {
    readonly namesBlockers: true;
    readonly waitsFor: 'terminating pods';
    readonly advice: readonly [
      'look at the finalizers and the grace period of the pod that is named: the API server waits for them',
    ];
  };
  readonly 'driver-pod': {
    readonly waitsFor: 'the new driver pod';
    readonly advice: readonly [
      'look at the driver pod: `kubectl logs` and `kubectl describe`; its image may still be pulled',
    ];
  };
  readonly operator: {
    readonly waitsFor: 'the operator that restarts the driver, by its state label';
    readonly advice: readonly [
      'look at the label `nvidia.com/gpu-driver-upgrade-state` of the node, and at the log of the GPU operator',
    ];
  };
  readonly 'config-daemon': {
    readonly isQueued: true;
    readonly waitsFor: 'the config daemon of the SR-IOV operator, which configures virtual functions';
    readonly advice: readonly [
      'look at the SriovNetworkNodeState of the node, and at the log of its pod `sriov-network-config-daemon`',
    ];
  };
  readonly 'config-failed': {
    readonly left: 'whose virtual functions could not be configured';
    readonly waitsFor: 'the user: the config daemon of the SR-IOV operator failed, or does not end, and says why in the SriovNetworkNodeState';
    readonly advice: readonly [
      'mend the SriovNetworkNodePolicy that the error is about; the config daemon then tries again',
    ];
  };
  readonly pools: {
    readonly left: 'in more than one SR-IOV pool';
    readonly waitsFor: 'the user: more than one SriovNetworkPoolConfig selects the node';
    readonly advice: readonly [
      'change `nodeSelector` of the SriovNetworkPoolConfigs that are named: a node is in one pool at most',
    ];
  };
  readonly maintenance: {
    readonly waitsFor: 'the Maintenance Operator, to drain the node or to give it back, by its NodeMaintenance';
    readonly advice: readonly [
      'look at the NodeMaintenance that is named, and at the log of the Maintenance Operator: it has limits of its own, and other requestors',
      'free the pods that are named: the Maintenance Operator tries their eviction again without a limit',
    ];
  };
  readonly 'maintenance-failed': {
    readonly left: 'whose NodeMaintenance failed';
    readonly waitsFor: 'the user: a requestor set the condition `RequestorFailed` of the NodeMaintenance of the node';
    readonly advice: readonly [
      'repair what the condition names, then set it to `False`, or delete the NodeMaintenance: it is asked for again',
    ];
  };
  readonly 'maintenance-cordon': {
    readonly left: 'still cordoned after their maintenance';
    readonly waitsFor: 'the user: the NodeMaintenance of the node is gone, and the node is still cordoned';
    readonly advice: readonly ['`kubectl uncordon NODE`, unless somebody else needs the cordon'];
  };
  readonly 'no-maintenance-operator': {
    readonly isQueued: true;
    readonly left: 'waiting for the Maintenance Operator';
    readonly jobContinues: true;
    readonly waitsFor: 'the user, to deploy the Maintenance Operator: its CRD is not served, or none of its pods runs';
    readonly advice: readonly [
      'deploy the Maintenance Operator, for instance by its add-on in the Cluster document, or repair its pods',
      '`upgrade: {drainer: Companion}`, where the companion is to drain',
    ];
  };
  readonly validation: {
    readonly waitsFor: 'the resources and pods of the validation';
    readonly advice: readonly [
      'look at the pods and resources that are named; a device plugin may have to be restarted',
    ];
  };
  readonly 'cache-sync': {
    readonly waitsFor: 'the caches, to show a write, or a pod that was bound just before the cordon';
    readonly advice: readonly string[];
  };
  readonly 'daemon-set': {
    readonly waitsFor: 'GitOps, to apply the DaemonSet of the policy, or the DaemonSet controller, to observe it';
    readonly advice: readonly [
      'synchronize the application in Argo CD or Flux: the DaemonSet of the policy is not applied yet',
    ];
  };
  readonly policy: {
    readonly isQueued: true;
    readonly left: 'waiting for a policy that lists their driver DaemonSet';
    readonly waitsFor: 'GitOps, to apply the policy that lists a newer DaemonSet of the driver, or the user, to delete that DaemonSet';
    readonly advice: readonly [
      'synchronize the application in Argo CD or Flux: the policy that lists the DaemonSet is not applied yet',
      'delete the DaemonSet that is named, where no policy is to list it',
    ];
  };
  readonly image: {
    readonly isQueued: true;
    readonly waitsFor: 'the image of the new driver, which `upgrade.prePull` pulls before the upgrade of the node begins';
    readonly advice: readonly ['wait for the image, or shorten `upgrade.prePullTimeout`'];
  };
  readonly slot: {
    readonly isQueued: true;
    readonly left: 'waiting for nodes that are left in progress';
    readonly waitsFor: 'one of the nodes in progress';
    readonly advice: readonly ['wait for nodes in progress, or raise `maxParallelUpgrades` or `maxUnavailable`'];
  };
  readonly canary: {
    readonly isQueued: true;
    readonly waitsFor: 'the canaries in progress';
    readonly advice: readonly ['wait for the canaries'];
  };
  readonly 'canary-missing': {
    readonly isQueued: true;
    readonly left: 'held back because a canary is missing';
    readonly waitsFor: 'the user, to repair a canary or to change the selector of the canaries: none of them is in progress';
    readonly advice: readonly ['`weft upgrade retry` the canaries that failed, or change `upgrade.canary`'];
  };
  readonly successor: {
    readonly waitsFor: 'a taint or a label of the node in progress: no listed DaemonSet would put a driver there';
    readonly advice: readonly [
      'remove the taint that is named, or tolerate it in the policy, or add the kernel or the pool: `kubectl get nodes -o json | weft pools --check`',
      '`driver.uninstall` of the Cluster document, where the node is to have no driver',
    ];
  };
  readonly 'no-successor': {
    readonly isQueued: true;
    readonly left: 'kept, because no DaemonSet would put a driver on them';
    readonly waitsFor: 'the user: no listed DaemonSet would put a driver on the node, which therefore keeps the one that it has';
    readonly advice: readonly [
      'nothing, where the node may keep its driver: it is not drained',
      'tolerate the taint that is named in the policy, or add the kernel or the pool: `kubectl get nodes -o json | weft pools --check`',
      '`driver.uninstall` of the Cluster document, for the pool or the policy that is to go',
    ];
  };
  readonly 'daemon-set-kept': {
    readonly isQueued: true;
    readonly left: 'with a retired driver, whose DaemonSet other nodes keep';
    readonly waitsFor: 'the user: other nodes keep the retired DaemonSet of its driver, which is deleted for all nodes at once';
    readonly advice: readonly [
      'nothing, where the nodes that are named may keep the old driver: it is not upgraded here either',
      'set `autoUpgrade: true` in the policy that is named, or give the nodes that are named a driver, or none by `driver.uninstall`',
    ];
  };
  readonly topology: {
    readonly isQueued: true;
    readonly left: 'waiting for nodes of another topology domain that are left in progress';
    readonly waitsFor: 'the nodes of another topology domain';
    readonly advice: readonly ['wait for the nodes of the other domain'];
  };
  readonly 'evicted-pods': {
    readonly isQueued: true;
    readonly waitsFor: 'nodes that have just started, evicted pods that have no node, or a PodDisruptionBudget that another node needs first';
    readonly advice: readonly [
      'add nodes, or free resources for the pods that the scheduler finds no node for: `kubectl get pods -A` shows them as Pending',
      '`upgrade: {waitForEvictedPods: false}`, where they fit only the node that they left',
    ];
  };
  readonly 'other-driver': {
    readonly left: 'waiting for another driver that is left in progress there';
    readonly waitsFor: 'another driver of the node, which is restarted before it';
    readonly advice: readonly ['look at what the other driver waits for on this node: `weft upgrade status`'];
  };
  readonly 'foreign-driver': {
    readonly waitsFor: 'the upgrade of a driver on the same node that the policy does not have, by the operator of that driver';
    readonly advice: readonly ['wait for the upgrade of the driver that is named, or look at the log of its operator'];
  };
  readonly 'patch-refused': {
    readonly left: 'whose patches the API server refuses';
    readonly waitsFor: 'the API server, which has refused the patch of the node five times or more; the message has its words';
    readonly advice: readonly ['look at the admission webhook that the message names: it refuses changes of this node'];
  };
  readonly unreachable: {
    readonly left: 'unreachable';
    readonly waitsFor: 'the kubelet of the node, which does not report';
    readonly advice: readonly [
      'repair the node: its kubelet does not report; or delete the Node when the machine is gone',
    ];
  };
  readonly unavailable: {
    readonly isQueued: true;
    readonly left: 'held back by nodes that are not available, or by a budget of 0';
    readonly waitsFor: 'other nodes that are cordoned or not ready, and use up the budget, or the user, where the budget is 0';
    readonly advice: readonly [
      'uncordon or repair the nodes that are out of service for other reasons: they use up the budget',
      'raise `maxUnavailable`, where it lets no node out: a percentage of few nodes may be none',
    ];
  };
  readonly window: {
    readonly isQueued: true;
    readonly left: 'waiting for a maintenance window';
    readonly waitsFor: 'the next maintenance window';
    readonly advice: readonly [
      'wait for the window, or change `upgrade.maintenanceWindows`',
      '`weft upgrade run --now`, to begin outside of it',
    ];
  };
  readonly soak: {
    readonly isQueued: true;
    readonly left: 'waiting until the canaries have soaked';
    readonly waitsFor: 'the soak of the canaries';
    readonly advice: readonly ['wait for the soak of the canaries to end, or shorten `upgrade.canary.soak`'];
  };
  readonly pause: {
    readonly isQueued: true;
    readonly left: 'paused';
    readonly waitsFor: 'the user, to end the pause';
    readonly advice: readonly ['`weft upgrade resume`, or `upgrade: {paused: false}` in the Cluster document'];
  };
  readonly skip: {
    readonly left: '';
    readonly waitsFor: 'the user, to remove the skip label';
    readonly advice: readonly ['`weft upgrade unskip NODE`'];
  };
  readonly halt: {
    readonly isQueued: true;
    readonly left: 'held back because too many nodes failed';
    readonly waitsFor: 'the user, to repair the failed nodes: the failure budget is spent';
    readonly advice: readonly [
      'repair failed nodes or `weft upgrade retry` them, or raise `upgrade.failureBudget`',
      'give nodes that shall go on an upgrade pool with a `failureBudget` of its own: the halt reaches all others, or all of the DaemonSet that the reason names',
    ];
  };
  readonly failed: {
    readonly left: 'failed in an earlier run';
    readonly waitsFor: 'the user, to repair the node';
    readonly advice: readonly [
      'repair what the reason names: REPAIRED, the node is uncordoned by itself',
      'nothing, where pods blocked its drain: it begins again when they can leave, at most three times',
      '`weft upgrade retry NODE` to begin again',
      '`weft upgrade skip NODE` to leave it out',
    ];
  };
  readonly 'failed-uncovered': {
    readonly left: 'failed, and no driver DaemonSet covers them any more';
    readonly waitsFor: 'the user, to remove the state label of a failed node that no driver DaemonSet covers any more, or to cover it';
    readonly advice: readonly [
      'add the node to a pool of the Cluster document again',
      'uncordon it and remove its state label, where it is to have no driver',
    ];
  };
  readonly 'foreign-flow': {
    readonly left: 'left to another flow';
    readonly waitsFor: 'the operator, the maintenance operator, or the program that set an unknown state';
    readonly advice: readonly [
      'stop the controller that is named, or let it finish: two programs must not upgrade one node',
      'where the companion had asked the Maintenance Operator: set `upgrade.drainer: MaintenanceOperator` again until the node is done',
    ];
  };
  readonly off: {
    readonly left: 'without autoUpgrade';
    readonly waitsFor: 'a policy with `autoUpgrade: true`';
    readonly advice: readonly ['`autoUpgrade: true` in the policy'];
  };
};

declare type WaitKind = keyof typeof WAIT_KINDS;

/** whereabouts, if it is deployed. */
export declare class Whereabouts extends AddOnConstruct {
  constructor(scope: Construct, id: string, props: WhereaboutsProps);
}

/** The props of `Whereabouts`: its section of the Cluster document, and the cluster. */
export declare interface WhereaboutsProps extends Omit<WhereaboutsInput, 'deploy'>, DeployedInCluster {}

export {};
