import {
  COMPANION_COMPONENT,
  COMPANION_NAMES,
  COMPONENT_LABEL,
  POLICY_KEY,
  PROGRAM_KEY,
} from '../../shared/contract/labels.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { listAt, textAt } from '../../shared/lib/json.js';
import { textsAt } from '../../cluster/changes/data.js';
import type { ObjectChange } from '../../cluster/changes/objects.js';
import { companionPolicy } from './new-side.js';
import { policyNotes } from './policy-change.js';
import { touches } from './refused.js';

/** What the companion may do differently after the change of an object that it reads or is run by; empty for other objects. */
export function companionImpactNotes(change: ObjectChange): readonly string[] {
  if (change.kind !== 'changed') {
    const { kind, metadata } = change.kind === 'added' ? change.to : change.from;
    const isPolicy = kind === 'ConfigMap' && metadata.name === COMPANION_NAMES.policyConfigMap;
    return isPolicy ? policyNotes(...policiesOf(change)) : [];
  }
  const { from, to } = change;
  if (to.kind === 'CronJob' && to.metadata.name === COMPANION_NAMES.cronJob) {
    const [before, after] = [companionImage([from]), companionImage([to])];
    return [...imageNotes(before, after), ...(touches(change.fields, 'spec.schedule') ? [OTHER_TIMES] : [])];
  }
  if (to.kind !== 'ConfigMap') return [];
  const isOtherPolicy =
    to.metadata.name === COMPANION_NAMES.policyConfigMap &&
    textAt(from, 'data', POLICY_KEY) !== textAt(to, 'data', POLICY_KEY);
  return isOtherPolicy ? policyNotes(...policiesOf(change)) : [];
}

const OTHER_TIMES = 'the companion begins its runs at other times';

/** Whether the companion of the new side has another program in a ConfigMap, which has a name of its own. */
export function isProgramReplaced(changes: readonly ObjectChange[]): boolean {
  return (
    changes.some((change) => change.kind === 'added' && isCompanionProgram(change.to)) &&
    changes.some((change) => change.kind === 'removed' && isCompanionProgram(change.from))
  );
}

/** A ConfigMap with the companion's program. */
export function isCompanionProgram(object: KubernetesObject): boolean {
  return object.kind === 'ConfigMap' && isOfCompanion(object) && textsAt(object, 'data').has(PROGRAM_KEY);
}

function policiesOf(change: ObjectChange): Parameters<typeof policyNotes> {
  return [
    change.kind === 'added' ? undefined : companionPolicy([change.from]),
    change.kind === 'removed' ? undefined : companionPolicy([change.to]),
  ];
}

/** Another image of the companion, which may be another program. */
export function imageNotes(before: string | undefined, after: string | undefined): readonly string[] {
  if (before === undefined || after === undefined || before === after) return [];
  const [from, to] = [before, after].map((image) => image.slice(image.lastIndexOf('/') + 1));
  const [was, is] = from === to ? [before, after] : [from, to];
  return [`another program: the image of the companion is \`${is}\`; before: \`${was}\``];
}

/** The image that the companion of an output runs; `undefined` if it has no companion. */
export function companionImage(objects: readonly KubernetesObject[]): string | undefined {
  const images = objects.filter(runsCompanion).map((object) => {
    const run = object.kind === 'CronJob' ? ['jobTemplate', 'spec'] : [];
    return textAt(listAt(object, 'spec', ...run, 'template', 'spec', 'containers')[0], 'image');
  });
  return images.find((image) => image !== undefined);
}

/** A Job of the companion: its name has a hash of everything that needs a new run. */
export function isCompanionJob(object: KubernetesObject): boolean {
  return object.kind === 'Job' && isOfCompanion(object);
}

/** Whether an object runs the companion: a Job, or the CronJob when no change needs a run at once. */
export function runsCompanion(object: KubernetesObject): boolean {
  return (object.kind === 'Job' || object.kind === 'CronJob') && isOfCompanion(object);
}

function isOfCompanion(object: KubernetesObject): boolean {
  return textsAt(object, 'metadata', 'labels').get(COMPONENT_LABEL) === COMPANION_COMPONENT;
}
