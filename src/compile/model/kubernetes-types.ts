/**
 * Types of Kubernetes v1.36.3 that documents have; its own reference says what their fields mean. `npm run types` writes
 * this file.
 */

/** Affinity of Kubernetes. */
export interface KubernetesAffinity {
  readonly nodeAffinity?: KubernetesNodeAffinity | undefined;
  readonly podAffinity?: KubernetesPodAffinity | undefined;
  readonly podAntiAffinity?: KubernetesPodAntiAffinity | undefined;
}

/** AppArmorProfile of Kubernetes. */
export interface KubernetesAppArmorProfile {
  readonly localhostProfile?: string | undefined;
  readonly type: string;
}

/** Capabilities of Kubernetes. */
export interface KubernetesCapabilities {
  readonly add?: readonly string[] | undefined;
  readonly drop?: readonly string[] | undefined;
}

/** ConfigMapEnvSource of Kubernetes. */
export interface KubernetesConfigMapEnvSource {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

/** ConfigMapKeySelector of Kubernetes. */
export interface KubernetesConfigMapKeySelector {
  readonly key: string;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

/** Container of Kubernetes. */
export interface KubernetesContainer {
  readonly args?: readonly string[] | undefined;
  readonly command?: readonly string[] | undefined;
  readonly env?: readonly KubernetesEnvVar[] | undefined;
  readonly envFrom?: readonly KubernetesEnvFromSource[] | undefined;
  readonly image?: string | undefined;
  readonly imagePullPolicy?: string | undefined;
  readonly lifecycle?: KubernetesLifecycle | undefined;
  readonly livenessProbe?: KubernetesProbe | undefined;
  readonly name: string;
  readonly ports?: readonly KubernetesContainerPort[] | undefined;
  readonly readinessProbe?: KubernetesProbe | undefined;
  readonly resizePolicy?: readonly KubernetesContainerResizePolicy[] | undefined;
  readonly resources?: KubernetesResourceRequirements | undefined;
  readonly restartPolicy?: string | undefined;
  readonly restartPolicyRules?: readonly KubernetesContainerRestartRule[] | undefined;
  readonly securityContext?: KubernetesSecurityContext | undefined;
  readonly startupProbe?: KubernetesProbe | undefined;
  readonly stdin?: boolean | undefined;
  readonly stdinOnce?: boolean | undefined;
  readonly terminationMessagePath?: string | undefined;
  readonly terminationMessagePolicy?: string | undefined;
  readonly tty?: boolean | undefined;
  readonly volumeDevices?: readonly KubernetesVolumeDevice[] | undefined;
  readonly volumeMounts?: readonly KubernetesVolumeMount[] | undefined;
  readonly workingDir?: string | undefined;
}

/** ContainerPort of Kubernetes. */
export interface KubernetesContainerPort {
  readonly containerPort: number;
  readonly hostIP?: string | undefined;
  readonly hostPort?: number | undefined;
  readonly name?: string | undefined;
  readonly protocol?: string | undefined;
}

/** ContainerResizePolicy of Kubernetes. */
export interface KubernetesContainerResizePolicy {
  readonly resourceName: string;
  readonly restartPolicy: string;
}

/** ContainerRestartRule of Kubernetes. */
export interface KubernetesContainerRestartRule {
  readonly action: string;
  readonly exitCodes?: KubernetesContainerRestartRuleOnExitCodes | undefined;
}

/** ContainerRestartRuleOnExitCodes of Kubernetes. */
export interface KubernetesContainerRestartRuleOnExitCodes {
  readonly operator: string;
  readonly values?: readonly number[] | undefined;
}

/** DaemonSetUpdateStrategy of Kubernetes. */
export interface KubernetesDaemonSetUpdateStrategy {
  readonly rollingUpdate?: KubernetesRollingUpdateDaemonSet | undefined;
  readonly type?: string | undefined;
}

/** EnvFromSource of Kubernetes. */
export interface KubernetesEnvFromSource {
  readonly configMapRef?: KubernetesConfigMapEnvSource | undefined;
  readonly prefix?: string | undefined;
  readonly secretRef?: KubernetesSecretEnvSource | undefined;
}

/** EnvVar of Kubernetes. */
export interface KubernetesEnvVar {
  readonly name: string;
  readonly value?: string | undefined;
  readonly valueFrom?: KubernetesEnvVarSource | undefined;
}

/** EnvVarSource of Kubernetes. */
export interface KubernetesEnvVarSource {
  readonly configMapKeyRef?: KubernetesConfigMapKeySelector | undefined;
  readonly fieldRef?: KubernetesObjectFieldSelector | undefined;
  readonly fileKeyRef?: KubernetesFileKeySelector | undefined;
  readonly resourceFieldRef?: KubernetesResourceFieldSelector | undefined;
  readonly secretKeyRef?: KubernetesSecretKeySelector | undefined;
}

/** ExecAction of Kubernetes. */
export interface KubernetesExecAction {
  readonly command?: readonly string[] | undefined;
}

/** FileKeySelector of Kubernetes. */
export interface KubernetesFileKeySelector {
  readonly key: string;
  readonly optional?: boolean | undefined;
  readonly path: string;
  readonly volumeName: string;
}

/** GRPCAction of Kubernetes. */
export interface KubernetesGRPCAction {
  readonly port: number;
  readonly service?: string | undefined;
}

/** HTTPGetAction of Kubernetes. */
export interface KubernetesHTTPGetAction {
  readonly host?: string | undefined;
  readonly httpHeaders?: readonly KubernetesHTTPHeader[] | undefined;
  readonly path?: string | undefined;
  readonly port: string | number;
  readonly scheme?: string | undefined;
}

/** HTTPHeader of Kubernetes. */
export interface KubernetesHTTPHeader {
  readonly name: string;
  readonly value?: string | undefined;
}

/** IPBlock of Kubernetes. */
export interface KubernetesIPBlock {
  readonly cidr: string;
  readonly except?: readonly string[] | undefined;
}

/** LabelSelector of Kubernetes. */
export interface KubernetesLabelSelector {
  readonly matchExpressions?: readonly KubernetesLabelSelectorRequirement[] | undefined;
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
}

/** LabelSelectorRequirement of Kubernetes. */
export interface KubernetesLabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/** Lifecycle of Kubernetes. */
export interface KubernetesLifecycle {
  readonly postStart?: KubernetesLifecycleHandler | undefined;
  readonly preStop?: KubernetesLifecycleHandler | undefined;
  readonly stopSignal?: string | undefined;
}

/** LifecycleHandler of Kubernetes. */
export interface KubernetesLifecycleHandler {
  readonly exec?: KubernetesExecAction | undefined;
  readonly httpGet?: KubernetesHTTPGetAction | undefined;
  readonly sleep?: KubernetesSleepAction | undefined;
  readonly tcpSocket?: KubernetesTCPSocketAction | undefined;
}

/** NetworkPolicyEgressRule of Kubernetes. */
export interface KubernetesNetworkPolicyEgressRule {
  readonly ports?: readonly KubernetesNetworkPolicyPort[] | undefined;
  readonly to?: readonly KubernetesNetworkPolicyPeer[] | undefined;
}

/** NetworkPolicyIngressRule of Kubernetes. */
export interface KubernetesNetworkPolicyIngressRule {
  readonly from?: readonly KubernetesNetworkPolicyPeer[] | undefined;
  readonly ports?: readonly KubernetesNetworkPolicyPort[] | undefined;
}

/** NetworkPolicyPeer of Kubernetes. */
export interface KubernetesNetworkPolicyPeer {
  readonly ipBlock?: KubernetesIPBlock | undefined;
  readonly namespaceSelector?: KubernetesLabelSelector | undefined;
  readonly podSelector?: KubernetesLabelSelector | undefined;
}

/** NetworkPolicyPort of Kubernetes. */
export interface KubernetesNetworkPolicyPort {
  readonly endPort?: number | undefined;
  readonly port?: string | number | undefined;
  readonly protocol?: string | undefined;
}

/** NodeAffinity of Kubernetes. */
export interface KubernetesNodeAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly KubernetesPreferredSchedulingTerm[] | undefined;
  readonly requiredDuringSchedulingIgnoredDuringExecution?: KubernetesNodeSelector | undefined;
}

/** NodeSelector of Kubernetes. */
export interface KubernetesNodeSelector {
  readonly nodeSelectorTerms: readonly KubernetesNodeSelectorTerm[];
}

/** NodeSelectorRequirement of Kubernetes. */
export interface KubernetesNodeSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/** NodeSelectorTerm of Kubernetes. */
export interface KubernetesNodeSelectorTerm {
  readonly matchExpressions?: readonly KubernetesNodeSelectorRequirement[] | undefined;
  readonly matchFields?: readonly KubernetesNodeSelectorRequirement[] | undefined;
}

/** ObjectFieldSelector of Kubernetes. */
export interface KubernetesObjectFieldSelector {
  readonly apiVersion?: string | undefined;
  readonly fieldPath: string;
}

/** PodAffinity of Kubernetes. */
export interface KubernetesPodAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly KubernetesWeightedPodAffinityTerm[] | undefined;
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly KubernetesPodAffinityTerm[] | undefined;
}

