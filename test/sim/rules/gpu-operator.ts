import { driverKeys } from '../../../src/shared/contract/labels.js';
import { MAINTENANCE_ANNOTATION, readMaintenanceRecord } from '../../../src/shared/contract/maintenance-record.js';
import type { StoredNode } from '../../../src/forecast/simulation/store.js';
import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import { prefixesOf, type GitDriver } from '../scenario/git.js';
import type { Scenario } from '../scenario/scenario.js';
import type { Simulation } from '../simulation.js';
import type { Invariants } from './invariants.js';
import { IN_PROGRESS, Violation } from './rules.js';
import { isTroubled } from './troubled.js';

const OPERATOR = driverKeys('gpu');
const OURS = driverKeys('weft-gpu');
/** How long a watch takes at most. */
const LONGEST_LAG_MS = 30_000;
const RESTING: ReadonlySet<string | undefined> = new Set([undefined, 'upgrade-required', 'upgrade-done']);

/** What happened to the cordons of a node. */
interface Cordons {
  /** How often the companion cordoned and uncordoned it, and whoever else did. */
  readonly counts: { ours: number; oursLifted: number; others: number };
  /** The annotation that keeps the GPU operator from lifting the cordon is there, and the companion wrote it. */
  isRecorded: boolean;
}

/**
 * Checks what the companion writes where the GPU operator restarts a driver, and returns the check of what is left when a part of the
 * run is over.
 */
export function watchGpuOperator(simulation: Simulation, scenario: Scenario, invariants: Invariants): () => void {
  const { cluster } = simulation;
  if (scenario.gpuOperator === undefined) return () => undefined;
  const nodes = new Map<string, Cordons>();
  cluster.store.nodes.listen((name, before, after, actor) => {
    if (before === undefined || after === undefined) return void nodes.delete(name);
    if (actor === 'ours') checkWrite(simulation, before, after, invariants);
    const known = nodes.get(name) ?? { counts: { ours: 0, oursLifted: 0, others: 0 }, isRecorded: false };
    nodes.set(name, known);
    if (before.unschedulable !== after.unschedulable)
      known.counts[actor !== 'ours' ? 'others' : after.unschedulable ? 'ours' : 'oursLifted'] += 1;
    if (OPERATOR.initialState in before.annotations !== OPERATOR.initialState in after.annotations)
      known.isRecorded = actor === 'ours' && OPERATOR.initialState in after.annotations;
  });
  return () => {
    for (const node of cluster.store.nodes.values()) {
      checkLeft(simulation, node, nodes.get(node.name)?.isRecorded === true, invariants);
      const { ours, oursLifted, others } = nodes.get(node.name)?.counts ?? { ours: 0, oursLifted: 0, others: 0 };
      if (isCalm(simulation, scenario) && (ours !== 1 || oursLifted !== 1 || others > 0))
        throw new Violation(
          'a node that is due for two drivers is cordoned and uncordoned once',
          `${node.name}: ${ours} cordons, ${oursLifted} uncordons, ${others} of others`,
        );
    }
  };
}

/** Nothing went wrong, and both drivers were changed: a scenario that was made shorter may lack a part. */
function isCalm({ git }: Simulation, { isCalm, git: before }: Scenario): boolean {
  const isChanged = git.drivers.every(({ sets }, at) => sets[0]?.digest !== before.drivers[at]?.sets[0]?.digest);
  return isCalm === true && isChanged && !git.paused;
}

function checkWrite({ cluster, git }: Simulation, before: StoredNode, after: StoredNode, invariants: Invariants): void {
  const state = before.labels[OPERATOR.state];
  const fact = `${after.name}: the GPU operator has it in ${state}`;
  if (after.labels[OPERATOR.state] !== state) throw new Violation('never write the state of the GPU operator', fact);
  const needsCordon = IN_PROGRESS.has(state ?? '') && state !== 'uncordon-required';
  if (before.unschedulable && !after.unschedulable && needsCordon)
    throw new Violation('never lift a cordon that the GPU operator needs', fact);
  // Without its section the companion knows nothing of the operator.
  if (!invariants.hasDriver('weft-gpu')) return;
  const isCordoned = !before.unschedulable && after.unschedulable;
  // The operator leaves its label on a node that has lost the driver, and does not go on with it.
  const isDriven = git.drivers.some((driver) => isOnNode(cluster, driver, before));
  if (isDriven && isCordoned && state === 'upgrade-required' && !(OPERATOR.initialState in after.annotations))
    throw new Violation('a cordon is recorded for the GPU operator in the same patch', fact);
  const begins = RESTING.has(before.labels[OURS.state]) && IN_PROGRESS.has(after.labels[OURS.state] ?? '');
  // A repaired node, and one that was left out of service, is validated and uncordoned. Without its record it may be any participant that was at work.
  const record = readMaintenanceRecord(before.annotations[MAINTENANCE_ANNOTATION]);
  const isLeft = before.unschedulable && record?.cordon !== undefined;
  // It began before, and gets the label back that somebody removed.
  const hasLostLabel = record?.wants?.['weft-gpu'] !== undefined;
  const isLeftover = isLeft || ['validation-required', 'uncordon-required'].includes(after.labels[OURS.state] ?? '');
  if (begins && !isLeftover && !hasLostLabel && state !== 'upgrade-required')
    throw new Violation('begins only what the GPU operator asks for', fact);
}

/** Whether the node has the driver of the GPU operator, for longer than watches take. */
function isOnNode({ store, events }: SimulatedCluster, { management, prefix }: GitDriver, node: StoredNode): boolean {
  if (management !== 'operator') return false;
  return [...store.podsOn(node.name)].some(
    ({ labels, deletionMs, createdMs }) =>
      `nvidia.com/${prefix}-driver` in labels && deletionMs === undefined && events.now() - createdMs > LONGEST_LAG_MS,
  );
}

/** What must not be left on a node where both are done. */
function checkLeft(simulation: Simulation, node: StoredNode, isRecorded: boolean, invariants: Invariants): void {
  const { cluster, git } = simulation;
  const isDone = (prefix: string): boolean => node.labels[driverKeys(prefix).state] === 'upgrade-done';
  const all = [...prefixesOf(git), 'gpu'];
  if (!all.every(isDone) || git.drivers.some((driver) => isTroubled(simulation, driver, node))) return;
  // An operator that is switched off in the middle leaves the record of a cordon that another actor set.
  if (!invariants.isChangedByOthers(node.name)) {
    if (node.unschedulable && invariants.cordonOwner(node.name) === 'ours')
      throw new Violation('no cordon of ours is left behind', node.name);
    if (!node.unschedulable && isRecorded)
      throw new Violation('the record of a cordon goes with the cordon', node.name);
  }
  const late = [...cluster.store.podsOn(node.name)].filter(({ lifecycle }) => lifecycle.kind === 'driver');
  for (const driver of git.drivers) {
    const desired = driver.sets.find(({ group }) => group === node.labels['group'])?.digest;
    const pod = late.find(({ labels }) => `nvidia.com/${driver.prefix}-driver` in labels);
    if (driver.management === 'operator' && pod !== undefined && pod.lifecycle.digest !== desired)
      throw new Violation('a done node has the driver that git has', `${node.name}: ${pod.lifecycle.digest}`);
  }
}
