import { COMPANION_NAMES, POLICY_KEY, PROGRAM_KEY } from '../../contract/labels.js';
import type { KubernetesObject } from '../../kubernetes/types.js';
import { listAt, textAt, textsAt } from '../diff/data.js';
import type { ObjectChange } from '../diff/objects.js';
import { companionPolicy } from './new-side.js';
import { policyNotes } from './policy-change.js';

/** What the companion may do differently after the change of an object that it reads or is run by; empty for other objects. */
export function companionImpactNotes(change: ObjectChange): readonly string[] {
  if (change.kind !== 'changed') {
    const { kind, metadata } = change.kind === 'added' ? change.to : change.from;
    const isPolicy = kind === 'ConfigMap' && metadata.name === COMPANION_NAMES.policyConfigMap;
    return isPolicy ? policyNotes(...policiesOf(change)) : [];
  }
  const { from, to } = change;
  if (to.kind === 'CronJob' && to.metadata.name === COMPANION_NAMES.cronJob) {
    const [before, after] = [from, to].map(imageOf);
    return before === after ? [] : [`another program: the companion is the image \`${after}\`; before: \`${before}\``];
  }
  if (to.kind !== 'ConfigMap') return [];
  switch (to.metadata.name) {
    case COMPANION_NAMES.policyConfigMap:
      return textAt(from, 'data', POLICY_KEY) === textAt(to, 'data', POLICY_KEY)
        ? []
        : policyNotes(...policiesOf(change));
    case COMPANION_NAMES.programConfigMap:
      return textsAt(from, 'data').get(PROGRAM_KEY) === textsAt(to, 'data').get(PROGRAM_KEY)
        ? []
        : ['another program: the companion of another version of Weft upgrades nodes from now on'];
    default:
      return [];
  }
}

function policiesOf(change: ObjectChange): Parameters<typeof policyNotes> {
  return [
    change.kind === 'added' ? undefined : companionPolicy([change.from]),
    change.kind === 'removed' ? undefined : companionPolicy([change.to]),
  ];
}

function imageOf(cronJob: KubernetesObject): string {
  const containers = listAt(cronJob, 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers');
  return textAt(containers[0], 'image') ?? '';
}
