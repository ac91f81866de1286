import { driverKeys } from '../../../src/shared/contract/labels.js';
import type { RunOutcome } from '../../../src/companion/runtime/run-outcome.js';
import { runCompanion } from '../../../src/companion/runtime/loop/loop.js';
import type { ClusterPort } from '../../../src/companion/runtime/ports.js';
import { makeClusterPort } from '../../../src/forecast/simulation/cluster-port.js';
import { makePod } from '../../../src/forecast/simulation/controllers/pods.js';
import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import { keyOf, type StoredNode, type StoredPod } from '../../../src/forecast/simulation/store.js';
import { flushPromises } from '../../kit/flush-promises.js';
import { makeWatchServer } from '../../../src/forecast/simulation/watch-server.js';
import { applyGit, buildCluster } from '../run/build.js';
import { NAMESPACE } from '../scenario/git.js';
import type { Scenario } from '../scenario/scenario.js';
import { type EvenCluster, evenScenario, removeFixedPods } from './even-scenario.js';

/** A cluster without faults whose driver gets a new version. */
export interface OneUpgrade extends EvenCluster {
  /** Changes the cluster before the upgrade begins. */
  readonly prepare?: (cluster: SimulatedCluster) => void;
  /** Replaces methods of the API server. */
  readonly port?: (port: ClusterPort) => Partial<ClusterPort>;
  /** When the upgrade is stopped, in hours. */
  readonly longestHours?: number;
}

interface UpgradeResult {
  /** Names of the nodes that are done. */
  readonly done: readonly string[];
  /** When the last of them was done, in hours. */
  readonly hours: number;
  /** The end of the run; undefined if it was stopped. */
  readonly end: RunOutcome | undefined;
  /** The maximum number of ReplicaSet pods that had no node at the same time. */
  readonly mostWithoutNode: number;
  /** How often a node left its upgrade without being done. */
  readonly givenBack: number;
  /** The text of the status ConfigMap. */
  readonly status: string;
}

const HOUR_MS = 3_600_000;
const KEYS = driverKeys('ofed');

/** Runs the companion once on the cluster. */
export async function upgradeOnce(setup: OneUpgrade): Promise<UpgradeResult> {
  const scenario = evenScenario(setup);
  const cluster = buildCluster(scenario);
  cluster.hasFaults = false;
  removeFixedPods(cluster);
  setup.prepare?.(cluster);
  const sets = scenario.git.drivers.map((driver) => ({
    ...driver,
    sets: driver.sets.map((set) => ({ ...set, digest: 'ofed-2' })),
  }));
  rollOut(cluster, { ...scenario.git, drivers: sets });
  const startMs = cluster.events.now();
  const seen = follow(cluster, startMs);
  const state = { answered: true, end: undefined as RunOutcome | undefined };
  const answered = (): void => void (state.answered = true);
  const context = { cluster, watches: makeWatchServer(cluster, answered), answered, wrote: () => undefined };
  const port = makeClusterPort({ ...context, ignoresVersions: false }, { identity: 'companion', alive: true });
  const clock = {
    now: () => cluster.events.now(),
    monotonicMs: () => cluster.events.now(),
    processorMs: () => 0,
    after: (ms: number, callback: () => void) =>
      cluster.events.timer(ms, () => {
        answered();
        callback();
      }),
  };
  const ports = {
    cluster: { ...port, ...setup.port?.(port) },
    clock,
    signals: { stopRequested: false, onStop: () => undefined },
    random: () => cluster.chance.companion.next(),
    output: { log: () => undefined, metrics: () => undefined, summary: () => undefined },
  };
  const options = { namespace: NAMESPACE, identity: 'companion', mode: 'cronjob' as const, runId: 'run' };
  void runCompanion(ports, options).then((end) => {
    state.end = end;
    answered();
  });
  const limitMs = startMs + (setup.longestHours ?? 24) * HOUR_MS;
  while (state.end === undefined) {
    if (state.answered) {
      state.answered = false;
      await flushPromises();
    } else if (!cluster.events.step(limitMs)) break;
  }
  const status = cluster.store.configMaps.get('weft-companion-status')?.data['status.json'] ?? '';
  return { ...seen(), end: state.end, status };
}