/** PodAffinityTerm of Kubernetes. */
export interface KubernetesPodAffinityTerm {
  readonly labelSelector?: KubernetesLabelSelector | undefined;
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly mismatchLabelKeys?: readonly string[] | undefined;
  readonly namespaceSelector?: KubernetesLabelSelector | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly topologyKey: string;
}

/** PodAntiAffinity of Kubernetes. */
export interface KubernetesPodAntiAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly KubernetesWeightedPodAffinityTerm[] | undefined;
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly KubernetesPodAffinityTerm[] | undefined;
}

/** PodSecurityContext of Kubernetes. */
export interface KubernetesPodSecurityContext {
  readonly appArmorProfile?: KubernetesAppArmorProfile | undefined;
  readonly fsGroup?: number | undefined;
  readonly fsGroupChangePolicy?: string | undefined;
  readonly runAsGroup?: number | undefined;
  readonly runAsNonRoot?: boolean | undefined;
  readonly runAsUser?: number | undefined;
  readonly seLinuxChangePolicy?: string | undefined;
  readonly seLinuxOptions?: KubernetesSELinuxOptions | undefined;
  readonly seccompProfile?: KubernetesSeccompProfile | undefined;
  readonly supplementalGroups?: readonly number[] | undefined;
  readonly supplementalGroupsPolicy?: string | undefined;
  readonly sysctls?: readonly KubernetesSysctl[] | undefined;
  readonly windowsOptions?: KubernetesWindowsSecurityContextOptions | undefined;
}

