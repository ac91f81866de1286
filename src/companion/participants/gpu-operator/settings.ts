import { finding, type Finding } from '../../model/findings.js';
import type { GpuOperatorPolicy } from '../../model/gpu-operator.js';
import type { DriverView } from '../driver/driver-view.js';

/**
 * Settings of the GPU operator by which it makes no node due, or begins and drains nodes itself. They are findings, because the companion
 * does not change another program's settings; the guide has the rest.
 *
 * @param policies those of the operator; undefined: not known, so there are no findings
 */
export function gpuOperatorFindings(
  { policy: { labelPrefix } }: DriverView,
  policies: readonly GpuOperatorPolicy[] | undefined,
): readonly Finding[] {
  if (policies === undefined) return [];
  const followed = followedPolicies(policies);
  const about = (kind: Finding['kind'], message: string): Finding => finding(labelPrefix, kind, message);
  const upgrading = followed.filter(({ autoUpgrade, sandboxWorkloads }) => autoUpgrade && !sandboxWorkloads);
  if (upgrading.length === 0)
    return [about('gpu-operator-off', `${NONE_DUE}: ${followed.length === 0 ? MISSING : OFF}`)];
  return upgrading.flatMap(({ kind, name, maxUnavailable, drain }) => {
    const place = `${kind} ${name}: ${kind === 'ClusterPolicy' ? 'driver.upgradePolicy' : 'upgradePolicy'}`;
    return [
      ...(isNone(maxUnavailable) ? [] : [about('gpu-operator-begins', beginsText(place, maxUnavailable))]),
      ...(drain.enable ? [about('gpu-operator-drains', drainsText(place))] : []),
    ];
  });
}

const NONE_DUE = 'the GPU operator upgrades no driver, and no node becomes due';
const MISSING = 'there is no ClusterPolicy with a driver and no NVIDIADriver';
const OFF = 'autoUpgrade of its ClusterPolicy or NVIDIADriver must be true, and sandboxWorkloads off';

const beginsText = (place: string, given: number | string): string =>
  `${place}.maxUnavailable is ${given}: the GPU operator begins nodes by itself, beside the limits of the companion; set it to "0%" (its chart takes 0 for not set)`;

const drainsText = (place: string): string =>
  `${place}.drain.enable is true: the GPU operator drains a node by its own rules when it cannot delete the GPU pods; set it to false`;

/**
 * The policies that the operator follows: those of NVIDIADrivers if no ClusterPolicy has drivers of its own. Before v26.7 it followed the
 * ClusterPolicy in any case (gpu-operator a22dbf671, `controllers/upgrade_controller.go`).
 */
function followedPolicies(policies: readonly GpuOperatorPolicy[]): readonly GpuOperatorPolicy[] {
  const own = policies.filter(({ kind, usesNvidiaDrivers }) => kind === 'ClusterPolicy' && !usesNvidiaDrivers);
  return own.length > 0 ? own : policies.filter(({ kind }) => kind === 'NVIDIADriver');
}

/** A text such as `0` is no percentage: the operator refuses it. */
function isNone(maxUnavailable: number | string): boolean {
  return maxUnavailable === 0 || (typeof maxUnavailable === 'string' && /^0+%$/.test(maxUnavailable));
}
