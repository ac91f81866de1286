import type { UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import type { Mode, Participant, NodePlan } from '../core/maintenance/plan.js';
import { finding, type Finding } from '../model/findings.js';
import type { Snapshot } from '../model/snapshot.js';
import { inPlace } from './in-place/in-place.js';
import { maintenancesIn } from './requestor/maintenances.js';
import { isAskedFor, requestor, waitForOthers } from './requestor/requestor.js';

interface Modes {
  readonly inPlace: Mode;
  /** How a node that begins now is taken out. */
  readonly newMode: Mode;
  /** How a node was taken out. */
  readonly modeOf: (plan: NodePlan) => Mode;
  /** Whether another program has a request of the companion for the node. */
  readonly hasRequest: (node: string) => boolean;
  readonly findings: readonly Finding[];
}

/** The ways in which nodes are taken out of service: by the companion, or by the Maintenance Operator where the policy says so. */
export function modesOf(snapshot: Snapshot, policy: UpgradePolicy, participants: readonly Participant[]): Modes {
  const maintenances = maintenancesIn(snapshot, policy);
  if (maintenances === undefined) {
    return { inPlace, newMode: inPlace, modeOf: () => inPlace, hasRequest: () => false, findings: [] };
  }
  const asking = requestor(maintenances);
  // The operator may have a node for another program, and gives back what the companion has asked for before.
  const own: Mode = {
    ...inPlace,
    ownsCordon: ({ node }) => maintenances.of(node.name)?.hasCordon === true,
    keepsPod: maintenances.isOperatorPod,
    returnWait: (plan) => waitForOthers(plan, maintenances),
    objectActions: asking.objectActions,
  };
  const missing = maintenances.missing;
  const message = `no node begins, because the Maintenance Operator drains: ${missing ?? ''}`;
  return {
    inPlace: own,
    newMode: asking,
    modeOf: (plan) => (isAskedFor(plan) ? asking : own),
    hasRequest: maintenances.hasRequest,
    findings:
      missing === undefined
        ? []
        : participants.map(({ name }) => finding(name, 'maintenance-operator-missing', message)),
  };
}
