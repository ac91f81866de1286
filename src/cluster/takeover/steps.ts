import { shellWord } from '../../shared/lib/escape.js';
import { canonicalJson, listAt } from '../../shared/lib/json.js';
import { listed } from '../../shared/lib/listed.js';
import { replicasOf, runningReason } from './operator/find.js';
import { customResourcesOwning, ownersOf, ownerText, type OperatorOwner } from './operator/owner.js';
import { toSave } from './saved.js';
import type { LocatedObject } from '../reader/located.js';
import type { Look, RenderedObject, Step, TakeoverState, Write } from './state.js';
import {
  applyWrite,
  deleteWrite,
  disownWrite,
  FIELD_MANAGER,
  scaleWrite,
  serviceVersionWrite,
  unmarkWrite,
  type StaleManager,
} from './writes.js';

export const DONE: Look = { kind: 'done' };

/** Names that one line shows. */
const SHOWN = 5;

/** The steps from the operator to the output, in their order. Each is looked at again before a later one does anything. */
export const TAKEOVER_STEPS = [
  { id: 'backup', what: 'save the custom resources, their CRDs and the webhooks in files', look: backup },
  { id: 'stop', what: 'stop the operator, and see that its Lease is no longer renewed', look: stop },
  {
    id: 'apply',
    what: 'apply the output',
    by: 'kubectl apply --server-side --force-conflicts -k <output>',
    look: apply,
  },
  { id: 'owner-references', what: 'remove the owner references to custom resources', look: disown },
  { id: 'field-managers', what: 'remove the old field managers and the revision of the operator', look: unmark },
  { id: 'webhooks', what: 'delete the webhooks for the custom resources', look: webhooks },
  {
    id: 'custom-resources',
    what: 'delete the custom resources, not what they own',
    look: customResources,
    after: (state: TakeoverState) => ({ ...state, customResources: [] }),
  },
  { id: 'crds', what: 'delete the CRDs of the operator', look: crds },
  { id: 'leases', what: 'delete the Lease of the operator', look: leases },
] as const satisfies readonly Step[];

/** A step that is done where it has nothing to write. */
export function writeAll(writes: readonly Write[]): Look {
  return writes.length === 0 ? DONE : { kind: 'write', writes };
}

function backup({ customResources: resources, crds: definitions, webhooks: hooks, saved }: TakeoverState): Look {
  // One that was changed after an earlier takeover was undone is saved again.
  const missing = [...definitions, ...resources, ...hooks].filter(
    ({ reference, live }) => canonicalJson(saved.get(reference) ?? null) !== canonicalJson(toSave(live)),
  );
  return missing.length === 0 ? DONE : { kind: 'save', objects: missing };
}

/**
 * The operator is stopped while its Deployments want no pods, no pod of it is there, and its Lease stays as it is for as long as it
 * counts.
 */
function stop(state: TakeoverState): Look {
  const { operator, operatorBefore, activeOwners } = state;
  const wanted = operator.deployments.filter((one) => replicasOf(one) > 0);
  const [owner] = activeOwners;
  if (owner !== undefined && wanted.length > 0) {
    return {
      kind: 'person',
      reason: `${ownerText(owner)} would start the operator again`,
      lines: gitOpsLines(owner),
    };
  }
  const versions = state.serviceVersions.filter((one) => serviceVersionReplicas(one) > 0);
  if (wanted.length > 0 || versions.length > 0) {
    return writeAll([
      ...versions.map((one) => serviceVersionWrite(one, deploymentsOf(one).length, 0)),
      ...wanted.map((one) => scaleWrite(deploymentReference(one), 0)),
    ]);
  }
  const [pod] = operator.pods;
  if (pod !== undefined) return { kind: 'wait', reason: `the pod ${pod} of the operator is still there` };
  if (!operator.leases.some(({ holder }) => holder !== '')) return DONE;
  if (operatorBefore === undefined)
    return { kind: 'wait', reason: 'the Lease of the operator is watched for its duration' };
  const reason = runningReason(operator, operatorBefore);
  return reason === undefined ? DONE : { kind: 'wait', reason };
}

export function deploymentReference(live: TakeoverState['operator']['deployments'][number]): LocatedObject {
  const { name = '', namespace = '' } = live.metadata ?? {};
  return {
    path: `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`,
    reference: `deployment.apps/${shellWord(name)} -n ${shellWord(namespace)}`,
    live,
  };
}

export function deploymentsOf({ live }: LocatedObject): readonly unknown[] {
  return listAt(live.spec, 'install', 'spec', 'deployments');
}

export function serviceVersionReplicas(version: LocatedObject): number {
  return Math.max(0, ...deploymentsOf(version).map(replicasOf));
}

/** What to change in git, so that an owner neither brings the operator back nor deletes what it made. */
export function gitOpsLines(owner: OperatorOwner): readonly string[] {
  switch (owner.kind) {
    case 'argocd':
      return [
        `in git: set \`spec.syncPolicy.automated\` of the Application ${owner.name ?? 'of the operator'} to nothing, or`,
        `argocd app set ${owner.name ?? '<application>'} --sync-policy none`,
        'do not delete the Application: that deletes the custom resources and all that they own',
      ];
    case 'flux': {
      const kind = owner.resource === 'HelmRelease' ? 'helmrelease' : 'kustomization';
      const where = owner.namespace === undefined ? '' : ` -n ${owner.namespace}`;
      return [
        `in git: \`spec.suspend: true\` in the ${owner.resource} ${owner.name ?? 'of the operator'}, or`,
        `flux suspend ${kind} ${owner.name ?? '<name>'}${where}`,
        `do not delete the ${owner.resource}: that deletes the custom resources and all that they own`,
      ];
    }
    case 'helm':
    case 'olm':
    case 'manifests':
      return [];
  }
}

