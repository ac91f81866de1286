import type { RecordedCase, RecordedObject } from './recorded.js';

/** The file that a driver writes when it is loaded, and its folder. */
const READY_FOLDER = '/run/mellanox/drivers';
const READY_FILE = `${READY_FOLDER}/.driver-ready`;
/** The label that the operator's controller changes, which gated pods select with `gate: label`. */
const WAIT_LABEL = 'network.nvidia.com/operator.mofed.wait';

/** A recorded case as the operator would render it if it had `gate: ready-file`. */
export interface GatedCase {
  /** The input, with that gate. */
  readonly files: Readonly<Record<string, string>>;
  /** DaemonSets whose pods must wait for the file have a field `gated`. */
  readonly objects: readonly RecordedObject[];
}

interface PodSpec {
  nodeSelector?: Record<string, string>;
  volumes?: { name: string; hostPath?: { path: string; type?: string } }[];
  initContainers?: Container[];
  containers: Container[];
}

interface Container {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
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
  const [wait, ...others] = pod.initContainers ?? [];
  const volume = pod.volumes?.find(({ name }) => name === 'driver-ready');
  if (!wait || !volume) return object;
  const isMounted = (path: string) =>
    volume.hostPath?.path === path &&
    wait.volumeMounts?.some(
      ({ name, mountPath, readOnly }) => name === volume.name && mountPath === path && readOnly === true,
    );
  const looksForFile = wait.command?.some((part) => part.includes(`until [ -f ${READY_FILE} ]`)) === true;
  const waits = looksForFile
    ? isMounted(READY_FOLDER)
    : isMounted(READY_FILE) && volume.hostPath?.type === 'File' && wait.args?.join(' ') === '--help';
  const hasItsImage = pod.containers.some(({ image }) => image === wait.image);
  pod.volumes = pod.volumes?.filter((one) => one !== volume) ?? [];
  if (others.length > 0) pod.initContainers = others;
  else delete pod.initContainers;
  return waits === true && hasItsImage ? { ...copy, gated: true } : copy;
}
