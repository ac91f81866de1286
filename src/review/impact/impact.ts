import { groupOf, identityOf, namespacedName } from '../../shared/kubernetes/identity.js';
import { REMOVAL_ANNOTATION } from '../../shared/contract/labels.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { listed, listedNames } from '../../shared/lib/listed.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { textAt } from '../../shared/lib/json.js';
import { textsAt } from '../../cluster/changes/data.js';
import { isDerivedField } from '../../cluster/changes/derived.js';
import type { FieldChange } from '../../cluster/changes/fields.js';
import { isKept, type ObjectChange } from '../../cluster/changes/objects.js';
import type { CoverageChange } from './coverage-changes.js';
import { downgradeNotes } from './downgrades.js';
import { documentAlarms, type Alarm } from './document-change.js';
import { driverImpact, isDriver, rowsOfDriver, SHOWS_LATER, type Mover } from './driver.js';
import { saysDowngrade } from './node-text.js';
import type { DriverSet } from './driver-sets.js';
import type { NodeRow } from './node-rows.js';
import {
  companionImage,
  runsCompanion,
  companionImpactNotes,
  imageNotes,
  isCompanionJob,
  isCompanionProgram,
} from './companion-change.js';
import { networkNotes, removedNotes } from './network.js';
import { lostResourceNotes } from './offered-resources.js';
import { pinNotes } from './pin-notes.js';
import type { FindReferrers, Referrer } from './references.js';
import { applyNotes, refusedFields, touches } from './refused.js';
import { labelNotes, RBAC, rightsNotes } from './rights.js';
import { markNotes } from './marks.js';
import type { FindUsed } from './used-addresses.js';
import { resourcePrefixNotes, virtualFunctionLossNotes } from './virtual-function-resources.js';
import { nodePolicyNotes, type KnownNodes } from './virtual-functions.js';

/** The effect of applying a change, the worst first. */
export const impactClasses = [
  'driver-loss',
  'policy',
  'drain',
  'restart',
  'network',
  'rights',
  'remove',
  'add',
  'metadata',
] as const;
export type ImpactClass = (typeof impactClasses)[number];

/** What a gate can fail for: the classes, and changes of any class that the API server refuses. */
export const failOnChoices = [...impactClasses, 'refused'] as const;
export type FailOn = (typeof failOnChoices)[number];

/** The impact of one object's change. */
export interface Impact {
  readonly impact: ImpactClass;
  /**
   * Node pools of the driver on either side, if they or the driver differ, sorted; empty if the old output does not
   * list its pools.
   */
  readonly pools: readonly string[];
  /** For a drain: those of `pools` whose driver pods are deleted when the change is applied, without a drain. */
  readonly poolsAtOnce?: readonly string[];
  /** For a drain: who upgrades the nodes of the other pools; absent if there are no other pools. */
  readonly mover?: Mover;
  /** Sentences for users, without a full stop. */
  readonly notes: readonly string[];
  /** Objects that still refer to a removed object. */
  readonly referrers: readonly Referrer[];
  /** Whether applying it starts a run of the companion; absent if not. */
  readonly startsRun?: boolean;
  /** For a restart: running pods stay, and those that are made after them differ; absent if pods are replaced. */
  readonly hasLaterPods?: boolean;
  /** For a removed object: whether its annotations keep it in the cluster. */
  readonly isKept?: boolean;
  /**
   * Fields that the API server refuses to change: applying fails until the object is deleted. Absent if there are none.
   */
  readonly refusedFields?: readonly string[];
}

/** The inputs of an object's impact other than the object. */
interface ImpactContext {
  /** What happens to nodes. */
  readonly rows: readonly NodeRow[];
  /** Where pods of components other than drivers come from another DaemonSet or from none. */
  readonly podChanges: readonly CoverageChange[];
  /** Both sides have the cluster. */
  readonly isClusterThroughout: boolean;
  /** Names of the pools that have a driver on the old side; of the new one if the old output does not list them. */
  readonly driverPools: readonly string[];
  /** Driver DaemonSets of both sides. */
  readonly drivers: readonly DriverSet[];
  /** The old side is an output, and no live cluster, whose objects have labels and annotations of others. */
  readonly areMarksJudged: boolean;
  /** Else the pools of the Cluster document stand for them. */
  readonly areNodesKnown: boolean;
  /** Identities of the new objects that are documents of the input, unchanged. */
  readonly documents: ReadonlySet<string>;
  /** Among the new objects, and the old ones that stay in the cluster after they are removed from the output. */
  readonly findReferrers: FindReferrers;
  /** Resources that the device plugins of the new side offer. */
  readonly offered: ReadonlySet<string>;
  /** Resources that SriovNetworkNodePolicies of the new side make. */
  readonly virtualFunctions: ReadonlySet<string>;
  /** Of both sides. */
  readonly bindings: readonly KubernetesObject[];
  /** Absent if the addresses of pods are not known. */
  readonly findUsed?: FindUsed;
  /** The nodes, where the companion drains them for the SR-IOV Network Operator. */
  readonly drainedNodes?: KnownNodes;
  /** The new objects have a Job of the companion. */
  readonly hasCompanionJob: boolean;
  /** Both sides have the companion's program in a ConfigMap, and it is not the same. */
  readonly isProgramReplaced: boolean;
  /** The image of the companion on the old side, where the new side runs it by a Job alone. */
  readonly oldCompanionImage?: string;
}

