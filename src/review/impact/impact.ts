import { COMPANION_COMPONENT, COMPONENT_LABEL, REMOVAL_ANNOTATION } from '../../contract/labels.js';
import { compareText } from '../../lib/json.js';
import type { KubernetesObject } from '../../kubernetes/types.js';
import { textAt, textsAt } from '../diff/data.js';
import { groupOf, isKept, type ObjectChange } from '../diff/objects.js';
import { driverImpact, isDriver, type DriverContext, type Mover } from './driver.js';
import type { FindReferrers, Referrer } from './references.js';
import { applyNotes, refusedFields, touches } from './refused.js';

/** What a change does when it is applied, the worst first. */
export const impactClasses = ['drain', 'restart', 'remove', 'add', 'cosmetic'] as const;
export type ImpactClass = (typeof impactClasses)[number];

/** What the change of one object does. */
export interface Impact {
  readonly impact: ImpactClass;
  /** Node pools whose driver changes, sorted; empty where none does, or where no pool of the new input has the nodes. */
  readonly pools: readonly string[];
  /** For a drain: those of `pools` whose driver pods are deleted when the change is applied, without a drain. */
  readonly poolsAtOnce?: readonly string[];
  /** For a drain: who moves the nodes of the other pools; absent where there can be none. */
  readonly mover?: Mover;
  /** Sentences for people, without a full stop. */
  readonly notes: readonly string[];
  /** What still refers to an object that goes. */
  readonly referrers: readonly Referrer[];
  /** For an object that goes: whether its annotations keep it in the cluster. */
  readonly isKept?: boolean;
  /** Fields that the API server refuses to change: applying fails until the object is deleted. Absent where there are none. */
  readonly refusedFields?: readonly string[];
}

/** What the impact of one object depends on beside the object. */
interface ImpactContext extends DriverContext {
  /** Among the new objects. */
  readonly findReferrers: FindReferrers;
  /** The new objects have a Job of the companion. */
  readonly hasCompanionJob: boolean;
}

/** The class of a change, and what people should know about it. */
export function impactOf(change: ObjectChange, context: ImpactContext): Impact {
  if (change.kind !== 'changed') return passing(change, context);
  const refused = refusedFields(change);
  const driver = isDriver(change.from) ? driverImpact(change, context) : undefined;
  const impact: Impact = driver
    ? { ...driver, referrers: [] }
    : (nodeImpact(change, context) ?? changeImpact(change, refused.length > 0));
  const notes = [...applyNotes(change, refused, deletionAdvice(change.from)), ...impact.notes];
  return { ...impact, notes, ...(refused.length > 0 ? { refusedFields: refused } : {}) };
}

/** Of what comes and goes. */
function passing(change: Exclude<ObjectChange, Changed>, context: ImpactContext): Impact {
  const subject = change.kind === 'added' ? change.to : change.from;
  const driver = isDriver(subject) ? driverImpact(change, context) : undefined;
  if (driver) return { ...driver, referrers: [] };
  return change.kind === 'added' ? plain('add') : (nodeImpact(change, context) ?? removal(change.from, context));
}

/** Of an object that says of itself that pods on nodes depend on it; `undefined` where the rules of every other object hold. */
function nodeImpact(change: Changed | Removed, context: ImpactContext): Impact | undefined {
  if (textsAt(change.from, 'metadata', 'annotations').get(REMOVAL_ANNOTATION) !== 'drain') return undefined;
  const pools = [...new Set(context.pools.map(({ name }) => name))].sort(compareText);
  if (change.kind === 'removed') {
    const poolsAtOnce = isKept(change.from) ? [] : pools;
    const { notes, ...rest } = removal(change.from, context);
    return { ...rest, impact: 'drain', pools, poolsAtOnce, notes: [...notes, DEPENDENT_PODS] };
  }
  if (!touches(change.fields, 'spec')) return undefined;
  return { impact: 'drain', pools, poolsAtOnce: [], notes: [DEPENDENT_PODS], referrers: [] };
}

const DEPENDENT_PODS = 'driver pods depend on it: on nodes that it no longer covers they end without a drain';

function plain(impact: ImpactClass, ...notes: readonly string[]): Impact {
  return { impact, pools: [], notes, referrers: [] };
}

function removal(object: KubernetesObject, context: ImpactContext): Impact {
  if (isCompanionJob(object) && context.hasCompanionJob) {
    return plain('cosmetic', 'the run of the companion for the old state; the new Job takes its place');
  }
  const kept = isKept(object);
  const notes = kept ? ['stays in the cluster: its annotations keep Argo CD, Flux and Helm from deleting it'] : [];
  return { impact: 'remove', pools: [], notes, referrers: context.findReferrers(object), isKept: kept };
}

/** A Job of the companion: its name is a hash of what needs a new run. */
export function isCompanionJob(object: KubernetesObject): boolean {
  return object.kind === 'Job' && isOfCompanion(object);
}

/** What runs the companion: a Job, or the CronJob where nothing needs a run at once. */
export function runsCompanion(object: KubernetesObject): boolean {
  return (object.kind === 'Job' || object.kind === 'CronJob') && isOfCompanion(object);
}

function isOfCompanion(object: KubernetesObject): boolean {
  return textsAt(object, 'metadata', 'labels').get(COMPONENT_LABEL) === COMPANION_COMPONENT;
}

/** Controllers that make their pods anew when the template changes. */
const ROLLING_KINDS = new Set(['DaemonSet', 'Deployment', 'StatefulSet']);

type Changed = Extract<ObjectChange, { readonly kind: 'changed' }>;
type Removed = Extract<ObjectChange, { readonly kind: 'removed' }>;

function changeImpact(change: Changed, isRefused: boolean): Impact {
  const { kind } = change.to;
  const isWorkload = ROLLING_KINDS.has(kind) && groupOf(change.to) === 'apps';
  // What must be deleted first takes its pods with it.
  if (isRefused) return plain(isWorkload || kind === 'Job' ? 'restart' : 'remove');
  if (!isWorkload || !touches(change.fields, 'spec.template')) return plain('cosmetic');
  const strategy = textAt(change.to, 'spec', 'updateStrategy', 'type') ?? 'RollingUpdate';
  if (strategy !== 'OnDelete') return plain('restart');
  return plain('cosmetic', 'its pods stay as they are (`OnDelete`); the change shows when one is made anew');
}

/** How to delete what cannot be changed in place. */
function deletionAdvice(object: KubernetesObject): string {
  if (isDriver(object)) return 'delete the object first, with `--cascade=orphan`, which leaves its pods';
  return object.kind === 'PersistentVolumeClaim'
    ? 'delete the object first, which may delete what is on its volume'
    : 'delete the object first';
}
