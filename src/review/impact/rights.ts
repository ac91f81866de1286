import { groupOf } from '../../shared/kubernetes/identity.js';
import { COMPANION_NAMES } from '../../shared/contract/labels.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { canonicalJson, compareText, listAt, textAt, valueAt } from '../../shared/lib/json.js';
import { listed, listedNames } from '../../shared/lib/listed.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { textsAt } from '../../cluster/changes/data.js';
import { type ObjectChange } from '../../cluster/changes/objects.js';
import { writtenMarks } from './marks.js';

export const RBAC = 'rbac.authorization.k8s.io';
const ROLES: ReadonlySet<string> = new Set(['Role', 'ClusterRole']);
const BINDINGS: ReadonlySet<string> = new Set(['RoleBinding', 'ClusterRoleBinding']);

const SHOWN_NAMES = 5;

/** The name of the companion's Job has a hash of the policy. The right to delete the Job counts as unchanged. */
export const RUN_NAME = new RegExp(`^${COMPANION_NAMES.jobPrefix}[0-9a-f]{10}$`);
const ANY_RUN = `${COMPANION_NAMES.jobPrefix}…`;

/** One permission of a role. */
interface Grant {
  readonly verb: string;
  /** `nodes`, `daemonsets.apps`, `/metrics`. */
  readonly what: string;
  /** The names of the objects that it is limited to; empty: of all. */
  readonly names: readonly string[];
}

/**
 * Sentences about the rights that a change of a role or a binding grants and revokes; `undefined` for other objects and
 * if the rights do not change.
 *
 * @param objects of both sides, to find the subjects of a role
 */
export function rightsNotes(change: ObjectChange, objects: readonly KubernetesObject[]): readonly string[] | undefined {
  const from = change.kind === 'added' ? undefined : change.from;
  const to = change.kind === 'removed' ? undefined : change.to;
  const object = to ?? from;
  if (object === undefined || groupOf(object) !== RBAC) return undefined;
  if (ROLES.has(object.kind)) return roleNotes(object, from, to, objects);
  return BINDINGS.has(object.kind) ? bindingNotes(from, to) : undefined;
}

const AGGREGATION = 'rbac.authorization.k8s.io/aggregate-to-';
/** `audit` and `warn` refuse no pod. */
const ADMISSION = 'pod-security.kubernetes.io/enforce';

/** Sentences about labels and annotations by which others admit pods or give rights; empty for most changes. */
export function labelNotes(change: Exclude<ObjectChange, { readonly kind: 'removed' }>): readonly string[] {
  const { to } = change;
  const from = change.kind === 'changed' ? change.from : undefined;
  const type = `${to.kind}.${groupOf(to)}`;
  if (type === 'ServiceAccount.' && change.kind === 'changed' && writtenMarks(change, 'annotations').length > 0)
    return ['its annotations may give it rights outside of the cluster, such as those of a cloud'];
  if (type === 'Namespace.' && from !== undefined && isLabelChanged(from, to, ADMISSION))
    return ['which pods are admitted to the namespace changes'];
  if (type !== `ClusterRole.${RBAC}`) return [];
  const collects = [from, to].map((side) => canonicalJson(valueAt(side, ['aggregationRule']) ?? null));
  return [
    ...(isLabelChanged(from, to, AGGREGATION) ? ['its labels decide which other ClusterRoles have its rights'] : []),
    ...(collects[0] === collects[1] ? [] : ['it has the rights of other ClusterRoles']),
  ];
}

function isLabelChanged(from: KubernetesObject | undefined, to: KubernetesObject, prefix: string): boolean {
  const [before, after] = [from, to].map((object) =>
    canonicalJson([...textsAt(object, 'metadata', 'labels')].filter(([key]) => key.startsWith(prefix)).sort()),
  );
  return before !== after;
}

function roleNotes(
  role: KubernetesObject,
  from: KubernetesObject | undefined,
  to: KubernetesObject | undefined,
  objects: readonly KubernetesObject[],
): readonly string[] | undefined {
  const [before, after] = [grantsOf(from), grantsOf(to)];
  const gained = after.filter((grant) => !before.some((one) => covers(one, grant)));
  const lost = before.filter((grant) => !after.some((one) => covers(one, grant)));
  if (gained.length + lost.length === 0) return undefined;
  const subjects = boundSubjects(role, objects);
  const who = subjects.length === 0 ? 'nothing here is bound to it' : `held by ${listed(subjects, SHOWN_NAMES)}`;
  return [
    ...(gained.length > 0 ? [`allows now: ${grantsText(gained)}`] : []),
    ...(lost.length > 0 ? [`no longer allows: ${grantsText(lost)}`] : []),
    who,
  ];
}

