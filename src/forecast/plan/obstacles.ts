import type { PodRefusal } from '../../shared/contract/maintenance-record.js';
import { compareText } from '../../shared/lib/json.js';
import type { UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import { createFit, type Fit } from '../simulation/controllers/fit.js';
import { followWaitingPods } from '../simulation/controllers/waiting-pods.js';
import type { SimulatedCluster } from '../simulation/simulated-cluster.js';
import type { StoredPod } from '../simulation/store.js';
import type { Blocker } from '../../companion/model/types.js';
import { adviceOf, waitKind, type WaitKind } from '../../companion/model/wait-kinds.js';
import { lateNodes } from './late-nodes.js';
import { HORIZON_DAYS } from './run/drive.js';
import { waitText } from './run/history.js';
import type { NodeRecord, RunRecord } from './run/record.js';
import type { Obstacle } from './types.js';

/** What is in the way in one run: obstacles of nodes that do not come through first. */
export function obstaclesOf(run: RunRecord): readonly Obstacle[] {
  const stuck = run.nodes.filter(({ endMs, failure }) => endMs === undefined || failure !== undefined);
  const unreached = new Set(run.isComplete ? [] : stuck.filter(isUnreached));
  const found = [
    ...stuck.flatMap((one) => (unreached.has(one) ? [] : ofNode(one, run.cluster.policy))),
    ...withoutNode(run),
    ...lateNodes(run, unreached),
    ...ofHorizon(run, unreached),
    ...ofFindings(run),
  ];
  return merged(found).sort((a, b) => Number(b.isStuck) - Number(a.isStuck) || compareText(a.kind, b.kind));
}

/** Obstacles that differ only in their nodes are one. */
function merged(obstacles: readonly Obstacle[]): Obstacle[] {
  const byRest = new Map<string, Obstacle>();
  for (const one of obstacles) {
    const key = JSON.stringify({ ...one, nodes: [] });
    const known = byRest.get(key);
    const nodes = [...new Set([...(known?.nodes ?? []), ...one.nodes])].sort(compareText);
    byRest.set(key, { ...one, nodes });
  }
  return [...byRest.values()];
}

/** What these nodes wait for is other nodes, whose obstacles are named. */
const WAITS_FOR_OTHERS: ReadonlySet<WaitKind> = new Set([
  'slot',
  'canary',
  'topology',
  'evicted-pods',
  'other-driver',
  'cache-sync',
]);

/** Nodes that wait for these come through in the end, however far away that is. */
const COMES_THROUGH: ReadonlySet<WaitKind> = new Set([...WAITS_FOR_OTHERS, 'window', 'soak', 'driver-pod']);

function isUnreached({ failure, last }: NodeRecord): boolean {
  return failure === undefined && (last === undefined || (COMES_THROUGH.has(last.kind) && last.blockers.length === 0));
}

/** The pause is the annotation of the live status ConfigMap: that of the policy is in the documents. */
const BY_HAND = {
  message: 'the companion is paused by hand: no node begins until `weft upgrade resume`',
  help: '`weft upgrade resume`',
} as const;

/** A plan simulates the drivers of the policy: the upgrade of any other driver does not end in it. */
const FOREIGN_DRIVER_HELP =
  'plan again when the upgrade of the driver that is named has ended: it is not simulated; if it does not end, look at the log of its operator';

function ofNode(record: NodeRecord, { paused, drivers }: UpgradePolicy): readonly Obstacle[] {
  const { node, driver, failure, last, during } = record;
  const adviceAbout = (kind: WaitKind) => adviceOf(kind, driver, drivers);
  const nodes = [node];
  const [refusal] = last?.refusals?.filter(isAllowable) ?? [];
  if (refusal !== undefined) {
    const { kind, pod } = refusal;
    return [{ kind, isStuck: true, nodes, pod, message: failure ?? last?.message ?? '', help: REFUSAL_HELP[kind] }];
  }
  const wait = failure === undefined ? last : during;
  if (wait !== undefined && wait.blockers.length > 0)
    return wait.blockers.map((one) => ofBlocker(one, nodes, adviceAbout(wait.kind)));
  if (failure !== undefined)
    return [{ kind: 'failed', isStuck: true, nodes, message: failure, help: adviceAbout('failed')[0] ?? '' }];
  if (last === undefined || WAITS_FOR_OTHERS.has(last.kind)) return [];
  const { kind } = last;
  const message = waitText(last);
  if (kind === 'foreign-driver') return [{ kind, isStuck: true, nodes, message, help: FOREIGN_DRIVER_HELP }];
  if (kind === 'pause' && !paused) return [{ kind, isStuck: true, nodes, ...BY_HAND }];
  return [{ kind, isStuck: true, nodes, message, help: adviceAbout(kind).join('; or ') }];
}

/** How a policy allows the eviction. */
const REFUSAL_HELP = {
  'no-controller':
    'nothing replaces the pod: move or delete it before, or set `drain.force: true` where its loss is acceptable',
  'empty-dir': 'set `drain.deleteEmptyDir: true` where the data may be lost, or label the pod to be left on the node',
} as const;

type Allowable = PodRefusal & { readonly kind: keyof typeof REFUSAL_HELP };

function isAllowable(refusal: PodRefusal): refusal is Allowable {
  return refusal.kind in REFUSAL_HELP;
}

function ofBlocker(blocker: Blocker, nodes: readonly string[], advice: readonly string[]): Obstacle {
  const { kind, pod, budgets, reason, refusal, finalizers = [] } = blocker;
  // How often an eviction was tried depends on how long the run went on.
  const message = refusal === undefined ? reason : `its eviction is refused: ${refusal}`;
  const base = { isStuck: true, nodes, pod };
  const [namespace = ''] = pod.split('/');
  const [budget] = budgets;
  if (budget !== undefined) {
    return {
      ...base,
      kind: 'budget',
      budget: `${namespace}/${budget}`,
      message,
      help:
        budgets.length > 1
          ? `the pod has ${budgets.length} budgets (${budgets.join(', ')}), which the eviction API refuses: leave it one`
          : 'allow a disruption: more replicas, or another minAvailable or maxUnavailable; repair pods that are not Ready',
    };
  }
  if (finalizers.length > 0) {
    const help = 'the program that set the finalizer must remove it: see that it runs, or remove it by hand';
    return { ...base, kind: 'finalizer', message, help };
  }
  const isEnding = kind === 'termination';
  return { ...base, kind: isEnding ? 'termination' : 'eviction', message, help: advice.join('; or ') };
}

/** Evicted pods that find no node. */
function withoutNode({ cluster, startMs }: RunRecord): readonly Obstacle[] {
  const fit = createFit(cluster);
  return [...followWaitingPods(cluster.store).kinds()].flatMap(({ pods }) => {
    const replacing = [...pods.values()].filter((pod) => pod.unschedulable && pod.createdMs >= startMs);
    const [first] = replacing;
    if (first === undefined) return [];
    const message = misfits(cluster, fit, first);
    const help = 'add a node, or free what it asks for: the pod waits after the upgrade, too';
    const owners = new Set(replacing.map((pod) => `${pod.namespace}/${pod.controller?.name ?? pod.name}`));
    return [...owners].map((pod): Obstacle => {
      return { kind: 'unschedulable-pods', isStuck: false, nodes: [], pod, message, help };
    });
  });
}

/** Why no node takes a pod, as the scheduler counts it. */
function misfits({ store }: SimulatedCluster, fit: Fit, pod: StoredPod): string {
  const found = 'a pod that replaces an evicted one finds no node';
  if (!fit.isTried(pod.namespace)) return found;
  const reason = fit.misfitOf(pod);
  const counts = new Map<string, number>();
  for (const node of store.nodes.values()) {
    const text = reason(node)?.text ?? 'nothing';
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const parts = [...counts].sort((a, b) => b[1] - a[1]).map(([text, count]) => `${count} ${text}`);
  return `${found}: of ${store.nodes.size} nodes ${parts.join(', ')}`;
}

/** The nodes of records, of which a node has one for each driver. */
function namesOf(records: readonly NodeRecord[]): readonly string[] {
  return [...new Set(records.map(({ node }) => node))];
}

/** Nodes that a plan would reach if it looked further ahead. */
function ofHorizon({ nodes }: RunRecord, unreached: ReadonlySet<NodeRecord>): readonly Obstacle[] {
  const far = namesOf([...unreached]);
  if (far.length === 0) return [];
  return [
    {
      kind: 'horizon',
      isStuck: true,
      nodes: far,
      message: `${far.length} of ${namesOf(nodes).length} nodes do not come through within ${HORIZON_DAYS} days, and a plan looks no further ahead`,
      help: 'allow more: longer or more windows, a higher maxParallelUpgrades or maxUnavailable, a shorter soak',
    },
  ];
}

/** Facts about the whole upgrade. */
function ofFindings({ findings }: RunRecord): readonly Obstacle[] {
  return findings.flatMap(({ kind, message }): readonly Obstacle[] => {
    if (kind === 'controller-runs')
      return [
        {
          kind: 'foreign-flow',
          isStuck: true,
          nodes: [],
          message,
          help: waitKind('foreign-flow').advice.join('; or '),
        },
      ];
    if (kind === 'windows-ignored')
      return [{ kind: 'window', isStuck: false, nodes: [], message, help: 'remove the annotation, and windows hold' }];
    // One that is valid ends within the plan, too.
    if (kind === 'windows-kept' && !findings.some((one) => one.kind === 'windows-ignored'))
      return [
        { kind: 'window', isStuck: false, nodes: [], message, help: 'set a later time, or remove the annotation' },
      ];
    if (kind === 'canaries-missing')
      return [{ kind: 'canary-missing', isStuck: false, nodes: [], message, help: 'change `upgrade.canary`' }];
    return [];
  });
}