/** The class of a change, with notes for users. */
export function impactOf(change: ObjectChange, context: ImpactContext): Impact {
  const subject = change.kind === 'added' ? change.to : change.from;
  const driver = isDriver(subject) ? driverImpact(change, context) : undefined;
  const shown: Impact = driver ? { ...driver, referrers: [] } : ordinaryImpact(change, context);
  const impact = withAlarms(shown, change, context);
  if (change.kind !== 'changed') return { ...impact, notes: [...impact.notes, ...pinNotes(change)] };
  const refused = refusedFields(change);
  const isDowngradeSaid = driver !== undefined && rowsOfDriver(change, context.rows).some(saysDowngrade);
  const notes = [
    ...applyNotes(change, refused, deletionAdvice(change.from)),
    ...impact.notes,
    ...(isDowngradeSaid ? [] : downgradeNotes(change)),
    ...pinNotes(change),
  ];
  if (refused.length === 0) return { ...impact, notes };
  return { ...impact, impact: worst(impact.impact, refusedClass(change.to)), notes, refusedFields: refused };
}

/** The impact with what the fields of the change do not show by themselves. */
function withAlarms(shown: Impact, change: ObjectChange, context: ImpactContext): Impact {
  const alarms = alarmsOf(change, context);
  if (alarms.length === 0) return shown;
  const impact = alarms.reduce((one, alarm) => worst(one, alarm.impact), shown.impact);
  const losesDrivers = alarms.some((alarm) => alarm.impact === 'driver-loss');
  return {
    ...shown,
    impact,
    ...(losesDrivers && { pools: context.driverPools }),
    notes: [...alarms.map(({ note }) => note), ...shown.notes],
  };
}

function alarmsOf(change: ObjectChange, context: ImpactContext): readonly Alarm[] {
  if (change.kind === 'removed') return [];
  const { documents, drivers, areMarksJudged } = context;
  return [
    ...(documents.has(identityOf(change.to)) ? documentAlarms(change, drivers) : []),
    ...labelNotes(change).map((note): Alarm => ({ impact: 'rights', note })),
    ...(areMarksJudged ? markNotes(change) : []).map((note): Alarm => ({ impact: 'rights', note })),
  ];
}

function ordinaryImpact(change: ObjectChange, context: ImpactContext): Impact {
  const onNodes =
    nodeSettingsImpact(change, context) ?? dependentPodsImpact(change, context) ?? companionImpact(change, context);
  if (onNodes) return onNodes;
  const isStaying = change.kind === 'removed' && isKept(change.from);
  const rights = isStaying ? undefined : rightsNotes(change, context.bindings);
  const other = passingImpact(change, context);
  return rights ? { ...other, impact: worst('rights', other.impact), notes: [...rights, ...other.notes] } : other;
}

/** For what the companion reads and runs; `undefined` for other objects, and where it may do the same as before. */
function companionImpact(change: ObjectChange, { isClusterThroughout }: ImpactContext): Impact | undefined {
  const notes = isClusterThroughout ? companionImpactNotes(change) : [];
  return notes.length === 0 ? undefined : plain('policy', ...notes);
}

function passingImpact(change: ObjectChange, context: ImpactContext): Impact {
  switch (change.kind) {
    case 'added':
      if (isCompanionProgram(change.to) && context.isProgramReplaced) return plain('policy', OTHER_PROGRAM);
      return isCompanionJob(change.to) ? newRun(change.to, context) : plain('add');
    case 'removed':
      return removal(change.from, context);
    case 'changed':
      return changeImpact(change, context);
  }
}

function newRun(job: KubernetesObject, { oldCompanionImage }: ImpactContext): Impact {
  const notes = imageNotes(oldCompanionImage, companionImage([job]));
  return { ...(notes.length === 0 ? plain('add', STARTS_RUN) : plain('policy', ...notes)), startsRun: true };
}

const OTHER_PROGRAM = 'another program: the companion of another version of Weft upgrades nodes from now on';
const STARTS_RUN = 'applying it starts this run of the companion';

