import { driverKeys, COMPANION_NAMES, OFED_DRIVER_LABEL } from '../../src/shared/contract/labels.js';
import { statesIn } from '../../src/shared/contract/node-states.js';
import { STATUS_KEY } from '../../src/companion/runtime/report/status.js';
import { makeRandom } from '../../src/forecast/simulation/random.js';
import type { SimulatedCluster } from '../../src/forecast/simulation/simulated-cluster.js';

const STATE = driverKeys('ofed').state;
const STATES = new Set<string>([...statesIn('drain', 'maintenance'), 'pod-restart-required']);
const TAINT = { key: 'problem', value: '', effect: 'NoSchedule' };
const PROBABILITY = 0.5;
/** Shorter than the time-out of a drain. */
const STAYS_MS = 120_000;
/** Requests that are under way when the taint comes end by then. */
const SETTLED_MS = 3_000;
/** How long an evicted workload with a finalizer takes to end. */
const GRACE_MS = 20_000;

/**
 * Now and then a node that is in progress gets a taint that no driver tolerates, which goes after two minutes: meanwhile the node keeps its
 * cordon and its pods, and the status names it. Returns what was not so.
 *
 * @param upgraded names of the nodes that the companion brings another driver
 */
export function taintInProgress(
  cluster: SimulatedCluster,
  seed: number,
  upgraded: ReadonlySet<string>,
): readonly string[] {
  const random = makeRandom(seed, 'taint');
  const problems: string[] = [];
  if (!random.chance(PROBABILITY) || upgraded.size === 0) return problems;
  const { store, events } = cluster;
  const name = random.pick([...upgraded]);
  const delayMs = random.pick([0, 30, GRACE_MS / 2, GRACE_MS + 50]);
  const before = new Set([...store.pods.values()].map(({ uid }) => uid));
  slowDown(cluster, name);
  const stop = store.nodes.listen((changed, _before, node) => {
    if (changed !== name || !STATES.has(node?.labels[STATE] ?? '')) return;
    stop();
    events.after(delayMs, () => {
      const isLate = podsOn(cluster, name).some(({ uid, labels }) => OFED_DRIVER_LABEL in labels && !before.has(uid));
      if (STATES.has(store.nodes.get(name)?.labels[STATE] ?? '') && !isLate) taint(cluster, name, problems);
    });
  });
  return problems;
}

/** Evicted workloads take a while to end, so that the node can be met while it is drained. */
function slowDown({ store }: SimulatedCluster, name: string): void {
  for (const [key, pod] of [...store.pods.entries()]) {
    if (pod.nodeName !== name || pod.lifecycle.kind !== 'workload') continue;
    store.pods.put(key, { ...pod, finalizers: ['example.com/slow'] }, 'setup');
  }
}

function taint(cluster: SimulatedCluster, name: string, problems: string[]): void {
  const { store, events } = cluster;
  const node = store.nodes.get(name);
  if (node === undefined) return;
  cluster.note(`${name} gets a taint`);
  store.nodes.put(name, { ...node, taints: [...node.taints, TAINT] }, 'admin');
  events.after(SETTLED_MS, () => {
    const wasCordoned = store.nodes.get(name)?.unschedulable === true;
    const pods = podsOn(cluster, name);
    events.after(STAYS_MS, () => {
      const now = store.nodes.get(name);
      if (now === undefined) return;
      const left = new Set(podsOn(cluster, name).map(({ uid }) => uid));
      for (const pod of pods) if (!left.has(pod.uid)) problems.push(`${name} lost pod ${pod.name}`);
      if (wasCordoned && !now.unschedulable) problems.push(`${name} was uncordoned`);
      if (!isNamed(cluster, name)) problems.push(`the status does not name ${name}`);
      cluster.note(`the taint of ${name} goes`);
      store.nodes.put(name, { ...now, taints: now.taints.filter(({ key }) => key !== TAINT.key) }, 'admin');
    });
  });
}

function podsOn({ store }: SimulatedCluster, name: string) {
  return [...store.pods.values()].filter(({ nodeName, deletionMs }) => nodeName === name && deletionMs === undefined);
}

/** Whether the status of the companion says that the node waits because of the taint. */
function isNamed({ store }: SimulatedCluster, name: string): boolean {
  const status = [...store.configMaps.values()].find((one) => one.name === COMPANION_NAMES.statusConfigMap);
  const { waiting = [] } = JSON.parse(status?.data[STATUS_KEY] ?? '{}') as {
    readonly waiting?: readonly { readonly node: string; readonly message: string }[];
  };
  return waiting.some(({ node, message }) => node === name && message.includes(`the taint ${TAINT.key}:`));
}