/** PreferredSchedulingTerm of Kubernetes. */
export interface KubernetesPreferredSchedulingTerm {
  readonly preference?: KubernetesNodeSelectorTerm | undefined;
  readonly weight: number;
}

/** Probe of Kubernetes. */
export interface KubernetesProbe {
  readonly exec?: KubernetesExecAction | undefined;
  readonly failureThreshold?: number | undefined;
  readonly grpc?: KubernetesGRPCAction | undefined;
  readonly httpGet?: KubernetesHTTPGetAction | undefined;
  readonly initialDelaySeconds?: number | undefined;
  readonly periodSeconds?: number | undefined;
  readonly successThreshold?: number | undefined;
  readonly tcpSocket?: KubernetesTCPSocketAction | undefined;
  readonly terminationGracePeriodSeconds?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
}

/** io.k8s.api.core.v1.ResourceClaim of Kubernetes. */
export interface KubernetesResourceClaim {
  readonly name: string;
  readonly request?: string | undefined;
}

/** ResourceFieldSelector of Kubernetes. */
export interface KubernetesResourceFieldSelector {
  readonly containerName?: string | undefined;
  readonly divisor?: string | number | undefined;
  readonly resource: string;
}

/** ResourceRequirements of Kubernetes. */
export interface KubernetesResourceRequirements {
  readonly claims?: readonly KubernetesResourceClaim[] | undefined;
  readonly limits?: Readonly<Record<string, string | number>> | undefined;
  readonly requests?: Readonly<Record<string, string | number>> | undefined;
}

