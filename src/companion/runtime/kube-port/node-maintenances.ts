import type { ApiClient } from '../../../shared/kube-client/api-client.js';
import { ask } from '../../../shared/kube-client/ask.js';
import type { Exchange } from '../../../shared/kube-client/exchange.js';
import { collectionPath, objectPath } from '../../../shared/kube-client/paths.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import { shorten } from '../../../shared/lib/text.js';
import { resourceVersionOf } from '../../../shared/kube-client/watch.js';
import type { NodeMaintenance } from '../../model/node-maintenance.js';
import type { ChangeNodeMaintenance } from '../../model/types.js';
import { SHAPES } from '../../../shared/kubernetes/shapes/kinds.js';
import type { ApiNodeMaintenance } from '../../../shared/kubernetes/shapes/custom.js';

const { NodeMaintenance: KIND } = SHAPES;
const MERGE_PATCH = 'application/merge-patch+json';

/** Annotation of a NodeMaintenance: `false` after the operator cordoned its node. maintenance-operator e15d07b, `internal/cordon/cordon.go`. */
const INITIAL_STATE = 'maintenance.nvidia.com/node-initial-state.unschedulable';

/**
 * Annotation of a NodeMaintenance that the operator's garbage collector leaves. It deletes every other one an hour after `Ready`, and so gives back
 * a node that failed. maintenance-operator e15d07b, `internal/controller/garbage_collector_controller.go`.
 */
const KEPT_ANNOTATIONS = { 'maintenance.nvidia.com/garbage-collector.ignore': 'true' };

/** Of the messages of its conditions together. */
const LONGEST_MESSAGE = 1000;

export function reduceNodeMaintenance({ metadata = {}, spec, status }: ApiNodeMaintenance): NodeMaintenance {
  const conditions = status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  const messages = conditions.flatMap(({ type, message = '' }) =>
    message !== '' && (type === 'Ready' || type === 'RequestorFailed') ? [message] : [],
  );
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    resourceVersion: resourceVersionOf({ metadata }),
    node: spec?.nodeName ?? '',
    requestor: spec?.requestorID ?? '',
    additionalRequestors: spec?.additionalRequestors ?? [],
    isDeleting: metadata.deletionTimestamp !== undefined,
    phase: shorten(ready?.reason ?? '', LONGEST_MESSAGE),
    isReady: ready?.status === 'True' && ready.reason === 'Ready',
    message: shorten(messages.join('; '), LONGEST_MESSAGE),
    hasCordon: metadata.annotations?.[INITIAL_STATE] === 'false',
    podsLeft: podsLeft(ready?.reason, status),
  };
}

/** The operator leaves both lists as they were when it goes on. */
function podsLeft(phase: string | undefined, status: ApiNodeMaintenance['status']): readonly string[] {
  if (phase === 'WaitForPodCompletion') return status?.waitForCompletion ?? [];
  return phase === 'Draining' ? (status?.drain?.waitForEviction ?? []) : [];
}

/** Asks for a node, or gives it back. */
export function changeNodeMaintenance(
  client: ApiClient,
  { namespace, name, change }: ChangeNodeMaintenance,
): Promise<Answer<undefined>> {
  const path = objectPath(KIND, namespace, name);
  const request = (): Exchange => {
    switch (change.kind) {
      case 'create': {
        const body = {
          apiVersion: KIND.apiVersion,
          kind: 'NodeMaintenance',
          metadata: { namespace, name, annotations: KEPT_ANNOTATIONS },
          spec: change.spec,
        };
        return { method: 'POST', path: collectionPath(KIND, namespace), body };
      }
      case 'join':
      case 'leave': {
        const { resourceVersion, additionalRequestors } = change;
        const body = { metadata: { resourceVersion }, spec: { additionalRequestors } };
        return { method: 'PATCH', path, body, contentType: MERGE_PATCH };
      }
      case 'delete':
        return {
          method: 'DELETE',
          path,
          body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: change.uid } },
        };
    }
  };
  return ask(client, request(), () => undefined);
}
