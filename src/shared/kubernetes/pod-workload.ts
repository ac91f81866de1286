import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { isObject, valueAt } from '../lib/json.js';
import { POD_TEMPLATES } from './pod-templates.js';
import type { Toleration } from './selection/taints.js';
import type { KubernetesObject } from './types.js';

/**
 * A network in the annotation of a pod (multus-cni master, pkg/types/types.go `NetworkSelectionElement`). Multus names an interface
 * `net1`, `net2` … where none is given.
 */
export interface NetworkSelection {
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

/** An extended resource that a container requests. */
interface ResourceRequest {
  /** With its prefix. */
  readonly resource: string;
  /** Name of the container. Absent for the first. */
  readonly container?: string;
  readonly count: number;
}

/** A network of a workload, with its NetworkAttachmentDefinition. */
interface Attachment {
  readonly selection: NetworkSelection;
  readonly definition: KubernetesObject;
}

/** Networks and resources that are added to the pods of a workload when it is written. */
export interface PodWorkload {
  readonly object: ApiObject;
  readonly networks: Attachment[];
  readonly requests: ResourceRequest[];
}

/** Annotation with the networks of a pod, for Multus (Network Plumbing Working Group, Multi-Network Spec v1.3, 4.1). */
export const NETWORKS_ANNOTATION = 'k8s.v1.cni.cncf.io/networks';

const known = new WeakMap<ApiObject, PodWorkload>();

/**
 * The workload of a construct, and what is added to its pods.
 *
 * @throws Error when the construct has no pods
 */
export function podWorkload(construct: Construct): PodWorkload {
  const object = ApiObject.of(construct);
  const before = known.get(object);
  if (before) return before;
  if (!POD_TEMPLATES.has(object.kind)) {
    throw new Error(
      `${construct.node.path} is a ${object.kind}, which has no pods; give a ${[...POD_TEMPLATES.keys()].join(', ')}`,
    );
  }
  const workload: PodWorkload = { object, networks: [], requests: [] };
  known.set(object, workload);
  // cdk8s-plus has no extended resources, and drops those from a JSON patch.
  const written = object.toJson.bind(object) as () => KubernetesObject;
  object.toJson = () => withUses(written(), workload);
  return workload;
}

/** A pod template as a tree of plain data. */
export interface PodTemplateData {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: {
    readonly containers?: readonly ContainerData[];
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly affinity?: unknown;
    readonly tolerations?: readonly Toleration[];
  };
}

interface ContainerData {
  readonly name: string;
  readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts };
}

type Amounts = Readonly<Record<string, unknown>>;

/** The template of a workload's pods. */
export function podTemplateOf(object: KubernetesObject): PodTemplateData {
  return valueAt(object, POD_TEMPLATES.get(object.kind) ?? []) ?? {};
}

function withUses(object: KubernetesObject, workload: PodWorkload): KubernetesObject {
  const change = (template: PodTemplateData) =>
    withRequests(withNetworks(template, workload.networks), workload.requests);
  return changedAt(object, POD_TEMPLATES.get(object.kind) ?? [], (template) =>
    change(template as PodTemplateData),
  ) as KubernetesObject;
}

function changedAt(value: unknown, [key, ...rest]: readonly string[], change: (inner: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  const object = isObject(value) ? value : {};
  return { ...object, [key]: changedAt(object[key], rest, change) };
}

function withNetworks(template: PodTemplateData, networks: readonly Attachment[]): PodTemplateData {
  if (networks.length === 0) return template;
  const { metadata = {} } = template;
  const before = selectedNetworks(metadata.annotations?.[NETWORKS_ANNOTATION] ?? '');
  const text = JSON.stringify([...before, ...networks.map(({ selection }) => written(selection))]);
  return {
    ...template,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [NETWORKS_ANNOTATION]: text } },
  };
}

function written({ infinibandGuid, defaultRoute, ...selection }: NetworkSelection): object {
  return {
    ...selection,
    ...(infinibandGuid === undefined ? {} : { 'infiniband-guid': infinibandGuid }),
    ...(defaultRoute === undefined ? {} : { 'default-route': defaultRoute }),
  };
}

/**
 * The networks of an existing annotation: JSON, or comma-separated names, each with an optional namespace before and
 * interface after it (multus-cni master, pkg/k8sclient/k8sclient.go `parsePodNetworkAnnotation`).
 */
export function selectedNetworks(text: string): readonly object[] {
  if (/[[{"]/.test(text)) {
    const data: unknown = JSON.parse(text);
    return Array.isArray(data) ? (data as readonly object[]) : [data as object];
  }
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, namespace, name, own] = /^(?:([^/@]*)\/)?([^/@]*)(?:@(.*))?$/.exec(part) ?? [part, undefined, part];
      return { name, ...(namespace && { namespace }), ...(own && { interface: own }) };
    });
}

function withRequests(template: PodTemplateData, requests: readonly ResourceRequest[]): PodTemplateData {
  if (requests.length === 0) return template;
  const containers = (template.spec?.containers ?? []).map((container, index) => {
    const own = requests.filter((one) =>
      one.container === undefined ? index === 0 : one.container === container.name,
    );
    return own.length === 0 ? container : { ...container, resources: withAmounts(container.resources ?? {}, own) };
  });
  return { ...template, spec: { ...template.spec, containers } };
}

/** Requests and limits of an extended resource must be equal. */
function withAmounts(
  { requests, limits, ...others }: NonNullable<ContainerData['resources']>,
  own: readonly ResourceRequest[],
) {
  const amounts: Record<string, string> = {};
  for (const { resource, count } of own) amounts[resource] = String(Number(amounts[resource] ?? 0) + count);
  return { ...others, requests: { ...requests, ...amounts }, limits: { ...limits, ...amounts } };
}
