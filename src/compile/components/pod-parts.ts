import type { Cluster, DriverGate, Instance } from '../model/config.js';
import type { ImageSpec } from '../model/shapes/image-spec.js';
import type { EnvVar, NodeAffinity } from '../model/shapes/pod.js';
import { withoutEmpty } from '../../shared/lib/json.js';
import type {
  ComputeResources,
  Container,
  ObjectMeta,
  PodSpec,
  StringMap,
  Volume,
  VolumeMount,
} from '../../shared/kubernetes/types.js';
import { canonicalQuantity } from '../../shared/kubernetes/quantity.js';
import type { Toleration } from '../../shared/kubernetes/selection/taints.js';
import {
  DS_OWNER_LABEL,
  NFD_LABELS,
  OFED_GATE_LABEL,
  OFED_READY_FILE,
  OFED_READY_FOLDER,
  OFED_WAIT_CONTAINER,
  STATE_LABEL,
} from '../../shared/contract/labels.js';

/** The toleration that the operator's pods have in addition to the policy's: nodes with GPUs have the taint. */
export const GPU_TOLERATION: Toleration = { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' };

/** The metadata that the operator sets on every object of a component. */
export function operatorMetadata(
  name: string,
  namespace: string | undefined,
  component: { readonly statusName: string },
  instance: Instance,
  labels: StringMap = {},
): ObjectMeta {
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    labels: { ...labels, [STATE_LABEL]: component.statusName, [DS_OWNER_LABEL]: instance.owner.label },
  };
}

/**
 * Metadata of an object of a component that only a NicClusterPolicy can have: it carries no owner (network-operator
 * b06827e0, pkg/state/state_skel.go `addStateSpecificLabels`).
 */
export function clusterMetadata(
  name: string,
  namespace: string | undefined,
  component: { readonly statusName: string },
  labels: StringMap = {},
): ObjectMeta {
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    labels: { ...labels, [STATE_LABEL]: component.statusName },
  };
}

/**
 * The policy that owns shared objects: the last by name. The operator reconciles policies one by one, and each takes
 * over the shared objects, so the last one keeps them.
 */
export function sharedOwner<Spec>(instances: readonly Instance<Spec>[]): Instance<Spec> | undefined {
  return instances.at(-1);
}

/** Tolerations of a DaemonSet: the policy's own and the one for GPU nodes, in the operator's order. */
export function daemonSetTolerations(instance: Instance): readonly Toleration[] {
  return [...instance.tolerations.map((toleration) => withoutEmpty(toleration)), GPU_TOLERATION];
}

/** Taints of control-plane nodes, by their old name and their new one. */
export const CONTROL_PLANE_TOLERATIONS: readonly Toleration[] = [
  { key: 'node-role.kubernetes.io/master', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' },
];

/** Tolerations of a Deployment: the component's own, in the order of the operator's template, and the policy's. */
export function deploymentTolerations(instance: Instance, own: readonly Toleration[]): readonly Toleration[] {
  return [...own, ...instance.deployment.tolerations.map((toleration) => withoutEmpty(toleration))];
}

/** Node affinity of a Deployment: prefers control-plane nodes, and includes the affinity of the policy. */
export function controlPlaneAffinity(instance: Instance): NodeAffinity {
  const { affinity } = instance.deployment;
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return {
    preferredDuringSchedulingIgnoredDuringExecution: [
      ...CONTROL_PLANE_TOLERATIONS.map(({ key = '' }) => ({
        weight: 1,
        preference: { matchExpressions: [{ key, operator: 'In' as const, values: [''] }] },
      })),
      ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
    ],
    ...(required && { requiredDuringSchedulingIgnoredDuringExecution: required }),
  };
}

/** `imagePullSecrets`, if there are any, without duplicates: apply refuses a list with two entries of one name. */
export function pullSecrets(spec: Pick<ImageSpec, 'imagePullSecrets'>): Pick<PodSpec, 'imagePullSecrets'> {
  return spec.imagePullSecrets.length === 0
    ? {}
    : { imagePullSecrets: [...new Set(spec.imagePullSecrets)].map((name) => ({ name })) };
}

/** Compute resources of one container; of two entries for it, the last one counts. */
export function containerResources(spec: ImageSpec, container: string): { readonly resources?: ComputeResources } {
  const entry = spec.containerResources?.findLast(({ name }) => name === container);
  if (!entry) return {};
  const resources = {
    ...(hasEntries(entry.limits) ? { limits: canonicalAmounts(entry.limits) } : {}),
    ...(hasEntries(entry.requests) ? { requests: canonicalAmounts(entry.requests) } : {}),
  };
  return { resources };
}

/**
 * The same for a container with default resources: they count if the policy has no resources for any container of the
 * component, as in the operator's templates.
 */
export function resourcesOr(
  spec: ImageSpec,
  container: string,
  own: ComputeResources,
): { readonly resources?: ComputeResources } {
  return spec.containerResources?.length ? containerResources(spec, container) : { resources: own };
}

type Amounts = Readonly<Record<string, string | number>>;

function hasEntries(amounts: Amounts | undefined): amounts is Amounts {
  return amounts !== undefined && Object.keys(amounts).length > 0;
}

function canonicalAmounts(amounts: Amounts): StringMap {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, canonicalQuantity(amount)]));
}

