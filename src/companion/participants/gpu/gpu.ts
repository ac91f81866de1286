import { GPU_UPGRADE_ENABLED_ANNOTATION } from '../../../shared/contract/labels.js';
import type { DriverPolicyOf, UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { isInMaintenance } from '../../core/maintenance/node-facts.js';
import type { PartAnswers, Participant } from '../../core/maintenance/plan.js';
import type { Snapshot } from '../../model/snapshot.js';
import { driverAnswers } from '../driver/answers.js';
import type { DriverNode } from '../driver/driver-node.js';
import { driverView, type DriverFacts } from '../driver/driver-view.js';
import { driverParticipant } from '../driver/participant.js';

/** A GPU driver without its operator. Its manager waits for OFED, so it is restarted after it. */
export function gpu(policy: DriverPolicyOf<'gpu'>, snapshot: Snapshot, nowMs: number, of: UpgradePolicy): Participant {
  const driver = driverView(policy, snapshot, nowMs, of);
  return driverParticipant(driver, {
    order: 1,
    answersOf: (view) => gpuAnswers(driver.facts, view),
    findings: () => [],
  });
}

/**
 * k8s-driver-manager, the init container of a GPU driver pod, is told that something else moves the pods off the node, as the GPU operator
 * does while its upgrade controller is on.
 */
function gpuAnswers(driver: DriverFacts, view: DriverNode): PartAnswers {
  const answers = driverAnswers(driver, view);
  return {
    ...answers,
    upkeep(plan, part) {
      const { labels } = answers.upkeep(plan, part);
      if (view.daemonSet === undefined) return { labels, annotations: {} };
      // A maintenance that has begun ends as it began.
      const isOn = view.policy?.autoUpgrade === true;
      if (!isOn && isInMaintenance(plan.phase)) return { labels, annotations: {} };
      return { labels, annotations: { [GPU_UPGRADE_ENABLED_ANNOTATION]: isOn ? 'true' : null } };
    },
  };
}
