import { driverKeys, IGNORE_WINDOWS_ANNOTATION, PAUSED_ANNOTATION } from '../../../src/shared/contract/labels.js';
import { isoSecond } from '../../../src/shared/lib/time.js';
import { nodeUpgradePolicies, upgradePolicySchema } from '../../../src/shared/contract/upgrade-policy.js';
import { addBudget, addNode, applyGit } from './build.js';
import { deletePod, patchNode } from '../../../src/forecast/simulation/api.js';
import { STATUS_CONFIG_MAP } from '../../../src/forecast/simulation/cache.js';
import { makeRandom } from '../../../src/forecast/simulation/random.js';
import { reboot, setUnreachable } from '../../../src/forecast/simulation/kubelet.js';
import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import { applyToMaintenance } from './apply-maintenance.js';
import { applyToGpuOperator, applyTrouble } from './apply-trouble.js';
import { applyToSriov } from './apply-sriov.js';
import { runForeignFlow } from './foreign-flow.js';
import type { Incident } from '../scenario/incidents.js';
import type { Simulation } from '../simulation.js';
import type { TroubleIncident } from '../scenario/troubles.js';
import type { GpuOperatorIncident } from '../scenario/gpu-operator.js';
import type { SriovIncident } from '../scenario/sriov.js';
import type { EditIncident } from '../scenario/edits.js';
import type { MaintenanceIncident } from '../scenario/maintenance-operator.js';
import { policyDocument, type Git, type GitChange, type GitDriver } from '../scenario/git.js';

/** Applies one incident to the cluster, to git or to the companion. */
export function applyIncident(simulation: Simulation, incident: Incident): void {
  const { cluster, companion } = simulation;
  const facts = Object.entries(incident)
    .filter(([key]) => key !== 'atMs')
    .map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
  cluster.note(`! ${facts.join(' ')}`);
  const now = cluster.events.now();
  switch (incident.kind) {
    case 'rollout':
    case 'rename':
    case 'uninstall':
    case 'reinstall':
      return changeGit(
        simulation,
        incident.applyMs,
        changeOf(simulation, incident),
        isDaemonSetFirst(cluster, incident),
      );
    case 'auto-upgrade':
      return changeGit(simulation, 0, changeDriver(simulation.git, incident.prefix, { autoUpgrade: incident.on }));
    case 'pause-policy':
      return changeGit(simulation, 0, { ...simulation.git, paused: incident.on });
    case 'pause-by-hand':
      return annotateStatus(cluster, { [PAUSED_ANNOTATION]: incident.on ? 'by an admin' : 'false' });
    case 'ignore-windows': {
      const until = incident.forMs === undefined ? 'tomorrow' : isoSecond(now + incident.forMs);
      return annotateStatus(cluster, { [IGNORE_WINDOWS_ANNOTATION]: until });
    }
    case 'stall':
      return companion.stall(now + incident.forMs, incident.compacted);
    case 'crash':
      return companion.crash(incident.afterActions, incident.backAfterMs);
    case 'terminate':
      return companion.terminate(incident.backAfterMs);
    case 'clock-jump':
      return companion.jumpClock(incident.byMs);
    case 'foreign-flow':
      return simulation.git.drivers.some(({ prefix }) => prefix === 'ofed')
        ? runForeignFlow(cluster, now + 100_000 + incident.forMs)
        : undefined;
    case 'break':
      return void cluster.brokenDigests.set(brokenKey(incident), incident.how);
    case 'repair':
      return void cluster.brokenDigests.delete(brokenKey(incident));
    case 'block-budget':
    case 'free-budget':
    case 'double-budget':
      return changeBudget(cluster, incident.kind, incident.workload);
    case 'lose-revisions':
      return loseRevisions(cluster);
    case 'add-node':
      return addNode(cluster, incident.node);
    case 'cordon':
    case 'uncordon':
    case 'cordon-again':
    case 'touch-node':
    case 'reboot':
    case 'stop-reporting':
    case 'report-again':
    case 'remove-node':
    case 'delete-driver-pod':
    case 'drop-state':
    case 'request':
    case 'skip':
    case 'unskip':
    case 'retry':
      return applyToNode(cluster, incident);
    case 'webhook':
    case 'webhook-gone':
    case 'close-budget':
    case 'pin-pod':
    case 'unfit-pods':
    case 'taint':
    case 'relabel':
    case 'switch-policy':
    case 'uninstall-group':
    case 'settings':
    case 'other-cordons':
    case 'slow-driver':
    case 'maintenance':
      return applyTrouble(simulation, incident);
    case 'gpu-operator-restarts':
    case 'gpu-operator-auto-upgrade':
    case 'gpu-operator-fails':
    case 'gpu-operator-slow':
    case 'forget-initial-cordon':
      return applyToGpuOperator(simulation, incident);
    case 'sriov-change':
    case 'sriov-daemon-dies':
    case 'sriov-withdraws':
    case 'sriov-fails':
    case 'sriov-slow':
    case 'sriov-pools':
      return applyToSriov(simulation, incident);
    case 'section':
    case 'drainer':
    case 'name-prefix':
      return changeGit(simulation, 0, edited(simulation.git, incident));
    case 'maintenance-operator-restarts':
    case 'node-maintenance-deleted':
    case 'other-requestor':
      return applyToMaintenance(cluster, incident);
  }
}

