import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { matchesSelector, selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
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
export function driverMatcher({ drivers }: Pick<UpgradePolicy, 'drivers'>): Matcher {
  return anyOf(drivers.map(({ namespace, podSelector }) => matcher(namespace, [podSelector])));
}

/** Whether a pod waits for a driver. */
export function gatedMatcher({ drivers }: UpgradePolicy): Matcher {
  return anyOf(drivers.map(({ namespace, gate }) => matcher(namespace, gate?.podSelectors ?? [])));
}