/** RollingUpdateDaemonSet of Kubernetes. */
export interface KubernetesRollingUpdateDaemonSet {
  readonly maxSurge?: string | number | undefined;
  readonly maxUnavailable?: string | number | undefined;
}

/** SELinuxOptions of Kubernetes. */
export interface KubernetesSELinuxOptions {
  readonly level?: string | undefined;
  readonly role?: string | undefined;
  readonly type?: string | undefined;
  readonly user?: string | undefined;
}

/** SeccompProfile of Kubernetes. */
export interface KubernetesSeccompProfile {
  readonly localhostProfile?: string | undefined;
  readonly type: string;
}

/** SecretEnvSource of Kubernetes. */
export interface KubernetesSecretEnvSource {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

/** SecretKeySelector of Kubernetes. */
export interface KubernetesSecretKeySelector {
  readonly key: string;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

/** SecurityContext of Kubernetes. */
export interface KubernetesSecurityContext {
  readonly allowPrivilegeEscalation?: boolean | undefined;
  readonly appArmorProfile?: KubernetesAppArmorProfile | undefined;
  readonly capabilities?: KubernetesCapabilities | undefined;
  readonly privileged?: boolean | undefined;
  readonly procMount?: string | undefined;
  readonly readOnlyRootFilesystem?: boolean | undefined;
  readonly runAsGroup?: number | undefined;
  readonly runAsNonRoot?: boolean | undefined;
  readonly runAsUser?: number | undefined;
  readonly seLinuxOptions?: KubernetesSELinuxOptions | undefined;
  readonly seccompProfile?: KubernetesSeccompProfile | undefined;
  readonly windowsOptions?: KubernetesWindowsSecurityContextOptions | undefined;
}

/** SleepAction of Kubernetes. */
export interface KubernetesSleepAction {
  readonly seconds?: number | undefined;
}

/** Sysctl of Kubernetes. */
export interface KubernetesSysctl {
  readonly name: string;
  readonly value?: string | undefined;
}

/** TCPSocketAction of Kubernetes. */
export interface KubernetesTCPSocketAction {
  readonly host?: string | undefined;
  readonly port: string | number;
}

/** VolumeDevice of Kubernetes. */
export interface KubernetesVolumeDevice {
  readonly devicePath: string;
  readonly name: string;
}

/** VolumeMount of Kubernetes. */
export interface KubernetesVolumeMount {
  readonly mountPath: string;
  readonly mountPropagation?: string | undefined;
  readonly name: string;
  readonly readOnly?: boolean | undefined;
  readonly recursiveReadOnly?: string | undefined;
  readonly subPath?: string | undefined;
  readonly subPathExpr?: string | undefined;
}

/** WeightedPodAffinityTerm of Kubernetes. */
export interface KubernetesWeightedPodAffinityTerm {
  readonly podAffinityTerm: KubernetesPodAffinityTerm;
  readonly weight: number;
}

/** WindowsSecurityContextOptions of Kubernetes. */
export interface KubernetesWindowsSecurityContextOptions {
  readonly gmsaCredentialSpec?: string | undefined;
  readonly gmsaCredentialSpecName?: string | undefined;
  readonly hostProcess?: boolean | undefined;
  readonly runAsUserName?: string | undefined;
}
