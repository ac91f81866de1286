/** What a PodDisruptionBudget asks for: the parts of its `spec`. */
export interface BudgetSpec {
  readonly minAvailable?: number | string | undefined;
  readonly maxUnavailable?: number | string | undefined;
  /** Default: `IfHealthyBudget`. */
  readonly unhealthyPodEvictionPolicy?: string | undefined;
}

/** The parts of its `status` that follow from that. */
export interface BudgetStatus {
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly disruptionsAllowed: number;
  /** It allows no eviction although all pods are healthy. */
  readonly neverAllows?: true | undefined;
}

/**
 * The status of a budget, as the disruption controller computes it: Kubernetes' `pkg/controller/disruption/disruption.go`, v1.34
 * (`getExpectedPodCount`, `updatePdbStatus`). Percentages are rounded up.
 *
 * @param pods how many pods match
 * @param healthy how many of them are Ready and not being deleted
 * @param scale how many pods their controllers want together, which counts for percentages and for `maxUnavailable`
 */
export function budgetStatus(
  { minAvailable, maxUnavailable }: BudgetSpec,
  pods: number,
  healthy: number,
  scale: number,
): BudgetStatus {
  const expected = typeof minAvailable === 'number' ? pods : scale;
  const desiredHealthy =
    maxUnavailable === undefined
      ? scaled(minAvailable ?? 0, expected)
      : Math.max(0, expected - scaled(maxUnavailable, expected));
  const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desiredHealthy);
  const neverAllows = desiredHealthy >= expected ? true : undefined;
  return { currentHealthy: healthy, desiredHealthy, disruptionsAllowed: allowed, neverAllows };
}

/** A number, or a percentage of `total`, rounded up: `intstr.GetScaledValueFromIntOrPercent`. */
function scaled(value: number | string, total: number): number {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  return percent === undefined ? 0 : Math.ceil((Number(percent) * total) / 100);
}

/** What the eviction of a pod does to its budget. */
type Disruption = 'free' | 'takes-one' | 'refused';

/**
 * Whether a budget lets a running pod go. One that is not Ready goes for free if the policy is `AlwaysAllow`, or if the budget has its
 * desired number of healthy pods: Kubernetes' `pkg/registry/core/pod/storage/eviction.go`, v1.34.
 */
export function disruptionOf(
  { unhealthyPodEvictionPolicy }: BudgetSpec,
  { currentHealthy, desiredHealthy, disruptionsAllowed }: BudgetStatus,
  isReady: boolean,
): Disruption {
  if (!isReady) {
    if (unhealthyPodEvictionPolicy === 'AlwaysAllow') return 'free';
    if (currentHealthy >= desiredHealthy && desiredHealthy > 0) return 'free';
  }
  return disruptionsAllowed > 0 ? 'takes-one' : 'refused';
}
