import { isGpuDriver, podDriversOf, type UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { matchesSelector, selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import { GPU_DRIVER_LABEL } from '../../simulation/simulated-cluster.js';
import type { ApiObject } from '../../../shared/kubernetes/shapes/meta.js';

type Matcher = (object: ApiObject) => boolean;

function matcher(namespace: string, texts: readonly string[]): Matcher {
  const selectors = texts.map(selectorOf);
  return ({ metadata = {} }) =>
    metadata.namespace === namespace && selectors.some((selector) => matchesSelector(selector, metadata.labels ?? {}));
}

const anyOf =
  (matchers: readonly Matcher[]): Matcher =>
  (object) =>
    matchers.some((matches) => matches(object));

/** Whether a pod is one of a driver. */
export function driverMatcher(policy: Pick<UpgradePolicy, 'drivers'>): Matcher {
  return anyOf(podDriversOf(policy).map(({ namespace, podSelector }) => matcher(namespace, [podSelector])));
}

/** Whether a DaemonSet is one of a GPU driver. Operators and users label them as they like. */
export function gpuSetMatcher({ drivers }: Pick<UpgradePolicy, 'drivers'>): Matcher {
  return anyOf(
    podDriversOf({ drivers: gpuDrivers(drivers) }).map(({ namespace, daemonSetSelector }) =>
      matcher(namespace, [daemonSetSelector]),
    ),
  );
}

/** Whether a pod is one of a GPU driver. */
export function gpuPodMatcher({ drivers }: Pick<UpgradePolicy, 'drivers'>): Matcher {
  return driverMatcher({ drivers: gpuDrivers(drivers) });
}

const gpuDrivers = (drivers: UpgradePolicy['drivers']) => drivers.filter(isGpuDriver);

/** Labels with the one by which the simulation finds GPU drivers. */
export function withGpuLabel<Value extends { readonly labels: Readonly<Record<string, string>> }>(value: Value): Value {
  return { ...value, labels: { ...value.labels, [GPU_DRIVER_LABEL]: '' } };
}

/** Whether a pod waits for a driver. */
export function gatedMatcher(policy: UpgradePolicy): Matcher {
  return anyOf(podDriversOf(policy).map(({ namespace, gate }) => matcher(namespace, gate?.podSelectors ?? [])));
}
