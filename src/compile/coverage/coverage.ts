import { daemonSetPlacement } from '../../shared/contract/daemon-set-placement.js';
import { DRIVER_WORDS } from '../../shared/contract/driver-placement.js';
import { OFED_GATE_LABEL } from '../../shared/contract/labels.js';
import { nodePlacement, type PlacementNode } from '../../shared/kubernetes/selection/node-placement.js';
import { DAEMON_SET_TOLERATIONS, taintText } from '../../shared/kubernetes/selection/taints.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { hasEntries } from '../../shared/lib/has-entries.js';
import { compareText } from '../../shared/lib/json.js';
import { listedNames } from '../../shared/lib/listed.js';
import { allComponents } from '../components/all.js';
import type { Config, Instance, NodePool, Policy, PolicyOwner } from '../model/config.js';
import { instanceFinder } from '../model/instance-finder.js';
import { poolNode } from '../model/pool-node.js';
import { isUninstalled } from '../model/uninstall.js';
import type { ProgramDaemonSet } from './daemon-sets.js';
import { componentProgram, type NodeProgram } from './programs.js';

/** The nodes of a pool at one kernel, or a live node. */
export interface Place {
  readonly node: PlacementNode;
  /** The pool, or those that the live node is in. */
  readonly pools: readonly NodePool[];
}

/**
 * Why no pod of a program runs on a node. `policy`: no policy with the section selects it. `taint`, `label`, `kernel`, `os`, `architecture`: what keeps
 * its pods away. `gate`: they wait for a driver, which the node does not get. `uninstall`: the Cluster document takes the driver off.
 */
export type AbsenceKind = 'policy' | 'taint' | 'label' | 'kernel' | 'os' | 'architecture' | 'gate' | 'uninstall';

interface Absence {
  readonly kind: AbsenceKind;
  /** As a part of a sentence. */
  readonly message: string;
  /** With `taint`: the policies that do not tolerate it. Absent: a patch of the DaemonSet took the toleration away, or it is an add-on. */
  readonly owners?: readonly PolicyOwner[];
}

/** What a place gets of one program. */
export interface Cell {
  readonly program: NodeProgram;
  /** Those that put a pod there; empty with `absence`. */
  readonly daemonSets: readonly ProgramDaemonSet[];
  /** Why there is no pod; absent if there is one. */
  readonly absence?: Absence;
}

/** A place, with a cell for each program of the output, sorted by name. */
export interface Row {
  readonly place: Place;
  readonly cells: readonly Cell[];
}

type CoveredConfig = Pick<Config, 'cluster' | 'policies' | 'instances'>;

/** The places that a configuration describes: its pools, each at each of its kernels. */
function poolPlaces({ cluster }: Pick<Config, 'cluster'>): readonly Place[] {
  return cluster.pools.map((pool) => ({ node: poolNode(pool), pools: [pool] }));
}

/**
 * The table of coverage: which programs have a pod on which nodes, by which DaemonSet, and why not. Everything that says where pods are asks it: warnings,
 * `weft explain --pools`, `weft pools --check`, `weft diff` and the library.
 *
 * @param daemonSets those of the output, patches applied
 */
export function coverageTable(
  config: CoveredConfig,
  daemonSets: readonly ProgramDaemonSet[],
  places: readonly Place[] = poolPlaces(config),
): readonly Row[] {
  const programs = programsOf(config, daemonSets);
  const find = finder(config, daemonSets);
  const hasDrivers = daemonSets.some(({ program }) => program.isDriver);
  return places.map((place) => {
    const cells = programs.map((program) => ({ program, ...find(program, place) }));
    const isDriven = cells.some((cell) => cell.program.isDriver && cell.daemonSets.length > 0);
    return { place, cells: isDriven || !hasDrivers ? cells : cells.map((cell) => gated(cell, place)) };
  });
}

/** Those of the DaemonSets, and drivers that no pool gets, which have no DaemonSet. */
function programsOf({ instances }: CoveredConfig, daemonSets: readonly ProgramDaemonSet[]): readonly NodeProgram[] {
  const drivers = allComponents.filter(({ id, providesDriver }) => providesDriver && instances.has(id));
  const all = [...drivers.map(componentProgram), ...daemonSets.map(({ program }) => program)];
  return [...new Map(all.map((program) => [program.name, program])).values()].sort((a, b) =>
    compareText(a.name, b.name),
  );
}

type Find = (program: NodeProgram, place: Place) => Omit<Cell, 'program'>;

