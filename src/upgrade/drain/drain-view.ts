import { selectorOf } from '../../kubernetes/selection/label-selector.js';
import { drainVerdict, filtersFor, nameOf, takesAll, type DrainOptions } from './filters.js';
import { ownPods, startMs, type DrainView, type NodePlan } from '../flow/node-plan.js';
import type { ForeignDaemonSet, SnapshotPod } from '../model/types.js';

/** The pods of the node as its drain sees them; computed once per plan. */
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

/** The pods that use the driver's resources. DaemonSet pods count too, because they use the resource like other pods. */
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

/** Applies the filters to each pod. */
function applyFilters(pods: readonly SnapshotPod[], options: DrainOptions): DrainView {
  // Allocated at its maximum size and truncated, because a growing array can take twice the memory.
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
        // Upstream compares the number of pods that it may delete with that of resource pods, and continues only if they are equal
        // (`pkg/upgrade/pod_manager.go`): a resource pod that keeps running keeps the driver busy.
        if (options.holdsResource !== undefined && verdict.keepsRunning === true) {
          refusals.push(`pod ${nameOf(pod)} uses the resource and keeps running: ${verdict.reason}`);
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