function worst(one: ImpactClass, other: ImpactClass): ImpactClass {
  return impactClasses.indexOf(one) < impactClasses.indexOf(other) ? one : other;
}

/** An object that must be deleted before it can be changed loses its pods. */
function refusedClass(object: KubernetesObject): ImpactClass {
  return isRollingWorkload(object) || object.kind === 'Job' ? 'restart' : 'remove';
}

function plain(impact: ImpactClass, ...notes: readonly string[]): Impact {
  return { impact, pools: [], notes, referrers: [] };
}

/** Kinds whose objects configure nodes, and the operator that does so. */
const NODE_SETTINGS: ReadonlyMap<string, string> = new Map([
  ['SriovNetworkNodePolicy', 'the SR-IOV network operator'],
  ['SriovNetworkPoolConfig', 'the SR-IOV network operator'],
  ['SriovOperatorConfig', 'the SR-IOV network operator'],
  ['MaintenanceOperatorConfig', 'the Maintenance Operator'],
  ['NicConfigurationTemplate', 'the NIC configuration operator'],
  ['NicFirmwareTemplate', 'the NIC configuration operator'],
  ['NodeMaintenance', 'the Maintenance Operator'],
]);

function nodeSettingsImpact(
  change: ObjectChange,
  { rows, drainedNodes, virtualFunctions }: ImpactContext,
): Impact | undefined {
  const object = change.kind === 'removed' ? change.from : change.to;
  const who = NODE_SETTINGS.get(object.kind);
  if (who === undefined || (change.kind === 'changed' && !touches(change.fields, 'spec'))) return undefined;
  const lost = virtualFunctionLossNotes(change, virtualFunctions);
  if (object.kind === 'SriovNetworkNodePolicy' && drainedNodes !== undefined)
    return plain('drain', ...nodePolicyNotes(object, rows, drainedNodes), ...lost);
  // The policy of the companion has the limit, too, and says it.
  if (drainedNodes !== undefined && isLimitAlone(change)) return plain('policy');
  return plain('drain', `${who} sets up the nodes that it selects anew, which may drain and restart them`, ...lost);
}

/** How many nodes of a pool may be out at once: the operator reads it for its own drains alone, and sets up no node for it. */
function isLimitAlone(change: ObjectChange): boolean {
  if (change.kind !== 'changed' || change.to.kind !== 'SriovNetworkPoolConfig') return false;
  const ofSpec = change.fields.filter((field) => touches([field], 'spec'));
  return ofSpec.every(({ path }) => path === 'spec.maxUnavailable');
}

/**
 * For an object with the annotation that pods on nodes depend on it; `undefined` if the rules for other objects apply.
 */
function dependentPodsImpact(change: ObjectChange, context: ImpactContext): Impact | undefined {
  if (change.kind === 'added' || (change.kind === 'removed' && isKept(change.from))) return undefined;
  if (textsAt(change.from, 'metadata', 'annotations').get(REMOVAL_ANNOTATION) !== 'drain') return undefined;
  const pools = context.driverPools;
  if (change.kind === 'removed') {
    const { notes, ...rest } = removal(change.from, context);
    return { ...rest, impact: 'driver-loss', pools, poolsAtOnce: pools, notes: [...notes, DEPENDENT_PODS] };
  }
  // A changed workload replaces its pods like any other.
  if (ROLLING_KINDS.has(change.to.kind) || !touches(change.fields, 'spec')) return undefined;
  return { impact: 'driver-loss', pools, poolsAtOnce: [], notes: [DEPENDENT_PODS], referrers: [] };
}

const DEPENDENT_PODS = 'driver pods depend on it: on nodes that it no longer covers they end without a drain';

function removal(object: KubernetesObject, context: ImpactContext): Impact {
  if (isCompanionJob(object) && context.hasCompanionJob) {
    return plain('metadata', 'the run of the companion for the old state; the new Job takes its place');
  }
  if (isCompanionProgram(object) && context.isProgramReplaced) {
    return plain('metadata', "the old Job's program of the companion; the new Job has another");
  }
  const kept = isKept(object);
  const notes = kept
    ? [
        'stays in the cluster: its annotations keep Argo CD, Flux and Helm from deleting it; delete it by hand when nothing uses it any more',
      ]
    : object.kind === 'NetworkAttachmentDefinition'
      ? ['new pods that ask for this network do not start; running pods keep their interfaces']
      : [];
  const used = kept
    ? []
    : [...removedNotes(object, context.findUsed), ...lostResourceNotes(object, undefined, context.offered)];
  return {
    impact: 'remove',
    pools: [],
    notes: [...notes, ...used],
    referrers: context.findReferrers(object),
    isKept: kept,
  };
}

