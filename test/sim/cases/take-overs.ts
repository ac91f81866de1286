import { REVISION_LABEL } from '../../../src/shared/contract/labels.js';
import { advance, daemonSetOf, KEYS, putDriverPod, putNode, readyDriverPods } from '../../kit/idle-cluster.js';
import { recordedFailure } from '../../kit/records.js';
import { patched } from '../../../src/forecast/simulation/merge-patch.js';
import { runCommand } from '../../scenario/commands.js';
import { act, createState, decideOn, type ScenarioState } from '../../scenario/state.js';

/** Where the companion stops in its upgrade of the node. */
export const COMPANION_STOPS = [
  'upgrade-required',
  'drain-required',
  'pod-restart-required',
  'failed drain',
  'failed drain, cordon kept',
  'failed driver',
  'upgrade-done',
] as const;
type CompanionStop = (typeof COMPANION_STOPS)[number];

/** Where the operator stops: in the upgrade that it continues, or in the next one. */
export const OPERATOR_STOPS = [
  'upgrade-required',
  'cordon-required',
  'wait-for-jobs-required',
  'drain-required',
  'pod-restart-required',
  'loading driver',
  'uncordon-required',
  'failed drain',
  'failed driver',
  'upgrade-done',
] as const;
type OperatorStop = (typeof OPERATOR_STOPS)[number];

/** The companion begins the upgrade, the operator continues it, and the companion finishes it. */
export interface TakeOver {
  readonly companion: CompanionStop;
  /** The companion recorded the time of its cordon before it stopped. */
  readonly isDated: boolean;
  readonly operator: OperatorStop;
  /** The operator finishes the companion's upgrade, and stops in the one of the next commit. */
  readonly isNextUpgrade: boolean;
  readonly isCordonedBefore: boolean;
  /** The annotation about the cordon was removed when the operator took over, as the guide says. */
  readonly isCleaned: boolean;
  /** How a node that the operator failed is repaired: its driver loads, or a user retries it by its state label. */
  readonly repair: 'driver' | 'label';
}

interface TakeOverEnd {
  readonly state: string;
  readonly isCordoned: boolean;
  /** Why the node failed after the operator, as the record says. */
  readonly failures: readonly string[];
  /** Annotations of the companion that are left. */
  readonly left: readonly string[];
}

const NODE = 'n1';
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export function runTakeOver(one: TakeOver): TakeOverEnd {
  const state = createState();
  const say = (...lines: readonly string[]): void => lines.forEach((line) => runCommand(state, line));
  const keep = one.companion === 'failed drain, cordon kept' ? ' rollout.onDrainFailure=keep' : '';
  say(`policy drain.enable=true drain.timeoutSeconds=60 rollout.driverTimeout=20m rollout.failureBudget=9${keep}`);
  say('daemon set mofed of v2', `nodes ${NODE}`, 'driver pods of mofed with v1', 'budget db/pg allows 0 for app=pg');
  if (one.isCordonedBefore) cordon(state, true);
  runCompanionUntil(state, one);

  advance(state.cluster, one.isNextUpgrade ? HOUR_MS : SECOND_MS);
  if (one.isCleaned) say(`node ${NODE} annotation maintenance-`);
  if (one.isNextUpgrade) {
    runOperatorUntil(state, 'upgrade-done');
    advance(state.cluster, HOUR_MS);
    say('daemon set mofed of v3');
  }
  runOperatorUntil(state, one.operator);

  if (stateOf(state) === 'upgrade-failed') {
    if (one.repair === 'label') say(`node ${NODE} label state=upgrade-required`);
    else loadDriver(state, true);
  }
  return finish(state);
}

function nodeOf({ cluster }: ScenarioState) {
  return cluster.store.nodes.get(NODE) ?? putNode(cluster, NODE);
}

const stateOf = (state: ScenarioState): string => nodeOf(state).labels[KEYS.state] ?? '';

/** A user, the operator or the companion cordons the node, and the node lifecycle controller dates the cordon. */
function cordon(state: ScenarioState, isCordoned: boolean): void {
  const cordonTime = `${new Date(state.cluster.events.now()).toISOString().slice(0, 19)}Z`;
  putNode(state.cluster, NODE, { unschedulable: isCordoned, cordonTime });
}

function loadDriver({ cluster, policy }: ScenarioState, isReady: boolean): void {
  putDriverPod(cluster, NODE, 'mofed', policy.daemonSets.get('mofed') ?? '', isReady);
}

/** Decides and acts for a time; returns why the node failed. */
function runCompanion(state: ScenarioState, forMs: number, { isDated = true, isReady = false } = {}): string[] {
  const { cluster } = state;
  const endMs = cluster.events.now() + forMs;
  const failures: string[] = [];
  for (;;) {
    const { unschedulable } = nodeOf(state);
    const { actions, wakeMs = Infinity } = decideOn(state);
    for (const action of actions) {
      act(state, action);
      if (action.kind === 'patchNode' && action.steps.some(({ row }) => row === 'failed'))
        failures.push(recordedFailure(nodeOf(state).annotations) ?? '');
    }
    if (isDated && !unschedulable && nodeOf(state).unschedulable) cordon(state, true);
    else if (actions.some(({ kind }) => kind === 'patchNode')) continue;
    if (cluster.events.now() >= endMs) return failures;
    advance(cluster, Math.min(Math.max(wakeMs - cluster.events.now(), SECOND_MS), endMs - cluster.events.now()));
    if (isReady) readyDriverPods(cluster, SECOND_MS);
  }
}

