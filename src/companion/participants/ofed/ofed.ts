import type { DriverPolicyOf, UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { PartAnswers, Participant } from '../../core/maintenance/plan.js';
import type { Snapshot } from '../../model/snapshot.js';
import { configDaemonText, NODE_STATES_UNREAD } from '../sriov/config-daemon.js';
import { driverAnswers } from '../driver/answers.js';
import type { DriverNode } from '../driver/driver-node.js';
import { driverView, type DriverFacts } from '../driver/driver-view.js';
import { driverParticipant } from '../driver/participant.js';

/** The OFED driver. Its restart removes the virtual functions of the node, so what needs it is restarted after it. */
export function ofed(
  policy: DriverPolicyOf<'ofed'>,
  snapshot: Snapshot,
  nowMs: number,
  of: UpgradePolicy,
): Participant {
  const driver = driverView(policy, snapshot, nowMs, of);
  return driverParticipant(driver, {
    order: 0,
    answersFrom: ({ node }) => snapshot.sriovNodeStates?.get(node.name),
    answersOf: (view) => ofedAnswers(driver.facts, view, snapshot, of),
    findings: () => [],
  });
}

/** After a restart of OFED the virtual functions must be back, if they were there before. */
function ofedAnswers(driver: DriverFacts, view: DriverNode, snapshot: Snapshot, of: UpgradePolicy): PartAnswers {
  const answers = driverAnswers(driver, view);
  const { sriovNodeStates: settings } = of;
  const functions = snapshot.sriovNodeStates?.get(view.node.name);
  const isUnread = settings !== undefined && snapshot.sriovNodeStates === undefined;
  return {
    ...answers,
    resources:
      settings === undefined ? [] : (functions?.resources ?? []).map((name) => `${settings.resourcePrefix}${name}`),
    validates: (before) => functions !== undefined || (isUnread && before.functions === true),
    remember: (before) => {
      const after = answers.remember(before);
      return functions?.syncStatus === 'Succeeded' ? { ...after, functions: true } : after;
    },
    validationLack(plan, before) {
      if (isUnread && before.functions === true) return NODE_STATES_UNREAD;
      const isBack = functions === undefined || before.functions !== true || functions.syncStatus === 'Succeeded';
      return isBack
        ? answers.validationLack(plan, before)
        : `its virtual functions are not back: ${configDaemonText(functions)}`;
    },
  };
}
