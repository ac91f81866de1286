import { groupOf } from '../../shared/kubernetes/identity.js';
import { COMPANION_COMPONENT, COMPANION_NAMES, COMPONENT_LABEL, STATE_LABEL } from '../../shared/contract/labels.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { valueAt } from '../../shared/lib/json.js';
import { textsAt } from '../../cluster/changes/data.js';
import { isKept, type ObjectChange } from '../../cluster/changes/objects.js';
import { runsCompanion } from './companion-change.js';
import type { Alarm } from './delivery-change.js';
import { isDriver } from './driver.js';
import { touches } from './refused.js';

interface Guard extends Alarm {
  /** Whether its removal counts, too. */
  readonly isGuardedRemoval: boolean;
}

const PROGRAM: Guard = {
  impact: 'rights',
  note: 'runs programs in the cluster: review it as code',
  isGuardedRemoval: false,
};
const ADMISSION: Guard = { impact: 'rights', note: 'decides what is applied or admitted', isGuardedRemoval: true };
const RIGHTS: Guard = { impact: 'rights', note: 'grants rights', isGuardedRemoval: true };
const DELIVERY: Guard = {
  impact: 'rights',
  note: 'decides what is applied, and from where: review it as code',
  isGuardedRemoval: false,
};
const CONNECTIONS: Guard = {
  impact: 'network',
  note: 'decides which connections pods may have, those that run, too',
  isGuardedRemoval: true,
};

/** By API group, then by kind; `*` stands for all other kinds of the group. */
const GUARDS: ReadonlyMap<string, Readonly<Record<string, Guard>>> = new Map([
  ['', { Pod: PROGRAM, ReplicationController: PROGRAM }],
  ['apps', { ReplicaSet: PROGRAM }],
  ['batch', { Job: PROGRAM, CronJob: PROGRAM }],
  ['admissionregistration.k8s.io', { '*': ADMISSION }],
  ['apiregistration.k8s.io', { '*': ADMISSION }],
  ['certificates.k8s.io', { '*': RIGHTS }],
  ['security.openshift.io', { '*': ADMISSION }],
  ['authorization.openshift.io', { '*': RIGHTS }],
  ['networking.k8s.io', { NetworkPolicy: CONNECTIONS }],
  ['k8s.cni.cncf.io', { MultiNetworkPolicy: CONNECTIONS }],
  ['policy.networking.k8s.io', { '*': CONNECTIONS }],
  ['argoproj.io', { '*': DELIVERY }],
  ['source.toolkit.fluxcd.io', { '*': DELIVERY }],
  ['kustomize.toolkit.fluxcd.io', { '*': DELIVERY }],
  ['helm.toolkit.fluxcd.io', { '*': DELIVERY }],
]);

const WORKLOADS: ReadonlySet<string> = new Set(['DaemonSet', 'Deployment', 'StatefulSet']);

/** What a change of an object does to what else runs in the cluster, is admitted, delivered or allowed; empty for most. */
export function guardedAlarms(change: ObjectChange): readonly Alarm[] {
  const object = change.kind === 'removed' ? change.from : change.to;
  const guard = guardOf(object);
  return [
    ...(guard && isGuarded(change, guard) ? [guard] : []),
    ...(change.kind === 'added' && isForeignWorkload(object) ? [PROGRAM] : []),
    ...labelAlarms(change),
  ].map(({ impact, note }) => ({ impact, note }));
}

function guardOf(object: KubernetesObject): Guard | undefined {
  const guards = GUARDS.get(groupOf(object));
  if (guards === undefined || isOfCompanion(object)) return undefined;
  return Object.hasOwn(guards, object.kind) ? guards[object.kind] : guards['*'];
}

/** The companion's own Jobs have rules of their own. */
function isOfCompanion(object: KubernetesObject): boolean {
  const { name } = object.metadata;
  return runsCompanion(object) && (name === COMPANION_NAMES.cronJob || name.startsWith(COMPANION_NAMES.jobPrefix));
}

function isGuarded(change: ObjectChange, { isGuardedRemoval }: Guard): boolean {
  switch (change.kind) {
    case 'added':
      return true;
    case 'removed':
      return isGuardedRemoval && !isKept(change.from);
    case 'changed':
      return change.fields.some(
        (field) => !MARKS.some((mark) => touches([field], mark)) && field.kind !== 'reformatted',
      );
  }
}

const MARKS = ['metadata.labels', 'metadata.annotations'];

function isForeignWorkload(object: KubernetesObject): boolean {
  if (!WORKLOADS.has(object.kind) || groupOf(object) !== 'apps' || isDriver(object)) return false;
  const labels = textsAt(object, 'metadata', 'labels');
  return !labels.has(STATE_LABEL) && labels.get(COMPONENT_LABEL) !== COMPANION_COMPONENT;
}

/** Labels by which other programs grant rights or admit pods. */
function labelAlarms(change: ObjectChange): readonly Alarm[] {
  if (change.kind === 'removed') return [];
  const { to } = change;
  const from = change.kind === 'changed' ? change.from : undefined;
  const type = `${groupOf(to)}/${to.kind}`;
  if (type === '/Namespace' && from !== undefined && isLabelChanged(from, to, 'pod-security.kubernetes.io/')) {
    return [{ impact: 'rights', note: 'which pods are admitted to the namespace changes' }];
  }
  if (type !== 'rbac.authorization.k8s.io/ClusterRole') return [];
  const isCollecting =
    change.kind === 'changed'
      ? touches(change.fields, 'aggregationRule')
      : valueAt(to, ['aggregationRule']) !== undefined;
  return [
    ...(isLabelChanged(from, to, 'rbac.authorization.k8s.io/aggregate-to-')
      ? [{ impact: 'rights', note: 'its labels decide which other ClusterRoles have its rights' } as const]
      : []),
    ...(isCollecting ? [{ impact: 'rights', note: 'it has the rights of other ClusterRoles' } as const] : []),
  ];
}

function isLabelChanged(from: KubernetesObject | undefined, to: KubernetesObject, prefix: string): boolean {
  const [before, after] = [from, to].map((object) =>
    JSON.stringify([...textsAt(object, 'metadata', 'labels')].filter(([key]) => key.startsWith(prefix)).sort()),
  );
  return before !== after;
}