function runCompanionUntil(state: ScenarioState, { companion, isDated }: TakeOver): void {
  const say = (line: string): void => runCommand(state, line);
  say(`pod db/pg-0 on=${NODE} of=StatefulSet labels=app=pg unready`);
  if (companion === 'upgrade-required') {
    say('policy paused=true');
    runCompanion(state, SECOND_MS);
    return say('policy paused=false');
  }
  runCompanion(state, companion.startsWith('failed drain') ? 2 * MINUTE_MS : SECOND_MS, { isDated });
  if (companion === 'drain-required' || companion.startsWith('failed drain')) return;
  say('gone: pod db/pg-0');
  runCompanion(state, 5 * SECOND_MS, { isDated });
  if (companion === 'failed driver') say(`driver pod on ${NODE} was restarted 11 times`);
  if (companion !== 'pod-restart-required')
    runCompanion(state, 5 * SECOND_MS, { isDated, isReady: companion === 'upgrade-done' });
}

/** The operator's flow, state by state, a second each: k8s-operator-libs, `pkg/upgrade/common_manager.go`. */
function runOperatorUntil(state: ScenarioState, stop: OperatorStop): void {
  for (let steps = 0; steps < 20 && !isStopped(state, stop); steps += 1) {
    advance(state.cluster, SECOND_MS);
    if (!stepOfOperator(state, stop)) return;
  }
}

function isStopped(state: ScenarioState, stop: OperatorStop): boolean {
  const now = stateOf(state);
  if (stop === 'loading driver') return now === 'pod-restart-required' && !isOutdated(state);
  if (stop === 'pod-restart-required') return now === stop && isOutdated(state);
  return stop.startsWith('failed') ? now === 'upgrade-failed' : now === stop;
}

function driverPodOf({ cluster }: ScenarioState) {
  return [...cluster.store.pods.entries()].find(([, { labels }]) => REVISION_LABEL in labels);
}

function isOutdated(state: ScenarioState): boolean {
  const hash = driverPodOf(state)?.[1].labels[REVISION_LABEL];
  return hash !== daemonSetOf(state.cluster, 'mofed')?.hash;
}

/** False if nothing is left to do. */
function stepOfOperator(state: ScenarioState, stop: OperatorStop): boolean {
  const { cluster } = state;
  const node = nodeOf(state);
  const wasCordoned = KEYS.initialState in node.annotations;
  const to = (next: string, annotations: Record<string, string | null> = {}): true => {
    putNode(cluster, NODE, patched(nodeOf(state), { labels: { [KEYS.state]: next }, annotations }));
    return true;
  };
  const toEnd = (): true => (wasCordoned ? to('upgrade-done', { [KEYS.initialState]: null }) : to('uncordon-required'));
  switch (stateOf(state)) {
    case '':
    case 'upgrade-done':
      return isOutdated(state) && to('upgrade-required', node.unschedulable ? { [KEYS.initialState]: 'true' } : {});
    case 'upgrade-required':
      return to('cordon-required');
    case 'cordon-required':
      if (!node.unschedulable) cordon(state, true);
      return to('wait-for-jobs-required');
    case 'wait-for-jobs-required':
    case 'pod-deletion-required':
      return to('drain-required');
    case 'drain-required':
      if (stop === 'failed drain') return to('upgrade-failed');
      cluster.store.pods.remove('db/pg-0', 'admin');
      return to('pod-restart-required');
    case 'pod-restart-required': {
      if (isOutdated(state)) loadDriver(state, false);
      else if (stop === 'failed driver') {
        runCommand(state, `driver pod on ${NODE} was restarted 11 times`);
        return to('upgrade-failed');
      } else {
        readyDriverPods(cluster, 0);
        return toEnd();
      }
      return true;
    }
    case 'validation-required':
      return toEnd();
    case 'uncordon-required':
      cordon(state, false);
      return to('upgrade-done');
    // A user retries the node.
    default:
      return to('upgrade-required');
  }
}

/** The companion continues: evictions are refused, and the driver loads within its time-out. */
function finish(state: ScenarioState): TakeOverEnd {
  const { cluster } = state;
  runCommand(state, `pod db/pg-1 on=${NODE} of=StatefulSet labels=app=pg unready`);
  const failures = runCompanion(state, 20 * SECOND_MS);
  for (const [key, { namespace }] of [...cluster.store.pods.entries()])
    if (namespace === 'db') cluster.store.pods.remove(key, 'admin');
  failures.push(...runCompanion(state, 10 * SECOND_MS), ...runCompanion(state, 30 * SECOND_MS, { isReady: true }));
  const { annotations, unschedulable } = nodeOf(state);
  const left = Object.keys(annotations).filter((key) => key.startsWith('weft.dev/') && key !== KEYS.done);
  return { state: stateOf(state), isCordoned: unschedulable, failures, left };
}
