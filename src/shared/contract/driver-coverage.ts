import { isObject, parsedJson } from '../lib/json.js';

/** The driver on the nodes of one pool at one kernel: a line of the index of the output. */
export interface DriverCoverage {
  /** Name of the pool in the Cluster document. */
  readonly pool: string;
  readonly osName: string;
  readonly osVersion: string;
  /** Empty if the nodes do not run RHCOS. */
  readonly rhcosVersion: string;
  readonly arch: string;
  /** Empty if one DaemonSet serves every kernel of the OS version. */
  readonly kernel: string;
  /** The pool's own labels, as `key=value`, sorted. */
  readonly labels: readonly string[];
  /** As kubectl writes them, sorted. */
  readonly taints: readonly string[];
  /** The policy that installs the driver: `NicClusterPolicy nic-cluster-policy`. */
  readonly policy: string;
  readonly autoUpgrade: boolean;
  /** What keeps device plugins off a node until its driver is loaded, as the Cluster document has it. */
  readonly gate: 'ready-file' | 'label';
  /** `<namespace>/<name>` of the driver DaemonSet. */
  readonly daemonSet: string;
  /** Image of the driver container. */
  readonly image: string;
  /** Install digest of the DaemonSet's pod template. */
  readonly digest: string;
}

const PREFIX = 'driver ';

/** A line of the index. */
export function coverageLine(coverage: DriverCoverage): string {
  const { pool, osName, osVersion, rhcosVersion, arch, kernel, labels, taints } = coverage;
  const { policy, autoUpgrade, gate, daemonSet, image, digest } = coverage;
  const keys = { pool, osName, osVersion, rhcosVersion, arch, kernel, labels, taints };
  return `${PREFIX}${JSON.stringify({ ...keys, policy, autoUpgrade, gate, daemonSet, image, digest })}`;
}

/** Parses a line of the index; `undefined` if `coverageLine` did not write it. */
export function readCoverageLine(line: string): DriverCoverage | undefined {
  const value = parsedJson(line.slice(PREFIX.length));
  if (!isObject(value)) return undefined;
  const isText = TEXTS.every((key) => typeof value[key] === 'string');
  const isList = LISTS.every((key) => isTextList(value[key]));
  const isGate = value['gate'] === 'ready-file' || value['gate'] === 'label';
  return isText && isList && isGate && typeof value['autoUpgrade'] === 'boolean'
    ? (value as unknown as DriverCoverage)
    : undefined;
}

const LISTS = ['labels', 'taints'];
const POOL_TEXTS = ['pool', 'osName', 'osVersion', 'rhcosVersion', 'arch', 'kernel'];
const TEXTS = [...POOL_TEXTS, 'policy', 'daemonSet', 'image', 'digest'];

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