function bindingNotes(from: KubernetesObject | undefined, to: KubernetesObject | undefined) {
  const [before, after] = [heldBy(from), heldBy(to)];
  const gained = after.filter((one) => !before.includes(one));
  const lost = before.filter((one) => !after.includes(one));
  if (gained.length + lost.length === 0) return undefined;
  return [...gained.map((one) => `gained: ${one}`), ...lost.map((one) => `lost: ${one}`)];
}

/** `ServiceAccount ns/x has the rights of ClusterRole y`, for each subject of a binding. */
function heldBy(binding: KubernetesObject | undefined): readonly string[] {
  if (binding === undefined) return [];
  const role = `${textAt(binding, 'roleRef', 'kind') ?? ''} \`${textAt(binding, 'roleRef', 'name') ?? ''}\``;
  const { namespace } = binding.metadata;
  const where = binding.kind === 'RoleBinding' ? `in namespace \`${namespace ?? ''}\`` : 'in the whole cluster';
  return subjectsOf(binding).map((subject) => `${subject} has the rights of ${role} ${where}`);
}

function subjectsOf(binding: KubernetesObject): readonly string[] {
  return listAt(binding, 'subjects').map((subject) => {
    const [kind = '', name = ''] = [textAt(subject, 'kind'), textAt(subject, 'name')];
    const namespace =
      textAt(subject, 'namespace') ?? (kind === 'ServiceAccount' ? binding.metadata.namespace : undefined);
    return `${kind} \`${namespace === undefined ? name : `${namespace}/${name}`}\``;
  });
}

function boundSubjects({ kind, metadata }: KubernetesObject, objects: readonly KubernetesObject[]): readonly string[] {
  const bindings = objects.filter(
    (object) =>
      BINDINGS.has(object.kind) &&
      textAt(object, 'roleRef', 'kind') === kind &&
      textAt(object, 'roleRef', 'name') === metadata.name &&
      (kind === 'ClusterRole' || object.metadata.namespace === metadata.namespace),
  );
  return [...new Set(bindings.flatMap(subjectsOf))].sort(compareText);
}

function grantsOf(role: KubernetesObject | undefined): readonly Grant[] {
  const grants = listAt(role, 'rules').flatMap((rule) => {
    const names = textsOf(rule, 'resourceNames').map((name) => (RUN_NAME.test(name) ? ANY_RUN : name));
    const groups = textsOf(rule, 'apiGroups');
    const resources = textsOf(rule, 'resources').flatMap((resource) =>
      groups.map((group) => ({ what: `\`${resourceText(resource, group)}\``, names })),
    );
    const urls = textsOf(rule, 'nonResourceURLs').map((url) => ({ what: `\`${url}\``, names: [] }));
    return textsOf(rule, 'verbs').flatMap((verb) => [...resources, ...urls].map((one) => ({ verb, ...one })));
  });
  return [...new Map(grants.map((grant) => [JSON.stringify(grant), grant])).values()];
}

function textsOf(value: unknown, key: string): readonly string[] {
  return listAt(value, key).filter((one) => typeof one === 'string');
}

/** Whether one grant includes another one. */
function covers(one: Grant, other: Grant): boolean {
  const isVerb = one.verb === '*' || one.verb === other.verb;
  const isOfAll = one.names.length === 0 && (one.what === other.what || one.what === '`*.*`');
  return isVerb && (isOfAll || (one.what === other.what && one.names.join() === other.names.join()));
}

/** In the format of kubectl: `leases.coordination.k8s.io`, `ippools.nv-ipam.nvidia.com/status`. */
function resourceText(resource: string, group: string): string {
  const [name = '', ...below] = resource.split('/');
  return [group === '' ? name : `${name}.${group}`, ...below].join('/');
}

/** Verbs with their resources, such as: get, list `nodes`, `pods`; create `pods/eviction`. */
function grantsText(grants: readonly Grant[]): string {
  const byWhat = groupBy(grants, ({ what, names }) =>
    names.length === 0 ? what : `${what} named ${listedNames(names, SHOWN_NAMES)}`,
  );
  const byVerbs = groupBy([...byWhat], ([, own]) =>
    own.map(({ verb }) => (verb === '*' ? 'all verbs on' : verb)).join(', '),
  );
  return [...byVerbs].map(([verbs, own]) => `${verbs} ${own.map(([what]) => what).join(', ')}`).join('; ');
}
