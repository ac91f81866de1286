import { selectorOf } from '../../kubernetes/label-selector.js';
import { drainVerdict, filtersFor, nameOf, takesAll, type DrainOptions } from './filters.js';
import { ownPods, startMs, type DrainView, type NodePlan } from '../flow/node-plan.js';
import type { ForeignDaemonSet, SnapshotPod } from '../model/types.js';

/** What the node's drain finds; computed once per plan. */
export function drainView(plan: NodePlan): DrainView {
  const { force, deleteEmptyDir, podSelector } = plan.policy.drain;
  plan.drain ??= viewOf(plan, {
    ...commonOptions(plan, startMs(plan, plan.context.driver.keys.drainStart)),
    force,
    deleteEmptyDir,
    selector: selectorOf(podSelector),
  });
  return plan.drain;
}

/** What the deletion of pods that hold the driver's resources finds. DaemonSet pods count: they hold what they hold. */
export function resourcePodsView(plan: NodePlan): DrainView {
  const { force, deleteEmptyDir } = plan.policy.podDeletion;
  const prefixes = plan.context.driver.policy.resourcePrefixes;
  plan.resourcePods ??= viewOf(plan, {
    ...commonOptions(plan, startMs(plan, plan.context.driver.keys.podDeletionStart)),
    force,
    deleteEmptyDir,
    selector: [],
    holdsResource: (pod) => pod.resourceNames.some((name) => prefixes.some((prefix) => name.startsWith(prefix))),
  });
  return plan.resourcePods;
}

function commonOptions(plan: NodePlan, start: number | undefined) {
  const ours = ownPods(plan);
  return {
    skipLabel: plan.context.driver.keys.skipDrain,
    isOurs: (pod: SnapshotPod) => ours.includes(pod),
    unreachable: plan.view.node.ready === 'Unknown',
    daemonSet: plan.context.daemonSet,
    nowMs: plan.context.nowMs,
    startMs: start,
  };
}

const NO_WARNINGS: ReadonlyMap<string, string> = new Map();

function viewOf(plan: NodePlan, options: DrainOptions): DrainView {
  const { all, plain, special } = plan.view.pods;
  if (!takesAll(options, plain)) return applyFilters(all, options);
  const others = applyFilters(special, options);
  return others.leaving.length === 0
    ? { ...others, leaving: plain }
    : { ...others, leaving: [...plain, ...others.leaving] };
}

/** What the rules say of these pods, one by one. */
function applyFilters(pods: readonly SnapshotPod[], options: DrainOptions): DrainView {
  // As large as it may be, and cut: a list that grows takes twice the room, and there is one for every node.
  const leaving = new Array<SnapshotPod>(pods.length);
  let count = 0;
  const warnings: string[] = [];
  const refusals: string[] = [];
  const daemonSetLookups: ForeignDaemonSet[] = [];
  let warningOf: Map<string, string> | undefined;
  const filters = filtersFor(options, pods);
  for (const pod of pods) {
    const verdict = drainVerdict(pod, options, filters);
    switch (verdict.kind) {
      case 'evict':
        leaving[count++] = pod;
        if (verdict.warning !== undefined) (warningOf ??= new Map()).set(pod.uid, verdict.warning);
        break;
      case 'leave':
        if (verdict.warning !== undefined) warnings.push(verdict.warning);
        // Upstream counts what it may delete and what holds the resource, and goes on only when the numbers are equal
        // (`pkg/upgrade/pod_manager.go`): a holder that stays keeps the driver busy.
        if (options.holdsResource !== undefined && verdict.keepsRunning === true) {
          refusals.push(`pod ${nameOf(pod)} holds the resource and stays: ${verdict.reason}`);
        }
        break;
      case 'refuse':
        refusals.push(verdict.reason);
        break;
      case 'ask':
        daemonSetLookups.push({ namespace: verdict.namespace, name: verdict.name });
        break;
    }
  }
  leaving.length = count;
  return { leaving, warningOf: warningOf ?? NO_WARNINGS, warnings, refusals, daemonSetLookups };
}
