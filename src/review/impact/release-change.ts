import type { ObjectChange } from '../../cluster/changes/objects.js';
import { changes, type ChangeName, since } from '../../compile/releases/changes.js';
import type { ClusterSettings } from '../../shared/contract/cluster-settings.js';
import { shortHash } from '../../shared/lib/hash.js';
import { canonicalJson, isObject, listAt, valueAt } from '../../shared/lib/json.js';
import { counted } from '../../shared/lib/listed.js';
import { isDriver } from './driver.js';

type Changed = Extract<ObjectChange, { readonly kind: 'changed' }>;
type Removed = Extract<ObjectChange, { readonly kind: 'removed' }>;

/** What a change of the release does to workloads, as its row of the table of changes says. */
interface Cause {
  readonly change: ChangeName;
  /** The workloads that differ because of it. */
  readonly affected: (all: readonly ObjectChange[]) => readonly ObjectChange[];
}

const CAUSES: readonly Cause[] = [
  { change: 'hashed-policy-names', affected: renamed },
  { change: 'toolkit-stops-on-signal', affected: (all) => all.filter(hasOtherToolkit) },
  { change: 'spectrum-x-writes-drop-ins', affected: (all) => all.filter(hasOtherDropIns) },
];

/**
 * Why workloads differ that no document of the input asks to change: sentences without a full stop, where the release differs.
 *
 * @param old absent if it is not known: then what differs tells it
 * @param areDrained whether nodes are drained for their drivers
 */
export function releaseNotes(
  old: ClusterSettings | undefined,
  next: ClusterSettings | undefined,
  all: readonly ObjectChange[],
  areDrained: boolean,
): readonly string[] {
  if (next === undefined) return [];
  return CAUSES.flatMap(({ change, affected }) => {
    const has = since({ spec: next }, change);
    if (old !== undefined && has === since({ spec: old }, change)) return [];
    const found = affected(all);
    return found.length === 0
      ? []
      : [`${causeOf(change, has)}: ${effectOf(found, areDrained)}${laterText(change, has)}`];
  });
}

function causeOf(name: ChangeName, has: boolean): string {
  const { since: release, now, before } = changes[name];
  return has
    ? `from release ${release} on ${now}`
    : `without the change \`${name}\` of release ${release} (${now}): ${before}`;
}

function effectOf(found: readonly ObjectChange[], areDrained: boolean): string {
  const drivers = found.filter((one) => isDriver(one.kind === 'added' ? one.to : one.from)).length;
  const isRenamed = found.every(({ kind }) => kind === 'removed');
  const done = `${found.length === 1 ? 'is' : 'are'} ${isRenamed ? 'replaced' : 'changed'}`;
  const drained = areDrained ? ', whose nodes are drained' : '';
  if (drivers === found.length) return `${counted(drivers, 'driver DaemonSet')} ${done}${drained}`;
  const ofDrivers = drivers === 0 ? '' : `, ${drivers} of them for drivers${drained}`;
  return `${counted(found.length, 'DaemonSet')} ${done}${ofDrivers}`;
}

function laterText(name: ChangeName, has: boolean): string {
  return has && changes[name].effect === 'drain'
    ? `; \`postponedChanges: [${name}]\` in the Cluster leaves them as they are until a maintenance comes anyway`
    : '';
}

/** Removed DaemonSets that are added again with the hash of a policy in place of its name, or the other way round. */
function renamed(all: readonly ObjectChange[]): readonly Removed[] {
  const names = (kind: 'added' | 'removed') =>
    all.flatMap((one) => (one.kind === kind && nameOf(one) !== undefined ? [nameOf(one) ?? ''] : []));
  const [added, removed] = [names('added'), names('removed')];
  const pairs = new Set([
    ...removed.filter((name) => hashedNames(name).some((one) => added.includes(one))),
    ...added.flatMap((name) => hashedNames(name).filter((one) => removed.includes(one))),
  ]);
  return all.filter((one): one is Removed => one.kind === 'removed' && pairs.has(nameOf(one) ?? ''));
}

function nameOf(change: ObjectChange): string | undefined {
  const { kind, metadata } = change.kind === 'removed' ? change.from : change.to;
  return kind === 'DaemonSet' ? metadata.name : undefined;
}

/** The names that a DaemonSet can have when a part of its name is a policy: `mofed-ubuntu24.04-<policy>-ds`, `rdma-shared-dp-ds-<policy>`. */
function hashedNames(name: string): readonly string[] {
  return ['', '-ds', '-arm64-ds'].flatMap((tail) => {
    if (!name.endsWith(tail)) return [];
    const body = name.slice(0, name.length - tail.length);
    const starts = [...body.matchAll(/-/g)].map(({ index }) => index + 1);
    return starts.map((at) => `${body.slice(0, at)}${shortHash(body.slice(at))}${tail}`);
  });
}

/** As the operator names it (network-operator b06827e0, manifests/state-ofed-driver/0050_ofed-driver-ds.yaml). */
const TOOLKIT_CONTAINER = 'openshift-driver-toolkit-ctr';

const containersOf = (object: unknown) => listAt(object, 'spec', 'template', 'spec', 'containers').filter(isObject);

function hasOtherToolkit(change: ObjectChange): change is Changed {
  if (change.kind !== 'changed' || !isDriver(change.to)) return false;
  const [from, to] = [change.from, change.to].map((object) =>
    canonicalJson(containersOf(object).find(({ name }) => name === TOOLKIT_CONTAINER)?.['args'] ?? null),
  );
  return from !== to;
}

const DROP_INS = 'ovs-vswitchd-dropin';

function hasOtherDropIns(change: ObjectChange): change is Changed {
  if (change.kind !== 'changed' || change.to.kind !== 'DaemonSet') return false;
  const [from, to] = [change.from, change.to].map((object) =>
    listAt(object, 'spec', 'template', 'spec', 'volumes').some((volume) => valueAt(volume, ['name']) === DROP_INS),
  );
  return from !== to;
}
