import { digestOf } from './digests.js';
import { upgradePolicySchema, type UpgradePolicy } from '../../src/shared/contract/upgrade-policy.js';
import { DRIVER_CONTAINER, driverLabelOf, isOfSecondDriver, NAMESPACE, SECOND_PREFIX } from './idle-cluster.js';

/** A policy that a scenario changes by settings. */
export interface PolicySettings {
  readonly upgradePolicy: Record<string, unknown>;
  readonly driver: Record<string, unknown>;
  readonly rollout: Record<string, unknown>;
  readonly daemonSets: Map<string, string>;
  paused: boolean;
}

export function createPolicySettings(): PolicySettings {
  return { upgradePolicy: { autoUpgrade: true }, driver: {}, rollout: {}, daemonSets: new Map(), paused: false };
}

/** Settings of the driver; all others belong to the `upgradePolicy`. */
const DRIVER_SETTINGS = ['gate', 'uninstall', 'controllerPodSelector'];

/** `drain.timeoutSeconds=60`: the value is JSON, or else text; `_` in it is a space, because spaces end a setting. */
export function set(policy: PolicySettings, setting: string): void {
  const [, path = '', text = ''] = /^([^=]+)=(.*)$/.exec(setting) ?? [];
  if (path === '') throw new Error(`a setting is \`name=value\`, not \`${setting}\``);
  const [first = ''] = path.split('.');
  if (first === 'paused') policy.paused = text === 'true';
  else if (first === 'rollout') setAt(policy.rollout, path.split('.').slice(1), valueOf(text.replaceAll('_', ' ')));
  else
    setAt(
      DRIVER_SETTINGS.includes(first) ? policy.driver : policy.upgradePolicy,
      path.split('.'),
      valueOf(text.replaceAll('_', ' ')),
    );
}

export function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function setAt(object: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) object[first] = value;
  else setAt((object[first] ??= {}) as Record<string, unknown>, rest, value);
}

const policies = new Map<string, UpgradePolicy>();

/** The policy of some settings. Equal settings return the same object. */
export function policyOf(settings: PolicySettings): UpgradePolicy {
  const key = JSON.stringify({ ...settings, daemonSets: [...settings.daemonSets] });
  const policy = policies.get(key) ?? parsedPolicy(settings);
  policies.set(key, policy);
  return policy;
}

function parsedPolicy({ upgradePolicy, driver, rollout, daemonSets, paused }: PolicySettings): UpgradePolicy {
  const names = [...daemonSets.keys()];
  const placeOf = (prefix: string) => ({
    namespace: NAMESPACE,
    daemonSetSelector: driverLabelOf(prefix),
    podSelector: driverLabelOf(prefix),
    containerName: DRIVER_CONTAINER,
  });
  const listed = names.filter((name) => !isOfSecondDriver(name));
  const ofed = {
    name: 'NicClusterPolicy',
    upgradePolicy,
    daemonSets: listed.map((name) => ({ name, digest: digestOf(daemonSets.get(name) ?? '') })),
  };
  const gpu = { name: 'gpuDriver', upgradePolicy: { maxUnavailable: '100%', ...upgradePolicy } };
  const hasSecond = names.some(isOfSecondDriver);
  return upgradePolicySchema.parse({
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'UpgradePolicy',
    paused,
    rollout,
    drivers: [
      { kind: 'ofed', ...placeOf('ofed'), policies: [ofed], ...driver },
      ...(hasSecond ? [{ kind: 'gpu', ...placeOf(SECOND_PREFIX), policies: [gpu] }] : []),
    ],
  });
}