/** Controllers that replace their pods when the template changes. */
const ROLLING_KINDS = new Set(['DaemonSet', 'Deployment', 'StatefulSet']);
const isRollingWorkload = (object: KubernetesObject): boolean =>
  ROLLING_KINDS.has(object.kind) && groupOf(object) === 'apps';

type Changed = Extract<ObjectChange, { readonly kind: 'changed' }>;

function changeImpact(change: Changed, context: ImpactContext): Impact {
  const { findReferrers, findUsed, offered } = context;
  const { from, to, fields } = change;
  const lost = lostPodsImpact(to, context);
  if (lost) return lost;
  const network = networkNotes(change, findUsed);
  if (network) return plain('network', ...network);
  if (to.kind === 'NodeFeatureRule' && touches(fields, 'spec')) {
    return plain('restart', 'labels of nodes follow from it: pods that select nodes by them may come and go');
  }
  if (to.kind === 'ConfigMap' || to.kind === 'Secret')
    return plain('metadata', ...lostResourceNotes(from, to, offered), ...contentNotes(change, findReferrers(to)));
  if (isRollingWorkload(to) && touches(fields, 'spec.template')) return templateImpact(change);
  const isOfMetadata = ({ path }: FieldChange) => path === 'metadata' || path.startsWith('metadata.');
  // Grants are compared, by `rightsNotes`.
  if (groupOf(to) === RBAC || fields.every((field) => isDerivedField(field.path) || isOfMetadata(field)))
    return plain('metadata');
  if (runsCompanion(to)) return plain('policy', RUNS_OTHERWISE);
  return isRollingWorkload(to) ? plain('restart', OTHER_PODS) : plain('rights', NOT_JUDGED);
}

function templateImpact(change: Changed): Impact {
  const strategy = textAt(change.to, 'spec', 'updateStrategy', 'type') ?? 'RollingUpdate';
  if (strategy === 'OnDelete') {
    return { ...plain('restart', SHOWS_LATER), hasLaterPods: true };
  }
  return plain(
    'restart',
    ...resourcePrefixNotes(change),
    ...(isHashAlone(change) ? ['its pods are replaced because the configuration that they read changes'] : []),
  );
}

/** For a DaemonSet whose pods leave pools; `undefined` if it leaves none. Labels of nodes may go with the pods, and driver pods with these. */
function lostPodsImpact(object: KubernetesObject, { podChanges }: ImpactContext): Impact | undefined {
  const id = object.kind === 'DaemonSet' ? namespacedName(object) : undefined;
  const lost = podChanges.filter(({ before, after }) => before.some((one) => one === id) && after.length === 0);
  if (lost.length === 0) return undefined;
  const pools = [...new Set(lost.map(({ pool }) => pool))];
  const notes = [...groupBy(lost, ({ why = '' }) => why)].map(([why, own]) => {
    const names = own.map(({ pool }) => pool);
    return `${names.length === 1 ? 'pool' : 'pools'} ${listedNames(names, SHOWN_POOLS)}: pods go and none come back: ${why}`;
  });
  if (textsAt(object, 'metadata', 'annotations').get(REMOVAL_ANNOTATION) !== 'drain') return plain('remove', ...notes);
  return { impact: 'driver-loss', pools, poolsAtOnce: pools, notes: [...notes, DEPENDENT_PODS], referrers: [] };
}

const OTHER_PODS = 'it has another number of pods, or they are replaced in another way';
const RUNS_OTHERWISE = 'the companion runs otherwise: with other resources, or on other nodes';
const NOT_JUDGED = 'Weft does not know what a change of this kind does: review it';

const SHOWN_REFERRERS = 3;
const SHOWN_POOLS = 10;

/** Which pods read the changed content of a ConfigMap or a Secret, and when. */
function contentNotes({ fields }: Changed, referrers: readonly Referrer[]): readonly string[] {
  const isContent = ['data', 'binaryData', 'stringData'].some((field) => touches(fields, field));
  if (!isContent || referrers.length === 0) return [];
  const names = referrers.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`);
  return [
    `read by ${listed(names, SHOWN_REFERRERS)}: running pods see it in mounted files within minutes, and else when they are made anew`,
  ];
}

/** How to delete an object that cannot be changed in place. */
function deletionAdvice(object: KubernetesObject): string {
  if (isDriver(object)) return 'delete the object first, with `--cascade=orphan`, which leaves its pods';
  return object.kind === 'PersistentVolumeClaim'
    ? 'delete the object first, which may delete what is on its volume'
    : 'delete the object first';
}

function isHashAlone({ fields }: Changed): boolean {
  return fields.every(({ path }) => isDerivedField(path));
}