function edited(git: Git, incident: EditIncident): Git {
  switch (incident.kind) {
    case 'drainer':
      return { ...git, isMaintained: incident.isMaintained };
    case 'name-prefix':
      return { ...git, namePrefix: incident.namePrefix };
    case 'section': {
      const others = git.removed?.filter((one) => one !== incident.driver) ?? [];
      return { ...git, removed: incident.on ? others : [...others, incident.driver] };
    }
  }
}

const brokenKey = ({ digest, node }: { readonly digest: string; readonly node?: string }): string =>
  node === undefined ? digest : `${digest}/${node}`;

function noteListed(cluster: SimulatedCluster): void {
  for (const driver of cluster.policy.drivers)
    for (const { daemonSets } of nodeUpgradePolicies(driver))
      for (const { name } of daemonSets) cluster.listedNames.add(name);
}

/** A third of the commits that rename DaemonSets is applied in the other order. */
function isDaemonSetFirst(cluster: SimulatedCluster, { kind, atMs }: Incident): boolean {
  return kind === 'rename' && makeRandom(cluster.seed, `order of the commit at ${atMs}`).chance(1 / 3);
}

type GitIncident = Extract<Incident, { readonly kind: 'rollout' | 'rename' | 'uninstall' | 'reinstall' }>;

function changeOf(simulation: Simulation, incident: GitIncident): Git {
  const { git } = simulation;
  const driver = git.drivers.find(({ prefix }) => prefix === incident.prefix);
  if (driver === undefined) return git;
  // DaemonSets that are selected keep their names, and are not uninstalled.
  if (driver.management !== undefined && !('digest' in incident)) return git;
  if (driver.management !== undefined && incident.kind === 'rename')
    return changeOf(simulation, { ...incident, kind: 'rollout' });
  switch (incident.kind) {
    case 'rollout':
      return changeDriver(git, incident.prefix, {
        sets: driver.sets.map((set) => ({ ...set, digest: incident.digest })),
      });
    case 'rename': {
      const suffix = `r${++simulation.renames}`;
      const rename = (set: GitDriver['sets'][number]) => ({
        ...set,
        name: `${incident.prefix}-${set.group}-${suffix}`,
      });
      const sets = driver.sets.map((set) => ({ ...(set.group === 'a' ? rename(set) : set), digest: incident.digest }));
      return changeDriver(git, incident.prefix, { sets });
    }
    case 'uninstall':
      return changeDriver(git, incident.prefix, { uninstall: true });
    case 'reinstall':
      return changeDriver(git, incident.prefix, { uninstall: false });
  }
}

export function changeDriver(git: Git, prefix: string, { rollout = git.rollout, ...change }: GitChange): Git {
  return {
    ...git,
    rollout,
    drivers: git.drivers.map((driver) => (driver.prefix === prefix ? { ...driver, ...change } : driver)),
  };
}

/** GitOps applies ConfigMaps before DaemonSets; with `daemonSetsFirst` it applies the policy last, as with a separate application. */
export function changeGit(simulation: Simulation, applyMs: number, git: Git, daemonSetsFirst = false): void {
  const { cluster } = simulation;
  simulation.git = git;
  const writePolicy = (): void => {
    const policy = upgradePolicySchema.parse(policyDocument(simulation.git));
    // The API server ignores a write without changes.
    if (JSON.stringify(policy) !== JSON.stringify(cluster.policy))
      cluster.policyWrittenMs = Math.floor(cluster.events.now() / 1000) * 1000;
    cluster.policy = policy;
    noteListed(cluster);
    simulation.companion.supersede();
  };
  if (daemonSetsFirst) applyGit(cluster, git);
  else writePolicy();
  cluster.events.after(applyMs, () => {
    if (daemonSetsFirst) writePolicy();
    else applyGit(cluster, simulation.git);
  });
}

