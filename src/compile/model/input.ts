/**
 * The documents and their sections as people write them. `npm run types` writes this file from the zod schemas: types that
 * TypeScript infers from a schema have no documentation, which editors show here for each field.
 */
import type { NamedObject } from './named-object.js';
import type {
  KubernetesAffinity,
  KubernetesContainer,
  KubernetesDaemonSetUpdateStrategy,
  KubernetesNetworkPolicyEgressRule,
  KubernetesNetworkPolicyIngressRule,
  KubernetesPodSecurityContext,
  KubernetesSecurityContext,
} from './kubernetes-types.js';

/** What the operator would have learnt from the live cluster or from its Helm values. */
export interface ClusterDocument {
  /** Version of the API. */
  readonly apiVersion: 'weft.dev/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'Cluster';
  /** Name, labels and annotations. */
  readonly metadata: DocumentMetadataInput;
  /** A cluster, as far as manifests depend on it. */
  readonly spec: ClusterSpecInput;
  /** Ignored. */
  readonly status?: unknown;
}

/** What a cluster needs for its NVIDIA NICs. */
export interface NicClusterPolicyDocument {
  /** Version of the API. */
  readonly apiVersion: 'mellanox.com/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'NicClusterPolicy';
  /** Name, labels and annotations. */
  readonly metadata: DocumentMetadataInput;
  /** The sections of the policy; each is a component. */
  readonly spec?: NicClusterPolicySpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** What some nodes need for their NVIDIA NICs, beside the NicClusterPolicy. */
export interface NicNodePolicyDocument {
  /** Version of the API. */
  readonly apiVersion: 'mellanox.com/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'NicNodePolicy';
  /** Name, labels and annotations. */
  readonly metadata: DocumentMetadataInput;
  /** The sections of the policy; each is a component. */
  readonly spec?: NicNodePolicySpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** A network of devices of the host, each moved into a pod. */
export interface HostDeviceNetworkDocument {
  /** Version of the API. */
  readonly apiVersion: 'mellanox.com/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'HostDeviceNetwork';
  /** Name, labels and annotations. */
  readonly metadata: DocumentMetadataInput;
  /** The network. */
  readonly spec?: HostDeviceNetworkSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** A network of IPoIB interfaces on an InfiniBand interface of the host. */
export interface IPoIBNetworkDocument {
  /** Version of the API. */
  readonly apiVersion: 'mellanox.com/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'IPoIBNetwork';
  /** Name, labels and annotations. */
  readonly metadata: DocumentMetadataInput;
  /** The network. */
  readonly spec?: IPoIBNetworkSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** A network of macvlan interfaces on an interface of the host. */
export interface MacvlanNetworkDocument {
  /** Version of the API. */
  readonly apiVersion: 'mellanox.com/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'MacvlanNetwork';
  /** Name, labels and annotations. */
  readonly metadata: DocumentMetadataInput;
  /** The network. */
  readonly spec?: MacvlanNetworkSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** A ConfigMap that a policy names. */
export interface ConfigMapDocument {
  /** Version of the API. */
  readonly apiVersion: 'v1';
  /** Kind of the document. */
  readonly kind: 'ConfigMap';
  /** Name, labels, annotations, finalizers and owners. */
  readonly metadata: ObjectMetadataInput;
  /** Text, key by key. */
  readonly data?: Readonly<Record<string, string>> | undefined;
  /** Base64, key by key. */
  readonly binaryData?: Readonly<Record<string, string>> | undefined;
  /** Whether the data can never change. */
  readonly immutable?: boolean | undefined;
}

/** A cluster, as far as manifests depend on it. */
export interface ClusterSpecInput {
  /**
   * Minor version of Weft that renders the cluster, in quotes. Another one leaves the output as it is.
   * @default - any
   */
  readonly weft?: string | undefined;
  /**
   * Folders with documents that this cluster shares with others: see the guide. Later ones win, and this one last.
   * @default []
   */
  readonly extends?: readonly string[] | undefined;
  /**
   * Release, or one version of it, that fills image, repository and version.
   * @default - none
   */
  readonly release?: string | undefined;
  /**
   * Changes of the release that replace drivers: these objects stay as they were before, until a maintenance of
   * the nodes comes anyway.
   * @default []
   */
  readonly postponedChanges?: readonly ('hashed-policy-names' | 'toolkit-stops-on-signal')[] | undefined;
  /** Version of Kubernetes, in quotes. */
  readonly kubernetesVersion?: string | undefined;
  /**
   * What the cluster is.
   * @default "kubernetes"
   */
  readonly platform?: 'kubernetes' | 'openshift' | undefined;
  /**
   * Namespace of everything that is rendered.
   * @default "nvidia-network-operator"
   */
  readonly namespace?: string | undefined;
  /** The pools of nodes. `weft pools` prints them from the live cluster. */
  readonly nodePools: readonly NodePoolInput[];
  /** Where the nodes keep CNI files. */
  readonly cni?:
    | {
        /**
         * Directory of the CNI programs on the nodes. Default: the platform’s.
         * @default ""
         */
        readonly binDirectory?: string | undefined;
        /**
         * Directory of the CNI configuration. Default: the platform’s.
         * @default ""
         */
        readonly networkDirectory?: string | undefined;
      }
    | undefined;
  /** Driver settings that the operator takes from its own environment. */
  readonly driver?:
    | {
        /**
         * What keeps device plugins off a node until its driver is loaded: see the guide.
         * @default "ready-file"
         */
        readonly gate?: 'ready-file' | 'label' | undefined;
        /**
         * The operator’s init container.
         * @default - from the release; empty for none
         */
        readonly initContainerImage?: string | undefined;
        /**
         * Tags of precompiled drivers that the registry holds.
         * @default []
         */
        readonly precompiledTags?: readonly string[] | undefined;
        /**
         * First of two steps that take the driver off the nodes: off all, or off those of some pools and policies.
         * @default false
         */
        readonly uninstall?:
          | boolean
          | {
              /**
               * Pools that lose the driver.
               * @default []
               */
              readonly nodePools?: readonly string[] | undefined;
              /**
               * Policies whose driver goes.
               * @default []
               */
              readonly policies?: readonly string[] | undefined;
            }
          | undefined;
      }
    | undefined;
  /**
   * The GPU driver, whose DaemonSets are not rendered but selected.
   * @default - the companion does nothing for it
   */
  readonly gpuDriver?:
    | {
        /**
         * `true`: the GPU operator upgrades the driver of nodes that the companion has cordoned and drained. `false`:
         * the companion upgrades it.
         * @default false
         */
        readonly operator?: boolean | undefined;
        /**
         * Namespace of the driver DaemonSets and their pods.
         * @default "gpu-operator"
         */
        readonly namespace?: string | undefined;
        /**
         * Label selector of the driver DaemonSets; their update strategy must be `OnDelete`.
         * @default "app.kubernetes.io/component=nvidia-driver"
         */
        readonly daemonSetSelector?: string | undefined;
        /**
         * Label selector of the driver pods.
         * @default "app.kubernetes.io/component=nvidia-driver"
         */
        readonly podSelector?: string | undefined;
        /**
         * The container that is ready when the driver is loaded.
         * @default "nvidia-driver-ctr"
         */
        readonly containerName?: string | undefined;
        /**
         * Pods on the node that must be Ready after the upgrade; empty for none.
         * @default "app=nvidia-operator-validator"
         */
        readonly validationPodSelector?: string | undefined;
        /**
         * How long the startup probe lets a driver load: a node fails ten minutes after that at the earliest.
         * @default 1260
         */
        readonly startupSeconds?: number | undefined;
        /** As `driver.upgradePolicy` of a ClusterPolicy. Nodes are upgraded only with `autoUpgrade`. */
        readonly upgradePolicy?:
          | {
              /**
               * Whether nodes are upgraded at all.
               * @default false
               */
              readonly autoUpgrade?: boolean | undefined;
              /**
               * Nodes that are upgraded at once; 0 for no limit.
               * @default 1
               */
              readonly maxParallelUpgrades?: number | undefined;
              /** Pods that must finish before a node is drained. */
              readonly waitForCompletion?:
                | {
                    /**
                     * Label selector of the pods to wait for; empty for none.
                     * @default ""
                     */
                    readonly podSelector?: string | undefined;
                    /**
                     * Seconds after which the upgrade goes on anyway; 0 for never.
                     * @default 0
                     */
                    readonly timeoutSeconds?: number | undefined;
                  }
                | undefined;
              /**
               * Nodes that may be cordoned or not ready at once.
               * @default "25%"
               */
              readonly maxUnavailable?: number | string | undefined;
              /** The same as `gpuPodDeletion`, by its name in a ClusterPolicy. */
              readonly podDeletion?:
                | {
                    /**
                     * Whether pods without a controller are evicted too.
                     * @default false
                     */
                    readonly force?: boolean | undefined;
                    /**
                     * Seconds after which the node is drained, or fails; 0 for never.
                     * @default 300
                     */
                    readonly timeoutSeconds?: number | undefined;
                    /**
                     * Whether pods with local data are evicted too.
                     * @default false
                     */
                    readonly deleteEmptyDir?: boolean | undefined;
                    /** Label selector of more pods to evict: those that use a GPU and do not ask for one. */
                    readonly podSelector?: string | undefined;
                  }
                | undefined;
              /** How the pods that hold a GPU are evicted from a cordoned node; the name in the operator’s chart. */
              readonly gpuPodDeletion?:
                | {
                    /**
                     * Whether pods without a controller are evicted too.
                     * @default false
                     */
                    readonly force?: boolean | undefined;
                    /**
                     * Seconds after which the node is drained, or fails; 0 for never.
                     * @default 300
                     */
                    readonly timeoutSeconds?: number | undefined;
                    /**
                     * Whether pods with local data are evicted too.
                     * @default false
                     */
                    readonly deleteEmptyDir?: boolean | undefined;
                    /** Label selector of more pods to evict: those that use a GPU and do not ask for one. */
                    readonly podSelector?: string | undefined;
                  }
                | undefined;
              /** How a node is drained where pods still hold a GPU. Without it, such a node fails. */
              readonly drain?:
                | {
                    /**
                     * Whether the node is drained.
                     * @default false
                     */
                    readonly enable?: boolean | undefined;
                    /**
                     * Whether pods without a controller are evicted too.
                     * @default false
                     */
                    readonly force?: boolean | undefined;
                    /**
                     * Label selector of the pods to evict; empty for all.
                     * @default ""
                     */
                    readonly podSelector?: string | undefined;
                    /**
                     * Seconds after which the drain counts as failed; 0 for never.
                     * @default 300
                     */
                    readonly timeoutSeconds?: number | undefined;
                    /**
                     * Whether pods with local data are evicted too.
                     * @default false
                     */
                    readonly deleteEmptyDir?: boolean | undefined;
                  }
                | undefined;
            }
          | undefined;
      }
    | undefined;
  /**
   * ConfigMaps that are in the namespace already and that a policy names.
   * @default []
   */
  readonly existingConfigMaps?:
    | readonly {
        /** Name of the ConfigMap. */
        readonly name: string;
        /** Its keys. */
        readonly keys: readonly string[];
      }[]
    | undefined;
  /** What the operator reads from an OpenShift cluster. */
  readonly openshift?:
    | {
        /**
         * Compile drivers in the OpenShift Driver Toolkit.
         * @default true
         */
        readonly useDriverToolkit?: boolean | undefined;
        /**
         * Image of the Driver Toolkit by RHCOS version: tags of the ImageStream `openshift/driver-toolkit`.
         * @default {}
         */
        readonly driverToolkitImages?: Readonly<Record<string, string>> | undefined;
        /** The cluster-wide proxy: `status` of `Proxy/cluster`. */
        readonly proxy?:
          | {
              /**
               * Proxy for http.
               * @default ""
               */
              readonly httpProxy?: string | undefined;
              /**
               * Proxy for https.
               * @default ""
               */
              readonly httpsProxy?: string | undefined;
              /**
               * Hosts that need none.
               * @default ""
               */
              readonly noProxy?: string | undefined;
              /**
               * Whether the cluster-wide proxy has a CA of its own.
               * @default false
               */
              readonly trustedCA?: boolean | undefined;
            }
          | undefined;
      }
    | undefined;
  /**
   * Registries that stand for others, for every image of the output: those of policies, add-ons, the companion,
   * other documents and patches. The longest `from` counts. A driver whose image moves only by this is not
   * installed again.
   * @default []
   */
  readonly mirrors?:
    | readonly {
        /** Registry, or registry and path, that references begin with: `nvcr.io/nvidia`. Docker Hub is `docker.io`. */
        readonly from: string;
        /** What they begin with instead: `harbor.corp/nvidia`. */
        readonly to: string;
      }[]
    | undefined;
  /**
   * Pull Secrets by registry: every pod with an image of that registry gets them, beside those of its own section.
   * @default {}
   */
  readonly pullSecrets?: Readonly<Record<string, readonly SecretName[]>> | undefined;
  /** How drivers move forward, where the operator’s API has no place for it. */
  readonly upgrade?: UpgradeInput | undefined;
  /** The companion Job. */
  readonly companion?: CompanionInput | undefined;
  /**
   * What applies the output: `argocd`, `flux` or `helm`.
   * @default - plain folders for any of them
   */
  readonly gitops?:
    | {
        /** Argo CD. */
        readonly argocd?:
          | {
              /** Address of the git repository, or with `oci://` of the artifact, that holds the output. */
              readonly repoURL: string;
              /**
               * Branch, tag or commit; for an artifact its tag, which is required.
               * @default "HEAD"
               */
              readonly targetRevision?: string | undefined;
              /**
               * Folder of the repository in which each cluster has its folder. The root is `.`.
               * @default "dist"
               */
              readonly path?: string | undefined;
              /**
               * Namespace of Argo CD.
               * @default "argocd"
               */
              readonly namespace?: string | undefined;
              /**
               * What stands before the cluster’s name in that of its Application.
               * @default "network-"
               */
              readonly namePrefix?: string | undefined;
              /**
               * Project of Argo CD.
               * @default "default"
               */
              readonly project?: string | undefined;
              /**
               * Whether to render the AppProject of this name.
               * @default false
               */
              readonly appProject?: boolean | undefined;
              /**
               * The cluster as Argo CD knows it.
               * @default - the one that has the name of this cluster
               */
              readonly destination?:
                | {
                    /** Name of the cluster in Argo CD. */
                    readonly name?: string | undefined;
                    /** Address of its API server, in place of the name. */
                    readonly server?: string | undefined;
                  }
                | undefined;
              /**
               * Whether Argo CD deletes objects that the output no longer has. Those with `Prune=false` stay in any case.
               * @default true
               */
              readonly prune?: boolean | undefined;
              /**
               * Whether Argo CD applies an object again that was changed or deleted in the cluster, as the companion deletes
               * its failed Job.
               * @default true
               */
              readonly selfHeal?: boolean | undefined;
              /**
               * Form of the health check of DaemonSets: `configMap` renders `argocd-cm`, `values` a file of values for Argo
               * CD’s own chart, `none` neither.
               * @default "configMap"
               */
              readonly health?: 'configMap' | 'values' | 'none' | undefined;
              /**
               * One ApplicationSet for several clusters.
               * @default - an Application for each
               */
              readonly applicationSet?:
                | {
                    /** Name of the ApplicationSet. Clusters with the same name are in one. */
                    readonly name: string;
                    /**
                     * `git` finds the folders of the clusters, `list` names the clusters.
                     * @default "git"
                     */
                    readonly generator?: 'git' | 'list' | undefined;
                    /**
                     * Clusters are synced in this order, each wave after the one before is healthy.
                     * @default - all at once
                     */
                    readonly waves?:
                      | {
                          /** Label of Cluster documents, in `metadata.labels`, that says in which wave a cluster is. */
                          readonly label: string;
                          /** Its values, the first wave first. */
                          readonly order: readonly string[];
                        }
                      | undefined;
                  }
                | undefined;
            }
          | undefined;
        /** Flux. */
        readonly flux?:
          | {
              /**
               * Namespace of the Kustomizations and of the source.
               * @default "flux-system"
               */
              readonly namespace?: string | undefined;
              /** Where Flux gets the output from. */
              readonly source?:
                | {
                    /**
                     * Kind of the source.
                     * @default "GitRepository"
                     */
                    readonly kind?: 'GitRepository' | 'OCIRepository' | undefined;
                    /**
                     * Name of the source.
                     * @default "flux-system"
                     */
                    readonly name?: string | undefined;
                    /**
                     * Address of the source.
                     * @default - the source is in the cluster already
                     */
                    readonly url?: string | undefined;
                    /**
                     * Branch of a GitRepository.
                     * @default - `main`, where there is no tag
                     */
                    readonly branch?: string | undefined;
                    /** Tag. */
                    readonly tag?: string | undefined;
                    /** Range of versions, of which the newest tag is taken. */
                    readonly semver?: string | undefined;
                    /** Digest of an OCIRepository. */
                    readonly digest?: string | undefined;
                    /** Secret with the login. */
                    readonly secretName?: string | undefined;
                    /**
                     * How often it is looked for something new.
                     * @default "1m"
                     */
                    readonly interval?: string | undefined;
                  }
                | undefined;
              /**
               * Folder of the source in which each cluster has its folder. The root is `.`.
               * @default "dist"
               */
              readonly path?: string | undefined;
              /**
               * What stands before the cluster’s name in those of its Kustomizations.
               * @default "network-"
               */
              readonly namePrefix?: string | undefined;
              /**
               * How often the cluster is compared with the source.
               * @default "10m"
               */
              readonly interval?: string | undefined;
              /**
               * Whether Flux deletes objects that the output no longer has. Those with `prune: disabled` stay in any case.
               * @default true
               */
              readonly prune?: boolean | undefined;
              /**
               * ServiceAccount that applies.
               * @default - that of the controller
               */
              readonly serviceAccountName?: string | undefined;
            }
          | undefined;
        /** Helm. */
        readonly helm?:
          | {
              /**
               * Version of the charts.
               * @default "0.1.0"
               */
              readonly version?: string | undefined;
            }
          | undefined;
      }
    | undefined;
  /** The live cluster that commands reach for this document. */
  readonly access?:
    | {
        /** Context of the kubeconfig: used without `--context`. Another one is an error unless `clusterUID` decides. */
        readonly context?: string | undefined;
        /** `metadata.uid` of the namespace `kube-system`, by whatever context it is reached. Another one is an error. */
        readonly clusterUID?: string | undefined;
      }
    | undefined;
  /**
   * Warnings that are errors for this cluster, by their codes. `weft synth --deny-warnings` makes all of them
   * errors.
   * @default []
   */
  readonly denyWarnings?: readonly string[] | undefined;
  /**
   * Changes to objects that components make, for what their options do not say. Applied last.
   * @default []
   */
  readonly patches?: readonly PatchInput[] | undefined;
  /** The Maintenance Operator, with the names of the values of the operator’s chart. */
  readonly maintenanceOperator?: MaintenanceOperatorInput | undefined;
  /** Node Feature Discovery, with the names of the values of the operator’s chart. */
  readonly nodeFeatureDiscovery?: NodeFeatureDiscoveryInput | undefined;
  /** The SR-IOV Network Operator, with the names of the values of the operator’s chart. */
  readonly sriovNetworkOperator?: SriovNetworkOperatorInput | undefined;
  /** whereabouts, an IPAM plugin that keeps addresses for the whole cluster. */
  readonly whereabouts?: WhereaboutsInput | undefined;
}

/** The sections of the policy; each is a component. */
export interface NicClusterPolicySpecInput {
  /** Image defaults for all sections. */
  readonly global?: GlobalInput | undefined;
  /** Sections: `cniPlugins`, `ipoib`, `multus`, `ipamPlugin`. */
  readonly secondaryNetwork?:
    | {
        /** The standard CNI plugins, `macvlan` and `host-device` among them. */
        readonly cniPlugins?: ContainerNetworkingPluginsInput | undefined;
        /** The CNI plugin of IPoIBNetworks. */
        readonly ipoib?: IpoibCniInput | undefined;
        /** Multus, which gives pods further networks. */
        readonly multus?: MultusCniInput | undefined;
        /** whereabouts, in policies for releases before v25.10. Its image is that of the add-on. */
        readonly ipamPlugin?:
          | {
              /** Name of the image. Filled by the release. */
              readonly image?: string | undefined;
              /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
              readonly repository?: string | undefined;
              /** Tag or `sha256:` digest of the image. Filled by `global.version` or the release. */
              readonly version?: string | undefined;
              /**
               * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
               * by that of the NicClusterPolicy, where `repository` is left out.
               * @default []
               */
              readonly imagePullSecrets?: readonly SecretName[] | undefined;
              /** Compute resources, container by container. */
              readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
            }
          | undefined;
      }
    | undefined;
  /** Offers counters of the NICs to Prometheus. */
  readonly docaTelemetryService?: DocaTelemetryServiceInput | undefined;
  /** Gives pods GUIDs and PKeys of InfiniBand partitions. */
  readonly ibKubernetes?: IbKubernetesInput | undefined;
  /** Configures NICs and updates their firmware, as custom resources ask for it. */
  readonly nicConfigurationOperator?: NicConfigurationOperatorInput | undefined;
  /** Tells Node Feature Discovery what the NVIDIA NICs of a node can do. */
  readonly nicFeatureDiscovery?: NicFeatureDiscoveryInput | undefined;
  /** Gives addresses to the interfaces of secondary networks, from a block of addresses for each node. */
  readonly nvIpam?: NvIpamCniInput | undefined;
  /** The DOCA-OFED driver container. */
  readonly ofedDriver?: OfedDriverInput | undefined;
  /** Offers RDMA devices to pods, shared between them. */
  readonly rdmaSharedDevicePlugin?: RdmaSharedDevicePluginInput | undefined;
  /** Configures the rails of a Spectrum-X network. */
  readonly spectrumXOperator?: SpectrumXOperatorInput | undefined;
  /** Offers SR-IOV virtual functions and other network devices to pods, each to one pod. */
  readonly sriovDevicePlugin?: SriovDevicePluginInput | undefined;
  /** Node affinity of all DaemonSets. */
  readonly nodeAffinity?: NodeAffinityInput | undefined;
  /**
   * Tolerations of all DaemonSets.
   * @default []
   */
  readonly tolerations?: readonly TolerationInput[] | undefined;
  /** Node affinity of all Deployments. */
  readonly deploymentNodeAffinity?: NodeAffinityInput | undefined;
  /**
   * Tolerations of all Deployments.
   * @default []
   */
  readonly deploymentTolerations?: readonly TolerationInput[] | undefined;
}

/** The sections of the policy; each is a component. */
export interface NicNodePolicySpecInput {
  /** The DOCA-OFED driver container. */
  readonly ofedDriver?: OfedDriverInput | undefined;
  /** Offers RDMA devices to pods, shared between them. */
  readonly rdmaSharedDevicePlugin?: RdmaSharedDevicePluginInput | undefined;
  /** Offers SR-IOV virtual functions and other network devices to pods, each to one pod. */
  readonly sriovDevicePlugin?: SriovDevicePluginInput | undefined;
  /**
   * Labels of the nodes that the policy is for. Default: all nodes.
   * @default {}
   */
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  /**
   * Tolerations of all DaemonSets.
   * @default []
   */
  readonly tolerations?: readonly TolerationInput[] | undefined;
  /** Read and ignored, as the operator does. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Read and ignored, as the operator does. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** The network. */
export interface HostDeviceNetworkSpecInput {
  /**
   * Namespace of the NetworkAttachmentDefinition, which is the one of the pods that use it.
   * @default - `default`
   */
  readonly networkNamespace?: string | undefined;
  /** Resource of the device plugin that the devices come from, without its prefix `nvidia.com/`. */
  readonly resourceName: string;
  /**
   * How pods get their addresses: configuration of a CNI IPAM plugin, as JSON text or as an object.
   * @default - none
   */
  readonly ipam?: IpamInput | undefined;
  /**
   * CNI plugins that run after the main one, such as `tuning` or `rdma`: JSON objects as text, with commas between
   * them and without brackets, or a list of objects. Since release v26.10.
   * @default - none
   */
  readonly metaPlugins?: MetaPluginsInput | undefined;
}

/** The network. */
export interface IPoIBNetworkSpecInput {
  /**
   * Namespace of the NetworkAttachmentDefinition, which is the one of the pods that use it.
   * @default - `default`
   */
  readonly networkNamespace?: string | undefined;
  /**
   * InfiniBand interface of the host to attach to.
   * @default - the interface of the default route
   */
  readonly master?: string | undefined;
  /**
   * How pods get their addresses: configuration of a CNI IPAM plugin, as JSON text or as an object.
   * @default - none
   */
  readonly ipam?: IpamInput | undefined;
}

/** The network. */
export interface MacvlanNetworkSpecInput {
  /**
   * Namespace of the NetworkAttachmentDefinition, which is the one of the pods that use it.
   * @default - `default`
   */
  readonly networkNamespace?: string | undefined;
  /**
   * Interface of the host to attach to.
   * @default - the interface of the default route
   */
  readonly master?: string | undefined;
  /**
   * How interfaces on the same master reach each other.
   * @default - the plugin's own, `bridge`
   */
  readonly mode?: 'bridge' | 'private' | 'vepa' | 'passthru' | undefined;
  /**
   * MTU of the interface in bytes.
   * @default - 0, which is the master's
   */
  readonly mtu?: number | undefined;
  /**
   * How pods get their addresses: configuration of a CNI IPAM plugin, as JSON text or as an object.
   * @default - none
   */
  readonly ipam?: IpamInput | undefined;
  /**
   * CNI plugins that run after the main one, such as `tuning` or `rdma`: JSON objects as text, with commas between
   * them and without brackets, or a list of objects. Since release v26.10.
   * @default - none
   */
  readonly metaPlugins?: MetaPluginsInput | undefined;
}

/** The standard CNI plugins, `macvlan` and `host-device` among them. */
export interface ContainerNetworkingPluginsInput {
  /** Name of the image. Filled by the release. */
  readonly image?: string | undefined;
  /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
  readonly repository?: string | undefined;
  /** Tag or `sha256:` digest of the image. Filled by `global.version` or the release. */
  readonly version?: string | undefined;
  /**
   * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
   * by that of the NicClusterPolicy, where `repository` is left out.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /** Compute resources, container by container. */
  readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
}

/** Offers counters of the NICs to Prometheus. */
export interface DocaTelemetryServiceInput {
  /** Name of the image. Filled by the release. */
  readonly image?: string | undefined;
  /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
  readonly repository?: string | undefined;
  /** Tag or `sha256:` digest of the image. Filled by `global.version` or the release. */
  readonly version?: string | undefined;
  /**
   * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
   * by that of the NicClusterPolicy, where `repository` is left out.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /** Compute resources, container by container. */
  readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
  /** A configuration of your own; without it there is a default one. */
  readonly config?:
    | {
        /** Name of a ConfigMap in the namespace of the service, with the key `dts_config_map.ini`. */
        readonly fromConfigMap: ConfigMapName;
      }
    | undefined;
}

/** Gives pods GUIDs and PKeys of InfiniBand partitions. */
export interface IbKubernetesInput {
  /** Name of the image. Filled by the release. */
  readonly image?: string | undefined;
  /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
  readonly repository?: string | undefined;
  /** Tag or `sha256:` digest of the image. Filled by `global.version` or the release. */
  readonly version?: string | undefined;
  /**
   * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
   * by that of the NicClusterPolicy, where `repository` is left out.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /** Compute resources, container by container. */
  readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
  /**
   * Seconds between two updates of the subnet manager.
   * @default 5
   */
  readonly periodicUpdateSeconds?: number | undefined;
  /** First GUID that pods may get, for instance `02:00:00:00:00:00:00:00`. */
  readonly pKeyGUIDPoolRangeStart: string;
  /** Last GUID that pods may get, greater than the first. */
  readonly pKeyGUIDPoolRangeEnd: string;
  /**
   * Secret of the same namespace with the keys `UFM_USERNAME`, `UFM_PASSWORD` and `UFM_ADDRESS`, optionally
   * `UFM_HTTP_SCHEMA`, `UFM_PORT` and `UFM_CERTIFICATE`.
   */
  readonly ufmSecret: SecretName;
}

/** The CNI plugin of IPoIBNetworks. */
export interface IpoibCniInput {
  /** Name of the image. Filled by the release. */
  readonly image?: string | undefined;
  /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
  readonly repository?: string | undefined;
  /** Tag or `sha256:` digest of the image. Filled by `global.version` or the release. */
  readonly version?: string | undefined;
  /**
   * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
   * by that of the NicClusterPolicy, where `repository` is left out.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /** Compute resources, container by container. */
  readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
}

/** Multus, which gives pods further networks. */
export interface MultusCniInput {
  /** Name of the image. Filled by the release. */
  readonly image?: string | undefined;
  /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
  readonly repository?: string | undefined;
  /** Tag or `sha256:` digest of the image. Filled by `global.version` or the release. */
  readonly version?: string | undefined;
  /**
   * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
   * by that of the NicClusterPolicy, where `repository` is left out.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /** Compute resources, container by container. */
  readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
  /**
   * Configuration of Multus, as JSON text or as an object.
   * @default - Multus makes one from the default network that it finds on the node
   */
  readonly config?:
    | string
    | {
        /** Version of the CNI specification. */
        readonly cniVersion?: string | undefined;
        /** Name of the network. */
        readonly name?: string | undefined;
        /** `multus`. */
        readonly type?: string | undefined;
        /** Kubeconfig on the node: `multus.d/multus.kubeconfig` in the CNI configuration directory. */
        readonly kubeconfig?: string | undefined;
        /** CNI configurations of the default network; instead of `clusterNetwork`. */
        readonly delegates?: readonly Readonly<Record<string, unknown>>[] | undefined;
        /** Default network: a network’s name, or a file or directory on the node. */
        readonly clusterNetwork?: string | undefined;
        /** Networks that every pod gets beside the default network. */
        readonly defaultNetworks?: readonly string[] | undefined;
        /** Namespaces whose pods do not get `defaultNetworks`. */
        readonly systemNamespaces?: readonly string[] | undefined;
        /** Namespace of the networks that `clusterNetwork` and `defaultNetworks` name. */
        readonly multusNamespace?: string | undefined;
        /** Whether pods may only use networks of their own namespace. */
        readonly namespaceIsolation?: boolean | undefined;
        /** Namespaces whose networks all pods may use, with commas between them. */
        readonly globalNamespaces?: string | undefined;
        /** What the delegates can, such as `portMappings`. */
        readonly capabilities?: Readonly<Record<string, boolean>> | undefined;
        /** File on the node that says that the default network is ready. */
        readonly readinessindicatorfile?: string | undefined;
        /** Whether a failed removal is tried again. */
        readonly retryDeleteOnError?: boolean | undefined;
        /** Directory on the node with further CNI configurations. */
        readonly confDir?: string | undefined;
        /** Data directory on the node. */
        readonly cniDir?: string | undefined;
        /** Further directory with CNI programs on the node. */
        readonly binDir?: string | undefined;
        /** Log file on the node. */
        readonly logFile?: string | undefined;
        /** `debug`, `verbose`, `error` or `panic`. */
        readonly logLevel?: string | undefined;
        /** Whether to log to the standard error output. */
        readonly logToStderr?: boolean | undefined;
        /** How log files are rotated. */
        readonly logOptions?:
          | {
              /** Days that old log files are kept. */
              readonly maxAge?: number | undefined;
              /** Megabytes at which a new log file begins. */
              readonly maxSize?: number | undefined;
              /** Old log files that are kept. */
              readonly maxBackups?: number | undefined;
              /** Whether old log files are compressed. */
              readonly compress?: boolean | undefined;
            }
          | undefined;
      }
    | undefined;
}

/** Configures NICs and updates their firmware, as custom resources ask for it. */
export interface NicConfigurationOperatorInput {
  /** Image of the operator. */
  readonly operator?:
    | {
        /** Name of the image. Filled by the release. */
        readonly image?: string | undefined;
        /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
        readonly repository?: string | undefined;
        /** Tag or `sha256:` digest of the image. Filled by `global.version` or the release. */
        readonly version?: string | undefined;
        /**
         * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
         * by that of the NicClusterPolicy, where `repository` is left out.
         * @default []
         */
        readonly imagePullSecrets?: readonly SecretName[] | undefined;
        /** Compute resources, container by container. */
        readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
      }
    | undefined;
  /** Image of the daemon that configures the NICs of a node. */
  readonly configurationDaemon?:
    | {
        /** Name of the image. Filled by the release. */
        readonly image?: string | undefined;
        /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
        readonly repository?: string | undefined;
        /** Tag or `sha256:` digest of the image. Filled by `global.version` or the release. */
        readonly version?: string | undefined;
        /**
         * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
         * by that of the NicClusterPolicy, where `repository` is left out.
         * @default []
         */
        readonly imagePullSecrets?: readonly SecretName[] | undefined;
        /** Compute resources, container by container. */
        readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
      }
    | undefined;
  /** Environment of the operator and of the daemon. */
  readonly env?: readonly EnvVarInput[] | undefined;
  /** Where firmware is kept that templates install. Without it there is no such place. */
  readonly nicFirmwareStorage?:
    | {
        /**
         * Whether the claim is made, or exists in the namespace already.
         * @default true
         */
        readonly create?: boolean | undefined;
        /**
         * Name of the PersistentVolumeClaim.
         * @default "nic-fw-storage-pvc"
         */
        readonly pvcName?: PersistentVolumeClaimName | undefined;
        /**
         * Storage class of a claim that is made; it must offer ReadWriteMany.
         * @default - the cluster’s
         */
        readonly storageClassName?: string | undefined;
        /**
         * Size of a claim that is made.
         * @default "1Gi"
         */
        readonly availableStorageSize?: string | undefined;
      }
    | undefined;
  /**
   * How much the operator and the daemon log.
   * @default "info"
   */
  readonly logLevel?: 'info' | 'debug' | undefined;
}

/** Tells Node Feature Discovery what the NVIDIA NICs of a node can do. */
export interface NicFeatureDiscoveryInput {
  /** Name of the image. Filled by the release. */
  readonly image?: string | undefined;
  /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
  readonly repository?: string | undefined;
  /** Tag or `sha256:` digest of the image. Filled by `global.version` or the release. */
  readonly version?: string | undefined;
  /**
   * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
   * by that of the NicClusterPolicy, where `repository` is left out.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /** Compute resources, container by container. */
  readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
}

/** Gives addresses to the interfaces of secondary networks, from a block of addresses for each node. */
export interface NvIpamCniInput {
  /** Name of the image. Filled by the release. */
  readonly image?: string | undefined;
  /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
  readonly repository?: string | undefined;
  /** Tag or `sha256:` digest of the image. Filled by `global.version` or the release. */
  readonly version?: string | undefined;
  /**
   * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
   * by that of the NicClusterPolicy, where `repository` is left out.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /** Compute resources, container by container. */
  readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
  /**
   * Whether a webhook checks IPPools and CIDRPools. No known image serves it. Needs cert-manager, except on
   * OpenShift.
   */
  readonly enableWebhook?: boolean | undefined;
}

/** The DOCA-OFED driver container. */
export interface OfedDriverInput {
  /** Name of the image. Filled by the release. */
  readonly image?: string | undefined;
  /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
  readonly repository?: string | undefined;
  /** Version of the driver, or `sha256:` digest of the image. Filled by the release, not by `global`. */
  readonly version?: string | undefined;
  /**
   * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
   * by that of the NicClusterPolicy, where `repository` is left out.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /** Compute resources, container by container. */
  readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
  /**
   * Timing of the startup probe.
   * @default - 30, 10, 120, 10
   */
  readonly startupProbe?: ProbeInput | undefined;
  /**
   * Timing of the liveness probe.
   * @default - 10, 30, 1, 10
   */
  readonly livenessProbe?: ProbeInput | undefined;
  /**
   * Timing of the readiness probe.
   * @default - 10, 30, 1, 10
   */
  readonly readinessProbe?: ProbeInput | undefined;
  /** Environment of the driver container. */
  readonly env?: readonly EnvVarInput[] | undefined;
  /** How the driver moves forward, node by node. */
  readonly upgradePolicy?: OfedUpgradePolicyInput | undefined;
  /** ConfigMap with CA certificates, one key each. */
  readonly certConfig?:
    | {
        /** Name of a ConfigMap in the namespace of the driver. */
        readonly name?: ConfigMapName | undefined;
      }
    | undefined;
  /** ConfigMap with package repositories, one key each. */
  readonly repoConfig?:
    | {
        /** Name of a ConfigMap in the namespace of the driver. */
        readonly name?: ConfigMapName | undefined;
      }
    | undefined;
  /**
   * Seconds that the driver has to unload before its pod is killed.
   * @default 300
   */
  readonly terminationGracePeriodSeconds?: number | undefined;
  /**
   * Whether a pool without a precompiled image is an error; else its driver is compiled on the node.
   * @default false
   */
  readonly forcePrecompiled?: boolean | undefined;
}

/** Offers RDMA devices to pods, shared between them. */
export interface RdmaSharedDevicePluginInput {
  /** Name of the image. Filled by the release. */
  readonly image?: string | undefined;
  /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
  readonly repository?: string | undefined;
  /** Tag or `sha256:` digest of the image. Filled by `global.version` or the release. */
  readonly version?: string | undefined;
  /**
   * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
   * by that of the NicClusterPolicy, where `repository` is left out.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /** Compute resources, container by container. */
  readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
  /** The resources that the plugin offers, as JSON text or as an object. */
  readonly config?:
    | string
    | {
        /** Seconds between two scans for devices; 0 for none. */
        readonly periodicUpdateInterval?: number | undefined;
        /** The resources. */
        readonly configList: readonly {
          /** Name of the resource, without its prefix. Unique in the list. */
          readonly resourceName: string;
          /**
           * Prefix of the resource.
           * @default - `rdma`
           */
          readonly resourcePrefix?: string | undefined;
          /**
           * How many pods of a node may share the devices.
           * @default - 0, which offers none
           */
          readonly rdmaHcaMax?: number | undefined;
          /** Interface names; superseded by `selectors`. */
          readonly devices?: readonly string[] | undefined;
          /** Which devices belong to the resource; all that are given must match. */
          readonly selectors?:
            | {
                /** PCI vendor ids, for instance `15b3`. */
                readonly vendors?: readonly string[] | undefined;
                /** PCI device ids. */
                readonly deviceIDs?: readonly string[] | undefined;
                /** Kernel drivers. */
                readonly drivers?: readonly string[] | undefined;
                /** Interface names. */
                readonly ifNames?: readonly string[] | undefined;
                /** Link types: `ether` or `infiniband`. */
                readonly linkTypes?: readonly string[] | undefined;
              }
            | undefined;
        }[];
      }
    | undefined;
  /** Whether devices are offered through CDI; the container runtime must know it. */
  readonly useCdi?: boolean | undefined;
}

/** Configures the rails of a Spectrum-X network. */
export interface SpectrumXOperatorInput {
  /** Name of the image. Filled by the release. */
  readonly image?: string | undefined;
  /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
  readonly repository?: string | undefined;
  /** Tag or `sha256:` digest of the image. Filled by `global.version` or the release. */
  readonly version?: string | undefined;
  /**
   * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
   * by that of the NicClusterPolicy, where `repository` is left out.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /** Compute resources, container by container. */
  readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
  /** Image of XPlane, which the operator starts on the nodes. */
  readonly xPlane?:
    | {
        /** Name of the image. Filled by the release. */
        readonly image?: string | undefined;
        /**
         * Registry and path of the image, without its name. Filled by the release; `global.repository` replaces the
         * release’s.
         */
        readonly repository?: string | undefined;
        /**
         * Tag or `sha256:` digest of the image. Filled by the release where `image` is left out, too, and never by
         * `global`. Without one there is no XPlane.
         */
        readonly version?: string | undefined;
        /**
         * Names of the Secrets that hold registry credentials. Not filled by `global`.
         * @default []
         */
        readonly imagePullSecrets?: readonly SecretName[] | undefined;
        /** Has no effect. */
        readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
      }
    | undefined;
}

/** Offers SR-IOV virtual functions and other network devices to pods, each to one pod. */
export interface SriovDevicePluginInput {
  /** Name of the image. Filled by the release. */
  readonly image?: string | undefined;
  /** Registry and path of the image, without its name. Filled by `global.repository` or the release. */
  readonly repository?: string | undefined;
  /** Tag or `sha256:` digest of the image. Filled by `global.version` or the release. */
  readonly version?: string | undefined;
  /**
   * Names of the Secrets that hold registry credentials. Filled by `global.imagePullSecrets`; in a NicNodePolicy
   * by that of the NicClusterPolicy, where `repository` is left out.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /** Compute resources, container by container. */
  readonly containerResources?: readonly ContainerResourcesInput[] | undefined;
  /** The resources that the plugin offers, as JSON text or as an object. */
  readonly config?:
    | string
    | {
        /** The resources. */
        readonly resourceList: readonly {
          /** Name of the resource, without its prefix. */
          readonly resourceName: string;
          /**
           * Prefix of the resource.
           * @default - the plugin’s own
           */
          readonly resourcePrefix?: string | undefined;
          /**
           * What the devices are.
           * @default - `netDevice`
           */
          readonly deviceType?: 'netDevice' | 'accelerator' | 'auxNetDevice' | undefined;
          /** Whether the NUMA node of a device is kept from the kubelet. */
          readonly excludeTopology?: boolean | undefined;
          /** Which devices belong to the resource: all that one selector says, or one of a list of them. */
          readonly selectors:
            | {
                /** PCI vendor ids, for instance `15b3`. */
                readonly vendors?: readonly string[] | undefined;
                /** PCI device ids. */
                readonly devices?: readonly string[] | undefined;
                /** Kernel drivers. */
                readonly drivers?: readonly string[] | undefined;
                /** PCI addresses. Not for `auxNetDevice`. */
                readonly pciAddresses?: readonly string[] | undefined;
                /** ACPI indexes. Not for `accelerator`. */
                readonly acpiIndexes?: readonly string[] | undefined;
                /** Names of physical functions, with `#0-7` for some of their virtual functions. */
                readonly pfNames?: readonly string[] | undefined;
                /** PCI addresses of physical functions, with `#0-7` for some of their virtual functions. */
                readonly rootDevices?: readonly string[] | undefined;
                /** Link types: `ether` or `infiniband`. */
                readonly linkTypes?: readonly string[] | undefined;
                /** DDP profiles. Only for `netDevice`. */
                readonly ddpProfiles?: readonly string[] | undefined;
                /** InfiniBand partition keys. Only for `netDevice`. */
                readonly pKeys?: readonly string[] | undefined;
                /** Whether pods also get the RDMA devices. */
                readonly isRdma?: boolean | undefined;
                /** Whether pods also get `/dev/vhost-net`. Not for `accelerator`. */
                readonly needVhostNet?: boolean | undefined;
                /** vDPA type: `virtio` or `vhost`. Only for `netDevice`. */
                readonly vdpaType?: string | undefined;
                /** Types of auxiliary devices: `sf`. Only for `auxNetDevice`, which needs it. */
                readonly auxTypes?: readonly string[] | undefined;
              }
            | readonly {
                /** PCI vendor ids, for instance `15b3`. */
                readonly vendors?: readonly string[] | undefined;
                /** PCI device ids. */
                readonly devices?: readonly string[] | undefined;
                /** Kernel drivers. */
                readonly drivers?: readonly string[] | undefined;
                /** PCI addresses. Not for `auxNetDevice`. */
                readonly pciAddresses?: readonly string[] | undefined;
                /** ACPI indexes. Not for `accelerator`. */
                readonly acpiIndexes?: readonly string[] | undefined;
                /** Names of physical functions, with `#0-7` for some of their virtual functions. */
                readonly pfNames?: readonly string[] | undefined;
                /** PCI addresses of physical functions, with `#0-7` for some of their virtual functions. */
                readonly rootDevices?: readonly string[] | undefined;
                /** Link types: `ether` or `infiniband`. */
                readonly linkTypes?: readonly string[] | undefined;
                /** DDP profiles. Only for `netDevice`. */
                readonly ddpProfiles?: readonly string[] | undefined;
                /** InfiniBand partition keys. Only for `netDevice`. */
                readonly pKeys?: readonly string[] | undefined;
                /** Whether pods also get the RDMA devices. */
                readonly isRdma?: boolean | undefined;
                /** Whether pods also get `/dev/vhost-net`. Not for `accelerator`. */
                readonly needVhostNet?: boolean | undefined;
                /** vDPA type: `virtio` or `vhost`. Only for `netDevice`. */
                readonly vdpaType?: string | undefined;
                /** Types of auxiliary devices: `sf`. Only for `auxNetDevice`, which needs it. */
                readonly auxTypes?: readonly string[] | undefined;
              }[];
          /** Variables that pods get with a device, by PCI address or `*`. */
          readonly additionalInfo?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
        }[];
      }
    | undefined;
  /** Whether devices are offered through CDI; the container runtime must know it. */
  readonly useCdi?: boolean | undefined;
}

/** The Maintenance Operator, with the names of the values of the operator’s chart. */
export interface MaintenanceOperatorInput {
  /**
   * Render the Maintenance Operator.
   * @default false
   */
  readonly deploy?: boolean | undefined;
  /**
   * Value of the label `app.kubernetes.io/instance`.
   * @default "network-operator"
   */
  readonly releaseName?: string | undefined;
  /**
   * Value of the label `app.kubernetes.io/name`.
   * @default "maintenance-operator"
   */
  readonly nameOverride?: string | undefined;
  /**
   * What the names of all objects begin with.
   * @default "network-operator-maintenance-operator"
   */
  readonly fullnameOverride?: string | undefined;
  /**
   * Secrets with registry credentials.
   * @default []
   */
  readonly imagePullSecrets?:
    | readonly {
        /** Name of the Secret. */
        readonly name: SecretName;
      }[]
    | undefined;
  /** The operator. */
  readonly operator?:
    | {
        /** Its image. */
        readonly image?:
          | {
              /**
               * Registry and path.
               * @default - from the release
               */
              readonly repository?: string | undefined;
              /**
               * Name.
               * @default - from the release
               */
              readonly name?: string | undefined;
              /**
               * Tag.
               * @default - from the release
               */
              readonly tag?: string | undefined;
              /**
               * When it is pulled.
               * @default - that of Kubernetes
               */
              readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
            }
          | undefined;
        /**
         * Tolerations of its pods.
         * @default
         * [{"key":"node-role.kubernetes.io/master","operator":"Exists","effect":"NoSchedule"},{"key":"node-role.kubernetes.io/control-plane","operator":"Exists","effect":"NoSchedule"}]
         */
        readonly tolerations?: readonly TolerationInput[] | undefined;
        /**
         * Nodes that its pods may run on.
         * @default {}
         */
        readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
        /**
         * Affinity of its pods.
         * @default - nodes of the control plane rather than others
         */
        readonly affinity?: KubernetesAffinity | undefined;
        /** Compute resources. */
        readonly resources?:
          | {
              /**
               * The most that the container may use.
               * @default {"cpu":"500m","memory":"128Mi"}
               */
              readonly limits?: Readonly<Record<string, string | number>> | undefined;
              /**
               * What the scheduler sets aside.
               * @default {"cpu":"10m","memory":"64Mi"}
               */
              readonly requests?: Readonly<Record<string, string | number>> | undefined;
            }
          | undefined;
        /**
         * Replicas; with several one is the leader.
         * @default 1
         */
        readonly replicas?: number | undefined;
        /** Its ServiceAccount. */
        readonly serviceAccount?:
          | {
              /**
               * Its annotations.
               * @default {}
               */
              readonly annotations?: Readonly<Record<string, string>> | undefined;
            }
          | undefined;
        /** The webhook. */
        readonly admissionController?:
          | {
              /**
               * Validate NodeMaintenances.
               * @default false
               */
              readonly enable?: boolean | undefined;
              /** Certificate of the webhook. */
              readonly certificates?:
                | {
                    /** Name of the Secret with the certificate. */
                    readonly secretNames?:
                      | {
                          /**
                           * Secret of the webhook.
                           * @default "maintenance-webhook-cert"
                           */
                          readonly operator?: SecretName | undefined;
                        }
                      | undefined;
                    /** cert-manager. */
                    readonly certManager?:
                      | {
                          /**
                           * cert-manager keeps the certificate. `false`: the Secret is there, and `caBundle` is needed.
                           * @default true
                           */
                          readonly enable?: boolean | undefined;
                          /**
                           * Render an Issuer that signs by itself, and a Certificate.
                           * @default true
                           */
                          readonly generateSelfSigned?: boolean | undefined;
                        }
                      | undefined;
                    /**
                     * Certificates, in base64, by which the API server trusts the webhook; not needed with cert-manager.
                     * @default ""
                     */
                    readonly caBundle?: string | undefined;
                  }
                | undefined;
            }
          | undefined;
      }
    | undefined;
  /** The MaintenanceOperatorConfig. */
  readonly operatorConfig?:
    | {
        /**
         * Render the MaintenanceOperatorConfig `default`.
         * @default false
         */
        readonly deploy?: boolean | undefined;
        /**
         * Log level.
         * @default "info"
         */
        readonly logLevel?: 'debug' | 'info' | 'error' | undefined;
        /**
         * Nodes in maintenance at once; 0 for no limit.
         * @default - 1
         */
        readonly maxParallelOperations?: number | string | undefined;
        /**
         * Nodes that may be unavailable.
         * @default - no limit
         */
        readonly maxUnavailable?: number | string | undefined;
        /**
         * Seconds that one node may take.
         * @default - 3600
         */
        readonly maxNodeMaintenanceTimeSeconds?: number | undefined;
      }
    | undefined;
  /** Service of the webhook. */
  readonly webhookService?:
    | {
        /**
         * Type of the Service.
         * @default "ClusterIP"
         */
        readonly type?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | undefined;
        /**
         * Its ports.
         * @default [{"port":443,"protocol":"TCP","targetPort":9443}]
         */
        readonly ports?:
          | readonly {
              /** Name. Needed where there are several ports. */
              readonly name?: string | undefined;
              /** Port of the Service. */
              readonly port: number;
              /**
               * Protocol.
               * @default "TCP"
               */
              readonly protocol?: 'TCP' | 'UDP' | 'SCTP' | undefined;
              /** Port of the pod, or its name. */
              readonly targetPort: number | string;
            }[]
          | undefined;
      }
    | undefined;
  /**
   * Domain of the cluster.
   * @default "cluster.local"
   */
  readonly kubernetesClusterDomain?: string | undefined;
}

/** Node Feature Discovery, with the names of the values of the operator’s chart. */
export interface NodeFeatureDiscoveryInput {
  /**
   * Render Node Feature Discovery. A cluster has exactly one.
   * @default false
   */
  readonly deploy?: boolean | undefined;
  /**
   * Render the rule that gives nodes the label of an NVIDIA NIC, where something selects by it. `false` where the
   * nodes have the label otherwise.
   * @default true
   */
  readonly rules?: boolean | undefined;
  /** Image of all programs. */
  readonly image?:
    | {
        /**
         * Registry, path and name of the image.
         * @default - from the release
         */
        readonly repository?: string | undefined;
        /**
         * Its tag.
         * @default - from the release
         */
        readonly tag?: string | undefined;
        /**
         * When it is pulled.
         * @default "IfNotPresent"
         */
        readonly pullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
      }
    | undefined;
  /**
   * Secrets with registry credentials.
   * @default []
   */
  readonly imagePullSecrets?:
    | readonly {
        /** Name of the Secret. */
        readonly name: SecretName;
      }[]
    | undefined;
  /**
   * Value of the label `app.kubernetes.io/instance`, by which selectors find their pods.
   * @default "network-operator"
   */
  readonly releaseName?: string | undefined;
  /**
   * Value of the label `app.kubernetes.io/name`.
   * @default "node-feature-discovery"
   */
  readonly nameOverride?: string | undefined;
  /**
   * What the names of all objects begin with.
   * @default "network-operator-node-feature-discovery"
   */
  readonly fullnameOverride?: string | undefined;
  /**
   * Namespace. Default: that of the Cluster.
   * @default ""
   */
  readonly namespaceOverride?: string | undefined;
  /**
   * Feature gates.
   * @default {"NodeFeatureAPI":true}
   */
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
  /**
   * Priority class of all pods.
   * @default ""
   */
  readonly priorityClassName?: string | undefined;
  /** nfd-master. */
  readonly master?:
    | {
        /**
         * Annotations of the pods.
         * @default {}
         */
        readonly annotations?: Readonly<Record<string, string>> | undefined;
        /**
         * More labels of the pods.
         * @default {}
         */
        readonly labels?: Readonly<Record<string, string>> | undefined;
        /**
         * Nodes that the pods may run on.
         * @default {}
         */
        readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
        /** Affinity of the pods. */
        readonly affinity?: KubernetesAffinity | undefined;
        /**
         * More arguments of the program.
         * @default []
         */
        readonly extraArgs?: readonly string[] | undefined;
        /**
         * More environment variables.
         * @default []
         */
        readonly extraEnvs?: readonly EnvVarInput[] | undefined;
        /**
         * Use the network of the node.
         * @default false
         */
        readonly hostNetwork?: boolean | undefined;
        /** Use the user namespace of the node. */
        readonly hostUsers?: boolean | undefined;
        /**
         * DNS policy of the pods.
         * @default "ClusterFirstWithHostNet"
         */
        readonly dnsPolicy?: string | undefined;
        /**
         * Port of health and metrics.
         * @default 8080
         */
        readonly port?: number | undefined;
        /** Security context of the pods. */
        readonly podSecurityContext?: KubernetesPodSecurityContext | undefined;
        /**
         * Containers that run first.
         * @default []
         */
        readonly initContainers?: readonly KubernetesContainer[] | undefined;
        /** How many old revisions are kept. */
        readonly revisionHistoryLimit?: number | undefined;
        /** NetworkPolicy of the pods. */
        readonly networkPolicy?:
          | {
              /**
               * Render a NetworkPolicy.
               * @default false
               */
              readonly enabled?: boolean | undefined;
              /**
               * Its egress rules.
               * @default
               * [{"ports":[{"port":80,"protocol":"TCP"},{"port":443,"protocol":"TCP"},{"port":53,"protocol":"TCP"},{"port":53,"protocol":"UDP"},{"port":6443,"protocol":"TCP"}]}]
               */
              readonly egress?: readonly KubernetesNetworkPolicyEgressRule[] | undefined;
              /**
               * Its ingress rules.
               * @default [{"ports":[{"protocol":"TCP","port":"http"}]}]
               */
              readonly ingress?: readonly KubernetesNetworkPolicyIngressRule[] | undefined;
            }
          | undefined;
        /**
         * Render the master, which labels nodes.
         * @default true
         */
        readonly enable?: boolean | undefined;
        /**
         * Its configuration file.
         * @default - `extraLabelNs: [nvidia.com]`
         */
        readonly config?:
          | {
              /** Namespaces of labels that may not be set. */
              readonly denyLabelNs?: unknown;
              /** Namespaces of labels that may be set though they are denied. */
              readonly extraLabelNs?: unknown;
              /** Regular expression of the names of labels. */
              readonly labelWhiteList?: unknown;
              /** Change no node. */
              readonly noPublish?: unknown;
              /** Let rules taint nodes. */
              readonly enableTaints?: unknown;
              /** How often all nodes are looked at again. */
              readonly resyncPeriod?: unknown;
              /** Election of the leader of several replicas. */
              readonly leaderElection?: unknown;
              /** Nodes that are updated at once. */
              readonly nfdApiParallelism?: unknown;
              /** Objects that are listed at once when it starts. */
              readonly informerPageSize?: unknown;
              /** Its log. */
              readonly klog?: unknown;
              /** What objects of the cluster may do. */
              readonly restrictions?: unknown;
            }
          | undefined;
        /**
         * Name that tells several deployments in one cluster apart.
         * @default ""
         */
        readonly instance?: string | undefined;
        /**
         * Replicas; with several one is the leader.
         * @default 1
         */
        readonly replicaCount?: number | undefined;
        /**
         * How often all nodes are looked at again.
         * @default ""
         */
        readonly resyncPeriod?: string | undefined;
        /**
         * More namespaces of labels that may be set.
         * @default []
         */
        readonly extraLabelNs?: readonly string[] | undefined;
        /**
         * Namespaces of labels that may not be set.
         * @default []
         */
        readonly denyLabelNs?: readonly string[] | undefined;
        /**
         * Let rules taint nodes.
         * @default false
         */
        readonly enableTaints?: boolean | undefined;
        /** Nodes that are updated at once. */
        readonly nfdApiParallelism?: number | undefined;
        /**
         * Annotations of the Deployment.
         * @default {}
         */
        readonly deploymentAnnotations?: Readonly<Record<string, string>> | undefined;
        /**
         * Tolerations of the pods.
         * @default [{"key":"node-role.kubernetes.io/control-plane","operator":"Equal","value":"","effect":"NoSchedule"}]
         */
        readonly tolerations?: readonly TolerationInput[] | undefined;
        /** Compute resources. */
        readonly resources?:
          | {
              /**
               * The most that the container may use.
               * @default {"memory":"4Gi"}
               */
              readonly limits?: Readonly<Record<string, string | number>> | undefined;
              /**
               * What the scheduler sets aside.
               * @default {"cpu":"100m","memory":"128Mi"}
               */
              readonly requests?: Readonly<Record<string, string | number>> | undefined;
            }
          | undefined;
        /** Security context of the container. */
        readonly securityContext?: KubernetesSecurityContext | undefined;
        /** ServiceAccount of the pods. */
        readonly serviceAccount?:
          | {
              /**
               * Render the ServiceAccount.
               * @default true
               */
              readonly create?: boolean | undefined;
              /**
               * Its name; empty for the name of the workload.
               * @default "node-feature-discovery"
               */
              readonly name?: string | undefined;
              /**
               * Its annotations.
               * @default {}
               */
              readonly annotations?: Readonly<Record<string, string>> | undefined;
            }
          | undefined;
        /** Probe until the program is up. */
        readonly startupProbe?:
          | {
              /** Seconds before the first probe. */
              readonly initialDelaySeconds?: number | undefined;
              /** Seconds after which a probe has failed. */
              readonly timeoutSeconds?: number | undefined;
              /** Seconds between probes. */
              readonly periodSeconds?: number | undefined;
              /** Probes that must succeed. */
              readonly successThreshold?: number | undefined;
              /** Probes that may fail. */
              readonly failureThreshold?: number | undefined;
            }
          | undefined;
        /** Probe that restarts the container. */
        readonly livenessProbe?:
          | {
              /** Seconds before the first probe. */
              readonly initialDelaySeconds?: number | undefined;
              /** Seconds after which a probe has failed. */
              readonly timeoutSeconds?: number | undefined;
              /** Seconds between probes. */
              readonly periodSeconds?: number | undefined;
              /** Probes that must succeed. */
              readonly successThreshold?: number | undefined;
              /** Probes that may fail. */
              readonly failureThreshold?: number | undefined;
            }
          | undefined;
        /** Probe that makes the pod ready. */
        readonly readinessProbe?:
          | {
              /** Seconds before the first probe. */
              readonly initialDelaySeconds?: number | undefined;
              /** Seconds after which a probe has failed. */
              readonly timeoutSeconds?: number | undefined;
              /** Seconds between probes. */
              readonly periodSeconds?: number | undefined;
              /** Probes that must succeed. */
              readonly successThreshold?: number | undefined;
              /** Probes that may fail. */
              readonly failureThreshold?: number | undefined;
            }
          | undefined;
        /** PodDisruptionBudget of the pods. */
        readonly podDisruptionBudget?:
          | {
              /**
               * Render a PodDisruptionBudget.
               * @default false
               */
              readonly enable?: boolean | undefined;
              /**
               * Pods that must stay: a number or a percentage.
               * @default 1
               */
              readonly minAvailable?: number | string | undefined;
              /**
               * Which pods that are not ready may be evicted.
               * @default "AlwaysAllow"
               */
              readonly unhealthyPodEvictionPolicy?: 'AlwaysAllow' | 'IfHealthyBudget' | undefined;
            }
          | undefined;
      }
    | undefined;
  /** nfd-worker. */
  readonly worker?:
    | {
        /**
         * Annotations of the pods.
         * @default {}
         */
        readonly annotations?: Readonly<Record<string, string>> | undefined;
        /**
         * More labels of the pods.
         * @default {}
         */
        readonly labels?: Readonly<Record<string, string>> | undefined;
        /**
         * Nodes that the pods may run on.
         * @default {}
         */
        readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
        /** Affinity of the pods. */
        readonly affinity?: KubernetesAffinity | undefined;
        /**
         * More arguments of the program.
         * @default []
         */
        readonly extraArgs?: readonly string[] | undefined;
        /**
         * More environment variables.
         * @default []
         */
        readonly extraEnvs?: readonly EnvVarInput[] | undefined;
        /**
         * Use the network of the node.
         * @default false
         */
        readonly hostNetwork?: boolean | undefined;
        /** Use the user namespace of the node. */
        readonly hostUsers?: boolean | undefined;
        /**
         * DNS policy of the pods.
         * @default "ClusterFirstWithHostNet"
         */
        readonly dnsPolicy?: string | undefined;
        /**
         * Port of health and metrics.
         * @default 8080
         */
        readonly port?: number | undefined;
        /** Security context of the pods. */
        readonly podSecurityContext?: KubernetesPodSecurityContext | undefined;
        /**
         * Containers that run first.
         * @default []
         */
        readonly initContainers?: readonly KubernetesContainer[] | undefined;
        /** How many old revisions are kept. */
        readonly revisionHistoryLimit?: number | undefined;
        /** NetworkPolicy of the pods. */
        readonly networkPolicy?:
          | {
              /**
               * Render a NetworkPolicy.
               * @default false
               */
              readonly enabled?: boolean | undefined;
              /**
               * Its egress rules.
               * @default
               * [{"ports":[{"port":80,"protocol":"TCP"},{"port":443,"protocol":"TCP"},{"port":53,"protocol":"TCP"},{"port":53,"protocol":"UDP"},{"port":6443,"protocol":"TCP"}]}]
               */
              readonly egress?: readonly KubernetesNetworkPolicyEgressRule[] | undefined;
              /**
               * Its ingress rules.
               * @default [{"ports":[{"protocol":"TCP","port":"http"}]}]
               */
              readonly ingress?: readonly KubernetesNetworkPolicyIngressRule[] | undefined;
            }
          | undefined;
        /**
         * Render the worker, which finds what a node has.
         * @default true
         */
        readonly enable?: boolean | undefined;
        /**
         * Its configuration file.
         * @default - labels for display and 3D controllers by vendor, `pci-<vendor>.present`
         */
        readonly config?:
          | {
              /** What is looked for, how often, and what is done with it. */
              readonly core?: unknown;
              /** Settings of the sources that have any. */
              readonly sources?: unknown;
            }
          | undefined;
        /**
         * Owners of the NodeFeature objects; with the last of them labels go.
         * @default ["pod","ds"]
         */
        readonly ownerRefs?: readonly ('pod' | 'ds' | 'node')[] | undefined;
        /**
         * Mount `/usr/src` of the node.
         * @default false
         */
        readonly mountUsrSrc?: boolean | undefined;
        /**
         * Annotations of the DaemonSet.
         * @default {}
         */
        readonly daemonsetAnnotations?: Readonly<Record<string, string>> | undefined;
        /**
         * Tolerations of the pods.
         * @default
         * [{"key":"node-role.kubernetes.io/master","operator":"Exists","effect":"NoSchedule"},{"key":"node-role.kubernetes.io/control-plane","operator":"Exists","effect":"NoSchedule"},{"key":"nvidia.com/gpu","operator":"Exists","effect":"NoSchedule"}]
         */
        readonly tolerations?: readonly TolerationInput[] | undefined;
        /**
         * Priority class of its pods; goes before the common one.
         * @default ""
         */
        readonly priorityClassName?: string | undefined;
        /** Update strategy of the DaemonSet. */
        readonly updateStrategy?: KubernetesDaemonSetUpdateStrategy | undefined;
        /** Compute resources. */
        readonly resources?:
          | {
              /**
               * The most that the container may use.
               * @default {"memory":"512Mi"}
               */
              readonly limits?: Readonly<Record<string, string | number>> | undefined;
              /**
               * What the scheduler sets aside.
               * @default {"cpu":"5m","memory":"64Mi"}
               */
              readonly requests?: Readonly<Record<string, string | number>> | undefined;
            }
          | undefined;
        /** Security context of the container. */
        readonly securityContext?: KubernetesSecurityContext | undefined;
        /** ServiceAccount of the pods. */
        readonly serviceAccount?:
          | {
              /**
               * Render the ServiceAccount.
               * @default false
               */
              readonly create?: boolean | undefined;
              /**
               * Its name; empty for the name of the workload.
               * @default "node-feature-discovery"
               */
              readonly name?: string | undefined;
              /**
               * Its annotations.
               * @default {}
               */
              readonly annotations?: Readonly<Record<string, string>> | undefined;
            }
          | undefined;
        /** Probe that restarts the container. */
        readonly livenessProbe?:
          | {
              /** Seconds before the first probe. */
              readonly initialDelaySeconds?: number | undefined;
              /** Seconds after which a probe has failed. */
              readonly timeoutSeconds?: number | undefined;
              /** Seconds between probes. */
              readonly periodSeconds?: number | undefined;
              /** Probes that must succeed. */
              readonly successThreshold?: number | undefined;
              /** Probes that may fail. */
              readonly failureThreshold?: number | undefined;
            }
          | undefined;
        /** Probe that makes the pod ready. */
        readonly readinessProbe?:
          | {
              /** Seconds before the first probe. */
              readonly initialDelaySeconds?: number | undefined;
              /** Seconds after which a probe has failed. */
              readonly timeoutSeconds?: number | undefined;
              /** Seconds between probes. */
              readonly periodSeconds?: number | undefined;
              /** Probes that must succeed. */
              readonly successThreshold?: number | undefined;
              /** Probes that may fail. */
              readonly failureThreshold?: number | undefined;
            }
          | undefined;
      }
    | undefined;
  /** nfd-gc. */
  readonly gc?:
    | {
        /**
         * Annotations of the pods.
         * @default {}
         */
        readonly annotations?: Readonly<Record<string, string>> | undefined;
        /**
         * More labels of the pods.
         * @default {}
         */
        readonly labels?: Readonly<Record<string, string>> | undefined;
        /**
         * Nodes that the pods may run on.
         * @default {}
         */
        readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
        /** Affinity of the pods. */
        readonly affinity?: KubernetesAffinity | undefined;
        /**
         * More arguments of the program.
         * @default []
         */
        readonly extraArgs?: readonly string[] | undefined;
        /**
         * More environment variables.
         * @default []
         */
        readonly extraEnvs?: readonly EnvVarInput[] | undefined;
        /**
         * Use the network of the node.
         * @default false
         */
        readonly hostNetwork?: boolean | undefined;
        /** Use the user namespace of the node. */
        readonly hostUsers?: boolean | undefined;
        /**
         * DNS policy of the pods.
         * @default "ClusterFirstWithHostNet"
         */
        readonly dnsPolicy?: string | undefined;
        /**
         * Port of health and metrics.
         * @default 8080
         */
        readonly port?: number | undefined;
        /** Security context of the pods. */
        readonly podSecurityContext?: KubernetesPodSecurityContext | undefined;
        /**
         * Containers that run first.
         * @default []
         */
        readonly initContainers?: readonly KubernetesContainer[] | undefined;
        /** How many old revisions are kept. */
        readonly revisionHistoryLimit?: number | undefined;
        /** NetworkPolicy of the pods. */
        readonly networkPolicy?:
          | {
              /**
               * Render a NetworkPolicy.
               * @default false
               */
              readonly enabled?: boolean | undefined;
              /**
               * Its egress rules.
               * @default
               * [{"ports":[{"port":80,"protocol":"TCP"},{"port":443,"protocol":"TCP"},{"port":53,"protocol":"TCP"},{"port":53,"protocol":"UDP"},{"port":6443,"protocol":"TCP"}]}]
               */
              readonly egress?: readonly KubernetesNetworkPolicyEgressRule[] | undefined;
              /**
               * Its ingress rules.
               * @default [{"ports":[{"protocol":"TCP","port":"http"}]}]
               */
              readonly ingress?: readonly KubernetesNetworkPolicyIngressRule[] | undefined;
            }
          | undefined;
        /**
         * Render the garbage collector of NodeFeature objects.
         * @default true
         */
        readonly enable?: boolean | undefined;
        /**
         * Replicas.
         * @default 1
         */
        readonly replicaCount?: number | undefined;
        /**
         * How often it runs.
         * @default "1h"
         */
        readonly interval?: string | undefined;
        /**
         * Annotations of the Deployment.
         * @default {}
         */
        readonly deploymentAnnotations?: Readonly<Record<string, string>> | undefined;
        /**
         * Tolerations of the pods.
         * @default []
         */
        readonly tolerations?: readonly TolerationInput[] | undefined;
        /** Compute resources. */
        readonly resources?:
          | {
              /**
               * The most that the container may use.
               * @default {"memory":"1Gi"}
               */
              readonly limits?: Readonly<Record<string, string | number>> | undefined;
              /**
               * What the scheduler sets aside.
               * @default {"cpu":"10m","memory":"128Mi"}
               */
              readonly requests?: Readonly<Record<string, string | number>> | undefined;
            }
          | undefined;
        /** Security context of the container. */
        readonly securityContext?: KubernetesSecurityContext | undefined;
        /** ServiceAccount of the pods. */
        readonly serviceAccount?:
          | {
              /**
               * Render the ServiceAccount.
               * @default false
               */
              readonly create?: boolean | undefined;
              /**
               * Its name; empty for the name of the workload.
               * @default "node-feature-discovery"
               */
              readonly name?: string | undefined;
              /**
               * Its annotations.
               * @default {}
               */
              readonly annotations?: Readonly<Record<string, string>> | undefined;
            }
          | undefined;
        /** Probe that restarts the container. */
        readonly livenessProbe?:
          | {
              /** Seconds before the first probe. */
              readonly initialDelaySeconds?: number | undefined;
              /** Seconds after which a probe has failed. */
              readonly timeoutSeconds?: number | undefined;
              /** Seconds between probes. */
              readonly periodSeconds?: number | undefined;
              /** Probes that must succeed. */
              readonly successThreshold?: number | undefined;
              /** Probes that may fail. */
              readonly failureThreshold?: number | undefined;
            }
          | undefined;
        /** Probe that makes the pod ready. */
        readonly readinessProbe?:
          | {
              /** Seconds before the first probe. */
              readonly initialDelaySeconds?: number | undefined;
              /** Seconds after which a probe has failed. */
              readonly timeoutSeconds?: number | undefined;
              /** Seconds between probes. */
              readonly periodSeconds?: number | undefined;
              /** Probes that must succeed. */
              readonly successThreshold?: number | undefined;
              /** Probes that may fail. */
              readonly failureThreshold?: number | undefined;
            }
          | undefined;
        /** PodDisruptionBudget of the pods. */
        readonly podDisruptionBudget?:
          | {
              /**
               * Render a PodDisruptionBudget.
               * @default false
               */
              readonly enable?: boolean | undefined;
              /**
               * Pods that must stay: a number or a percentage.
               * @default 1
               */
              readonly minAvailable?: number | string | undefined;
              /**
               * Which pods that are not ready may be evicted.
               * @default "AlwaysAllow"
               */
              readonly unhealthyPodEvictionPolicy?: 'AlwaysAllow' | 'IfHealthyBudget' | undefined;
            }
          | undefined;
      }
    | undefined;
  /** nfd-topology-updater. */
  readonly topologyUpdater?:
    | {
        /**
         * Annotations of the pods.
         * @default {}
         */
        readonly annotations?: Readonly<Record<string, string>> | undefined;
        /**
         * More labels of the pods.
         * @default {}
         */
        readonly labels?: Readonly<Record<string, string>> | undefined;
        /**
         * Nodes that the pods may run on.
         * @default {}
         */
        readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
        /** Affinity of the pods. */
        readonly affinity?: KubernetesAffinity | undefined;
        /**
         * More arguments of the program.
         * @default []
         */
        readonly extraArgs?: readonly string[] | undefined;
        /**
         * More environment variables.
         * @default []
         */
        readonly extraEnvs?: readonly EnvVarInput[] | undefined;
        /**
         * Use the network of the node.
         * @default false
         */
        readonly hostNetwork?: boolean | undefined;
        /** Use the user namespace of the node. */
        readonly hostUsers?: boolean | undefined;
        /**
         * DNS policy of the pods.
         * @default "ClusterFirstWithHostNet"
         */
        readonly dnsPolicy?: string | undefined;
        /**
         * Port of health and metrics.
         * @default 8080
         */
        readonly port?: number | undefined;
        /** Security context of the pods. */
        readonly podSecurityContext?: KubernetesPodSecurityContext | undefined;
        /**
         * Containers that run first.
         * @default []
         */
        readonly initContainers?: readonly KubernetesContainer[] | undefined;
        /** How many old revisions are kept. */
        readonly revisionHistoryLimit?: number | undefined;
        /** NetworkPolicy of the pods. */
        readonly networkPolicy?:
          | {
              /**
               * Render a NetworkPolicy.
               * @default false
               */
              readonly enabled?: boolean | undefined;
              /**
               * Its egress rules.
               * @default
               * [{"ports":[{"port":80,"protocol":"TCP"},{"port":443,"protocol":"TCP"},{"port":53,"protocol":"TCP"},{"port":53,"protocol":"UDP"},{"port":6443,"protocol":"TCP"}]}]
               */
              readonly egress?: readonly KubernetesNetworkPolicyEgressRule[] | undefined;
              /**
               * Its ingress rules.
               * @default [{"ports":[{"protocol":"TCP","port":"http"}]}]
               */
              readonly ingress?: readonly KubernetesNetworkPolicyIngressRule[] | undefined;
            }
          | undefined;
        /**
         * Render the topology updater.
         * @default false
         */
        readonly enable?: boolean | undefined;
        /**
         * Render the CRD of NodeResourceTopology.
         * @default false
         */
        readonly createCRDs?: boolean | undefined;
        /**
         * Its configuration file.
         * @default - empty
         */
        readonly config?:
          | {
              /** Resources that are not looked at, by the name of the node. */
              readonly excludeList?: unknown;
            }
          | undefined;
        /**
         * How often it looks.
         * @default "60s"
         */
        readonly updateInterval?: string | undefined;
        /**
         * Namespace whose pods it looks at; `*` for all.
         * @default "*"
         */
        readonly watchNamespace?: string | undefined;
        /**
         * Configuration file of the kubelet; empty: it is asked.
         * @default ""
         */
        readonly kubeletConfigPath?: string | undefined;
        /**
         * Socket of the kubelet’s pod resources.
         * @default ""
         */
        readonly kubeletPodResourcesSockPath?: string | undefined;
        /**
         * State directory of the kubelet.
         * @default "/var/lib/kubelet"
         */
        readonly kubeletStateDir?: string | undefined;
        /**
         * Write a fingerprint of the pods.
         * @default true
         */
        readonly podSetFingerprint?: boolean | undefined;
        /**
         * Annotations of the DaemonSet.
         * @default {}
         */
        readonly daemonsetAnnotations?: Readonly<Record<string, string>> | undefined;
        /**
         * Tolerations of the pods.
         * @default []
         */
        readonly tolerations?: readonly TolerationInput[] | undefined;
        /** Compute resources. */
        readonly resources?:
          | {
              /**
               * The most that the container may use.
               * @default {"memory":"60Mi"}
               */
              readonly limits?: Readonly<Record<string, string | number>> | undefined;
              /**
               * What the scheduler sets aside.
               * @default {"cpu":"50m","memory":"40Mi"}
               */
              readonly requests?: Readonly<Record<string, string | number>> | undefined;
            }
          | undefined;
        /** Security context of the container. */
        readonly securityContext?: KubernetesSecurityContext | undefined;
        /** ServiceAccount of the pods. */
        readonly serviceAccount?:
          | {
              /**
               * Render the ServiceAccount.
               * @default true
               */
              readonly create?: boolean | undefined;
              /**
               * Its name; empty for the name of the workload.
               * @default ""
               */
              readonly name?: string | undefined;
              /**
               * Its annotations.
               * @default {}
               */
              readonly annotations?: Readonly<Record<string, string>> | undefined;
            }
          | undefined;
        /** Probe that restarts the container. */
        readonly livenessProbe?:
          | {
              /** Seconds before the first probe. */
              readonly initialDelaySeconds?: number | undefined;
              /** Seconds after which a probe has failed. */
              readonly timeoutSeconds?: number | undefined;
              /** Seconds between probes. */
              readonly periodSeconds?: number | undefined;
              /** Probes that must succeed. */
              readonly successThreshold?: number | undefined;
              /** Probes that may fail. */
              readonly failureThreshold?: number | undefined;
            }
          | undefined;
        /** Probe that makes the pod ready. */
        readonly readinessProbe?:
          | {
              /** Seconds before the first probe. */
              readonly initialDelaySeconds?: number | undefined;
              /** Seconds after which a probe has failed. */
              readonly timeoutSeconds?: number | undefined;
              /** Seconds between probes. */
              readonly periodSeconds?: number | undefined;
              /** Probes that must succeed. */
              readonly successThreshold?: number | undefined;
              /** Probes that may fail. */
              readonly failureThreshold?: number | undefined;
            }
          | undefined;
      }
    | undefined;
  /** Metrics for the Prometheus Operator. */
  readonly prometheus?:
    | {
        /**
         * Render a PodMonitor.
         * @default false
         */
        readonly enable?: boolean | undefined;
        /**
         * How often metrics are read.
         * @default "10s"
         */
        readonly scrapeInterval?: string | undefined;
        /**
         * More labels of the PodMonitor.
         * @default {}
         */
        readonly labels?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
}

/** The SR-IOV Network Operator, with the names of the values of the operator’s chart. */
export interface SriovNetworkOperatorInput {
  /**
   * Render the SR-IOV Network Operator.
   * @default false
   */
  readonly deploy?: boolean | undefined;
  /**
   * Value of the label `app.kubernetes.io/instance`.
   * @default "network-operator"
   */
  readonly releaseName?: string | undefined;
  /**
   * Value of the label `app.kubernetes.io/name`.
   * @default "sriov-network-operator"
   */
  readonly nameOverride?: string | undefined;
  /**
   * Name of the Deployment, its account and its roles.
   * @default "network-operator-sriov-network-operator"
   */
  readonly fullnameOverride?: string | undefined;
  /**
   * Secrets with registry credentials, also for what the operator makes.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /** The operator. */
  readonly operator?:
    | {
        /**
         * Tolerations of its pods.
         * @default
         * [{"key":"node-role.kubernetes.io/master","operator":"Exists","effect":"NoSchedule"},{"key":"node-role.kubernetes.io/control-plane","operator":"Exists","effect":"NoSchedule"}]
         */
        readonly tolerations?: readonly TolerationInput[] | undefined;
        /**
         * Nodes that its pods may run on.
         * @default {}
         */
        readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
        /**
         * Affinity of its pods.
         * @default - nodes of the control plane rather than others
         */
        readonly affinity?: KubernetesAffinity | undefined;
        /**
         * More environment variables, by name.
         * @default {}
         */
        readonly extraEnv?: Readonly<Record<string, string | number | boolean>> | undefined;
        /** TLS of webhooks and metrics. */
        readonly tls?:
          | {
              /**
               * Cipher suites; empty: those of Go.
               * @default ""
               */
              readonly cipherSuites?: string | undefined;
              /**
               * The oldest version of TLS; empty: that of Go.
               * @default ""
               */
              readonly minVersion?: string | undefined;
              /**
               * Groups of the key exchange; empty: those of Go.
               * @default ""
               */
              readonly curvePreferences?: string | undefined;
            }
          | undefined;
        /**
         * What the names of its resources begin with; networks name the whole.
         * @default "nvidia.com"
         */
        readonly resourcePrefix?: string | undefined;
        /**
         * Directory of CNI programs.
         * @default - that of the Cluster
         */
        readonly cniBinPath?: string | undefined;
        /**
         * What the cluster is.
         * @default - `platform` of the Cluster
         */
        readonly clusterType?: 'kubernetes' | 'openshift' | undefined;
        /**
         * Minutes until the state of a node without a config daemon is removed.
         * @default "30"
         */
        readonly staleNodeStateCleanupDelayMinutes?: string | number | undefined;
        /** The metrics exporter, which the feature gate `metricsExporter` turns on. */
        readonly metricsExporter?:
          | {
              /**
               * Port of the exporter.
               * @default "9110"
               */
              readonly port?: string | number | undefined;
              /** Certificate of the exporter. */
              readonly certificates?:
                | {
                    /**
                     * Secret with its certificate.
                     * @default "metrics-exporter-cert"
                     */
                    readonly secretName?: SecretName | undefined;
                  }
                | undefined;
              /** What it makes for the Prometheus Operator. */
              readonly prometheusOperator?:
                | {
                    /**
                     * Let the operator make a ServiceMonitor.
                     * @default false
                     */
                    readonly enabled?: boolean | undefined;
                    /**
                     * ServiceAccount of Prometheus.
                     * @default "prometheus-k8s"
                     */
                    readonly serviceAccount?: string | undefined;
                    /**
                     * Namespace of that ServiceAccount.
                     * @default "monitoring"
                     */
                    readonly namespace?: string | undefined;
                    /**
                     * Let the operator make PrometheusRules.
                     * @default false
                     */
                    readonly deployRules?: boolean | undefined;
                  }
                | undefined;
            }
          | undefined;
        /**
         * Who drains nodes for a change of their virtual functions, and how the companion does. The chart has `enabled`
         * alone.
         */
        readonly externalDrainer?:
          | {
              /**
               * The companion drains nodes, with those of driver upgrades. `false`: the operator drains by itself.
               * @default false
               */
              readonly enabled?: boolean | undefined;
              /** Pods that must finish before a node is drained. */
              readonly waitForCompletion?:
                | {
                    /**
                     * Label selector of the pods to wait for; empty for none.
                     * @default ""
                     */
                    readonly podSelector?: string | undefined;
                    /**
                     * Seconds after which the node is drained anyway; 0 for never.
                     * @default 0
                     */
                    readonly timeoutSeconds?: number | undefined;
                  }
                | undefined;
              /** How pods are evicted: those with virtual functions, or all pods before a reboot. */
              readonly drain?:
                | {
                    /**
                     * Whether pods without a controller are evicted too.
                     * @default false
                     */
                    readonly force?: boolean | undefined;
                    /**
                     * Label selector of the pods to evict; empty for all.
                     * @default ""
                     */
                    readonly podSelector?: string | undefined;
                    /**
                     * Seconds after which the drain counts as failed; 0 for never.
                     * @default 300
                     */
                    readonly timeoutSeconds?: number | undefined;
                    /**
                     * Whether pods with local data are evicted too.
                     * @default false
                     */
                    readonly deleteEmptyDir?: boolean | undefined;
                  }
                | undefined;
            }
          | undefined;
        /** The admission controllers. */
        readonly admissionControllers?:
          | {
              /**
               * Run the webhook of the operator and the resources injector.
               * @default false
               */
              readonly enabled?: boolean | undefined;
              /** NetworkPolicies that the operator makes for them. */
              readonly networkPolicy?:
                | {
                    /** Its NetworkPolicy. */
                    readonly operator?:
                      | {
                          /**
                           * Port of the API server.
                           * @default "6443"
                           */
                          readonly port?: string | number | undefined;
                        }
                      | undefined;
                    /** Its NetworkPolicy. */
                    readonly injector?:
                      | {
                          /**
                           * Port of the API server.
                           * @default "6443"
                           */
                          readonly port?: string | number | undefined;
                        }
                      | undefined;
                  }
                | undefined;
              /** Certificates of the admission controllers. */
              readonly certificates?:
                | {
                    /** Names of the Secrets with the certificates. */
                    readonly secretNames?:
                      | {
                          /**
                           * Secret of the webhook.
                           * @default "operator-webhook-cert"
                           */
                          readonly operator?: SecretName | undefined;
                          /**
                           * Secret of the injector.
                           * @default "network-resources-injector-cert"
                           */
                          readonly injector?: SecretName | undefined;
                        }
                      | undefined;
                    /** cert-manager. */
                    readonly certManager?:
                      | {
                          /**
                           * cert-manager keeps the certificates. `false`: the Secrets are there, with `tls.crt`, `tls.key`, and `ca.crt`
                           * in base64.
                           * @default true
                           */
                          readonly enabled?: boolean | undefined;
                          /**
                           * Render Issuers that sign by themselves and Certificates. `false`: Certificates are yours.
                           * @default true
                           */
                          readonly generateSelfSigned?: boolean | undefined;
                        }
                      | undefined;
                  }
                | undefined;
            }
          | undefined;
      }
    | undefined;
  /** The SriovOperatorConfig. */
  readonly sriovOperatorConfig?:
    | {
        /**
         * Render the SriovOperatorConfig `default`.
         * @default true
         */
        readonly deploy?: boolean | undefined;
        /**
         * Nodes that are configured. With `driver.gate: label` the label of the gate is added, so that a node is
         * configured once its driver is loaded.
         * @default {"beta.kubernetes.io/os":"linux"}
         */
        readonly configDaemonNodeSelector?: Readonly<Record<string, string>> | undefined;
        /**
         * Log level of operator and config daemon.
         * @default 2
         */
        readonly logLevel?: number | undefined;
        /**
         * Do not drain nodes for changes that need it.
         * @default false
         */
        readonly disableDrain?: boolean | undefined;
        /**
         * What configures a node.
         * @default "daemon"
         */
        readonly configurationMode?: 'daemon' | 'systemd' | undefined;
        /**
         * Plugins of the config daemon that are off.
         * @default []
         */
        readonly disablePlugins?: readonly 'mellanox'[] | undefined;
        /**
         * Feature gates, by name.
         * @default {}
         */
        readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
        /**
         * Environment variables of the config daemon, by name.
         * @default {}
         */
        readonly configDaemonEnvVars?: Readonly<Record<string, string | number | boolean>> | undefined;
      }
    | undefined;
  /**
   * More NICs, by name: PCI ids of the vendor, of the NIC, and of its virtual functions.
   * @default {}
   */
  readonly supportedExtraNICs?: Readonly<Record<string, string>> | undefined;
  /** Images of the operator and of what it makes. */
  readonly images?:
    | {
        /**
         * The operator.
         * @default - from the release
         */
        readonly operator?: string | undefined;
        /**
         * The config daemon.
         * @default - from the release
         */
        readonly sriovConfigDaemon?: string | undefined;
        /**
         * The SR-IOV CNI.
         * @default - from the release
         */
        readonly sriovCni?: string | undefined;
        /**
         * The SR-IOV CNI for InfiniBand.
         * @default - from the release
         */
        readonly ibSriovCni?: string | undefined;
        /**
         * The OVS CNI.
         * @default - from the release
         */
        readonly ovsCni?: string | undefined;
        /**
         * The RDMA CNI.
         * @default - from the release
         */
        readonly rdmaCni?: string | undefined;
        /**
         * The device plugin.
         * @default - from the release
         */
        readonly sriovDevicePlugin?: string | undefined;
        /**
         * The DRA driver.
         * @default - from the release
         */
        readonly sriovDraDriver?: string | undefined;
        /**
         * The webhook of the operator.
         * @default - from the release
         */
        readonly webhook?: string | undefined;
        /**
         * The resources injector.
         * @default "ghcr.io/k8snetworkplumbingwg/network-resources-injector:v1.7.0"
         */
        readonly resourcesInjector?: string | undefined;
        /**
         * The metrics exporter.
         * @default "ghcr.io/k8snetworkplumbingwg/sriov-network-metrics-exporter"
         */
        readonly metricsExporter?: string | undefined;
        /**
         * The proxy in front of the metrics exporter.
         * @default "quay.io/brancz/kube-rbac-proxy:v0.21.2"
         */
        readonly metricsExporterKubeRbacProxy?: string | undefined;
      }
    | undefined;
  /** The DRA driver. */
  readonly draDriver?:
    | {
        /**
         * Directory of CDI files.
         * @default "/var/run/cdi"
         */
        readonly cdiRoot?: string | undefined;
        /**
         * What names of interfaces begin with.
         * @default "net"
         */
        readonly defaultInterfacePrefix?: string | undefined;
      }
    | undefined;
}

/** whereabouts, an IPAM plugin that keeps addresses for the whole cluster. */
export interface WhereaboutsInput {
  /**
   * Render whereabouts.
   * @default false
   */
  readonly deploy?: boolean | undefined;
  /**
   * Image of all programs, v0.9.4 or newer.
   * @default "ghcr.io/k8snetworkplumbingwg/whereabouts:v0.9.4"
   */
  readonly image?: string | undefined;
  /**
   * Secrets with registry credentials.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /**
   * Namespace, which also holds the addresses in use. Default: that of the Cluster.
   * @default ""
   */
  readonly namespaceOverride?: string | undefined;
  /**
   * Log level of all programs.
   * @default "debug"
   */
  readonly logLevel?: 'debug' | 'verbose' | 'error' | 'panic' | undefined;
  /**
   * Tolerations of the pods on the nodes.
   * @default [{"operator":"Exists","effect":"NoSchedule"}]
   */
  readonly tolerations?: readonly TolerationInput[] | undefined;
  /**
   * Nodes that its pods may run on.
   * @default {}
   */
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  /** Affinity of its pods. */
  readonly affinity?: KubernetesAffinity | undefined;
  /** Compute resources. */
  readonly resources?:
    | {
        /**
         * The most that the container may use.
         * @default {"cpu":"100m","memory":"200Mi"}
         */
        readonly limits?: Readonly<Record<string, string | number>> | undefined;
        /**
         * What the scheduler sets aside.
         * @default {"cpu":"100m","memory":"100Mi"}
         */
        readonly requests?: Readonly<Record<string, string | number>> | undefined;
      }
    | undefined;
  /** The reconciler. It has one pod: it does not know a leader. */
  readonly reconciler?:
    | {
        /**
         * Run the reconciler, which gives addresses back whose pods are gone.
         * @default true
         */
        readonly enabled?: boolean | undefined;
        /**
         * When it looks at all addresses, in UTC.
         * @default "30 4 * * *"
         */
        readonly schedule?: string | undefined;
        /**
         * Nodes that its pods may run on.
         * @default {}
         */
        readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
        /** Affinity of its pods. */
        readonly affinity?: KubernetesAffinity | undefined;
        /**
         * Tolerations of its pod.
         * @default []
         */
        readonly tolerations?: readonly TolerationInput[] | undefined;
        /** Compute resources. */
        readonly resources?:
          | {
              /**
               * The most that the container may use.
               * @default {"cpu":"100m","memory":"50Mi"}
               */
              readonly limits?: Readonly<Record<string, string | number>> | undefined;
              /**
               * What the scheduler sets aside.
               * @default {"cpu":"100m","memory":"50Mi"}
               */
              readonly requests?: Readonly<Record<string, string | number>> | undefined;
            }
          | undefined;
      }
    | undefined;
  /** The node slice controller. */
  readonly nodeSliceController?:
    | {
        /**
         * Run the controller of networks with `node_slice_size`, whose nodes have ranges of their own.
         * @default false
         */
        readonly enabled?: boolean | undefined;
        /**
         * Nodes that its pods may run on.
         * @default {}
         */
        readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
        /** Affinity of its pods. */
        readonly affinity?: KubernetesAffinity | undefined;
        /**
         * Tolerations of its pod.
         * @default []
         */
        readonly tolerations?: readonly TolerationInput[] | undefined;
        /** Compute resources. */
        readonly resources?:
          | {
              /**
               * The most that the container may use.
               * @default {"cpu":"100m","memory":"200Mi"}
               */
              readonly limits?: Readonly<Record<string, string | number>> | undefined;
              /**
               * What the scheduler sets aside.
               * @default {"cpu":"100m","memory":"100Mi"}
               */
              readonly requests?: Readonly<Record<string, string | number>> | undefined;
            }
          | undefined;
      }
    | undefined;
}

/** Image defaults for all sections. */
export interface GlobalInput {
  /** Registry and path for sections that name none. */
  readonly repository?: string | undefined;
  /** Version for sections that name none. */
  readonly version?: string | undefined;
  /** Pull secrets for sections that name none. */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
}

/** How the driver moves forward, node by node. */
export interface OfedUpgradePolicyInput {
  /**
   * Whether nodes are upgraded at all.
   * @default false
   */
  readonly autoUpgrade?: boolean | undefined;
  /**
   * Nodes that are upgraded at once; 0 for no limit.
   * @default 1
   */
  readonly maxParallelUpgrades?: number | undefined;
  /** Pods that must finish before a node is drained. */
  readonly waitForCompletion?:
    | {
        /**
         * Label selector of the pods to wait for; empty for none.
         * @default ""
         */
        readonly podSelector?: string | undefined;
        /**
         * Seconds after which the upgrade goes on anyway; 0 for never.
         * @default 0
         */
        readonly timeoutSeconds?: number | undefined;
      }
    | undefined;
  /** How a node is drained. Without it, nodes are not drained. */
  readonly drain?:
    | {
        /**
         * Whether the node is drained.
         * @default true
         */
        readonly enable?: boolean | undefined;
        /**
         * Whether pods without a controller are evicted too.
         * @default false
         */
        readonly force?: boolean | undefined;
        /**
         * Label selector of the pods to evict; empty for all.
         * @default ""
         */
        readonly podSelector?: string | undefined;
        /**
         * Seconds after which the drain counts as failed; 0 for never.
         * @default 300
         */
        readonly timeoutSeconds?: number | undefined;
        /**
         * Whether pods with local data are evicted too.
         * @default false
         */
        readonly deleteEmptyDir?: boolean | undefined;
      }
    | undefined;
  /**
   * Whether a node is drained before its driver is loaded for the first time. Needs `autoUpgrade`.
   * @default false
   */
  readonly safeLoad?: boolean | undefined;
}

/** How drivers move forward, where the operator’s API has no place for it. */
export interface UpgradeInput {
  /**
   * Limits of some nodes.
   * @default []
   */
  readonly pools?:
    | readonly {
        /** Name of the upgrade pool. */
        readonly name: string;
        /** Labels of its nodes. A node belongs to one pool at most. */
        readonly nodeSelector: Readonly<Record<string, string>>;
        /** Nodes of the pool that may be unavailable at once; a percentage is rounded up. */
        readonly maxUnavailable?: number | string | undefined;
        /** Nodes of the pool that are upgraded at once; 0 for no limit. */
        readonly maxParallelUpgrades?: number | undefined;
        /** When its nodes may start, in the place of the windows of the cluster; an empty list: always. */
        readonly maintenanceWindows?:
          | readonly {
              /** When the window opens: cron, five fields. */
              readonly schedule: string;
              /** How long it stays open, for instance `6h`. */
              readonly duration: string;
              /**
               * IANA time zone of the schedule.
               * @default "UTC"
               */
              readonly timeZone?: string | undefined;
            }[]
          | undefined;
        /** Its nodes that go first, in the place of that of the cluster, which does not count them. */
        readonly canary?:
          | {
              /**
               * How many nodes of each driver DaemonSet go first.
               * @default - 1; with `nodeSelector` all that it selects
               */
              readonly nodes?: number | undefined;
              /** Which nodes go first. */
              readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
              /**
               * How long they run before the others follow.
               * @default "0s"
               */
              readonly soak?: string | undefined;
            }
          | undefined;
        /**
         * So many failed nodes of the pool keep its other nodes from starting, in the place of that of the cluster,
         * which does not count them.
         */
        readonly failureBudget?: number | string | undefined;
      }[]
    | undefined;
  /** Nodes that go first. */
  readonly canary?:
    | {
        /**
         * How many nodes of each driver DaemonSet go first.
         * @default - 1; with `nodeSelector` all that it selects
         */
        readonly nodes?: number | undefined;
        /** Which nodes go first. */
        readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
        /**
         * How long they run before the others follow.
         * @default "0s"
         */
        readonly soak?: string | undefined;
      }
    | undefined;
  /**
   * So many failed nodes keep new ones from starting; at least 1. A percentage is rounded up, and holds for the
   * nodes of each driver DaemonSet, too.
   * @default 1
   */
  readonly failureBudget?: number | string | undefined;
  /**
   * When nodes may start. Default: always.
   * @default []
   */
  readonly maintenanceWindows?:
    | readonly {
        /** When the window opens: cron, five fields. */
        readonly schedule: string;
        /** How long it stays open, for instance `6h`. */
        readonly duration: string;
        /**
         * IANA time zone of the schedule.
         * @default "UTC"
         */
        readonly timeZone?: string | undefined;
      }[]
    | undefined;
  /** One domain at a time, for instance a rack: a node label. */
  readonly topologyKey?: string | undefined;
  /**
   * Whether a DaemonSet beside each driver’s pulls the coming image first. A node begins when its image is there.
   * @default false
   */
  readonly prePull?: boolean | undefined;
  /**
   * A node begins after this time, whether its image is there or not.
   * @default "15m"
   */
  readonly prePullTimeout?: string | undefined;
  /** Checks after the upgrade of a node; none after an uninstall. */
  readonly validation?:
    | {
        /**
         * Resources that must be allocatable after the upgrade. `rdma/*`: those of the prefix that were before it, and
         * as much.
         * @default []
         */
        readonly resources?: readonly string[] | undefined;
        /**
         * Whether as many pods that wait for the driver must be Ready, and made anew, as were there before.
         * @default false
         */
        readonly gatedPods?: boolean | undefined;
        /**
         * Pods on the node that must be Ready after the upgrade.
         * @default ""
         */
        readonly podSelector?: string | undefined;
        /**
         * Namespace of these pods. Those of the drivers, `gpu-operator` and `nvidia-gpu-operator` always count; pods of
         * other namespaces do not.
         */
        readonly podNamespace?: string | undefined;
        /**
         * Seconds after which the node counts as failed; 0 for never.
         * @default 600
         */
        readonly timeoutSeconds?: number | undefined;
      }
    | undefined;
  /**
   * Whether a node waits until the pods that were evicted from others have nodes. `false` where nodes wait for
   * pods that fit only the node that they left.
   * @default - true
   */
  readonly waitForEvictedPods?: boolean | undefined;
  /**
   * A node fails when its new driver is not ready after this time, or ten minutes after the driver’s startup probe
   * gives up where that is later.
   * @default "30m"
   */
  readonly driverTimeout?: string | undefined;
  /**
   * What becomes of a node that cannot be drained, before its driver was touched: `keep` leaves it cordoned.
   * @default "uncordon"
   */
  readonly onDrainFailure?: 'uncordon' | 'keep' | undefined;
  /**
   * What follows when the time of a drain is over. `fail`: the node fails. `deletePods`: pods without a
   * PodDisruptionBudget are deleted instead of evicted, and the node fails after the same time again.
   * `deletePodsIgnoringBudgets`: those with one, too.
   * @default - `fail`
   */
  readonly afterDrainTimeout?: 'fail' | 'deletePods' | 'deletePodsIgnoringBudgets' | undefined;
  /**
   * Whether the companion starts no node. Nodes that it has started are finished.
   * @default false
   */
  readonly paused?: boolean | undefined;
  /**
   * Who cordons and drains nodes: the companion, or the Maintenance Operator, which the companion asks for each
   * node by a NodeMaintenance.
   * @default "Companion"
   */
  readonly drainer?: 'Companion' | 'MaintenanceOperator' | undefined;
  /** The NodeMaintenances by which the companion asks the Maintenance Operator for nodes. */
  readonly nodeMaintenance?:
    | {
        /**
         * Namespace of the NodeMaintenances.
         * @default "default"
         */
        readonly namespace?: string | undefined;
        /**
         * The name of a NodeMaintenance is this, `-` and the name of the node. Requestors with one prefix share one.
         * @default "nvidia-operator"
         */
        readonly namePrefix?: string | undefined;
        /**
         * Who asks, in `spec.requestorID` or `spec.additionalRequestors`.
         * @default "weft.dev.driver-upgrade"
         */
        readonly requestorID?: string | undefined;
      }
    | undefined;
}

/** The companion Job. */
export interface CompanionInput {
  /**
   * Where the program is.
   * @default - in the image, if `image` or the release of Weft names one and `nodeImage` is absent; else in a
   * ConfigMap
   */
  readonly program?: 'image' | 'configMap' | undefined;
  /**
   * Image with the program, built from the Dockerfile. Default: the one that the release of Weft names.
   * @default ""
   */
  readonly image?: string | undefined;
  /**
   * Image of Node 24 or newer that runs the program of the ConfigMap.
   * @default -
   * `docker.io/library/node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6`
   */
  readonly nodeImage?: string | undefined;
  /**
   * Names of Secrets for the registry of the image.
   * @default []
   */
  readonly imagePullSecrets?: readonly SecretName[] | undefined;
  /**
   * Schedule of the CronJob, in UTC on most clusters; empty for none.
   * @default "*\/10 * * * *"
   */
  readonly schedule?: string | undefined;
  /**
   * Compute resources of the companion.
   * @default - requests of 100m and 128Mi, a limit of 512Mi
   */
  readonly resources?:
    | {
        /** The most that it may use. */
        readonly limits?: Readonly<Record<string, string | number>> | undefined;
        /** What the scheduler sets aside. */
        readonly requests?: Readonly<Record<string, string | number>> | undefined;
      }
    | undefined;
  /**
   * Tolerations of the companion, beside those for the control plane and for cordoned nodes.
   * @default []
   */
  readonly tolerations?: readonly TolerationInput[] | undefined;
  /**
   * Nodes that the companion may run on.
   * @default {}
   */
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  /**
   * Nodes that the companion should run on.
   * @default - those without NICs, and none whose driver is upgraded
   */
  readonly affinity?: NodeAffinityInput | undefined;
  /**
   * The least level that is logged.
   * @default "info"
   */
  readonly logLevel?: 'info' | 'warning' | 'error' | undefined;
  /** Monitoring by the Prometheus Operator, which has to be installed, and Grafana. */
  readonly monitoring?:
    | {
        /**
         * Whether a PodMonitor, a PrometheusRule and a ConfigMap with a Grafana dashboard are rendered.
         * @default false
         */
        readonly enable?: boolean | undefined;
        /**
         * Labels of the PodMonitor and the PrometheusRule, by which the Prometheus Operator selects them.
         * @default {}
         */
        readonly labels?: Readonly<Record<string, string>> | undefined;
        /**
         * How often Prometheus reads the metrics.
         * @default "30s"
         */
        readonly scrapeInterval?: string | undefined;
        /**
         * Labels of the ConfigMap with the dashboard, by which the sidecar of Grafana finds it.
         * @default {"grafana_dashboard":"1"}
         */
        readonly dashboardLabels?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
  /** Limits of the companion’s requests to the API server. */
  readonly client?:
    | {
        /**
         * Requests each second, on average.
         * @default 50
         */
        readonly qps?: number | undefined;
        /**
         * Requests that may be sent at once after a rest.
         * @default 100
         */
        readonly burst?: number | undefined;
      }
    | undefined;
}

/** A change to objects that components make. Applied last; one that changes no object is an error. */
export interface PatchInput {
  /** Which objects are changed: those for which all of it holds. */
  readonly target: {
    /** Kind of the objects. */
    readonly kind?: string | undefined;
    /** Name of the object. */
    readonly name?: string | undefined;
    /** Namespace of the objects. */
    readonly namespace?: string | undefined;
    /** Labels of the objects, as kubectl takes them. */
    readonly labelSelector?: string | undefined;
  };
  /**
   * A strategic merge patch (a mapping; lists of custom resources are replaced), or a JSON patch (a list of
   * operations).
   */
  readonly patch:
    | Readonly<Record<string, unknown>>
    | readonly {
        /** What is done. */
        readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
        /** Where: a JSON pointer such as `/spec/template/spec/hostNetwork`. */
        readonly path: string;
        /** For `move` and `copy`: from where. */
        readonly from?: string | undefined;
        /** For `add`, `replace` and `test`: what. */
        readonly value?: unknown;
      }[];
}

/** Nodes of the same OS, OS version, kernel and architecture. */
export interface NodePoolInput {
  /** Name of the pool. */
  readonly name: string;
  /** OS of the nodes: label `feature.node.kubernetes.io/system-os_release.ID`. */
  readonly osName: string;
  /** Version of the OS, in quotes: label `feature.node.kubernetes.io/system-os_release.VERSION_ID`. */
  readonly osVersion: string;
  /** Architecture of the nodes: label `kubernetes.io/arch`. */
  readonly arch: 'amd64' | 'arm64';
  /** Kernel that the driver DaemonSet is pinned to: label `feature.node.kubernetes.io/kernel-version.full`. */
  readonly kernel?: string | undefined;
  /** Several kernels, as during a rolling kernel update. Without `kernel` and `kernels` one DaemonSet serves all. */
  readonly kernels?: readonly string[] | undefined;
  /**
   * Container runtime of the nodes.
   * @default - `cri-o` on OpenShift, else `containerd`
   */
  readonly containerRuntime?: 'containerd' | 'cri-o' | 'docker' | undefined;
  /** OpenShift: label `feature.node.kubernetes.io/system-os_release.OSTREE_VERSION`. */
  readonly rhcosVersion?: string | undefined;
  /**
   * Other labels that all nodes of the pool have; NicNodePolicies select by them.
   * @default {}
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * Taints of the nodes. A pool whose taints a policy does not tolerate gets no driver DaemonSet.
   * @default []
   */
  readonly taints?:
    | readonly {
        /** Key of the taint. */
        readonly key: string;
        /** Value of the taint. */
        readonly value?: string | undefined;
        /** Effect of the taint. */
        readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
        /** Ignored. */
        readonly timeAdded?: unknown;
      }[]
    | undefined;
}

/** How pods get their addresses: configuration of a CNI IPAM plugin, as JSON text or as an object. Default: none. */
export type IpamInput =
  | string
  | {
      /** IPAM plugin. */
      readonly type: string;
      readonly [key: string]: unknown;
    }
  | {
      /** IPAM plugin. */
      readonly type: 'nv-ipam';
      /**
       * IPPool or CIDRPool that addresses come from; two for dual stack.
       * @default - the name of the network
       */
      readonly poolName?: string | undefined;
      /** Kind of the pool: `ippool` (default) or `cidrpool`. */
      readonly poolType?: string | undefined;
      /** Whether a missing pool name is an error. */
      readonly forcePoolName?: boolean | undefined;
      /** Socket of the node daemon. */
      readonly daemonSocket?: string | undefined;
      /**
       * Seconds to wait for the node daemon.
       * @default - 5
       */
      readonly daemonCallTimeoutSeconds?: number | undefined;
      /** Folder of the plugin's own configuration on the node. */
      readonly confDir?: string | undefined;
      /** Log file on the node. */
      readonly logFile?: string | undefined;
      /** Log level. */
      readonly logLevel?: string | undefined;
    }
  | {
      /** IPAM plugin. */
      readonly type: 'whereabouts';
      /** Addresses to hand out. */
      readonly range?: string | undefined;
      /** First address to hand out. */
      readonly range_start?: string | undefined;
      /** Last address to hand out. */
      readonly range_end?: string | undefined;
      /** Addresses to leave out. */
      readonly exclude?: readonly string[] | undefined;
      /** Further ranges, for instance for dual stack. */
      readonly ipRanges?:
        | readonly {
            /** Range. */
            readonly range: string;
            /** First address to hand out. */
            readonly range_start?: string | undefined;
            /** Last address to hand out. */
            readonly range_end?: string | undefined;
            /** Addresses to leave out. */
            readonly exclude?: readonly string[] | undefined;
          }[]
        | undefined;
      /** Gateway. */
      readonly gateway?: string | undefined;
      /** Routes. */
      readonly routes?:
        | readonly {
            /** Destination. */
            readonly dst: string;
            /**
             * Next hop.
             * @default - the gateway of the address
             */
            readonly gw?: string | undefined;
            /** MTU along the path. */
            readonly mtu?: number | undefined;
            /** Maximal segment size to advertise. */
            readonly advmss?: number | undefined;
            /** Priority; lower is preferred. */
            readonly priority?: number | undefined;
            /** Routing table. */
            readonly table?: number | undefined;
            /** Scope of the destinations. */
            readonly scope?: number | undefined;
          }[]
        | undefined;
      /** Addresses. */
      readonly addresses?:
        | readonly {
            /** Address with its prefix length. */
            readonly address: string;
            /** Gateway. */
            readonly gateway?: string | undefined;
          }[]
        | undefined;
      /** Name resolution. */
      readonly dns?:
        | {
            /** Name servers, in order. */
            readonly nameservers?: readonly string[] | undefined;
            /** Local domain for short names. */
            readonly domain?: string | undefined;
            /** Search domains, in order. */
            readonly search?: readonly string[] | undefined;
            /** Options of the resolver. */
            readonly options?: readonly string[] | undefined;
          }
        | undefined;
      /** Name of the pool, for networks that share a range. */
      readonly network_name?: string | undefined;
      /** Prefix length of the slice that each node gets, such as `/22`. */
      readonly node_slice_size?: string | undefined;
      /** Whether an address is unique over all ranges. */
      readonly enable_overlapping_ranges?: boolean | undefined;
      /** Seconds to sleep, for tests. */
      readonly sleep_for_race?: number | undefined;
      /** Where reservations are kept. */
      readonly datastore?: string | undefined;
      /** etcd endpoint. */
      readonly etcd_host?: string | undefined;
      /** etcd user. */
      readonly etcd_username?: string | undefined;
      /** etcd password. */
      readonly etcd_password?: string | undefined;
      /** Client key for etcd. */
      readonly etcd_key_file?: string | undefined;
      /** Client certificate for etcd. */
      readonly etcd_cert_file?: string | undefined;
      /** CA of etcd. */
      readonly etcd_ca_cert_file?: string | undefined;
      /** Duration of the leader lease, in milliseconds. */
      readonly leader_lease_duration?: number | undefined;
      /** Deadline for renewing the leader lease, in milliseconds. */
      readonly leader_renew_deadline?: number | undefined;
      /** Pause between two tries to lead, in milliseconds. */
      readonly leader_retry_period?: number | undefined;
      /** When reservations are cleaned up. */
      readonly reconciler_cron_expression?: string | undefined;
      /** Configuration file on the node that fills in what is missing here. */
      readonly configuration_path?: string | undefined;
      /** Log file on the node. */
      readonly log_file?: string | undefined;
      /** Log level. */
      readonly log_level?: string | undefined;
      /** How the plugin reaches the API server. */
      readonly kubernetes?:
        | {
            /** kubeconfig on the node. */
            readonly kubeconfig?: string | undefined;
            /** Address of the API server. */
            readonly k8s_api_root?: string | undefined;
          }
        | undefined;
    }
  | {
      /** IPAM plugin. */
      readonly type: 'static';
      /** Addresses. */
      readonly addresses?:
        | readonly {
            /** Address with its prefix length. */
            readonly address: string;
            /** Gateway. */
            readonly gateway?: string | undefined;
          }[]
        | undefined;
      /** Routes. */
      readonly routes?:
        | readonly {
            /** Destination. */
            readonly dst: string;
            /**
             * Next hop.
             * @default - the gateway of the address
             */
            readonly gw?: string | undefined;
            /** MTU along the path. */
            readonly mtu?: number | undefined;
            /** Maximal segment size to advertise. */
            readonly advmss?: number | undefined;
            /** Priority; lower is preferred. */
            readonly priority?: number | undefined;
            /** Routing table. */
            readonly table?: number | undefined;
            /** Scope of the destinations. */
            readonly scope?: number | undefined;
          }[]
        | undefined;
      /** Name resolution. */
      readonly dns?:
        | {
            /** Name servers, in order. */
            readonly nameservers?: readonly string[] | undefined;
            /** Local domain for short names. */
            readonly domain?: string | undefined;
            /** Search domains, in order. */
            readonly search?: readonly string[] | undefined;
            /** Options of the resolver. */
            readonly options?: readonly string[] | undefined;
          }
        | undefined;
    }
  | {
      /** IPAM plugin. */
      readonly type: 'dhcp';
      /** Socket of the DHCP daemon on the node. */
      readonly daemonSocketPath?: string | undefined;
      /** Options to send to the server. */
      readonly provide?:
        | readonly {
            /** DHCP option, by name or number. */
            readonly option: string;
            /** Its value. */
            readonly value?: string | undefined;
            /** CNI argument that holds its value. */
            readonly fromArg?: string | undefined;
          }[]
        | undefined;
      /** Options to ask the server for. */
      readonly request?:
        | readonly {
            /** DHCP option, by name or number. */
            readonly option?: string | undefined;
            /** Whether the default requests are left out. */
            readonly skipDefault?: boolean | undefined;
          }[]
        | undefined;
      /** Metric of the routes. */
      readonly priority?: number | undefined;
    }
  | {
      /** IPAM plugin. */
      readonly type: 'host-local';
      /** Lists of ranges; a pod gets an address of each list. */
      readonly ranges?:
        | readonly (readonly {
            /** Network of the range. */
            readonly subnet: string;
            /** First address to hand out. */
            readonly rangeStart?: string | undefined;
            /** Last address to hand out. */
            readonly rangeEnd?: string | undefined;
            /** Gateway. */
            readonly gateway?: string | undefined;
          }[])[]
        | undefined;
      /** Network of the only range. */
      readonly subnet?: string | undefined;
      /** First address to hand out of `subnet`. */
      readonly rangeStart?: string | undefined;
      /** Last address to hand out of `subnet`. */
      readonly rangeEnd?: string | undefined;
      /** Gateway of `subnet`. */
      readonly gateway?: string | undefined;
      /** Routes. */
      readonly routes?:
        | readonly {
            /** Destination. */
            readonly dst: string;
            /**
             * Next hop.
             * @default - the gateway of the address
             */
            readonly gw?: string | undefined;
            /** MTU along the path. */
            readonly mtu?: number | undefined;
            /** Maximal segment size to advertise. */
            readonly advmss?: number | undefined;
            /** Priority; lower is preferred. */
            readonly priority?: number | undefined;
            /** Routing table. */
            readonly table?: number | undefined;
            /** Scope of the destinations. */
            readonly scope?: number | undefined;
          }[]
        | undefined;
      /** Folder on the node for addresses in use. */
      readonly dataDir?: string | undefined;
      /** File on the node with the name servers of pods. */
      readonly resolvConf?: string | undefined;
    }
  | Readonly<Record<string, never>>;

/**
 * CNI plugins that run after the main one, such as `tuning` or `rdma`: JSON objects as text, with commas between
 * them and without brackets, or a list of objects. Since release v26.10. Default: none.
 */
export type MetaPluginsInput =
  | string
  | readonly {
      /** CNI plugin. */
      readonly type: string;
      readonly [key: string]: unknown;
    }[]
  | {
      /** CNI plugin. */
      readonly type: string;
      readonly [key: string]: unknown;
    };

/** Which nodes pods may and should run on. */
export interface NodeAffinityInput {
  /** What a node must have. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?:
    | {
        /** Alternatives; one must hold. */
        readonly nodeSelectorTerms: readonly {
          /** Requirements on labels. */
          readonly matchExpressions?:
            | readonly {
                /** The label. */
                readonly key: string;
                /** How the label is compared. */
                readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
                /** The values. */
                readonly values?: readonly string[] | undefined;
              }[]
            | undefined;
          /** Requirements on fields. */
          readonly matchFields?:
            | readonly {
                /** The field. */
                readonly key: 'metadata.name';
                /** How the field is compared. */
                readonly operator: 'In' | 'NotIn';
                /** The value. */
                readonly values: readonly string[];
              }[]
            | undefined;
        }[];
      }
    | undefined;
  /** What a node should have. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?:
    | readonly {
        /** What a node should have. */
        readonly preference: {
          /** Requirements on labels. */
          readonly matchExpressions?:
            | readonly {
                /** The label. */
                readonly key: string;
                /** How the label is compared. */
                readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
                /** The values. */
                readonly values?: readonly string[] | undefined;
              }[]
            | undefined;
          /** Requirements on fields. */
          readonly matchFields?:
            | readonly {
                /** The field. */
                readonly key: 'metadata.name';
                /** How the field is compared. */
                readonly operator: 'In' | 'NotIn';
                /** The value. */
                readonly values: readonly string[];
              }[]
            | undefined;
        };
        /** How much it counts beside others. */
        readonly weight: number;
      }[]
    | undefined;
}

/** A toleration. */
export interface TolerationInput {
  /** Key of the taint; empty with `Exists` tolerates all. */
  readonly key?: string | undefined;
  /**
   * How the value is compared.
   * @default - `Equal`
   */
  readonly operator?: '' | 'Equal' | 'Exists' | 'Lt' | 'Gt' | undefined;
  /** Value of the taint. */
  readonly value?: string | undefined;
  /** Effect of the taint; empty for all. */
  readonly effect?: '' | 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute' | undefined;
  /** For `NoExecute`: how long the pod stays, in seconds. */
  readonly tolerationSeconds?: number | undefined;
}

/** Compute resources of one container; only `cpu` and `memory`. */
export interface ContainerResourcesInput {
  /** Name of the container that the amounts are for. */
  readonly name: string;
  /** The most that the container may use. */
  readonly limits?: Readonly<Record<string, string | number>> | undefined;
  /** What the scheduler sets aside for the container. */
  readonly requests?: Readonly<Record<string, string | number>> | undefined;
}

/** An environment variable. */
export interface EnvVarInput {
  /** Name of the variable. */
  readonly name: string;
  /** Its value. */
  readonly value?: string | undefined;
  /** Source of its value. */
  readonly valueFrom?:
    | {
        /** A key of a ConfigMap. */
        readonly configMapKeyRef?:
          | {
              /** The key. */
              readonly key: string;
              /** Name of the ConfigMap. */
              readonly name: ConfigMapName;
              /** Whether the container starts without the ConfigMap or its key. */
              readonly optional?: boolean | undefined;
            }
          | undefined;
        /** A key of a Secret. */
        readonly secretKeyRef?:
          | {
              /** The key. */
              readonly key: string;
              /** Name of the Secret. */
              readonly name: SecretName;
              /** Whether the container starts without the Secret or its key. */
              readonly optional?: boolean | undefined;
            }
          | undefined;
        /** A field of the pod. */
        readonly fieldRef?:
          | {
              /** Version of the schema that `fieldPath` is written in. */
              readonly apiVersion?: string | undefined;
              /** Path of the pod field. */
              readonly fieldPath: string;
            }
          | undefined;
        /** An amount of the container. */
        readonly resourceFieldRef?:
          | {
              /** The container; required in volumes only. */
              readonly containerName?: string | undefined;
              /**
               * Unit of the value.
               * @default - 1
               */
              readonly divisor?: string | number | undefined;
              /** For instance `limits.cpu`. */
              readonly resource: string;
            }
          | undefined;
        /** A key of an environment file. */
        readonly fileKeyRef?:
          | {
              /** The key in the file. */
              readonly key: string;
              /**
               * Whether the container starts without it.
               * @default false
               */
              readonly optional?: boolean | undefined;
              /** Path of the file in the volume. */
              readonly path: string;
              /** Name of the volume. */
              readonly volumeName: string;
            }
          | undefined;
      }
    | undefined;
}

/** Timing of a probe. */
export interface ProbeInput {
  /** Seconds between the start of the container and the first probe. */
  readonly initialDelaySeconds: number;
  /** Seconds between two probes. */
  readonly periodSeconds: number;
  /** Failures in a row that make the probe fail. */
  readonly failureThreshold?: number | undefined;
  /** Seconds after which a probe counts as failed. */
  readonly timeoutSeconds?: number | undefined;
}

/** Name, labels and annotations. */
export interface DocumentMetadataInput {
  /** Name of the object. */
  readonly name: string;
  /** Namespace of the object. */
  readonly namespace?: string | undefined;
  /** Labels. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Ignored: the document is no object of the cluster. */
  readonly finalizers?: unknown;
  /** Ignored: the document has a name. */
  readonly generateName?: unknown;
  /** Ignored: the document is no object of the cluster. */
  readonly ownerReferences?: unknown;
  /** Written by the API server. Ignored. */
  readonly creationTimestamp?: unknown;
  /** Written by the API server. Ignored. */
  readonly deletionGracePeriodSeconds?: unknown;
  /** Written by the API server. Ignored. */
  readonly deletionTimestamp?: unknown;
  /** Written by the API server. Ignored. */
  readonly generation?: unknown;
  /** Written by the API server. Ignored. */
  readonly managedFields?: unknown;
  /** Written by the API server. Ignored. */
  readonly resourceVersion?: unknown;
  /** Written by the API server. Ignored. */
  readonly selfLink?: unknown;
  /** Written by the API server. Ignored. */
  readonly uid?: unknown;
}

/** Name, labels, annotations, finalizers and owners. */
export interface ObjectMetadataInput {
  /** Name of the object. */
  readonly name: string;
  /** Namespace of the object. */
  readonly namespace?: string | undefined;
  /** Labels. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** What must be done before the object is deleted. */
  readonly finalizers?: readonly string[] | undefined;
  /** Without effect beside `name`. */
  readonly generateName?: string | undefined;
  /** Objects with which this one is deleted. */
  readonly ownerReferences?:
    | readonly {
        /** Version of the owner’s API. */
        readonly apiVersion: string;
        /** Kind of the owner. */
        readonly kind: string;
        /** Name of the owner. */
        readonly name: string;
        /** UID of the owner. */
        readonly uid: string;
        /** Whether the owner manages the object. */
        readonly controller?: boolean | undefined;
        /** Whether the owner waits for the object’s end. */
        readonly blockOwnerDeletion?: boolean | undefined;
      }[]
    | undefined;
  /** Written by the API server. Ignored. */
  readonly creationTimestamp?: unknown;
  /** Written by the API server. Ignored. */
  readonly deletionGracePeriodSeconds?: unknown;
  /** Written by the API server. Ignored. */
  readonly deletionTimestamp?: unknown;
  /** Written by the API server. Ignored. */
  readonly generation?: unknown;
  /** Written by the API server. Ignored. */
  readonly managedFields?: unknown;
  /** Written by the API server. Ignored. */
  readonly resourceVersion?: unknown;
  /** Written by the API server. Ignored. */
  readonly selfLink?: unknown;
  /** Written by the API server. Ignored. */
  readonly uid?: unknown;
}

/**
 * The name of a ConfigMap; to a construct also the ConfigMap of the program, which must be in the namespace of
 * the pods.
 */
export type ConfigMapName = string | NamedObject;

/**
 * The name of a Secret; to a construct also the Secret of the program, which must be in the namespace of the
 * pods.
 */
export type SecretName = string | NamedObject;

/**
 * The name of a PersistentVolumeClaim; to a construct also the PersistentVolumeClaim of the program, which must
 * be in the namespace of the pods.
 */
export type PersistentVolumeClaimName = string | NamedObject;

/** A network of Multus, by its CNI configuration. */
export interface NetworkAttachmentDefinitionDocument {
  /** Version of the API. */
  readonly apiVersion: 'k8s.cni.cncf.io/v1';
  /** Kind of the document. */
  readonly kind: 'NetworkAttachmentDefinition';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: NetworkAttachmentDefinitionSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a NetworkAttachmentDefinition. */
export interface NetworkAttachmentDefinitionSpecInput {
  /** CNI configuration as JSON text. */
  readonly config?: string | undefined;
}

/** How NICs are configured. */
export interface NicConfigurationTemplateDocument {
  /** Version of the API. */
  readonly apiVersion: 'configuration.net.nvidia.com/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'NicConfigurationTemplate';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: NicConfigurationTemplateSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a NicConfigurationTemplate. */
export interface NicConfigurationTemplateSpecInput {
  /** Which NICs of the nodes; all that is given must hold. */
  readonly nicSelector: {
    /** PCI id of the device, such as `1023`. */
    readonly nicType: string;
    /** Part numbers of the NICs. */
    readonly partNumbers?: readonly string[] | undefined;
    /** PCI addresses of the NICs. */
    readonly pciAddresses?: readonly string[] | undefined;
    /** Serial numbers of the NICs. */
    readonly serialNumbers?: readonly string[] | undefined;
  };
  /** Labels of the nodes whose NICs are configured. */
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether the NICs get the configuration of the factory.
   * @default false
   */
  readonly resetToDefault?: boolean | undefined;
  /** The configuration. */
  readonly template: {
    /**
     * Whether the NIC is configured although a parameter is not supported.
     * @default false
     */
    readonly force?: boolean | undefined;
    /** Settings for GPUDirect. */
    readonly gpuDirectOptimized?:
      | {
          /** Whether they hold. */
          readonly enabled: boolean;
          /** Where the node runs, such as `Baremetal`. */
          readonly env: string;
        }
      | undefined;
    /** Link type of the NIC. */
    readonly linkType?: 'Ethernet' | 'Infiniband' | undefined;
    /** Settings of a network bay. */
    readonly networkBay?:
      | {
          /** Its configuration. */
          readonly conf: string;
        }
      | undefined;
    /** How many virtual functions each NIC has. */
    readonly numVfs: number;
    /** Settings of PCI Express. */
    readonly pciPerformanceOptimized?:
      | {
          /** Whether they hold. */
          readonly enabled: boolean;
          /** How many read requests may be outstanding. */
          readonly maxAccOutRead?: number | undefined;
          /** Greatest size of a read request, in bytes. */
          readonly maxReadRequest?: 128 | 256 | 512 | 1024 | 2048 | 4096 | undefined;
        }
      | undefined;
    /** Parameters of the firmware by their names. */
    readonly rawNvConfig?:
      | readonly {
          /** Name of the parameter. */
          readonly name: string;
          /** Its value. */
          readonly value: string;
        }[]
      | undefined;
    /** Settings of RoCE. */
    readonly roceOptimized?:
      | {
          /** Whether they hold. */
          readonly enabled: boolean;
          /** Quality of service. */
          readonly qos?:
            | {
                /** Length of the cable, in metres. */
                readonly cableLen?: number | undefined;
                /** Explicit congestion notification. */
                readonly ecn?:
                  | {
                      /** Whether it is on. */
                      readonly enabled: boolean;
                      /** The priority that it is for. */
                      readonly priority: number;
                    }
                  | undefined;
                /** Pause frames of Ethernet. */
                readonly pauseFrames?:
                  | {
                      /** Whether they are on. */
                      readonly enabled: boolean;
                    }
                  | undefined;
                /** Which priorities have flow control: eight digits with commas between them. */
                readonly pfc: string;
                /** Type of service of RDMA traffic. */
                readonly tos?: number | undefined;
                /** What the priority of a packet follows: `dscp` or `pcp`. */
                readonly trust: string;
              }
            | undefined;
          /** Version of RoCE. */
          readonly roceMode?: 1 | 2 | undefined;
        }
      | undefined;
    /** Settings of the network interface. */
    readonly runtimePerformanceOptimized?:
      | {
          /** How many combined channels the interface has. */
          readonly combinedChannels?: number | undefined;
          /** Whether they hold. */
          readonly enabled: boolean;
          /** Whether large receive offload is on. */
          readonly lro?: boolean | undefined;
          /** Size of the ring of received packets. */
          readonly rxRingSize?: number | undefined;
          /** Size of the ring of sent packets. */
          readonly txRingSize?: number | undefined;
        }
      | undefined;
    /** Settings for Spectrum-X. */
    readonly spectrumXOptimized?:
      | {
          /** Whether they hold. */
          readonly enabled: boolean;
          /**
           * How planes of the fabric are used.
           * @default "none"
           */
          readonly multiplaneMode?: 'none' | 'swplb' | 'hwplb' | 'uniplane' | undefined;
          /**
           * How many planes the fabric has.
           * @default 1
           */
          readonly numberOfPlanes?: 1 | 2 | 4 | undefined;
          /**
           * Overlay of the fabric.
           * @default "none"
           */
          readonly overlay?: 'l3' | 'none' | undefined;
          /** Version of the reference architecture, such as `RA2.1`. */
          readonly version: string;
        }
      | undefined;
  };
}

/** Where firmware of NICs is downloaded from. */
export interface NicFirmwareSourceDocument {
  /** Version of the API. */
  readonly apiVersion: 'configuration.net.nvidia.com/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'NicFirmwareSource';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: NicFirmwareSourceSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a NicFirmwareSource. */
export interface NicFirmwareSourceSpecInput {
  /** Address of a bundle for BlueField. */
  readonly bfbUrlSource?: string | undefined;
  /** Addresses of archives with firmware. */
  readonly binUrlSources?: readonly string[] | undefined;
  /** Address of the DOCA package with congestion control for Spectrum-X. */
  readonly docaSpcXCCUrlSource?: string | undefined;
}

/** Which NICs get which firmware. */
export interface NicFirmwareTemplateDocument {
  /** Version of the API. */
  readonly apiVersion: 'configuration.net.nvidia.com/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'NicFirmwareTemplate';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: NicFirmwareTemplateSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a NicFirmwareTemplate. */
export interface NicFirmwareTemplateSpecInput {
  /** Which NICs of the nodes; all that is given must hold. */
  readonly nicSelector: {
    /** PCI id of the device, such as `1023`. */
    readonly nicType: string;
    /** Part numbers of the NICs. */
    readonly partNumbers?: readonly string[] | undefined;
    /** PCI addresses of the NICs. */
    readonly pciAddresses?: readonly string[] | undefined;
    /** Serial numbers of the NICs. */
    readonly serialNumbers?: readonly string[] | undefined;
  };
  /** Labels of the nodes whose NICs get the firmware. */
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  /** The firmware. */
  readonly template: {
    /** Name of the NicFirmwareSource. */
    readonly nicFirmwareSourceRef: string;
    /** Whether another firmware is replaced, or only reported. */
    readonly updatePolicy: 'Validate' | 'Update';
  };
}

/** How the interfaces of NICs are named. */
export interface NicInterfaceNameTemplateDocument {
  /** Version of the API. */
  readonly apiVersion: 'configuration.net.nvidia.com/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'NicInterfaceNameTemplate';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: NicInterfaceNameTemplateSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a NicInterfaceNameTemplate. */
export interface NicInterfaceNameTemplateSpecInput {
  /** Pattern of the names of network interfaces. */
  readonly netDevicePrefix: string;
  /** Labels of the nodes whose interfaces are named. */
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  /** How many physical functions each NIC has. */
  readonly pfsPerNic: number;
  /** PCI addresses of the NICs, rail by rail. */
  readonly railPciAddresses: readonly (readonly string[])[];
  /** Pattern of the names of RDMA devices. */
  readonly rdmaDevicePrefix?: string | undefined;
}

/** Addresses of pods for NV-IPAM: each node has a network of its own. */
export interface CIDRPoolDocument {
  /** Version of the API. */
  readonly apiVersion: 'nv-ipam.nvidia.com/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'CIDRPool';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec: CIDRPoolSpecInput;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a CIDRPool. */
export interface CIDRPoolSpecInput {
  /** Network that the networks of the nodes are taken from, such as `192.168.0.0/16`. */
  readonly cidr: string;
  /** Whether pods get their default route from the pool. */
  readonly defaultGateway?: boolean | undefined;
  /** Addresses that no pod gets. */
  readonly exclusions?:
    | readonly {
        /** The last. */
        readonly endIP: string;
        /** The first. */
        readonly startIP: string;
      }[]
    | undefined;
  /** Which address of the network of a node is its gateway, from 0 on. */
  readonly gatewayIndex?: number | undefined;
  /** Which nodes; without it all. */
  readonly nodeSelector?:
    | {
        /** Alternatives; one must hold. */
        readonly nodeSelectorTerms: readonly {
          /** Requirements on labels or attributes. */
          readonly matchExpressions?:
            | readonly {
                /** The label or attribute. */
                readonly key: string;
                /** How it is compared: `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`. */
                readonly operator: string;
                /** The values. */
                readonly values?: readonly string[] | undefined;
              }[]
            | undefined;
          /** Requirements on fields of the node. */
          readonly matchFields?:
            | readonly {
                /** The field: `metadata.name`. */
                readonly key: string;
                /** How it is compared: `In` or `NotIn`. */
                readonly operator: string;
                /** The values. */
                readonly values?: readonly string[] | undefined;
              }[]
            | undefined;
        }[];
      }
    | undefined;
  /** Addresses of each node that no pod gets, by their indexes from 0 on. */
  readonly perNodeExclusions?:
    | readonly {
        /** The last. */
        readonly endIndex: number;
        /** The first. */
        readonly startIndex: number;
      }[]
    | undefined;
  /** Prefix length of the network of each node. */
  readonly perNodeNetworkPrefix: number;
  /** Routes of pods through the gateway. */
  readonly routes?:
    | readonly {
        /** Network that the route leads to. */
        readonly dst: string;
      }[]
    | undefined;
  /** Networks of nodes that are fixed. */
  readonly staticAllocations?:
    | readonly {
        /** Its gateway. */
        readonly gateway?: string | undefined;
        /** Node that gets the network. Without it the network is given to no node. */
        readonly nodeName?: string | undefined;
        /** The network. */
        readonly prefix: string;
      }[]
    | undefined;
}

/** Addresses of pods for NV-IPAM: each node has a block of one network. */
export interface IPPoolDocument {
  /** Version of the API. */
  readonly apiVersion: 'nv-ipam.nvidia.com/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'IPPool';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec: IPPoolSpecInput;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a IPPool. */
export interface IPPoolSpecInput {
  /** Whether pods get their default route from the pool. */
  readonly defaultGateway?: boolean | undefined;
  /** Addresses that no pod gets. */
  readonly exclusions?:
    | readonly {
        /** The last. */
        readonly endIP: string;
        /** The first. */
        readonly startIP: string;
      }[]
    | undefined;
  /** Gateway of the network. */
  readonly gateway?: string | undefined;
  /** Which nodes; without it all. */
  readonly nodeSelector?:
    | {
        /** Alternatives; one must hold. */
        readonly nodeSelectorTerms: readonly {
          /** Requirements on labels or attributes. */
          readonly matchExpressions?:
            | readonly {
                /** The label or attribute. */
                readonly key: string;
                /** How it is compared: `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`. */
                readonly operator: string;
                /** The values. */
                readonly values?: readonly string[] | undefined;
              }[]
            | undefined;
          /** Requirements on fields of the node. */
          readonly matchFields?:
            | readonly {
                /** The field: `metadata.name`. */
                readonly key: string;
                /** How it is compared: `In` or `NotIn`. */
                readonly operator: string;
                /** The values. */
                readonly values?: readonly string[] | undefined;
              }[]
            | undefined;
        }[];
      }
    | undefined;
  /** How many addresses each node has. */
  readonly perNodeBlockSize: number;
  /** Addresses of each node that no pod gets, by their indexes from 0 on. */
  readonly perNodeExclusions?:
    | readonly {
        /** The last. */
        readonly endIndex: number;
        /** The first. */
        readonly startIndex: number;
      }[]
    | undefined;
  /** Routes of pods through the gateway. */
  readonly routes?:
    | readonly {
        /** Network that the route leads to. */
        readonly dst: string;
      }[]
    | undefined;
  /** Network that the blocks are taken from, such as `192.168.0.0/16`. */
  readonly subnet: string;
}

/** The rails of the nodes of a Spectrum-X fabric. */
export interface SpectrumXRailPoolConfigDocument {
  /** Version of the API. */
  readonly apiVersion: 'spectrumx.nvidia.com/v1alpha2';
  /** Kind of the document. */
  readonly kind: 'SpectrumXRailPoolConfig';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: SpectrumXRailPoolConfigSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a SpectrumXRailPoolConfig. */
export interface SpectrumXRailPoolConfigSpecInput {
  /**
   * Whether the devices are given to pods by dynamic resource allocation.
   * @default true
   */
  readonly draEnabled?: boolean | undefined;
  /**
   * How many nodes may be drained at once: a number or a percentage.
   * @default 1
   */
  readonly maxUnavailable?: number | string | undefined;
  /** Namespace of the NetworkAttachmentDefinition. */
  readonly networkNamespace?: string | undefined;
  /** Labels of the nodes that have the rails. */
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  /** How many virtual functions each NIC of a rail has. */
  readonly numVfs: number;
  /** The rails. */
  readonly railTopology: readonly {
    /** Name of the CIDRPool that the rail has its addresses from. */
    readonly cidrPoolRef?: string | undefined;
    /** IPAM configuration as JSON text. */
    readonly ipam?: string | undefined;
    /** MTU of the rail. */
    readonly mtu: number;
    /** Name of the rail. */
    readonly name: string;
    /** Which NICs belong to the rail. */
    readonly nicSelector: {
      /** Names of the interfaces of the physical functions. */
      readonly pfNames: readonly string[];
    };
  }[];
  /**
   * Whether the link of a virtual function follows that of its physical function.
   * @default true
   */
  readonly vfStateFollow?: boolean | undefined;
}

/** Settings of the Maintenance Operator. */
export interface MaintenanceOperatorConfigDocument {
  /** Version of the API. */
  readonly apiVersion: 'maintenance.nvidia.com/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'MaintenanceOperatorConfig';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: MaintenanceOperatorConfigSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a MaintenanceOperatorConfig. */
export interface MaintenanceOperatorConfigSpecInput {
  /**
   * How much is logged.
   * @default "info"
   */
  readonly logLevel?: 'debug' | 'info' | 'error' | undefined;
  /**
   * How long a maintenance may take, in seconds.
   * @default 3600
   */
  readonly maxNodeMaintenanceTimeSeconds?: number | undefined;
  /**
   * How many nodes may be in maintenance at once: a number or a percentage.
   * @default 1
   */
  readonly maxParallelOperations?: number | string | undefined;
  /** How many nodes may be unavailable: a number or a percentage. */
  readonly maxUnavailable?: number | string | undefined;
}

/** Asks for the maintenance of a node. */
export interface NodeMaintenanceDocument {
  /** Version of the API. */
  readonly apiVersion: 'maintenance.nvidia.com/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'NodeMaintenance';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: NodeMaintenanceSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a NodeMaintenance. */
export interface NodeMaintenanceSpecInput {
  /** Who else asks for it. */
  readonly additionalRequestors?: readonly string[] | undefined;
  /**
   * Whether the node is cordoned.
   * @default true
   */
  readonly cordon?: boolean | undefined;
  /** How the node is drained. Without it it is not. */
  readonly drainSpec?:
    | {
        /**
         * Whether pods with an `emptyDir` are evicted.
         * @default false
         */
        readonly deleteEmptyDir?: boolean | undefined;
        /**
         * Whether pods without a controller are evicted.
         * @default false
         */
        readonly force?: boolean | undefined;
        /** Which pods are evicted. Without it all are. */
        readonly podEvictionFilters?:
          | readonly {
              /** Pods that have a resource whose name matches this regular expression. */
              readonly byResourceNameRegex?: string | undefined;
            }[]
          | undefined;
        /** Labels of the pods, as text. */
        readonly podSelector?: string | undefined;
        /**
         * How long it may take, in seconds; 0 for no limit.
         * @default 300
         */
        readonly timeoutSeconds?: number | undefined;
      }
    | undefined;
  /** The node. */
  readonly nodeName: string;
  /** Who asks for the maintenance, as a domain name. */
  readonly requestorID: string;
  /** Pods whose end is waited for. */
  readonly waitForPodCompletion?:
    | {
        /** Labels of the pods, as text. */
        readonly podSelector?: string | undefined;
        /**
         * How long it may take, in seconds; 0 for no limit.
         * @default 0
         */
        readonly timeoutSeconds?: number | undefined;
      }
    | undefined;
}

/** Labels, taints and resources of nodes by their features. */
export interface NodeFeatureRuleDocument {
  /** Version of the API. */
  readonly apiVersion: 'nfd.k8s-sigs.io/v1alpha1' | 'nfd.openshift.io/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'NodeFeatureRule';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec: NodeFeatureRuleSpecInput;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a NodeFeatureRule. */
export interface NodeFeatureRuleSpecInput {
  /** The rules. */
  readonly rules: readonly {
    /** Annotations of the nodes that match. */
    readonly annotations?: Readonly<Record<string, string>> | undefined;
    /** Extended resources of the nodes that match. */
    readonly extendedResources?: Readonly<Record<string, string>> | undefined;
    /** Labels of the nodes that match. */
    readonly labels?: Readonly<Record<string, string>> | undefined;
    /** Labels as a template of Go. */
    readonly labelsTemplate?: string | undefined;
    /** Alternatives; one must hold. */
    readonly matchAny?:
      | readonly {
          /** Features that the node must have; all must hold. */
          readonly matchFeatures: readonly {
            /** Name of the feature, such as `pci.device`. */
            readonly feature: string;
            /** Requirements on labels or attributes. */
            readonly matchExpressions?:
              | Readonly<
                  Record<
                    string,
                    {
                      /** How the value is compared. */
                      readonly op:
                        | 'In'
                        | 'NotIn'
                        | 'InRegexp'
                        | 'Exists'
                        | 'DoesNotExist'
                        | 'Gt'
                        | 'Ge'
                        | 'Lt'
                        | 'Le'
                        | 'GtLt'
                        | 'GeLe'
                        | 'IsTrue'
                        | 'IsFalse';
                      /** How the values are compared: as text, or as versions. */
                      readonly type?: string | undefined;
                      /** The values. */
                      readonly value?: readonly string[] | undefined;
                    }
                  >
                >
              | undefined;
            /** Requirement on the names of the elements of the feature. */
            readonly matchName?:
              | {
                  /** How the name is compared. */
                  readonly op:
                    | 'In'
                    | 'NotIn'
                    | 'InRegexp'
                    | 'Exists'
                    | 'DoesNotExist'
                    | 'Gt'
                    | 'Ge'
                    | 'Lt'
                    | 'Le'
                    | 'GtLt'
                    | 'GeLe'
                    | 'IsTrue'
                    | 'IsFalse';
                  /** How the values are compared: as text, or as versions. */
                  readonly type?: string | undefined;
                  /** The values. */
                  readonly value?: readonly string[] | undefined;
                }
              | undefined;
          }[];
        }[]
      | undefined;
    /** Features that the node must have; all must hold. */
    readonly matchFeatures?:
      | readonly {
          /** Name of the feature, such as `pci.device`. */
          readonly feature: string;
          /** Requirements on labels or attributes. */
          readonly matchExpressions?:
            | Readonly<
                Record<
                  string,
                  {
                    /** How the value is compared. */
                    readonly op:
                      | 'In'
                      | 'NotIn'
                      | 'InRegexp'
                      | 'Exists'
                      | 'DoesNotExist'
                      | 'Gt'
                      | 'Ge'
                      | 'Lt'
                      | 'Le'
                      | 'GtLt'
                      | 'GeLe'
                      | 'IsTrue'
                      | 'IsFalse';
                    /** How the values are compared: as text, or as versions. */
                    readonly type?: string | undefined;
                    /** The values. */
                    readonly value?: readonly string[] | undefined;
                  }
                >
              >
            | undefined;
          /** Requirement on the names of the elements of the feature. */
          readonly matchName?:
            | {
                /** How the name is compared. */
                readonly op:
                  | 'In'
                  | 'NotIn'
                  | 'InRegexp'
                  | 'Exists'
                  | 'DoesNotExist'
                  | 'Gt'
                  | 'Ge'
                  | 'Lt'
                  | 'Le'
                  | 'GtLt'
                  | 'GeLe'
                  | 'IsTrue'
                  | 'IsFalse';
                /** How the values are compared: as text, or as versions. */
                readonly type?: string | undefined;
                /** The values. */
                readonly value?: readonly string[] | undefined;
              }
            | undefined;
        }[]
      | undefined;
    /** Name of the rule. */
    readonly name: string;
    /** Taints of the nodes that match. */
    readonly taints?:
      | readonly {
          /** Effect of the taint: `NoSchedule`, `PreferNoSchedule` or `NoExecute`. */
          readonly effect: string;
          /** Key of the taint. */
          readonly key: string;
          /** Written by the API server. */
          readonly timeAdded?: string | undefined;
          /** Value of the taint. */
          readonly value?: string | undefined;
        }[]
      | undefined;
    /** Values for the rules that follow. */
    readonly vars?: Readonly<Record<string, string>> | undefined;
    /** Values for the rules that follow, as a template of Go. */
    readonly varsTemplate?: string | undefined;
  }[];
}

/** Nodes with features in common. */
export interface NodeFeatureGroupDocument {
  /** Version of the API. */
  readonly apiVersion: 'nfd.k8s-sigs.io/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'NodeFeatureGroup';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec: NodeFeatureGroupSpecInput;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a NodeFeatureGroup. */
export interface NodeFeatureGroupSpecInput {
  /** The rules; a node that one of them matches belongs to the group. */
  readonly featureGroupRules: readonly {
    /** Alternatives; one must hold. */
    readonly matchAny?:
      | readonly {
          /** Features that the node must have; all must hold. */
          readonly matchFeatures: readonly {
            /** Name of the feature, such as `pci.device`. */
            readonly feature: string;
            /** Requirements on labels or attributes. */
            readonly matchExpressions?:
              | Readonly<
                  Record<
                    string,
                    {
                      /** How the value is compared. */
                      readonly op:
                        | 'In'
                        | 'NotIn'
                        | 'InRegexp'
                        | 'Exists'
                        | 'DoesNotExist'
                        | 'Gt'
                        | 'Ge'
                        | 'Lt'
                        | 'Le'
                        | 'GtLt'
                        | 'GeLe'
                        | 'IsTrue'
                        | 'IsFalse';
                      /** How the values are compared: as text, or as versions. */
                      readonly type?: string | undefined;
                      /** The values. */
                      readonly value?: readonly string[] | undefined;
                    }
                  >
                >
              | undefined;
            /** Requirement on the names of the elements of the feature. */
            readonly matchName?:
              | {
                  /** How the name is compared. */
                  readonly op:
                    | 'In'
                    | 'NotIn'
                    | 'InRegexp'
                    | 'Exists'
                    | 'DoesNotExist'
                    | 'Gt'
                    | 'Ge'
                    | 'Lt'
                    | 'Le'
                    | 'GtLt'
                    | 'GeLe'
                    | 'IsTrue'
                    | 'IsFalse';
                  /** How the values are compared: as text, or as versions. */
                  readonly type?: string | undefined;
                  /** The values. */
                  readonly value?: readonly string[] | undefined;
                }
              | undefined;
          }[];
        }[]
      | undefined;
    /** Features that the node must have; all must hold. */
    readonly matchFeatures?:
      | readonly {
          /** Name of the feature, such as `pci.device`. */
          readonly feature: string;
          /** Requirements on labels or attributes. */
          readonly matchExpressions?:
            | Readonly<
                Record<
                  string,
                  {
                    /** How the value is compared. */
                    readonly op:
                      | 'In'
                      | 'NotIn'
                      | 'InRegexp'
                      | 'Exists'
                      | 'DoesNotExist'
                      | 'Gt'
                      | 'Ge'
                      | 'Lt'
                      | 'Le'
                      | 'GtLt'
                      | 'GeLe'
                      | 'IsTrue'
                      | 'IsFalse';
                    /** How the values are compared: as text, or as versions. */
                    readonly type?: string | undefined;
                    /** The values. */
                    readonly value?: readonly string[] | undefined;
                  }
                >
              >
            | undefined;
          /** Requirement on the names of the elements of the feature. */
          readonly matchName?:
            | {
                /** How the name is compared. */
                readonly op:
                  | 'In'
                  | 'NotIn'
                  | 'InRegexp'
                  | 'Exists'
                  | 'DoesNotExist'
                  | 'Gt'
                  | 'Ge'
                  | 'Lt'
                  | 'Le'
                  | 'GtLt'
                  | 'GeLe'
                  | 'IsTrue'
                  | 'IsFalse';
                /** How the values are compared: as text, or as versions. */
                readonly type?: string | undefined;
                /** The values. */
                readonly value?: readonly string[] | undefined;
              }
            | undefined;
        }[]
      | undefined;
    /** Name of the rule. */
    readonly name: string;
    /** Values for the rules that follow. */
    readonly vars?: Readonly<Record<string, string>> | undefined;
    /** Values for the rules that follow, as a template of Go. */
    readonly varsTemplate?: string | undefined;
  }[];
}

/** Attributes of devices for dynamic resource allocation. */
export interface DeviceAttributesDocument {
  /** Version of the API. */
  readonly apiVersion: 'sriovnetwork.k8snetworkplumbingwg.io/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'DeviceAttributes';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec: DeviceAttributesSpecInput;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a DeviceAttributes. */
export interface DeviceAttributesSpecInput {
  /** The attributes by their names; each has one value. */
  readonly attributes?:
    | Readonly<
        Record<
          string,
          {
            /** A truth value. */
            readonly bool?: boolean | undefined;
            /** A number. */
            readonly int?: number | undefined;
            /** A text. */
            readonly string?: string | undefined;
            /** A semantic version. */
            readonly version?: string | undefined;
          }
        >
      >
    | undefined;
}

/** A network of virtual functions on a bridge of Open vSwitch. */
export interface OVSNetworkDocument {
  /** Version of the API. */
  readonly apiVersion: 'sriovnetwork.openshift.io/v1';
  /** Kind of the document. */
  readonly kind: 'OVSNetwork';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: OVSNetworkSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a OVSNetwork. */
export interface OVSNetworkSpecInput {
  /** Name of the bridge. Without it the plugin finds the bridge of the uplink. */
  readonly bridge?: string | undefined;
  /** Capabilities of the plugin as JSON text, such as `{"mac": true}`. */
  readonly capabilities?: string | undefined;
  /** Type of the interface in Open vSwitch. */
  readonly interfaceType?: string | undefined;
  /** IPAM configuration as JSON text. */
  readonly ipam?: string | undefined;
  /** CNI plugins behind this one, as JSON text. */
  readonly metaPlugins?: string | undefined;
  /** MTU of the interface. */
  readonly mtu?: number | undefined;
  /** Namespace of the NetworkAttachmentDefinition. */
  readonly networkNamespace?: string | undefined;
  /** Name of the resource that gives the virtual functions, without its prefix. */
  readonly resourceName: string;
  /** VLANs of a trunk port. */
  readonly trunk?:
    | readonly {
        /** One VLAN. */
        readonly id?: number | undefined;
        /** Last VLAN of a range. */
        readonly maxID?: number | undefined;
        /** First VLAN of a range. */
        readonly minID?: number | undefined;
      }[]
    | undefined;
  /** VLAN of the virtual function; 0 for none. */
  readonly vlan?: number | undefined;
}

/** A network of InfiniBand virtual functions. */
export interface SriovIBNetworkDocument {
  /** Version of the API. */
  readonly apiVersion: 'sriovnetwork.openshift.io/v1';
  /** Kind of the document. */
  readonly kind: 'SriovIBNetwork';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: SriovIBNetworkSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a SriovIBNetwork. */
export interface SriovIBNetworkSpecInput {
  /** Capabilities of the plugin as JSON text, such as `{"mac": true}`. */
  readonly capabilities?: string | undefined;
  /** IPAM configuration as JSON text. */
  readonly ipam?: string | undefined;
  /** Link state of the virtual function. */
  readonly linkState?: 'auto' | 'enable' | 'disable' | undefined;
  /** CNI plugins behind this one, as JSON text. */
  readonly metaPlugins?: string | undefined;
  /** Namespace of the NetworkAttachmentDefinition. */
  readonly networkNamespace?: string | undefined;
  /** Name of the resource that gives the virtual functions, without its prefix. */
  readonly resourceName: string;
}

/** How many virtual functions NICs have, and as which resource pods ask for them. */
export interface SriovNetworkNodePolicyDocument {
  /** Version of the API. */
  readonly apiVersion: 'sriovnetwork.openshift.io/v1';
  /** Kind of the document. */
  readonly kind: 'SriovNetworkNodePolicy';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: SriovNetworkNodePolicySpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a SriovNetworkNodePolicy. */
export interface SriovNetworkNodePolicySpecInput {
  /** Bridges of Open vSwitch that the operator makes for the NICs. */
  readonly bridge?:
    | {
        /** Which NICs share a bridge. */
        readonly groupingPolicy?: 'perPF' | 'perNIC' | 'all' | undefined;
        /** Settings of the bridges. */
        readonly ovs?:
          | {
              /** The bridge. */
              readonly bridge?:
                | {
                    /** Type of the data path. */
                    readonly datapathType?: string | undefined;
                    /** Column `external_ids` of the database of Open vSwitch. */
                    readonly externalIDs?: Readonly<Record<string, string>> | undefined;
                    /** What the bridge does without a controller. */
                    readonly failMode?: 'secure' | 'standalone' | undefined;
                    /** Column `other_config` of the database of Open vSwitch. */
                    readonly otherConfig?: Readonly<Record<string, string>> | undefined;
                  }
                | undefined;
              /** Its port for the physical function. */
              readonly uplink?:
                | {
                    /** Interface of the port. */
                    readonly interface?:
                      | {
                          /** Column `external_ids` of the database of Open vSwitch. */
                          readonly externalIDs?: Readonly<Record<string, string>> | undefined;
                          /** MTU that is asked for. */
                          readonly mtuRequest?: number | undefined;
                          /** Options of the interface. */
                          readonly options?: Readonly<Record<string, string>> | undefined;
                          /** Column `other_config` of the database of Open vSwitch. */
                          readonly otherConfig?: Readonly<Record<string, string>> | undefined;
                          /** Type of the interface. */
                          readonly type?: string | undefined;
                        }
                      | undefined;
                  }
                | undefined;
            }
          | undefined;
      }
    | undefined;
  /**
   * Driver of the virtual functions.
   * @default "netdevice"
   */
  readonly deviceType?: 'netdevice' | 'vfio-pci' | undefined;
  /** Parameters of devlink. */
  readonly devlinkParams?:
    | {
        /** The parameters. */
        readonly params?:
          | readonly {
              /** Which functions get it. */
              readonly applyOn?: 'PF' | 'pf' | 'VF' | 'vf' | 'SF' | 'sf' | undefined;
              /** When the value holds. */
              readonly cmode?: 'runtime' | 'driverinit' | 'permanent' | undefined;
              /** Name of the parameter. */
              readonly name?: string | undefined;
              /** Its value. */
              readonly value?: string | undefined;
            }[]
          | undefined;
      }
    | undefined;
  /** Mode of the embedded switch. */
  readonly eSwitchMode?: 'legacy' | 'switchdev' | undefined;
  /** Whether the device plugin says nothing of NUMA nodes. */
  readonly excludeTopology?: boolean | undefined;
  /** Whether something else makes the virtual functions. */
  readonly externallyManaged?: boolean | undefined;
  /** Whether pods get the RDMA device as well. */
  readonly isRdma?: boolean | undefined;
  /** Link type of the NIC. */
  readonly linkType?: 'eth' | 'ETH' | 'ib' | 'IB' | undefined;
  /** MTU of physical and virtual functions. */
  readonly mtu?: number | undefined;
  /** Whether pods get `/dev/vhost-net` as well. */
  readonly needVhostNet?: boolean | undefined;
  /** Which NICs of the nodes; all that is given must hold. */
  readonly nicSelector: {
    /** PCI id of the device. */
    readonly deviceID?: string | undefined;
    /** Filter by the network of a virtual platform. */
    readonly netFilter?: string | undefined;
    /** Names of the interfaces of the physical functions. */
    readonly pfNames?: readonly string[] | undefined;
    /** PCI addresses of the physical functions. */
    readonly rootDevices?: readonly string[] | undefined;
    /** PCI id of the vendor, such as `15b3`. */
    readonly vendor?: string | undefined;
  };
  /** Labels of the nodes that the policy is for. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** How many virtual functions each NIC has. */
  readonly numVfs: number;
  /** Which policy holds where several do: the one with the smallest number. */
  readonly priority?: number | undefined;
  /** Name of the resource that gives the virtual functions, without its prefix. */
  readonly resourceName: string;
  /** Type of the vDPA device. */
  readonly vdpaType?: 'virtio' | 'vhost' | undefined;
}

/** How many nodes of a pool the SR-IOV Network Operator drains at once. */
export interface SriovNetworkPoolConfigDocument {
  /** Version of the API. */
  readonly apiVersion: 'sriovnetwork.openshift.io/v1';
  /** Kind of the document. */
  readonly kind: 'SriovNetworkPoolConfig';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: SriovNetworkPoolConfigSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a SriovNetworkPoolConfig. */
export interface SriovNetworkPoolConfigSpecInput {
  /** How many nodes of the pool may be drained at once: a number or a percentage. */
  readonly maxUnavailable?: number | string | undefined;
  /** Which nodes belong to the pool. */
  readonly nodeSelector?:
    | {
        /** Requirements on labels or attributes. */
        readonly matchExpressions?:
          | readonly {
              /** The label or attribute. */
              readonly key: string;
              /** How it is compared: `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`. */
              readonly operator: string;
              /** The values. */
              readonly values?: readonly string[] | undefined;
            }[]
          | undefined;
        /** Labels with their values. */
        readonly matchLabels?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
  /** Hardware offload of Open vSwitch on the nodes. */
  readonly ovsHardwareOffloadConfig?:
    | {
        /** Name of the MachineConfigPool on OpenShift. */
        readonly name?: string | undefined;
        /**
         * Column `other_config` of the database of Open vSwitch.
         * @default {"hw-offload":"true"}
         */
        readonly otherConfig?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
  /** Namespace mode of the RDMA subsystem of the nodes. */
  readonly rdmaMode?: 'shared' | 'exclusive' | undefined;
}

/** A network of Ethernet virtual functions. */
export interface SriovNetworkDocument {
  /** Version of the API. */
  readonly apiVersion: 'sriovnetwork.openshift.io/v1';
  /** Kind of the document. */
  readonly kind: 'SriovNetwork';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: SriovNetworkSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a SriovNetwork. */
export interface SriovNetworkSpecInput {
  /** Capabilities of the plugin as JSON text, such as `{"mac": true}`. */
  readonly capabilities?: string | undefined;
  /** IPAM configuration as JSON text. */
  readonly ipam?: string | undefined;
  /** Link state of the virtual function. */
  readonly linkState?: 'auto' | 'enable' | 'disable' | undefined;
  /** File that the plugin logs to. */
  readonly logFile?: string | undefined;
  /**
   * How much is logged.
   * @default "info"
   */
  readonly logLevel?: 'panic' | 'error' | 'warning' | 'info' | 'debug' | '' | undefined;
  /** Greatest rate of transmission, in Mbit/s. */
  readonly maxTxRate?: number | undefined;
  /** CNI plugins behind this one, as JSON text. */
  readonly metaPlugins?: string | undefined;
  /** Least rate of transmission, in Mbit/s. */
  readonly minTxRate?: number | undefined;
  /** Namespace of the NetworkAttachmentDefinition. */
  readonly networkNamespace?: string | undefined;
  /** Name of the resource that gives the virtual functions, without its prefix. */
  readonly resourceName: string;
  /** Whether frames with another source address are dropped. */
  readonly spoofChk?: 'on' | 'off' | undefined;
  /** Whether the virtual function is trusted. */
  readonly trust?: 'on' | 'off' | undefined;
  /** VLAN of the virtual function; 0 for none. */
  readonly vlan?: number | undefined;
  /** Protocol of the VLAN. */
  readonly vlanProto?: '802.1q' | '802.1Q' | '802.1ad' | '802.1AD' | undefined;
  /** Priority of the VLAN. */
  readonly vlanQoS?: number | undefined;
}

/** Settings of the SR-IOV Network Operator. */
export interface SriovOperatorConfigDocument {
  /** Version of the API. */
  readonly apiVersion: 'sriovnetwork.openshift.io/v1';
  /** Kind of the document. */
  readonly kind: 'SriovOperatorConfig';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec?: SriovOperatorConfigSpecInput | undefined;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a SriovOperatorConfig. */
export interface SriovOperatorConfigSpecInput {
  /** Environment of the config daemon. */
  readonly configDaemonEnvVars?: Readonly<Record<string, string>> | undefined;
  /** Nodes that the config daemon runs on. */
  readonly configDaemonNodeSelector?: Readonly<Record<string, string>> | undefined;
  /** What configures the virtual functions: the daemon, or services of systemd. */
  readonly configurationMode?: 'daemon' | 'systemd' | undefined;
  /** Whether nodes are never drained. */
  readonly disableDrain?: boolean | undefined;
  /** Plugins of the config daemon that are off. */
  readonly disablePlugins?: readonly 'mellanox'[] | undefined;
  /** Whether a webhook adds the resources of networks to pods. */
  readonly enableInjector?: boolean | undefined;
  /** Whether a webhook checks policies. */
  readonly enableOperatorWebhook?: boolean | undefined;
  /** Whether hardware offload of Open vSwitch is on. */
  readonly enableOvsOffload?: boolean | undefined;
  /** Features that are switched on or off. */
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
  /** How much is logged. */
  readonly logLevel?: number | undefined;
  /** Whether devices are given to pods by the Container Device Interface. */
  readonly useCDI?: boolean | undefined;
}

/** Which devices dynamic resource allocation offers. */
export interface SriovResourcePolicyDocument {
  /** Version of the API. */
  readonly apiVersion: 'sriovnetwork.k8snetworkplumbingwg.io/v1alpha1';
  /** Kind of the document. */
  readonly kind: 'SriovResourcePolicy';
  /** Name, labels and annotations. */
  readonly metadata: ObjectMetadataInput;
  /** What it asks for. */
  readonly spec: SriovResourcePolicySpecInput;
  /** Ignored. */
  readonly status?: unknown;
}

/** The `spec` of a SriovResourcePolicy. */
export interface SriovResourcePolicySpecInput {
  /** Devices with attributes in common. */
  readonly configs?:
    | readonly {
        /** Labels of the DeviceAttributes that the devices get. */
        readonly deviceAttributesSelector?:
          | {
              /** Requirements on labels or attributes. */
              readonly matchExpressions?:
                | readonly {
                    /** The label or attribute. */
                    readonly key: string;
                    /** How it is compared: `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`. */
                    readonly operator: string;
                    /** The values. */
                    readonly values?: readonly string[] | undefined;
                  }[]
                | undefined;
              /** Labels with their values. */
              readonly matchLabels?: Readonly<Record<string, string>> | undefined;
            }
          | undefined;
        /** Which devices: one of the filters must hold. */
        readonly resourceFilters?:
          | readonly {
              /** PCI ids of the devices. */
              readonly devices?: readonly string[] | undefined;
              /** Drivers of the devices. */
              readonly drivers?: readonly string[] | undefined;
              /** PCI addresses of the devices. */
              readonly pciAddresses?: readonly string[] | undefined;
              /** Names of the interfaces of their physical functions. */
              readonly pfNames?: readonly string[] | undefined;
              /** PCI addresses of their physical functions. */
              readonly pfPciAddresses?: readonly string[] | undefined;
              /** PCI ids of the vendors. */
              readonly vendors?: readonly string[] | undefined;
            }[]
          | undefined;
      }[]
    | undefined;
  /** Which nodes; without it all. */
  readonly nodeSelector?:
    | {
        /** Alternatives; one must hold. */
        readonly nodeSelectorTerms: readonly {
          /** Requirements on labels or attributes. */
          readonly matchExpressions?:
            | readonly {
                /** The label or attribute. */
                readonly key: string;
                /** How it is compared: `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`. */
                readonly operator: string;
                /** The values. */
                readonly values?: readonly string[] | undefined;
              }[]
            | undefined;
          /** Requirements on fields of the node. */
          readonly matchFields?:
            | readonly {
                /** The field: `metadata.name`. */
                readonly key: string;
                /** How it is compared: `In` or `NotIn`. */
                readonly operator: string;
                /** The values. */
                readonly values?: readonly string[] | undefined;
              }[]
            | undefined;
        }[];
      }
    | undefined;
}

/** A network of any kind. */
export type NetworkDocument = HostDeviceNetworkDocument | IPoIBNetworkDocument | MacvlanNetworkDocument;

/** A custom resource that goes to the output as it is. */
export type CustomResourceDocument =
  | NetworkAttachmentDefinitionDocument
  | NicConfigurationTemplateDocument
  | NicFirmwareSourceDocument
  | NicFirmwareTemplateDocument
  | NicInterfaceNameTemplateDocument
  | CIDRPoolDocument
  | IPPoolDocument
  | SpectrumXRailPoolConfigDocument
  | MaintenanceOperatorConfigDocument
  | NodeMaintenanceDocument
  | NodeFeatureRuleDocument
  | NodeFeatureGroupDocument
  | DeviceAttributesDocument
  | OVSNetworkDocument
  | SriovIBNetworkDocument
  | SriovNetworkNodePolicyDocument
  | SriovNetworkPoolConfigDocument
  | SriovNetworkDocument
  | SriovOperatorConfigDocument
  | SriovResourcePolicyDocument;

/** A document of any kind that Weft knows. */
export type InputDocument =
  | ClusterDocument
  | NicClusterPolicyDocument
  | NicNodePolicyDocument
  | HostDeviceNetworkDocument
  | IPoIBNetworkDocument
  | MacvlanNetworkDocument
  | ConfigMapDocument
  | CustomResourceDocument;
