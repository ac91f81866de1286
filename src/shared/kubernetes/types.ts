/**
 * The Kubernetes objects that we emit, as the API spells them. The generated classes of cdk8s-plus-28 spell some fields
 * differently (`clusterIp`), know no field newer than Kubernetes 1.28 and want quantities as class instances.
 */
import type { Toleration } from './selection/taints.js';

export type StringMap = Readonly<Record<string, string>>;

/** Metadata of an object that we emit. Always with an explicit name. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
}

/** Any object that we emit. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** An environment variable; where its value comes from is passed on as it was given. */
interface EnvVar {
  readonly name: string;
  readonly value?: string | undefined;
  readonly valueFrom?: object | undefined;
}

/** Node affinity, passed on as it was given. */
interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: object | undefined;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly object[] | undefined;
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly readOnly?: boolean;
  readonly mountPropagation?: 'None' | 'HostToContainer' | 'Bidirectional';
}

export interface Volume {
  readonly name: string;
  readonly hostPath?: { readonly path: string; readonly type?: string };
  readonly configMap?: {
    readonly name: string;
    readonly items?: readonly { readonly key: string; readonly path: string }[];
  };
  readonly emptyDir?: Readonly<Record<string, never>>;
  readonly secret?: { readonly secretName: string; readonly defaultMode?: number };
  readonly persistentVolumeClaim?: { readonly claimName: string };
}

interface HttpProbe {
  readonly httpGet: { readonly path: string; readonly port: number };
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
}

export interface ContainerProbe {
  readonly exec: { readonly command: readonly string[] };
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
  readonly failureThreshold: number;
  readonly successThreshold: number;
  readonly timeoutSeconds: number;
}

export interface ComputeResources {
  readonly limits?: StringMap;
  readonly requests?: StringMap;
}

export interface Container {
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
    readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
    readonly seLinuxOptions?: { readonly level: string };
  };
  readonly resources?: ComputeResources;
  readonly volumeMounts?: readonly VolumeMount[];
  readonly terminationMessagePolicy?: 'File' | 'FallbackToLogsOnError';
  readonly startupProbe?: ContainerProbe;
  readonly livenessProbe?: ContainerProbe | HttpProbe;
  readonly readinessProbe?: ContainerProbe | HttpProbe;
}

interface PodAffinityTerm {
  readonly labelSelector: {
    readonly matchExpressions: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values?: readonly string[];
    }[];
  };
  readonly topologyKey: string;
}

interface PodAntiAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight: number;
    readonly podAffinityTerm: PodAffinityTerm;
  }[];
}

export interface PodSpec {
  readonly priorityClassName?: string;
  readonly serviceAccountName?: string;
  /** The old name of the same field. */
  readonly serviceAccount?: string;
  readonly securityContext?: { readonly fsGroup?: number; readonly runAsNonRoot?: boolean };
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly tolerations?: readonly Toleration[];
  readonly affinity?: { readonly nodeAffinity?: NodeAffinity; readonly podAntiAffinity?: PodAntiAffinity };
  readonly imagePullSecrets?: readonly { readonly name: string }[];
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly terminationGracePeriodSeconds?: number;
  readonly volumes?: readonly Volume[];
  readonly nodeSelector?: StringMap;
}

export interface PodTemplate {
  readonly metadata: { readonly labels: StringMap; readonly annotations?: StringMap };
  readonly spec: PodSpec;
}

export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** A DaemonSet that we emit. */
export interface DaemonSetObject extends KubernetesObject {
  readonly kind: 'DaemonSet';
  readonly spec: { readonly selector: { readonly matchLabels: StringMap }; readonly template: PodTemplate };
}

/** A Deployment that we emit. */
export interface DeploymentObject extends KubernetesObject {
  readonly kind: 'Deployment';
  readonly spec: { readonly selector: { readonly matchLabels: StringMap }; readonly template: PodTemplate };
}

/** A ConfigMap that we emit. */
export interface ConfigMapObject extends KubernetesObject {
  readonly kind: 'ConfigMap';
  readonly data: StringMap;
}

/** A NetworkAttachmentDefinition that we emit. */
export interface NetworkAttachmentObject extends KubernetesObject {
  readonly kind: 'NetworkAttachmentDefinition';
  readonly metadata: ObjectMeta & { readonly namespace: string };
  /** `config` is the CNI configuration as JSON text. */
  readonly spec: { readonly config: string };
}
