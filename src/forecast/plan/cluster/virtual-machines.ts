import { fromStructured, matchesSelector } from '../../../shared/kubernetes/selection/label-selector.js';
import type { ApiObject } from '../../../shared/kubernetes/shapes/meta.js';
import type { SnapshotObjects } from '../snapshot/objects.js';

const OWNER = 'VirtualMachineInstance';

const isOfMachine = ({ metadata }: ApiObject): boolean =>
  metadata?.ownerReferences?.some(({ kind, controller }) => kind === OWNER && controller === true) === true;

/**
 * Whether a pod is a virtual machine that an eviction migrates. KubeVirt makes a PodDisruptionBudget for each whose `evictionStrategy` says so:
 * kubevirt v1.3, `pkg/virt-controller/watch/drain/disruptionbudget`.
 */
export function migratedMatcher({ PodDisruptionBudget }: SnapshotObjects): (pod: ApiObject) => boolean {
  const budgets = PodDisruptionBudget.filter(isOfMachine).flatMap(({ metadata, spec }) =>
    spec?.selector === undefined ? [] : { namespace: metadata?.namespace, selector: fromStructured(spec.selector) },
  );
  return (pod) =>
    isOfMachine(pod) &&
    budgets.some(
      ({ namespace, selector }) =>
        namespace === pod.metadata?.namespace && matchesSelector(selector, pod.metadata?.labels ?? {}),
    );
}