function finder(config: CoveredConfig, daemonSets: readonly ProgramDaemonSet[]): Find {
  const groups = groupBy(daemonSets, ({ program, owner = '' }) => `${program.name} ${owner}`);
  const policiesOf = policyFinder(config);
  const served = servedPools(config, daemonSets);
  const instanceOf = instanceFinder(config);
  const placements = new Map<string, ReturnType<typeof daemonSetPlacement<ProgramDaemonSet>>>();
  /** Parsed once for all places with these policies. */
  const placementBy = (program: NodeProgram, owners: readonly string[]) => {
    const keys = owners.map((owner) => `${program.name} ${owner}`);
    const key = keys.join();
    const daemonSetsOf = () => keys.flatMap((one) => groups.get(one) ?? []);
    const placement = placements.get(key) ?? daemonSetPlacement(daemonSetsOf(), wordsOf(program));
    placements.set(key, placement);
    return placement;
  };
  return (program, place) => {
    const owners = program.isOfPolicy ? policiesOf(place).map(({ owner }) => owner.label) : [''];
    const pool = poolOf(place);
    const own = program.isDriver && pool !== undefined ? served.get(pool) : undefined;
    const placement = own ? daemonSetPlacement(own, wordsOf(program)) : placementBy(program, owners);
    const found = placement.on(place.node);
    if (found.length > 0) return { daemonSets: found };
    const selecting = owners.flatMap((owner) => instanceOf(program.component, owner) ?? []);
    const ofPolicies = program.isOfPolicy ? policyAbsence(program, config, place, selecting) : undefined;
    return { daemonSets: [], absence: ofPolicies ?? placement.whyNone(place.node) };
  };
}

/** The pool whose nodes a place stands for; `undefined` for a live node. */
function poolOf({ node, pools: [pool] }: Place): NodePool | undefined {
  return node.otherLabels === 'any' ? pool : undefined;
}

/** A pool belongs to the policies that `resolve` found for it; a live node to those whose labels it has. */
function policyFinder({ policies }: CoveredConfig): (place: Place) => readonly Policy[] {
  const byPool = new Map<NodePool, Policy[]>();
  for (const policy of policies) {
    for (const pool of policy.pools) listIn(byPool, pool).push(policy);
  }
  return (place) => {
    const pool = poolOf(place);
    if (pool !== undefined) return byPool.get(pool) ?? [];
    return policies.filter(({ nodeSelector }) => hasEntries(place.node.labels, nodeSelector));
  };
}

/** The driver DaemonSets that are rendered for each pool. */
function servedPools(
  { instances, cluster }: CoveredConfig,
  daemonSets: readonly ProgramDaemonSet[],
): ReadonlyMap<NodePool, readonly ProgramDaemonSet[]> {
  const byId = new Map(daemonSets.map((daemonSet) => [daemonSet.id, daemonSet]));
  const served = new Map<NodePool, ProgramDaemonSet[]>();
  for (const { id, driverDaemonSets } of allComponents) {
    for (const { name, pools } of (instances.get(id) ?? []).flatMap((one) => driverDaemonSets?.(one) ?? [])) {
      const daemonSet = byId.get(`${cluster.namespace}/${name}`);
      if (daemonSet !== undefined) for (const pool of pools) listIn(served, pool).push(daemonSet);
    }
  }
  return served;
}

function listIn<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function wordsOf({ isDriver, section }: NodeProgram) {
  return isDriver
    ? DRIVER_WORDS
    : { noun: `DaemonSet of \`${section}\``, none: `\`${section}\` has no DaemonSet for it` };
}

/** Why no policy puts a pod of the program there; `undefined` if the cause is a DaemonSet. */
function policyAbsence(
  { isDriver, section }: NodeProgram,
  { cluster }: CoveredConfig,
  { node, pools }: Place,
  selecting: readonly Instance[],
): Absence | undefined {
  if (selecting.length === 0) {
    const what = node.name === undefined ? 'the pool' : 'the node';
    return { kind: 'policy', message: `no policy with \`${section}\` selects ${what}` };
  }
  const isTakenOff = (owner: Instance['owner']) => pools.some((pool) => isUninstalled(cluster, owner, pool));
  if (isDriver && selecting.every(({ owner }) => isTakenOff(owner))) {
    return { kind: 'uninstall', message: '`driver.uninstall` takes it off' };
  }
  const repelled = selecting.map((instance) => ({ instance, taints: untolerated(instance, node) }));
  if (repelled.some(({ taints }) => taints.length === 0)) return undefined;
  const texts = repelled.map(
    ({ instance: { owner }, taints }) =>
      `${owner.kind} \`${owner.name}\` does not tolerate ${listedNames(taints, SHOWN_TAINTS)}`,
  );
  return { kind: 'taint', message: texts.join(', and '), owners: selecting.map(({ owner }) => owner) };
}

const SHOWN_TAINTS = 5;

function untolerated({ tolerations }: Instance, node: PlacementNode): readonly string[] {
  const placement = nodePlacement({ nodeSelector: {}, tolerations: [...tolerations, ...DAEMON_SET_TOLERATIONS] });
  return placement.misfitsOf(node).flatMap((one) => (one.kind === 'taint' ? [taintText(one.taint)] : []));
}

/** The cell of a place without a driver: what waits for one does not start. */
function gated(cell: Cell, { node }: Place): Cell {
  const isOpen = node.labels[OFED_GATE_LABEL] === 'false';
  const waiting = cell.daemonSets.filter(({ gate }) => gate === 'ready-file' || (gate === 'label' && !isOpen));
  if (waiting.length === 0 || waiting.length < cell.daemonSets.length) return cell;
  const message = 'its pods wait for the driver, and there is none';
  return { program: cell.program, daemonSets: [], absence: { kind: 'gate', message } };
}
