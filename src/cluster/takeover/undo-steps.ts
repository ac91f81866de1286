import { shellWord } from '../../shared/lib/escape.js';
import { listAt, textAt } from '../../shared/lib/json.js';
import type { ListedObject, NamedObject } from '../../shared/kubernetes/listed-object.js';
import { replicasOf, runningReason } from './operator/find.js';
import { ownerText } from './operator/owner.js';
import { savedObject, savedParts, type SavedPart } from './saved.js';
import type { Look, Step, TakeoverState } from './state.js';
import {
  deploymentReference,
  deploymentsOf,
  DONE,
  gitOpsLines,
  liveObjects,
  serviceVersionReplicas,
  writeAll,
} from './steps.js';
import { createWrite, deleteWrite, scaleWrite, serviceVersionWrite, unmarkWrite } from './writes.js';

/**
 * The steps back to the operator. The custom resources come before the operator: without any it removes the states of all nodes
 * (`cleanupUpgradeResources`) and closes the gate on nodes with a driver (`handleMOFEDWaitLabelsNoConfig`, both in `controllers/`,
 * b06827e0), which deletes the pods that wait for it.
 */
export const UNDO_STEPS = [
  { id: 'order', what: 'see that the operator does not run without its custom resources', look: order },
  { id: 'companion', what: 'stop the companion', look: companion },
  { id: 'nodes', what: 'remove the annotations of nodes that the operator does not keep up to date', look: nodes },
  { id: 'revision', what: 'remove the revision by which the operator skips objects', look: revision },
  { id: 'crds', what: 'create the CRDs of the operator', look: crds },
  { id: 'custom-resources', what: 'create the custom resources', look: customResources, after: withResources },
  { id: 'operator', what: 'start the operator', look: operator },
  { id: 'webhooks', what: 'create the webhooks for the custom resources', look: webhooks },
  { id: 'leftovers', what: 'delete what the companion leaves: its objects, its pause and its Lease', look: leftovers },
] as const satisfies readonly Step[];

/** Saved objects of one kind that the cluster does not have. */
function missing({ saved, ...state }: TakeoverState, part: SavedPart): readonly (readonly [string, ListedObject])[] {
  const found = { crds: state.crds, customResources: state.customResources, webhooks: state.webhooks }[part];
  const present = new Set(found.map(({ reference }) => reference));
  return savedParts(saved)[part].filter(([reference]) => !present.has(reference));
}

/** All of the saved objects are there, and there are some. */
function hasResources(state: TakeoverState): boolean {
  return state.customResources.length > 0 && missing(state, 'customResources').length === 0;
}

function order(state: TakeoverState): Look {
  const wanted = state.operator.deployments.filter((one) => replicasOf(one) > 0);
  if (hasResources(state)) return DONE;
  const [pod] = state.operator.pods;
  const [deployment] = wanted;
  if (pod === undefined && deployment === undefined) {
    if (state.customResources.length > 0 || savedParts(state.saved).customResources.length > 0) return DONE;
    return {
      kind: 'stop',
      reason: 'there are no custom resources, neither in the cluster nor in the backup: name it with `--backup`',
    };
  }
  const running = pod === undefined ? deploymentReference(deployment ?? {}).reference : `the pod ${pod}`;
  return {
    kind: 'stop',
    reason:
      `the operator runs (${running}) and not all of its custom resources are there: it removes the states of all nodes. ` +
      'Stop it, for instance with `kubectl scale deployment --replicas=0`, and run this again',
  };
}

function companion({ companion: { workloads, pods }, activeOutputOwners }: TakeoverState): Look {
  const [owner] = activeOutputOwners;
  if (workloads.length > 0 && owner !== undefined) {
    return {
      kind: 'person',
      reason: `${ownerText(owner)} would create the companion again`,
      lines: gitOpsLines(owner).slice(0, 2),
    };
  }
  if (workloads.length > 0) return writeAll(workloads.map((one) => deleteWrite(one, 'Background')));
  const [pod] = pods;
  return pod === undefined ? DONE : { kind: 'wait', reason: `the pod ${pod} of the companion is still there` };
}

function nodes({ markedNodes }: TakeoverState): Look {
  return writeAll(
    markedNodes.map(({ name, keys }) => ({
      method: 'PATCH',
      path: `/api/v1/nodes/${name}`,
      contentType: 'application/merge-patch+json',
      body: { metadata: { annotations: Object.fromEntries(keys.map((key) => [key, null])) } },
      command: `kubectl annotate node ${[name, ...keys.map((key) => `${key}-`)].map(shellWord).join(' ')}`,
    })),
  );
}

function revision(state: TakeoverState): Look {
  // An operator that runs sets it: then there is nothing to do any more.
  if (state.operator.pods.length > 0 || hasStarted(state)) return DONE;
  return writeAll(liveObjects(state).flatMap((one) => unmarkWrite(one, () => false) ?? []));
}

function hasStarted({ operator: { deployments }, serviceVersions }: TakeoverState): boolean {
  const wanted = deployments.some((one) => replicasOf(one) > 0);
  return wanted && serviceVersions.every((one) => serviceVersionReplicas(one) > 0);
}

function created(state: TakeoverState, part: SavedPart): Look {
  return writeAll(
    missing(state, part).flatMap(([, object]) => {
      const saved = savedObject(object as NamedObject);
      return saved === undefined ? [] : [createWrite(saved.path, object, saved.reference)];
    }),
  );
}

function crds(state: TakeoverState): Look {
  const look = created(state, 'crds');
  if (look.kind !== 'done') return look;
  const unready = state.crds.find(({ live }) => !isEstablished(live));
  return unready === undefined ? DONE : { kind: 'wait', reason: `${unready.reference} is not established` };
}

function isEstablished({ status }: ListedObject): boolean {
  return listAt(status, 'conditions').some(
    (one) => textAt(one, 'type') === 'Established' && textAt(one, 'status') === 'True',
  );
}

function customResources(state: TakeoverState): Look {
  return created(state, 'customResources');
}

function withResources(state: TakeoverState): TakeoverState {
  const created = missing(state, 'customResources').map(([reference, live]) => ({
    path: '',
    reference,
    live,
    owners: [],
  }));
  return { ...state, customResources: [...state.customResources, ...created] };
}

function operator(state: TakeoverState): Look {
  if (!hasResources(state))
    return { kind: 'stop', reason: 'not all custom resources are there: the operator must not start before' };
  const { deployments } = state.operator;
  if (deployments.length === 0) {
    // An operator that neither labels nor image show renews its Lease.
    const { operator: now, operatorBefore = now } = state;
    if (runningReason(now, operatorBefore) !== undefined) return DONE;
    return {
      kind: 'person',
      reason: 'the Deployment of the operator is gone',
      lines: ['install the operator again as it was, with the same values: its custom resources are there'],
    };
  }
  const versions = state.serviceVersions.filter((one) => serviceVersionReplicas(one) === 0);
  const stopped = deployments.filter((one) => replicasOf(one) === 0);
  return writeAll([
    ...versions.map((one) => serviceVersionWrite(one, deploymentsOf(one).length, 1)),
    ...stopped.map((one) => scaleWrite(deploymentReference(one), 1)),
  ]);
}

function webhooks(state: TakeoverState): Look {
  return created(state, 'webhooks');
}

function leftovers({ companion: { objects } }: TakeoverState): Look {
  return writeAll(objects.map((one) => deleteWrite(one, 'Background')));
}
