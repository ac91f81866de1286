import type { DriverCoverage } from '../../shared/contract/driver-coverage.js';
import { driverPlacement, onlyArchitecture } from '../../shared/contract/driver-placement.js';
import { COMPANION_NAMES, INIT_CONFIG_KEY, INIT_CONFIG_MAP, POLICY_KEY } from '../../shared/contract/labels.js';
import { upgradePolicySchema, type UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { parsedJson, textAt, valueAt } from '../../shared/lib/json.js';
import type { DriverSet } from './driver-sets.js';
import type { NewSide } from './node-outcome.js';

/** The policy document of the companion among the objects of an output; `undefined` if it has none that can be read. */
export function companionPolicy(objects: readonly KubernetesObject[]): UpgradePolicy | undefined {
  const found = objects.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === COMPANION_NAMES.policyConfigMap,
  );
  const text = textAt(found, 'data', POLICY_KEY);
  const parsed = text === undefined ? undefined : upgradePolicySchema.safeParse(parsedJson(text));
  return parsed?.success === true ? parsed.data : undefined;
}

/** Whether the init containers of drivers ask for a safe load: they all read one ConfigMap. */
export function isLoadedSafely(objects: readonly KubernetesObject[]): boolean {
  const found = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === INIT_CONFIG_MAP);
  return valueAt(parsedJson(textAt(found, 'data', INIT_CONFIG_KEY) ?? ''), ['safeDriverLoad', 'enable']) === true;
}

/** The new output as nodes see it: its driver DaemonSets, and the companion with its policy. */
export function newSideOf(
  sets: readonly DriverSet[],
  policy: UpgradePolicy | undefined,
  coverage: readonly DriverCoverage[],
  about: Pick<NewSide, 'isClusterGone' | 'isLoadedSafely'>,
): NewSide {
  const automatic = new Set(coverage.flatMap(({ daemonSet, autoUpgrade }) => (autoUpgrade ? [daemonSet] : [])));
  const driver = policy?.drivers.find((one) => one.kind === 'ofed');
  return {
    ...about,
    isAutomatic: ({ id }) => automatic.has(id),
    sets: new Map(sets.map((one) => [one.id, one])),
    placement: driverPlacement(sets, onlyArchitecture(coverage)),
    ...(policy && driver && { companion: { document: policy, policy: driver } }),
  };
}
