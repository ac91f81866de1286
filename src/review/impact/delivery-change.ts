import { groupOf } from '../../shared/kubernetes/identity.js';
import { KEEP_ANNOTATIONS, NOT_SUBSTITUTED, REMOVAL_ANNOTATION } from '../../shared/contract/labels.js';
import { listedNames } from '../../shared/lib/listed.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { textAt, valueAt } from '../../shared/lib/json.js';
import { FIRST_WAVE, isFirst, NOT_EXTRANEOUS } from '../../compile/gitops/delivery-annotations.js';
import { textsAt } from '../../cluster/changes/data.js';
import type { ObjectChange } from '../../cluster/changes/objects.js';
import { isDriver } from './driver.js';
import { touches } from './refused.js';

/** What else a change does than its fields show: the class that it has at least, and why. */
export interface Alarm {
  readonly impact: 'driver-loss' | 'network' | 'rights' | 'remove';
  /** Without a full stop. */
  readonly note: string;
}

/** Annotations by which Argo CD, Flux and Helm are told how to handle an object. */
const DELIVERY_PREFIXES = ['argocd.argoproj.io/', 'kustomize.toolkit.fluxcd.io/', 'helm.sh/'];
const isDelivery = (key: string): boolean =>
  key === REMOVAL_ANNOTATION || DELIVERY_PREFIXES.some((prefix) => key.startsWith(prefix));

/** A value that Weft writes itself, and the objects that may have it. */
interface OwnValue {
  readonly annotations: Readonly<Record<string, string>>;
  readonly isFor: (object: KubernetesObject) => boolean;
  /** Weft takes it away when the section `gitops` of the Cluster changes. */
  readonly mayGo: boolean;
}

const isAny = (): boolean => true;

const OWN_VALUES: readonly OwnValue[] = [
  { annotations: KEEP_ANNOTATIONS, isFor: isAny, mayGo: false },
  { annotations: NOT_EXTRANEOUS, isFor: isAny, mayGo: true },
  { annotations: FIRST_WAVE, isFor: isFirst, mayGo: true },
  { annotations: NOT_SUBSTITUTED, isFor: isAny, mayGo: true },
  // For the certificates that OpenShift fills in.
  {
    annotations: { 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' },
    isFor: ({ kind }) => kind === 'ConfigMap',
    mayGo: false,
  },
  { annotations: { [REMOVAL_ANNOTATION]: 'drain' }, isFor: (object) => !isDriver(object), mayGo: false },
];

const SHOWN_NAMES = 5;
const OWNERS = 'metadata.ownerReferences';
const FINALIZERS = 'metadata.finalizers';

/** What delivery tools, the garbage collector and the DaemonSet controller do to an object because of a change; empty for most. */
export function deliveryAlarms(change: ObjectChange): readonly Alarm[] {
  if (change.kind === 'removed') return [];
  const { to } = change;
  const from = change.kind === 'changed' ? change.from : undefined;
  const keys = foreignKeys(from, to);
  const fields = [OWNERS, FINALIZERS].filter((field) =>
    change.kind === 'changed' ? touches(change.fields, field) : valueAt(to, field.split('.')) !== undefined,
  );
  const isOfDriver = isDriver(from ?? to);
  const names = listedNames([...keys, ...fields], SHOWN_NAMES);
  if (isOfDriver || holdsDrivers(from ?? to)) {
    return [
      ...(names === '' ? [] : [driverLoss(`${names}: ${AT_ONCE}, and ${isOfDriver ? OF_DRIVER : OF_OTHERS}`)]),
      ...(isOfDriver && isReplacedAtOnce(change) ? [driverLoss(REPLACED)] : []),
    ];
  }
  return [
    ...(fields.includes(OWNERS) ? [{ impact: 'remove', note: OWNED } as const] : []),
    ...(fields.includes(FINALIZERS) ? [{ impact: 'remove', note: FINALIZED } as const] : []),
    ...(keys.length > 0
      ? [{ impact: 'rights', note: `${listedNames(keys, SHOWN_NAMES)}: ${HANDLED_OTHERWISE}` } as const]
      : []),
  ];
}

/** Whether driver pods end when an object other than their DaemonSet is deleted. */
function holdsDrivers(object: KubernetesObject): boolean {
  return (
    (object.kind === 'Namespace' && groupOf(object) === '') ||
    textsAt(object, 'metadata', 'annotations').get(REMOVAL_ANNOTATION) === 'drain'
  );
}

const AT_ONCE = 'a delivery tool or the garbage collector may delete or replace it at once';
const OF_DRIVER = 'its pods end without a drain';
const OF_OTHERS = 'driver pods that depend on it end without a drain';
const REPLACED =
  '`spec.updateStrategy` is not `OnDelete`: the DaemonSet controller replaces outdated driver pods itself, without a drain';
const OWNED = '`metadata.ownerReferences`: the garbage collector deletes it, perhaps at once, when its owners are gone';
const FINALIZED = '`metadata.finalizers`: they decide when it goes, and what is cleaned up before';
const HANDLED_OTHERWISE =
  'a delivery tool handles it in another way: it may delete it, create it anew, run it as a hook, or leave it as it is';

function driverLoss(note: string): Alarm {
  return { impact: 'driver-loss', note };
}

/** Annotations for delivery tools that differ, and not as Weft changes them itself. */
function foreignKeys(from: KubernetesObject | undefined, to: KubernetesObject): readonly string[] {
  const [before, after] = [from, to].map((object) => textsAt(object, 'metadata', 'annotations'));
  if (before === undefined || after === undefined) return [];
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    return isDelivery(key) && was !== is && !(is === undefined ? mayGo(key, was) : isOwn(to, key, is));
  });
}

function isOwn(object: KubernetesObject, key: string, value: string): boolean {
  return OWN_VALUES.some(({ annotations, isFor }) => annotations[key] === value && isFor(object));
}

function mayGo(key: string, value: string | undefined): boolean {
  return OWN_VALUES.some(({ annotations, mayGo }) => mayGo && annotations[key] === value);
}

function isReplacedAtOnce(change: Exclude<ObjectChange, { readonly kind: 'removed' }>): boolean {
  const isSet = change.kind === 'added' || touches(change.fields, 'spec.updateStrategy');
  return isSet && textAt(change.to, 'spec', 'updateStrategy', 'type') !== 'OnDelete';
}