/** Tools that apply for a person, as field managers. */
const GITOPS_MANAGER = /^(?:argocd-|kustomize-controller$|helm-controller$|helm$)/;

function apply(state: TakeoverState): Look {
  const refused = state.rendered.find((one) => one.refused !== undefined);
  if (refused !== undefined)
    return { kind: 'stop', reason: `${refused.reference} is refused: ${refused.refused ?? ''}` };
  const left = state.rendered.filter((one) => !isApplied(one, state));
  if (left.length === 0) return DONE;
  if (state.applier === 'gitops') {
    return {
      kind: 'person',
      reason: `GitOps has not applied ${left.length} of ${state.rendered.length} objects`,
      lines: [
        `commit the output and let GitOps apply it: ${listed(
          left.map(({ reference }) => reference),
          SHOWN,
        )}`,
      ],
    };
  }
  const known = left.filter(({ path }) => path !== undefined);
  if (known.length === 0) {
    const kinds = [...new Set(left.map(({ object }) => `${object.kind}.${object.apiVersion}`))];
    return { kind: 'wait', reason: `the cluster does not know ${listed(kinds, SHOWN)}` };
  }
  return writeAll(inOrder(known).map(applyWrite));
}

/** A Job cannot be changed: one that ran is as good as applied. */
function isApplied({ live, change, object }: RenderedObject, { applier }: TakeoverState): boolean {
  if (live === undefined) return false;
  const managers = live.metadata?.managedFields ?? [];
  const isManaged =
    applier === 'gitops'
      ? managers.some(({ manager = '' }) => GITOPS_MANAGER.test(manager))
      : managers.some(({ manager, operation }) => manager === FIELD_MANAGER && operation === 'Apply');
  return isManaged && (change === undefined || object.kind === 'Job');
}

/** CRDs, namespaces and accounts before what needs them; workloads last. */
const ORDER = ['CustomResourceDefinition', 'Namespace', 'ServiceAccount', 'ConfigMap', 'ClusterRole', 'Role'];

function inOrder(objects: readonly RenderedObject[]): readonly RenderedObject[] {
  const rank = ({ object: { kind } }: RenderedObject) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);
  return [...objects].sort((a, b) => rank(a) - rank(b));
}

/** Rendered objects that are there, and strays. */
export function liveObjects({
  rendered,
  strays,
}: Pick<TakeoverState, 'rendered' | 'strays'>): readonly LocatedObject[] {
  const ours = rendered.flatMap(({ path, reference, live }) =>
    path !== undefined && live !== undefined ? [{ path, reference, live }] : [],
  );
  return [...ours, ...strays];
}

function disown(state: TakeoverState): Look {
  const owned = liveObjects(state).filter(({ live }) => customResourcesOwning(live).length > 0);
  return writeAll(owned.map(disownWrite));
}

/** The operator's manager, and Helm's where Helm does not apply the output. */
function staleManager({ applier }: Pick<TakeoverState, 'applier'>): StaleManager {
  return (manager) => manager === 'manager' || (manager === 'helm' && applier === 'kubectl');
}

function unmark(state: TakeoverState): Look {
  return writeAll(liveObjects(state).flatMap((one) => unmarkWrite(one, staleManager(state)) ?? []));
}

function webhooks({ webhooks: found }: TakeoverState): Look {
  return writeAll(found.map((one) => deleteWrite(one, 'Background')));
}

function customResources({ customResources: found }: TakeoverState): Look {
  const tracked = found.find(({ owners }) => owners.some(isGitOps));
  const owner = tracked?.owners.find(isGitOps);
  if (tracked !== undefined && owner !== undefined) {
    return {
      kind: 'person',
      reason: `${ownerText(owner)} has ${tracked.reference}, and would create it again`,
      lines: ['remove it from git; that it is pruned is safe now, because it owns nothing any more'],
    };
  }
  const [ending] = found.filter(({ live }) => live.metadata?.deletionTimestamp !== undefined);
  const left = found.filter(({ live }) => live.metadata?.deletionTimestamp === undefined);
  if (left.length === 0 && ending !== undefined) {
    const finalizers = ending.live.metadata?.finalizers ?? [];
    return { kind: 'wait', reason: `${ending.reference} is being deleted; its finalizers: ${finalizers.join(', ')}` };
  }
  return writeAll(left.map((one) => deleteWrite(one, 'Orphan')));
}

function isGitOps({ kind }: OperatorOwner): boolean {
  return kind === 'argocd' || kind === 'flux';
}

function crds({ crds: found, customResources: left }: TakeoverState): Look {
  if (left.length > 0)
    return { kind: 'stop', reason: 'custom resources are left: with their CRDs all that they own would go' };
  const [ending] = found.filter(({ live }) => live.metadata?.deletionTimestamp !== undefined);
  const present = found.filter(({ live }) => live.metadata?.deletionTimestamp === undefined);
  if (present.length === 0 && ending !== undefined)
    return { kind: 'wait', reason: `${ending.reference} is being deleted` };
  return writeAll(present.map((one) => deleteWrite(one, 'Background')));
}

function leases({ operator }: TakeoverState): Look {
  const found = operator.leases.map(({ namespace, name }) => ({
    path: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`,
    reference: `lease.coordination.k8s.io/${shellWord(name)} -n ${shellWord(namespace)}`,
    live: {},
  }));
  return writeAll(found.map((one) => deleteWrite(one, 'Background')));
}

/** Owners of an object of the operator, without `manifests`. */
export function realOwners(object: Parameters<typeof ownersOf>[0]): readonly OperatorOwner[] {
  return ownersOf(object).filter(({ kind }) => kind !== 'manifests');
}
