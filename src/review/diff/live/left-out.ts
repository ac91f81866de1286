import { isObject } from '../../../shared/lib/json.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';

/**
 * What a comparison with a live cluster leaves out: what the API server, its controllers and other programs add to an object, and what
 * the server drops. Measured field by field on a cluster of the network-operator, b06827e0, with Kubernetes 1.34.
 */
const OTHERS_ANNOTATIONS =
  /^(?:nvidia\.network-operator\.revision$|deprecated\.daemonset\.template\.generation$|deployment\.kubernetes\.io\/revision$|meta\.helm\.sh\/|pv\.kubernetes\.io\/|volume\.(?:beta\.)?kubernetes\.io\/|kubectl\.kubernetes\.io\/last-applied-configuration$|argocd\.argoproj\.io\/tracking-id$|openshift\.io\/)/;
const OTHERS_LABELS =
  /^(?:helm\.sh\/chart$|app\.kubernetes\.io\/(?:managed-by|version)$|kubernetes\.io\/metadata\.name$|argocd\.argoproj\.io\/instance$|(?:kustomize|helm)\.toolkit\.fluxcd\.io\/|olm\.|operators\.coreos\.com\/)/;

/** Whether a label or an annotation of an object itself is written by other programs, whatever Weft renders. */
export function isOthersMark(field: 'labels' | 'annotations', key: string): boolean {
  return (field === 'labels' ? OTHERS_LABELS : OTHERS_ANNOTATIONS).test(key);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const oneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);
const anything = (): boolean => true;

/** Defaults of the API server (Kubernetes 1.34, `pkg/apis/…/defaults.go`), by the name of the field. */
const DEFAULTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  // Pods.
  terminationMessagePath: oneOf('/dev/termination-log'),
  terminationMessagePolicy: oneOf('File'),
  terminationGracePeriodSeconds: oneOf(30),
  restartPolicy: oneOf('Always'),
  schedulerName: oneOf('default-scheduler'),
  dnsPolicy: oneOf('ClusterFirst'),
  enableServiceLinks: oneOf(true),
  imagePullPolicy: oneOf('Always', 'IfNotPresent'),
  defaultMode: oneOf(420),
  protocol: oneOf('TCP'),
  scheme: oneOf('HTTP'),
  timeoutSeconds: oneOf(1, 10, 30),
  periodSeconds: oneOf(10),
  successThreshold: oneOf(1),
  failureThreshold: oneOf(3),
  apiVersion: oneOf('v1'),
  divisor: oneOf('0', 0),
  // Workloads.
  revisionHistoryLimit: oneOf(10),
  progressDeadlineSeconds: oneOf(600),
  podManagementPolicy: oneOf('OrderedReady'),
  replicas: oneOf(1),
  maxUnavailable: oneOf(1, '25%'),
  maxSurge: oneOf(0, '25%'),
  completions: oneOf(1),
  parallelism: oneOf(1),
  backoffLimit: oneOf(6),
  completionMode: oneOf('NonIndexed'),
  podReplacementPolicy: oneOf('TerminatingOrFailed'),
  concurrencyPolicy: oneOf('Allow'),
  failedJobsHistoryLimit: oneOf(1),
  successfulJobsHistoryLimit: oneOf(3),
  creationTimestamp: oneOf(null),
  // Services and claims.
  clusterIP: anything,
  clusterIPs: anything,
  ipFamilies: anything,
  ipFamilyPolicy: anything,
  internalTrafficPolicy: oneOf('Cluster'),
  sessionAffinity: oneOf('None'),
  volumeName: isText,
  volumeMode: oneOf('Filesystem'),
  storageClassName: isText,
  // Webhooks; certificates of those come from cert-manager or OpenShift.
  caBundle: isText,
  failurePolicy: oneOf('Fail'),
  matchPolicy: oneOf('Equivalent'),
  reinvocationPolicy: oneOf('Never'),
  port: oneOf(443),
  scope: oneOf('*'),
  // CRDs.
  strategy: oneOf('None'),
  listKind: isText,
  singular: isText,
  description: isText,
};

/** Fields whose `false` or 0 is the same as nothing. */
const OFF = new Set([
  'hostNetwork',
  'hostPID',
  'hostIPC',
  'readOnly',
  'optional',
  'stdin',
  'tty',
  'suspend',
  'preserveUnknownFields',
]);

/** Types of strategies, of `hostPath` and of Services that are defaults. */
const TYPES = new Set(['', 'RollingUpdate', 'ClusterIP']);

/** ServiceAccounts get these from controllers of OpenShift and of the cluster. */
const ACCOUNT_FIELDS = new Set(['secrets', 'imagePullSecrets']);

/** A field that only the live object has. */
interface LiveField {
  readonly object: KubernetesObject;
  /** Names of the fields that lead to it, without list members. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** The rendered mapping that lacks it. */
  readonly beside: Readonly<Record<string, unknown>>;
}

/** Fields that the API server copies from another field. */
const COPIES: Readonly<Record<string, string>> = {
  serviceAccount: 'serviceAccountName',
  serviceAccountName: 'serviceAccount',
  targetPort: 'port',
};

/** Whether the API server or a controller fills in this value of a field that is not rendered. */
export function isDefault({ object, path, value, beside }: LiveField): boolean {
  const key = path.at(-1) ?? '';
  if (value === null || value === '' || isEmpty(value)) return key !== 'emptyDir';
  if (OFF.has(key) && value === false) return true;
  if (Object.hasOwn(COPIES, key)) return value === (beside[COPIES[key] ?? ''] ?? 'default');
  if (key === 'type') return TYPES.has(value as string);
  if (Object.hasOwn(DEFAULTS, key) && DEFAULTS[key]?.(value) === true)
    return key !== 'description' || isDefinition(object);
  switch (object.kind) {
    case 'ServiceAccount':
      return path.length === 1 && ACCOUNT_FIELDS.has(key);
    case 'Namespace':
      return path[0] === 'spec';
    case 'Job':
      return path[1] === 'selector' || /(?:^|\/)(?:controller-uid|job-name)$/.test(key);
    case 'ConfigMap':
      return path[0] === 'data' && object.metadata.labels?.['config.openshift.io/inject-trusted-cabundle'] === 'true';
    case 'CustomResourceDefinition':
      return path.at(-2) === 'conversion' || (path.length === 3 && path[1] === 'names');
    default:
      return false;
  }
}

function isDefinition({ kind }: KubernetesObject): boolean {
  return kind === 'CustomResourceDefinition';
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** Whether the server drops a rendered value: nothing, an empty text or list, `false` and 0. */
export function isZero(value: unknown): boolean {
  return value === null || value === undefined || value === '' || value === false || value === 0 || isEmpty(value);
}
