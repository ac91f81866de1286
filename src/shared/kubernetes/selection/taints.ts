/** A taint of a node. */
export interface Taint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: string;
}

/** A toleration of a pod. */
export interface Toleration {
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly value?: string | undefined;
  readonly effect?: string | undefined;
  readonly tolerationSeconds?: number | undefined;
}

/**
 * Keys of the taints that the node lifecycle controller sets for a condition of a node, or for its cordon, and takes away again. The
 * DaemonSet controller has its pods tolerate them: Kubernetes' `pkg/controller/daemon/util` (AddOrUpdateDaemonPodTolerations); the
 * network one only for host-network pods, which driver pods are.
 */
export const CONDITION_TAINTS: ReadonlySet<string> = new Set([
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/memory-pressure',
  'node.kubernetes.io/pid-pressure',
  'node.kubernetes.io/unschedulable',
  'node.kubernetes.io/network-unavailable',
]);

/**
 * What every pod of a driver DaemonSet tolerates: the DaemonSet controller adds these, and the template the last one
 * (network-operator b06827e0, pkg/state/state_ofed.go `addDefaultDaemonSetTolerations`).
 */
export const DAEMON_SET_TOLERATIONS: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/network-unavailable', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' },
];

/** A taint in the format of kubectl. */
export function taintText({ key, value, effect }: Taint): string {
  return value === undefined || value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`;
}

/** Reads what `taintText` writes. */
export function taintFrom(text: string): Taint {
  const [, key = text, value, effect = ''] = /^([^=:]*)(?:=([^:]*))?:(.*)$/.exec(text) ?? [];
  return { key, ...(value === undefined ? {} : { value }), effect };
}

/** Kubernetes' rule (k8s.io/api core/v1 toleration.go): an empty key with `Exists` tolerates everything. */
function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  switch (toleration.operator ?? '') {
    case '':
    case 'Equal':
      return (toleration.value ?? '') === (taint.value ?? '');
    case 'Exists':
      return true;
    case 'Lt':
    case 'Gt':
      return comparesNumerically(toleration, taint);
    default:
      return false;
  }
}

/** As the API server writes them: no sign but `-`, no leading zero. */
const DECIMAL = /^(?:0|-?[1-9]\d*)$/;
const MAX_INT64 = 2n ** 63n - 1n;

function asInt64(text: string): bigint | undefined {
  const value = DECIMAL.test(text) ? BigInt(text) : undefined;
  return value !== undefined && value <= MAX_INT64 && value >= -MAX_INT64 - 1n ? value : undefined;
}

/** Kubernetes 1.35 has `Lt` and `Gt`, which compare the taint's value with the toleration's as 64-bit integers. */
function comparesNumerically(toleration: Toleration, taint: Taint): boolean {
  const [limit, value] = [asInt64(toleration.value ?? ''), asInt64(taint.value ?? '')];
  if (limit === undefined || value === undefined) return false;
  return toleration.operator === 'Lt' ? value < limit : value > limit;
}

/** True where each taint is tolerated by some toleration. */
export function toleratesAll(tolerations: readonly Toleration[], taints: readonly Taint[]): boolean {
  return taints.every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)));
}
