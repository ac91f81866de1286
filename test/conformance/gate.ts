import type { RecordedCase, RecordedObject } from './recorded.js';

/** The file that a driver writes when it is loaded, and that gated pods mount. */
const READY_FILE = '/run/mellanox/drivers/.driver-ready';
/** The label that the operator's controller changes, which gated pods select with `gate: label`. */
const WAIT_LABEL = 'network.nvidia.com/operator.mofed.wait';

/** A recorded case as the operator would render it if it had `gate: ready-file`. */
export interface GatedCase {
  /** The input, with that gate. */
  readonly files: Readonly<Record<string, string>>;
  /** DaemonSets that must mount the file have a field `gated`. */
  readonly objects: readonly RecordedObject[];
}

interface PodSpec {
  nodeSelector?: Record<string, string>;
  volumes?: { name: string; hostPath?: { path: string; type?: string } }[];
  containers: { volumeMounts?: { name: string; readOnly?: boolean }[] }[];
}

interface DaemonSet {
  spec: { template: { spec: PodSpec } };
}

const isDriver = ({ kind, metadata }: RecordedObject) => kind === 'DaemonSet' && metadata.name.startsWith('mofed-');

/** The changes of the gate; undefined if the case does not define which nodes have a driver, or if no object is rendered. */
export function withReadyFile({ accepted, files, objects }: RecordedCase): GatedCase | undefined {
  const text = Object.values(files).join('\n');
  if (!accepted || /NicNodePolicy|taints:/.test(text)) return undefined;
  const hasDriver = objects.some(isDriver);
  if (!hasDriver && text.includes('ofedDriver:')) return undefined;
  return {
    files: Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, content.replace('gate: label', 'gate: ready-file')]),
    ),
    objects: objects.map((object) => (object.kind === 'DaemonSet' ? withoutLabel(object, hasDriver) : object)),
  };
}

function withoutLabel(object: RecordedObject, isGated: boolean): RecordedObject {
  const copy = structuredClone(object) as RecordedObject & DaemonSet;
  const { nodeSelector } = copy.spec.template.spec;
  if (nodeSelector?.[WAIT_LABEL] === undefined) return object;
  Reflect.deleteProperty(nodeSelector, WAIT_LABEL);
  if (Object.keys(nodeSelector).length === 0) nodeSelector['feature.node.kubernetes.io/pci-15b3.present'] = 'true';
  return isGated ? { ...copy, gated: true } : copy;
}

/** Removes a well-formed gate from one of our DaemonSets, and records that it had one. */
export function takeGate(object: RecordedObject): RecordedObject {
  if (object.kind !== 'DaemonSet' || isDriver(object)) return object;
  const copy = structuredClone(object) as RecordedObject & DaemonSet;
  const pod = copy.spec.template.spec;
  const volume = pod.volumes?.find(({ hostPath }) => hostPath?.path === READY_FILE && hostPath.type === 'File');
  if (!volume) return object;
  const isMount = ({ name }: { readonly name: string }) => name === volume.name;
  const isMounted = pod.containers.some((container) =>
    container.volumeMounts?.some((mount) => isMount(mount) && mount.readOnly === true),
  );
  pod.volumes = pod.volumes?.filter((one) => !isMount(one)) ?? [];
  for (const container of pod.containers) {
    if (container.volumeMounts) container.volumeMounts = container.volumeMounts.filter((mount) => !isMount(mount));
  }
  return isMounted ? { ...copy, gated: true } : copy;
}