/** Variables in the form that a Go client writes: no empty value, and always a divisor. */
export function environment(variables: readonly EnvVar[]): readonly EnvVar[] {
  return variables.map((variable) => {
    const { valueFrom, ...rest } = variable;
    if (!valueFrom) return withoutEmpty(rest) as EnvVar;
    const { configMapKeyRef, secretKeyRef, resourceFieldRef, ...others } = valueFrom;
    return {
      ...(withoutEmpty(rest) as EnvVar),
      valueFrom: {
        ...others,
        ...(configMapKeyRef && { configMapKeyRef: withoutEmpty(configMapKeyRef) as typeof configMapKeyRef }),
        ...(secretKeyRef && { secretKeyRef: withoutEmpty(secretKeyRef) as typeof secretKeyRef }),
        ...(resourceFieldRef && {
          resourceFieldRef: { ...resourceFieldRef, divisor: canonicalQuantity(resourceFieldRef.divisor ?? '0') },
        }),
      },
    };
  });
}

/** Variables of a container without those that a later one of the same name overrides; apply refuses duplicates. */
export function visible(variables: readonly EnvVar[]): readonly EnvVar[] {
  const last = new Map(variables.map((variable) => [variable.name, variable]));
  return variables.filter((variable) => last.get(variable.name) === variable);
}

/** A variable with the value of a field of its pod. */
export function podField(name: string, fieldPath: string): EnvVar {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

/** The fields that a driver gate adds to a DaemonSet. */
export interface GateParts {
  readonly nodeSelector: StringMap;
  readonly volumes: readonly Volume[];
  readonly waits: Pick<PodSpec, 'initContainers'>;
}

/** The container of a gated pod's own image that a gate runs before the others. */
interface GateContainer {
  readonly image: string;
  /** Whether the image has `sh` and `sleep`. An image without a shell ends at once with `--help`. */
  readonly hasShell: boolean;
}

/**
 * The gate that makes a pod wait until the driver of its node is loaded. With `label` it is the operator's label, which
 * a program or a user must maintain. With `ready-file` an init container waits for the file that the driver writes: its shell looks for the
 * file every second, or, in an image without a shell, the kubelet does not start it before the file that it mounts exists, and looks again
 * after up to two minutes. No container that may start again mounts the file: a runtime creates the path of a mount that is missing then,
 * as a folder, which the driver's startup probe takes for the file (containerd 1.6 and CRI-O, seen on a real node). The init container that
 * mounts it does start again where a sandbox ends.
 */
export function driverGate(gate: DriverGate, container: GateContainer): GateParts {
  switch (gate) {
    case 'label':
      return { nodeSelector: { [OFED_GATE_LABEL]: 'false' }, volumes: [], waits: {} };
    case 'ready-file':
      return {
        nodeSelector: {},
        volumes: [{ name: READY_VOLUME, hostPath: container.hasShell ? READY_FOLDER : READY_FILE }],
        waits: { initContainers: [waitContainer(container)] },
      };
    case 'none':
      return { nodeSelector: {}, volumes: [], waits: {} };
  }
}

const READY_VOLUME = 'driver-ready';
const READY_FOLDER = { path: OFED_READY_FOLDER, type: 'DirectoryOrCreate' };
const READY_FILE = { path: OFED_READY_FILE, type: 'File' };

/** A shell that is process 1 ignores SIGTERM without a trap, and the pod would end by SIGKILL after its grace period. */
const WAIT = `trap 'exit 143' TERM; until [ -f ${OFED_READY_FILE} ]; do sleep 1 || exit 1; done`;

function waitContainer({ image, hasShell }: GateContainer): Container {
  const common = { name: OFED_WAIT_CONTAINER, image, imagePullPolicy: 'IfNotPresent' } as const;
  if (!hasShell) {
    return {
      ...common,
      args: ['--help'],
      volumeMounts: [{ name: READY_VOLUME, mountPath: OFED_READY_FILE, readOnly: true }],
    };
  }
  return {
    ...common,
    command: ['sh', '-c', WAIT],
    // SELinux lets no other container read the folder of the host.
    securityContext: { privileged: true },
    // Drivers of older releases mount their root there.
    volumeMounts: [
      { name: READY_VOLUME, mountPath: OFED_READY_FOLDER, readOnly: true, mountPropagation: 'HostToContainer' },
    ],
  };
}

/** Nodes with NFD's label for an NVIDIA NIC. */
export const NIC_NODES: StringMap = { [NFD_LABELS.nicPresent]: 'true' };

/**
 * Annotation of a pod template: the hash of the configuration that its pods read at their start, so that they roll when it
 * changes (network-operator b06827e0, pkg/consts/consts.go).
 */
export const CONFIG_HASH_ANNOTATION = 'nvidia.network-operator.config-hash';

/** The directories of CNI programs and CNI configuration on nodes (network-operator b06827e0, pkg/utils/utils.go). */
export function cniDirectories({
  spec,
  isOpenshift,
}: Pick<Cluster, 'isOpenshift'> & { readonly spec: Pick<Cluster['spec'], 'cni'> }): {
  readonly bin: string;
  readonly network: string;
} {
  return {
    bin: spec.cni.binDirectory || (isOpenshift ? '/var/lib/cni/bin' : '/opt/cni/bin'),
    network: spec.cni.networkDirectory || '/etc/cni/net.d',
  };
}

/** Folders in which a device plugin writes the specifications of the container device interface and their data. */
export const CDI_VOLUMES: readonly Volume[] = [
  { name: 'dynamic-cdi', hostPath: { path: '/var/run/cdi', type: 'DirectoryOrCreate' } },
  { name: 'host-config-volume', hostPath: { path: '/etc/pcidp', type: 'DirectoryOrCreate' } },
];
export const CDI_MOUNTS: readonly VolumeMount[] = [
  { name: 'dynamic-cdi', mountPath: '/var/run/cdi' },
  { name: 'host-config-volume', mountPath: '/host/etc/pcidp/' },
];
