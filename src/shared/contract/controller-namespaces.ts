import type { DriverKind, UpgradePolicy } from './upgrade-policy.js';

/** Where the documentation of the GPU operator installs it, by Helm and by OLM. */
const GPU_OPERATOR_NAMESPACES = ['gpu-operator', 'nvidia-gpu-operator'] as const;

/**
 * Namespaces in which a pod may be of the controller that owns a driver. An operator runs in the namespace that it renders its DaemonSets to, so
 * the Network Operator counts in that of the driver alone. The GPU operator may also run beside a driver of your own, in another one.
 */
export function controllerNamespaces(kind: DriverKind, ofDriver: string): readonly string[] {
  return kind === 'gpu' ? [ofDriver, ...GPU_OPERATOR_NAMESPACES] : [ofDriver];
}

/** Namespaces whose pods validate a node: a pod of any other one is a tenant's, whatever its labels say. */
export function validationNamespaces({
  drivers,
  rollout,
}: Pick<UpgradePolicy, 'drivers' | 'rollout'>): ReadonlySet<string> {
  const { podNamespace } = rollout.validation ?? {};
  const ofDrivers = drivers.map(({ namespace }) => namespace);
  return new Set([...ofDrivers, ...GPU_OPERATOR_NAMESPACES, ...(podNamespace === undefined ? [] : [podNamespace])]);
}
