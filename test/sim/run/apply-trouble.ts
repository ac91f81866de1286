import { driverKeys } from '../../../src/shared/contract/labels.js';
import { patchNode } from '../../../src/forecast/simulation/api.js';
import { makePod } from '../../../src/forecast/simulation/controllers/pods.js';
import { keyOf, type StoredNode, type StoredPod } from '../../../src/forecast/simulation/store.js';
import type {
  GpuOperator,
  SimulatedCluster,
  SriovOperator,
} from '../../../src/forecast/simulation/simulated-cluster.js';
import { changeDriver, changeGit } from './apply-incident.js';
import { withdrawOthers } from './apply-maintenance.js';
import { ANY_POD, type GpuOperatorIncident } from '../scenario/gpu-operator.js';
import type { Simulation } from '../simulation.js';
import { CLOSED, type TroubleIncident } from '../scenario/troubles.js';

/** Key of a taint that others set. */
const TAINT = 'example.com/taint';
const UNFIT = 'unfit';
const PINNED = 'pinned';

/** Applies one incident to the cluster or to git. */
export function applyTrouble(simulation: Simulation, incident: TroubleIncident): void {
  const { cluster, git } = simulation;
  switch (incident.kind) {
    case 'webhook':
      return void cluster.webhooks.add(incident.webhook);
    case 'webhook-gone':
      return void cluster.webhooks.delete(incident.webhook);
    case 'close-budget':
      return closeBudget(cluster, incident.workload);
    case 'pin-pod':
      return pinPod(cluster, incident);
    case 'unfit-pods':
      return replaceUnfitPod(simulation, incident.everyMs, cluster.events.now() + incident.forMs);
    case 'taint':
      return setTaint(cluster, incident.node, incident.effect);
    case 'relabel':
      return change(cluster, incident.node, ({ labels }) => ({
        labels: { ...without(labels, 'group'), ...(incident.group === null ? {} : { group: incident.group }) },
      }));
    case 'switch-policy': {
      const before = git.drivers.find(({ prefix }) => prefix === incident.prefix)?.offPolicies ?? [];
      const others = before.filter((name) => name !== incident.policy);
      const offPolicies = incident.on ? others : [...others, incident.policy];
      return changeGit(simulation, 0, changeDriver(git, incident.prefix, { offPolicies }));
    }
    case 'uninstall-group': {
      const driver = git.drivers.find(({ prefix }) => prefix === incident.prefix);
      // A driver whose DaemonSets are selected is not uninstalled.
      if (driver?.management !== undefined) return;
      const before = driver?.uninstalledGroups ?? [];
      const others = before.filter((group) => group !== incident.group);
      const uninstalledGroups = incident.on ? [...others, incident.group] : others;
      return changeGit(simulation, 0, changeDriver(git, incident.prefix, { uninstalledGroups }));
    }
    case 'settings':
      return changeGit(simulation, 0, changeDriver(git, incident.prefix, incident.change));
    case 'other-cordons':
      return meddle(simulation, incident, cluster.events.now() + incident.forMs);
    case 'slow-driver': {
      const { digest, node, loadMs } = incident;
      return void cluster.loadMs.set(node === undefined ? digest : `${digest}/${node}`, loadMs);
    }
    case 'maintenance':
      return change(cluster, incident.node, ({ annotations }) => {
        const { requestorMode } = driverKeys(git.drivers[0]?.prefix ?? 'ofed');
        const others = without(annotations, requestorMode);
        return { annotations: incident.on ? { ...others, [requestorMode]: 'true' } : others };
      });
  }
}

/** What is done to the GPU operator. */
export function applyToGpuOperator({ cluster }: Simulation, incident: GpuOperatorIncident): void {
  const { gpuOperator } = cluster;
  if (gpuOperator === undefined) return;
  switch (incident.kind) {
    case 'gpu-operator-restarts':
      return gpuOperator.restart(incident.awayMs);
    case 'gpu-operator-auto-upgrade':
      return gpuOperator.switchTo(incident.on);
    case 'gpu-operator-fails':
      return void gpuOperator.failing[incident.on ? 'add' : 'delete'](incident.node);
    case 'gpu-operator-slow':
      gpuOperator.writeMs = incident.writeMs;
      return;
    case 'forget-initial-cordon': {
      const annotations = { [driverKeys('gpu').initialState]: null };
      return void patchNode(cluster, incident.node, { annotations }, 'admin');
    }
  }
}

function repairGpuOperator(gpuOperator: GpuOperator): void {
  gpuOperator.options = ANY_POD;
  gpuOperator.failing.clear();
  gpuOperator.switchTo(true);
}

/** A config daemon that failed tries again when it starts again. */
function repairSriov(sriov: SriovOperator, { store }: SimulatedCluster): void {
  sriov.failing.clear();
  for (const { name, syncStatus } of [...store.sriovNodeStates.values()])
    if (syncStatus === 'Failed') sriov.restart(name, 1000);
}

