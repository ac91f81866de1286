import { SRIOV_DRAIN_KEYS } from '../../../shared/contract/labels.js';
import { shorten } from '../../../shared/lib/text.js';
import { resourceVersionOf } from '../../../shared/kube-client/watch.js';
import type { SriovNodeState } from '../../model/sriov.js';
import type { ApiSriovNodeState } from '../../../shared/kubernetes/shapes/custom.js';

/** Of the config daemon's messages. */
const LONGEST_MESSAGE = 1000;
/** Of what is one word: a longer one would cut off the message after it. */
const LONGEST_WORD = 100;

export function reduceSriovNodeState({ metadata = {}, spec, status }: ApiSriovNodeState): SriovNodeState {
  const { annotations = {} } = metadata;
  const groups = (spec?.interfaces ?? []).flatMap(({ vfGroups = [] }) => vfGroups);
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    resourceVersion: resourceVersionOf({ metadata }),
    generation: metadata.generation ?? 0,
    desired: wordOf(annotations[SRIOV_DRAIN_KEYS.desired]),
    current: wordOf(annotations[SRIOV_DRAIN_KEYS.current]),
    isExternal: annotations[SRIOV_DRAIN_KEYS.external] === 'true',
    syncStatus: wordOf(status?.syncStatus) ?? '',
    lastSyncError: shorten(status?.lastSyncError ?? '', LONGEST_MESSAGE),
    resources: [...new Set(groups.flatMap(({ resourceName = '' }) => (resourceName === '' ? [] : resourceName)))],
  };
}

function wordOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : shorten(text, LONGEST_WORD);
}
