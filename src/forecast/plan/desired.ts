import { COMPANION_NAMES, POLICY_KEY } from '../../shared/contract/labels.js';
import { upgradePolicySchema, type UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { parsedJson, valueAt } from '../../shared/lib/json.js';

/** The parts of rendered objects that a plan needs. */
export interface Desired {
  readonly policy: UpgradePolicy;
  readonly daemonSets: readonly KubernetesObject[];
  /** When the CronJob runs the companion; absent: it never does. */
  readonly schedule?: string;
}

/** What rendered objects say about upgrades; undefined: they have no companion. */
export function desiredOf(objects: readonly KubernetesObject[]): Desired | undefined {
  const find = (kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === name);
  const text = valueAt(find('ConfigMap', COMPANION_NAMES.policyConfigMap), ['data', POLICY_KEY]);
  const parsed = upgradePolicySchema.safeParse(typeof text === 'string' ? parsedJson(text) : undefined);
  if (!parsed.success) return undefined;
  const schedule = valueAt(find('CronJob', COMPANION_NAMES.cronJob), ['spec', 'schedule']);
  const namespaces = new Set(parsed.data.drivers.map(({ namespace }) => namespace));
  return {
    policy: parsed.data,
    daemonSets: objects.filter(
      ({ kind, metadata }) => kind === 'DaemonSet' && namespaces.has(metadata.namespace ?? ''),
    ),
    ...(typeof schedule === 'string' && { schedule }),
  };
}