function rollOut(cluster: SimulatedCluster, git: Scenario['git']): void {
  applyGit(cluster, git);
  const digest = [...cluster.store.daemonSets.values()].find(({ role }) => role === 'driver')?.digest ?? '';
  const drivers = cluster.policy.drivers.map((driver) => {
    if (driver.kind !== 'ofed') return driver;
    const policies = driver.policies.map((policy) => ({
      ...policy,
      daemonSets: policy.daemonSets.map((one) => ({ ...one, digest })),
    }));
    return { ...driver, policies };
  });
  cluster.policy = { ...cluster.policy, drivers };
}

function follow(cluster: SimulatedCluster, startMs: number) {
  let hours = 0;
  let givenBack = 0;
  let mostWithoutNode = 0;
  cluster.store.nodes.listen((_name, before, after) => {
    const [from, to] = [before?.labels[KEYS.state], after?.labels[KEYS.state]];
    if (from === to) return;
    if (to === 'upgrade-done') hours = (cluster.events.now() - startMs) / HOUR_MS;
    if (from === 'drain-required' && to === 'upgrade-required') givenBack += 1;
  });
  cluster.store.pods.listen(() => {
    const pods = [...cluster.store.pods.values()];
    const without = pods.filter(({ lifecycle, nodeName }) => lifecycle.owner === 'app' && nodeName === '').length;
    mostWithoutNode = Math.max(mostWithoutNode, without);
  });
  const isDone = ({ labels }: StoredNode): boolean => labels[KEYS.state] === 'upgrade-done';
  return () => ({
    done: [...cluster.store.nodes.values()].filter(isDone).map(({ name }) => name),
    ...{ hours, givenBack, mostWithoutNode },
  });
}

/** A running pod on the node, which no controller of the simulation replaces. */
export function putPod(cluster: SimulatedCluster, node: string, name: string, parts: Partial<StoredPod> = {}): void {
  const controller = { apiVersion: 'example.com/v1', kind: 'CustomThing', name, uid: `uid-of-${name}` };
  const running = { phase: 'Running' as const, ready: true, nodeName: node, controller };
  const pod = makePod(cluster, {
    ...{ namespace: 'work', name, uid: `${name}-1` },
    ...running,
    ...parts,
    lifecycle: { kind: 'workload' },
  });
  cluster.store.pods.put(keyOf(pod), pod, 'admin');
}

/** Creates a pod of this controller that fits on no node again and again. */
export function addPodsThatFitNowhere(cluster: SimulatedCluster, everyMs: number, controllerUid = 'uid-of-big'): void {
  let index = 0;
  const add = (): void => {
    const name = `big-${(index += 1)}`;
    const parts = { namespace: 'work', name, uid: name, lifecycle: { kind: 'workload' as const, targetNode: 'none' } };
    const controller = { apiVersion: 'batch/v1', kind: 'Job', name: 'big', uid: controllerUid };
    const pod = makePod(cluster, { ...parts, controller });
    cluster.store.pods.put(keyOf(pod), pod, 'admin');
    cluster.events.after(everyMs, add);
  };
  add();
}

/** Calls back once, as soon as the companion has cordoned the node. */
export function whenCordoned(cluster: SimulatedCluster, name: string, callback: () => void): void {
  let isDone = false;
  cluster.store.nodes.listen((changed, before, after) => {
    if (isDone || changed !== name || before?.unschedulable === true || after?.unschedulable !== true) return;
    isDone = true;
    cluster.events.after(100, callback);
  });
}

/** Each node has a job that ends this long after the node was cordoned. */
export function addJobs(cluster: SimulatedCluster, ms: number): void {
  for (const name of [...cluster.store.nodes.values()].map((node) => node.name))
    putPod(cluster, name, `job-${name}`, { labels: { job: 'yes' } });
  cluster.store.nodes.listen((name, before, after) => {
    if (before?.unschedulable === true || after?.unschedulable !== true) return;
    cluster.events.after(ms, () => cluster.store.pods.remove(`work/job-${name}`, 'controller'));
  });
}
