import { driverKeys } from '../../src/contract/labels.js';
import { upgradePolicySchema } from '../../src/contract/upgrade-policy.js';
import { addBudget, addNode, applyGit } from './build.js';
import { deletePod, patchNode } from '../kit/cluster/api.js';
import { STATUS_CONFIG_MAP } from '../kit/cluster/cache.js';
import { makeRandom } from '../kit/cluster/random.js';
import { reboot, setSilent } from '../kit/cluster/kubelet.js';
import type { World } from '../kit/cluster/world.js';
import { runForeignFlow } from './foreign-flow.js';
import type { Incident } from './incidents.js';
import { policyDocument, type Git, type GitDriver } from './scenario.js';

/** What incidents do to the companion itself. */
export interface CompanionSwitch {
  /** The policy ConfigMap has another document now. */
  supersede(): void;
  crash(afterActions: number, backAfterMs: number): void;
  terminate(backAfterMs: number): void;
  stall(untilMs: number, compacted: boolean): void;
  jumpClock(byMs: number): void;
}

/** Git and cluster of one run, changed by what happens. */
export interface Stage {
  readonly world: World;
  readonly companion: CompanionSwitch;
  git: Git;
  renames: number;
}

/** Lets one incident happen. */
export function happen(stage: Stage, incident: Incident): void {
  const { world, companion } = stage;
  const facts = Object.entries(incident)
    .filter(([key]) => key !== 'atMs')
    .map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
  world.note(`! ${facts.join(' ')}`);
  const now = world.events.now();
  switch (incident.kind) {
    case 'rollout':
    case 'rename':
    case 'uninstall':
    case 'reinstall':
      return changeGit(stage, incident.applyMs, changeOf(stage, incident), isDaemonSetFirst(world, incident));
    case 'auto-upgrade':
      return changeGit(stage, 0, changeDriver(stage.git, incident.prefix, { autoUpgrade: incident.on }));
    case 'pause-policy':
      return changeGit(stage, 0, { ...stage.git, paused: incident.on });
    case 'pause-by-hand':
      return pauseByHand(world, incident.on);
    case 'stall':
      return companion.stall(now + incident.forMs, incident.compacted);
    case 'crash':
      return companion.crash(incident.afterActions, incident.backAfterMs);
    case 'terminate':
      return companion.terminate(incident.backAfterMs);
    case 'clock-jump':
      return companion.jumpClock(incident.byMs);
    case 'foreign-flow':
      return stage.git.drivers.some(({ prefix }) => prefix === 'ofed')
        ? runForeignFlow(world, now + 100_000 + incident.forMs)
        : undefined;
    case 'break':
      return void world.brokenDigests.set(brokenKey(incident), incident.how);
    case 'mend':
      return void world.brokenDigests.delete(brokenKey(incident));
    case 'block-budget':
    case 'free-budget':
    case 'double-budget':
      return changeBudget(world, incident.kind, incident.workload);
    case 'lose-revisions':
      return loseRevisions(world);
    case 'add-node':
      return addNode(world, incident.node);
    case 'cordon':
    case 'uncordon':
    case 'cordon-again':
    case 'touch-node':
    case 'reboot':
    case 'silence':
    case 'hear':
    case 'remove-node':
    case 'delete-driver-pod':
    case 'drop-state':
    case 'request':
    case 'skip':
    case 'unskip':
    case 'retry':
      return happenToNode(world, incident);
  }
}

const brokenKey = ({ digest, node }: { readonly digest: string; readonly node?: string }): string =>
  node === undefined ? digest : `${digest}/${node}`;

function noteListed(world: World): void {
  for (const driver of world.policy.drivers)
    for (const { daemonSets } of driver.policies) for (const { name } of daemonSets) world.listedNames.add(name);
}

/** Of the commits that give DaemonSets other names a third is applied in the other order. */
function isDaemonSetFirst(world: World, { kind, atMs }: Incident): boolean {
  return kind === 'rename' && makeRandom(world.seed, `order of the commit at ${atMs}`).chance(1 / 3);
}

type GitIncident = Extract<Incident, { readonly kind: 'rollout' | 'rename' | 'uninstall' | 'reinstall' }>;