function without(record: Readonly<Record<string, string>>, key: string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter(([one]) => one !== key));
}

function change(cluster: SimulatedCluster, name: string, to: (node: StoredNode) => Partial<StoredNode>): void {
  const node = cluster.store.nodes.get(name);
  if (node !== undefined) cluster.store.nodes.put(name, { ...node, ...to(node) }, 'admin');
}

function setTaint(cluster: SimulatedCluster, name: string, effect: string | undefined): void {
  change(cluster, name, ({ taints }) => {
    const others = taints.filter(({ key }) => key !== TAINT);
    return { taints: effect === undefined ? others : [...others, { key: TAINT, effect }] };
  });
}

function closeBudget(cluster: SimulatedCluster, workload: string): void {
  const budget = {
    ...{ namespace: 'work', name: `${workload}${CLOSED}`, resourceVersion: '' },
    ...{ selector: { matchLabels: { app: workload } }, disruptionsAllowed: 0, minAvailable: 1000 },
  };
  cluster.store.budgets.put(keyOf(budget), budget, 'admin');
}

function pinPod(cluster: SimulatedCluster, { node, as }: Extract<TroubleIncident, { readonly kind: 'pin-pod' }>): void {
  const running = { namespace: 'work', nodeName: node, phase: 'Running', ready: true } as const;
  const pod = makePod(cluster, {
    ...{ ...running, name: PINNED, uid: cluster.store.makeUid() },
    labels: { app: PINNED, ...(as === 'job' ? { job: 'yes' } : {}) },
    finalizers: as === 'finalizer' ? ['example.com/endless'] : [],
    controller: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: PINNED, uid: PINNED },
    lifecycle: { kind: as === 'job' ? 'job' : 'workload', graceMs: 10_000 },
  });
  cluster.store.pods.put(keyOf(pod), pod, 'admin');
}

function replaceUnfitPod(simulation: Simulation, everyMs: number, untilMs: number, old?: string): void {
  const { cluster, isRepaired } = simulation;
  if (old !== undefined) cluster.store.pods.remove(old, 'admin');
  if (cluster.events.now() >= untilMs || isRepaired) return;
  const uid = cluster.store.makeUid();
  const lifecycle = { kind: 'workload', targetNode: 'nowhere' } as const;
  const pod = makePod(cluster, { namespace: 'others', name: `${UNFIT}-${uid}`, uid, lifecycle });
  cluster.store.pods.put(keyOf(pod), pod, 'admin');
  cluster.events.after(everyMs, () => replaceUnfitPod(simulation, everyMs, untilMs, keyOf(pod)));
}

type OtherCordons = Extract<TroubleIncident, { readonly kind: 'other-cordons' }>;

function meddle(simulation: Simulation, incident: OtherCordons, untilMs: number): void {
  const { cluster, isRepaired, meddledNodes } = simulation;
  const { node, does, everyMs } = incident;
  if (cluster.events.now() >= untilMs || isRepaired) return void meddledNodes.delete(node);
  meddledNodes.add(node);
  const isCordoned = cluster.store.nodes.get(node)?.unschedulable === true;
  if (does !== (isCordoned ? 'cordons' : 'uncordons'))
    patchNode(cluster, node, { unschedulable: !isCordoned }, 'admin');
  cluster.events.after(everyMs, () => meddle(simulation, incident, untilMs));
}

/** Ends all that lasts, as an administrator does. */
export function endTroubles(simulation: Simulation): void {
  const { cluster } = simulation;
  simulation.isRepaired = true;
  if (cluster.gpuOperator !== undefined) repairGpuOperator(cluster.gpuOperator);
  if (cluster.sriov !== undefined) repairSriov(cluster.sriov, cluster);
  withdrawOthers(cluster);
  cluster.webhooks.clear();
  cluster.loadMs.clear();
  for (const [key, { name }] of [...cluster.store.budgets.entries()])
    if (name.endsWith(CLOSED)) cluster.store.budgets.remove(key, 'admin');
  for (const node of [...cluster.store.nodes.values()]) {
    setTaint(cluster, node.name, undefined);
    change(cluster, node.name, ({ annotations, labels }) => {
      const isMode = (key: string): boolean => simulation.git.isMaintained !== true && key.endsWith('-requestor-mode');
      const others = Object.entries(annotations).filter(([key]) => !isMode(key));
      return { annotations: Object.fromEntries(others), labels: { group: 'a', ...labels } };
    });
  }
  const endless = cluster.workloads.filter(({ name }) => name.startsWith('endless-'));
  for (const workload of endless) workload.replicas = 0;
  const isEndless = ({ lifecycle: { owner } }: StoredPod): boolean => endless.some(({ name }) => name === owner);
  for (const [key, pod] of [...cluster.store.pods.entries()])
    if (isEndless(pod) || pod.name === PINNED || pod.name.startsWith(UNFIT)) cluster.store.pods.remove(key, 'admin');
}
