/** The fields of API objects that are read. All are optional, because the API server leaves out empty fields. */

interface ObjectMeta {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  /** Who wrote which fields, and when. */
  readonly managedFields?: readonly { readonly time?: string; readonly fieldsV1?: Readonly<Record<string, unknown>> }[];
  readonly ownerReferences?: readonly {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly uid?: string;
    readonly controller?: boolean;
  }[];
}

export interface ApiObject {
  readonly metadata?: ObjectMeta;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly lastTransitionTime?: string;
}

/** batch/v1. */
export interface ApiJob extends ApiObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** core/v1. */
export interface ApiNode extends ApiObject {
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly {
      readonly key: string;
      readonly value?: string;
      readonly effect: string;
      readonly timeAdded?: string;
    }[];
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly allocatable?: Readonly<Record<string, string>>;
  };
}

interface ApiToleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

interface ApiContainer {
  readonly image?: string;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
}

export interface ApiContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly running?: { readonly startedAt?: string };
    readonly waiting?: { readonly reason?: string };
    readonly terminated?: { readonly finishedAt?: string };
  };
}

interface PodSpec {
  readonly nodeName?: string;
  readonly containers?: readonly ApiContainer[];
  readonly initContainers?: readonly ApiContainer[];
  readonly volumes?: readonly { readonly name: string; readonly emptyDir?: object | null }[];
  readonly tolerations?: readonly ApiToleration[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: {
        readonly nodeSelectorTerms?: readonly {
          readonly matchExpressions?: readonly ApiRequirement[];
          readonly matchFields?: readonly ApiRequirement[];
        }[];
      };
    };
  };
}

interface ApiRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** core/v1. */
export interface ApiPod extends ApiObject {
  readonly spec?: PodSpec;
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ApiContainerStatus[];
    readonly initContainerStatuses?: readonly ApiContainerStatus[];
  };
}

/** apps/v1. */
export interface ApiDaemonSet extends ApiObject {
  readonly spec?: {
    readonly template?: { readonly spec?: PodSpec };
    readonly updateStrategy?: { readonly type?: string };
  };
  readonly status?: { readonly observedGeneration?: number };
}

/** apps/v1. */
export interface ApiControllerRevision extends ApiObject {
  readonly data?: { readonly spec?: { readonly template?: { readonly spec?: PodSpec } } };
}

/** policy/v1. */
export interface ApiBudget extends ApiObject {
  readonly spec?: {
    readonly selector?: {
      readonly matchLabels?: Readonly<Record<string, string>>;
      readonly matchExpressions?: readonly ApiRequirement[];
    };
  };
  readonly status?: { readonly disruptionsAllowed?: number };
}

/** resource.k8s.io/v1; v1beta2 and v1beta1 have the same fields. */
export interface ApiResourceClaim extends ApiObject {
  readonly status?: {
    readonly allocation?: {
      readonly devices?: { readonly results?: readonly { readonly driver?: string; readonly adminAccess?: boolean }[] };
    };
    readonly reservedFor?: readonly { readonly resource?: string; readonly uid?: string }[];
  };
}

/** sriovnetwork.openshift.io/v1: sriov-network-operator 249e20012, `api/v1/sriovnetworknodestate_types.go`. */
export interface ApiSriovNodeState extends ApiObject {
  readonly spec?: {
    readonly interfaces?: readonly { readonly vfGroups?: readonly { readonly resourceName?: string }[] }[];
  };
  readonly status?: { readonly syncStatus?: string; readonly lastSyncError?: string };
}

/** maintenance.nvidia.com/v1alpha1: maintenance-operator e15d07b, `api/v1alpha1/nodemaintenance_types.go`. */
export interface ApiNodeMaintenance extends ApiObject {
  readonly spec?: {
    readonly requestorID?: string;
    readonly additionalRequestors?: readonly string[];
    readonly nodeName?: string;
  };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type?: string;
      readonly status?: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
    readonly waitForCompletion?: readonly string[];
    readonly drain?: { readonly waitForEviction?: readonly string[] };
  };
}

/** coordination.k8s.io/v1; its times have six digits behind the point (`MicroTime`). */
export interface ApiLease extends ApiObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

/** core/v1. */
export interface ApiConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}