function changeOf(stage: Stage, incident: GitIncident): Git {
  const { git } = stage;
  const driver = git.drivers.find(({ prefix }) => prefix === incident.prefix);
  if (driver === undefined) return git;
  switch (incident.kind) {
    case 'rollout':
      return changeDriver(git, incident.prefix, {
        sets: driver.sets.map((set) => ({ ...set, digest: incident.digest })),
      });
    case 'rename': {
      const suffix = `r${++stage.renames}`;
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

function changeDriver(git: Git, prefix: string, change: Partial<GitDriver>): Git {
  return {
    ...git,
    drivers: git.drivers.map((driver) => (driver.prefix === prefix ? { ...driver, ...change } : driver)),
  };
}

/** GitOps applies ConfigMaps before DaemonSets; with `daemonSetsFirst` the policy comes last, as from an application of its own. */
export function changeGit(stage: Stage, applyMs: number, git: Git, daemonSetsFirst = false): void {
  const { world } = stage;
  stage.git = git;
  const writePolicy = (): void => {
    const policy = upgradePolicySchema.parse(policyDocument(stage.git));
    // The API server notes no write that changes nothing.
    if (JSON.stringify(policy) !== JSON.stringify(world.policy)) world.policyWrittenMs = world.events.now();
    world.policy = policy;
    noteListed(world);
    stage.companion.supersede();
  };
  if (daemonSetsFirst) applyGit(world, git);
  else writePolicy();
  world.events.after(applyMs, () => {
    if (daemonSetsFirst) writePolicy();
    else applyGit(world, stage.git);
  });
}

function pauseByHand(world: World, on: boolean): void {
  const before = world.store.configMaps.get(STATUS_CONFIG_MAP);
  const annotations = { ...before?.annotations, 'weft.dev/paused': on ? 'by an admin' : 'false' };
  const data = before?.data ?? {};
  world.store.configMaps.put(
    STATUS_CONFIG_MAP,
    { resourceVersion: '', name: STATUS_CONFIG_MAP, annotations, data },
    'admin',
  );
}

function changeBudget(world: World, kind: 'block-budget' | 'free-budget' | 'double-budget', workload: string): void {
  if (kind === 'double-budget') return addBudget(world, workload, 0, '-second');
  const key = `work/${workload}`;
  const budget = world.store.budgets.get(key);
  if (budget === undefined) return;
  const minAvailable = kind === 'block-budget' ? 1000 : 0;
  world.store.budgets.put(key, { ...budget, minAvailable }, 'admin');
}

function loseRevisions(world: World): void {
  const current = new Set([...world.store.daemonSets.values()].map(({ uid, hash }) => `${uid}/${hash}`));
  for (const [key, revision] of [...world.store.revisions.entries()]) {
    if (!current.has(`${revision.ownerUid}/${revision.hash}`)) world.store.revisions.remove(key, 'admin');
  }
}

type NodeIncident =
  Extract<Incident, { readonly node: string; readonly kind: string }> extends infer One
    ? One extends { readonly kind: 'break' | 'mend' }
      ? never
      : One
    : never;

function happenToNode(world: World, incident: NodeIncident): void {
  const { node } = incident;
  const patch = (change: Parameters<typeof patchNode>[2]): void => void patchNode(world, node, change, 'admin');
  switch (incident.kind) {
    case 'cordon':
      return patch({ unschedulable: true });
    case 'uncordon':
      return patch({ unschedulable: false });
    case 'cordon-again':
      return cordonAgain(world, incident, world.events.now() + CORDON_AGAIN_MS);
    case 'touch-node':
      return patch({ annotations: { touched: String(world.events.now()) } });
    case 'reboot':
      return reboot(world, node);
    case 'silence':
      return setSilent(world, node, true);
    case 'hear':
      return setSilent(world, node, false);
    case 'remove-node':
      return world.store.nodes.size > 1 ? world.store.nodes.remove(node, 'admin') : undefined;
    case 'delete-driver-pod': {
      const label = `nvidia.com/${incident.prefix}-driver`;
      const pod = [...world.store.pods.values()].find((one) => one.nodeName === node && label in one.labels);
      return pod === undefined ? undefined : void deletePod(world, pod, 'admin');
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
      const failed = world.store.nodes.get(node)?.labels[key] === 'upgrade-failed';
      return failed ? patch({ labels: { [key]: 'upgrade-required' } }) : undefined;
    }
  }
}

/** How long an administrator waits for the cordon that is to be set again. */
const CORDON_AGAIN_MS = 300_000;

function cordonAgain(world: World, again: Extract<Incident, { kind: 'cordon-again' }>, untilMs: number): void {
  const { node, cordonedMs, afterMs } = again;
  if (world.store.nodes.get(node)?.unschedulable === true) {
    world.events.after(cordonedMs, () => {
      patchNode(world, node, { unschedulable: false }, 'admin');
      world.events.after(afterMs, () => void patchNode(world, node, { unschedulable: true }, 'admin'));
    });
  } else if (world.events.now() < untilMs) world.events.after(3000, () => cordonAgain(world, again, untilMs));
}
