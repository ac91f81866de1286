import { allComponents } from '../../compile/components/all.js';
import { coverageTable, type Row } from '../../compile/coverage/coverage.js';
import { programDaemonSet, type ProgramDaemonSet } from '../../compile/coverage/daemon-sets.js';
import { gapsOf } from '../../compile/coverage/gaps.js';
import { componentProgram } from '../../compile/coverage/programs.js';
import type { Config, Policy } from '../../compile/model/config.js';
import type { NoPod } from '../../shared/contract/daemon-set-placement.js';
import { onlyArchitecture } from '../../shared/contract/driver-placement.js';
import { STATE_LABEL } from '../../shared/contract/labels.js';
import { namespacedName } from '../../shared/kubernetes/identity.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { hasEntries } from '../../shared/lib/has-entries.js';
import { textsAt } from '../../cluster/changes/data.js';

/** The pods of a component on the nodes of a pool, where another DaemonSet puts them there, or none does any more. */
export interface CoverageChange {
  readonly pool: string;
  /** Id of a component; of an add-on the name of the DaemonSet. */
  readonly program: string;
  /** `<namespace>/<name>` of the DaemonSets; empty if no pod was there. */
  readonly before: readonly string[];
  /** Empty if no pod is there any more. */
  readonly after: readonly string[];
  /** Why there is none any more. */
  readonly why?: string;
}

/** The new side: its configuration, and the DaemonSets of its components. */
export interface CoveredSide {
  readonly config: Config;
  readonly daemonSets: readonly ProgramDaemonSet[];
}

/** How the table of coverage changes. */
export interface CoverageDiff {
  /** Rows of drivers are left out: what happens to their nodes is said by node. */
  readonly changes: readonly CoverageChange[];
  /** Sentences about pools that had a driver, or a device plugin, and have none. */
  readonly notes: readonly string[];
  /** Why the policies give the nodes of a pool no driver, by its name. */
  readonly undriven: ReadonlyMap<string, NoPod>;
}

/**
 * Compares the tables of both sides. The pools are those that the Cluster document describes now, on both sides: the nodes are what they are, whatever
 * documents said of them.
 *
 * @param before all objects of the old side
 */
export function coverageDiff(before: readonly KubernetesObject[], next: CoveredSide): CoverageDiff {
  const rows = coverageTable(next.config, next.daemonSets);
  const old = oldTable(before, next);
  const wereServed = servedPools(old);
  const lost = gapsOf(rows).filter(({ kind, place }) => kind === 'all' && wereServed.has(place.pools[0]?.name ?? ''));
  const notes = lost.map(({ place, why }) => {
    return `pool \`${place.pools[0]?.name ?? ''}\` has neither a driver nor a device plugin any more: ${why}`;
  });
  const named = new Set(lost.map(({ place }) => place));
  const undriven = rows.flatMap((row, index) => (named.has(row.place) ? [] : driverNotes(old[index], row)));
  return {
    changes: eachOnce(rows.flatMap((row, index) => rowChanges(old[index], row))),
    notes: [...new Set([...notes, ...undriven])],
    undriven: new Map(rows.flatMap(policyReasons)),
  };
}

/** What DaemonSets select is said by them: the old one of a pool may be there for a kernel that the pool no longer names. */
function policyReasons({ place, cells }: Row): readonly [string, NoPod][] {
  return cells.flatMap(({ program, absence }): [string, NoPod][] => {
    const { kind, message } = absence ?? {};
    if (!program.isDriver || message === undefined || (kind !== 'taint' && kind !== 'policy')) return [];
    return place.pools.map(({ name }) => [name, { kind, message }]);
  });
}

/** Why a pool gets no driver any more. What its nodes have is said by node. */
function driverNotes(old: Row | undefined, { place, cells }: Row): readonly string[] {
  const hadDriver = old?.cells.some(({ program, daemonSets }) => program.isDriver && daemonSets.length > 0) ?? false;
  if (!hadDriver) return [];
  return cells.flatMap(({ program, absence }) =>
    program.isDriver && absence
      ? [`pool \`${place.pools[0]?.name ?? ''}\` gets no driver any more: ${absence.message}`]
      : [],
  );
}

function servedPools(rows: readonly Row[]): ReadonlySet<string> {
  const served = rows.filter(({ cells }) =>
    cells.some(({ program, daemonSets }) => daemonSets.length > 0 && (program.isDriver || program.offersDevices)),
  );
  return new Set(served.flatMap(({ place }) => place.pools.map(({ name }) => name)));
}

/** The table of the old objects. Their policies are not known, but each DaemonSet has the node selector of its policy. */
function oldTable(objects: readonly KubernetesObject[], { config, daemonSets }: CoveredSide): readonly Row[] {
  const known = new Map(daemonSets.map(({ id, program }) => [id, program]));
  const byState = new Map(allComponents.map((component) => [component.statusName, componentProgram(component)]));
  const architecture = onlyArchitecture(config.cluster.pools);
  const found = objects.flatMap((object) => {
    if (object.kind !== 'DaemonSet') return [];
    const state = textsAt(object, 'metadata', 'labels').get(STATE_LABEL) ?? '';
    const program = known.get(namespacedName(object)) ?? byState.get(state);
    return program === undefined ? [] : [programDaemonSet(object, program, architecture)];
  });
  return coverageTable({ cluster: config.cluster, policies: oldPolicies(found, config), instances: new Map() }, found);
}

function oldPolicies(daemonSets: readonly ProgramDaemonSet[], { cluster, policies }: Config): readonly Policy[] {
  // Another label is of a patch, and pools do not say whether their nodes have it.
  const keys = new Set([
    ...policies.flatMap(({ nodeSelector }) => Object.keys(nodeSelector)),
    ...cluster.spec.nodePools.flatMap(({ labels = {} }) => Object.keys(labels)),
  ]);
  return [...groupBy(daemonSets, ({ owner = '' }) => owner)].flatMap(([label, [first]]) => {
    if (label === '' || first === undefined) return [];
    const nodeSelector = Object.fromEntries(Object.entries(first.nodeSelector).filter(([key]) => keys.has(key)));
    const pools = cluster.pools.filter(({ labels }) => hasEntries(labels, nodeSelector));
    return [{ owner: { kind: 'NicNodePolicy', name: label, label }, nodeSelector, pools, origin: cluster.origin }];
  });
}

function rowChanges(old: Row | undefined, { place, cells }: Row): readonly CoverageChange[] {
  const pool = place.pools[0]?.name ?? '';
  const before = new Map((old?.cells ?? []).map((cell) => [cell.program.name, cell]));
  const after = new Map(cells.map((cell) => [cell.program.name, cell]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((program) => {
    const [from, to] = [before.get(program), after.get(program)];
    if ((from ?? to)?.program.isDriver === true) return [];
    const [was, is] = [from, to].map((cell) => (cell?.daemonSets ?? []).map(({ id }) => id).sort());
    if (was === undefined || is === undefined || was.join() === is.join()) return [];
    const why = is.length > 0 ? undefined : (to?.absence?.message ?? 'nothing installs it any more');
    return [{ pool, program, before: was, after: is, ...(why !== undefined && { why }) }];
  });
}

/** A pool is there once for each of its kernels. */
function eachOnce(changes: readonly CoverageChange[]): readonly CoverageChange[] {
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