function annotateStatus(cluster: SimulatedCluster, change: Readonly<Record<string, string>>): void {
  const before = cluster.store.configMaps.get(STATUS_CONFIG_MAP);
  const annotations = { ...before?.annotations, ...change };
  const data = before?.data ?? {};
  cluster.store.configMaps.put(
    STATUS_CONFIG_MAP,
    { resourceVersion: '', name: STATUS_CONFIG_MAP, annotations, data },
    'admin',
  );
}

function changeBudget(
  cluster: SimulatedCluster,
  kind: 'block-budget' | 'free-budget' | 'double-budget',
  workload: string,
): void {
  if (kind === 'double-budget') return addBudget(cluster, workload, 0, '-second');
  const key = `work/${workload}`;
  const budget = cluster.store.budgets.get(key);
  if (budget === undefined) return;
  const minAvailable = kind === 'block-budget' ? 1000 : 0;
  cluster.store.budgets.put(key, { ...budget, minAvailable }, 'admin');
}

function loseRevisions(cluster: SimulatedCluster): void {
  const current = new Set([...cluster.store.daemonSets.values()].map(({ uid, hash }) => `${uid}/${hash}`));
  for (const [key, revision] of [...cluster.store.revisions.entries()]) {
    if (!current.has(`${revision.ownerUid}/${revision.hash}`)) cluster.store.revisions.remove(key, 'admin');
  }
}

type NodeIncident =
  Extract<Incident, { readonly node: string; readonly kind: string }> extends infer One
    ? One extends {
        readonly kind:
          'break' | 'repair' | (TroubleIncident | GpuOperatorIncident | SriovIncident | MaintenanceIncident)['kind'];
      }
      ? never
      : One
    : never;

function applyToNode(cluster: SimulatedCluster, incident: NodeIncident): void {
  const { node } = incident;
  const patch = (change: Parameters<typeof patchNode>[2]): void => void patchNode(cluster, node, change, 'admin');
  switch (incident.kind) {
    case 'cordon':
      return patch({ unschedulable: true });
    case 'uncordon':
      return patch({ unschedulable: false });
    case 'cordon-again':
      return cordonAgain(cluster, incident, cluster.events.now() + CORDON_AGAIN_MS);
    case 'touch-node':
      return patch({ annotations: { touched: String(cluster.events.now()) } });
    case 'reboot':
      return reboot(cluster, node);
    case 'stop-reporting':
      return setUnreachable(cluster, node, true);
    case 'report-again':
      return setUnreachable(cluster, node, false);
    case 'remove-node':
      return cluster.store.nodes.size > 1 ? cluster.store.nodes.remove(node, 'admin') : undefined;
    case 'delete-driver-pod': {
      const label = `nvidia.com/${incident.prefix}-driver`;
      const pod = [...cluster.store.pods.values()].find((one) => one.nodeName === node && label in one.labels);
      return pod === undefined ? undefined : void deletePod(cluster, pod, 'admin');
    }
    case 'drop-state':
      return patch({ labels: { [driverKeys(incident.prefix).state]: null } });
    case 'request':
      return patch({ annotations: { [driverKeys(incident.prefix).requested]: 'true' } });
    case 'skip':
      return patch({ labels: { [driverKeys(incident.prefix).skip]: 'true' } });
    case 'unskip':
      return patch({ labels: { [driverKeys(incident.prefix).skip]: null } });
    case 'retry': {
      const key = driverKeys(incident.prefix).state;
      const failed = cluster.store.nodes.get(node)?.labels[key] === 'upgrade-failed';
      return failed ? patch({ labels: { [key]: 'upgrade-required' } }) : undefined;
    }
  }
}

/** How long an administrator waits for the cordon that they replace. */
const CORDON_AGAIN_MS = 300_000;

function cordonAgain(
  cluster: SimulatedCluster,
  again: Extract<Incident, { kind: 'cordon-again' }>,
  untilMs: number,
): void {
  const { node, cordonedMs, afterMs } = again;
  if (cluster.store.nodes.get(node)?.unschedulable === true) {
    cluster.events.after(cordonedMs, () => {
      patchNode(cluster, node, { unschedulable: false }, 'admin');
      cluster.events.after(afterMs, () => void patchNode(cluster, node, { unschedulable: true }, 'admin'));
    });
  } else if (cluster.events.now() < untilMs) cluster.events.after(3000, () => cordonAgain(cluster, again, untilMs));
}
