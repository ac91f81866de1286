import { conductedDriver, driverKeys } from '../../../shared/contract/labels.js';
import type { NodeUpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { finding, type Finding } from '../model/findings.js';
import type { GpuOperatorPolicy } from '../model/gpu-operator.js';
import type { DriverView } from '../view/driver-view.js';

/**
 * Settings of the GPU operator by which it begins nodes itself, evicts by other rules than the companion, or makes no node due. They are
 * findings, because the companion does not change another program's settings.
 *
 * @param policies those of the operator; undefined: not known, so there are no findings
 */
export function gpuOperatorFindings(
  { policy: { labelPrefix }, policies: ours }: DriverView,
  policies: readonly GpuOperatorPolicy[] | undefined,
): readonly Finding[] {
  if (policies === undefined) return [];
  const about = (...[kind, message]: About): Finding => finding(labelPrefix, kind, message);
  const active = activePolicies(policies);
  const stateLabel = driverKeys(conductedDriver(labelPrefix) ?? labelPrefix).state;
  const sandboxed = policies.filter((one) => one.sandboxWorkloads);
  return [
    ...(active.length === 0 ? [about('gpu-operator-missing', missingText(policies))] : []),
    ...sandboxed.map(({ name }) => about('gpu-operator-sandbox', sandboxText(name))),
    ...active.flatMap((one) => settingsOf(one, stateLabel, ours[0])).map((one) => about(...one)),
  ];
}

/** Kind and message. */
type About = readonly [Finding['kind'], string];

/**
 * The policies that the operator follows: those of NVIDIADrivers if no ClusterPolicy has drivers of its own. Before v26.7 it followed the
 * ClusterPolicy in any case (gpu-operator a22dbf671, `controllers/upgrade_controller.go`).
 */
function activePolicies(policies: readonly GpuOperatorPolicy[]): readonly GpuOperatorPolicy[] {
  const own = policies.filter(({ kind, usesNvidiaDrivers }) => kind === 'ClusterPolicy' && !usesNvidiaDrivers);
  return own.length > 0 ? own : policies.filter(({ kind }) => kind === 'NVIDIADriver');
}

function missingText(policies: readonly GpuOperatorPolicy[]): string {
  const [clusterPolicy] = policies;
  const none = 'so the GPU operator upgrades no driver, and no node becomes due';
  return clusterPolicy === undefined
    ? `there is no ClusterPolicy and no NVIDIADriver, ${none}: install the GPU operator, or let the companion restart the driver`
    : `ClusterPolicy ${clusterPolicy.name} has useNvidiaDriverCRD, and there is no NVIDIADriver, ${none}: create one`;
}

function sandboxText(name: string): string {
  return (
    `ClusterPolicy ${name} has sandboxWorkloads.enabled: the GPU operator conducts no driver upgrades then, and ` +
    'k8s-driver-manager evicts pods by itself; let the companion restart the driver, or turn sandboxWorkloads off'
  );
}

function settingsOf(one: GpuOperatorPolicy, stateLabel: string, ours: NodeUpgradePolicy | undefined): readonly About[] {
  const place = one.kind === 'ClusterPolicy' ? 'driver.upgradePolicy' : 'upgradePolicy';
  const setting = (name: string): string => `${one.kind} ${one.name}: ${place}.${name}`;
  if (!one.autoUpgrade) {
    const message = `${setting('autoUpgrade')} is off, so the GPU operator removes the label ${stateLabel} from the nodes, and none becomes due; set it to true`;
    return [['gpu-operator-off', message]];
  }
  const found: About[] = [];
  if (!isNone(one.maxUnavailable)) {
    const message = `${setting('maxUnavailable')} is ${one.maxUnavailable}: the GPU operator begins nodes by itself, beside the limits of the companion; set it to "0%" (its chart takes 0 for not set)`;
    found.push(['gpu-operator-begins', message]);
  }
  if (one.drain.enable) {
    const message = `${setting('drain.enable')} is true: the GPU operator drains a node by its own rules when it cannot delete the GPU pods; set it to false`;
    found.push(['gpu-operator-drains', message]);
  }
  if (ours !== undefined) found.push(...differences(setting, one, ours));
  return found;
}

/** A text such as `0` is no percentage: the operator refuses it. */
function isNone(maxUnavailable: number | string): boolean {
  return maxUnavailable === 0 || (typeof maxUnavailable === 'string' && /^0+%$/.test(maxUnavailable));
}

/** Settings that must not be stricter than the companion's, because the operator begins when the companion does. */
function differences(
  setting: (name: string) => string,
  { waitForCompletion, podDeletion }: GpuOperatorPolicy,
  ours: NodeUpgradePolicy,
): readonly About[] {
  const found: About[] = [];
  const wanted = ours.waitForCompletion;
  const isWaiting = wanted.podSelector !== '';
  if (isWaiting && (waitForCompletion.podSelector !== wanted.podSelector || isSooner(waitForCompletion, wanted))) {
    const message = `${setting('waitForCompletion')} is ${JSON.stringify(waitForCompletion)}: the GPU operator deletes GPU pods while the companion waits for jobs; set it to ${JSON.stringify(wanted)}`;
    found.push(['gpu-operator-waits-less', message]);
  }
  if (podDeletion === undefined) {
    const message = `${setting('podDeletion')} is not set: the GPU operator leaves every node in pod-deletion-required; set it to ${JSON.stringify(ours.podDeletion)}`;
    found.push(['gpu-operator-gives-up', message]);
  } else if (isStricter(podDeletion, ours.podDeletion)) {
    const message = `${setting('podDeletion')} is ${JSON.stringify(podDeletion)}: the GPU operator gives a node up while the companion still evicts its pods; set it to ${JSON.stringify(ours.podDeletion)}`;
    found.push(['gpu-operator-gives-up', message]);
  }
  return found;
}

type PodDeletion = NodeUpgradePolicy['podDeletion'];

function isStricter(one: PodDeletion, than: PodDeletion): boolean {
  return (than.force && !one.force) || (than.deleteEmptyDir && !one.deleteEmptyDir) || isSooner(one, than);
}

interface Limited {
  readonly timeoutSeconds: number;
}

/** 0: never. */
function isSooner({ timeoutSeconds }: Limited, than: Limited): boolean {
  return timeoutSeconds !== 0 && (than.timeoutSeconds === 0 || timeoutSeconds < than.timeoutSeconds);
}
