import { validationNamespaces } from '../shared/contract/controller-namespaces.js';
import type { UpgradePolicy } from '../shared/contract/upgrade-policy.js';
import { keptBy } from '../shared/lib/memo.js';
import { decideOn, type DecideOptions } from './core/decide/decide.js';
import { windowsByHand } from './core/fleet/ignored-windows.js';
import { finding } from './model/findings.js';
import type { Snapshot } from './model/snapshot.js';
import type { Decision } from './model/types.js';
import { modesOf } from './modes/modes.js';
import { participantsOf } from './participants/participants.js';
import { keptByConfigDaemon } from './participants/sriov/config-daemon.js';

const namesFor = keptBy<ReadonlySet<string>>();
const namespacesFor = keptBy<ReadonlySet<string>>();

/**
 * The next actions for all nodes. It is a pure function.
 *
 * If a controller of a driver has just stopped, the snapshot must contain the last writes of that controller (`controllerLeft`).
 */
export function decide(
  snapshot: Snapshot,
  policy: UpgradePolicy,
  nowMs: number,
  options: DecideOptions = {},
): Decision {
  const { participants, refusals } = participantsOf(policy, snapshot, nowMs);
  const { findings, ...modes } = modesOf(snapshot, policy, participants);
  const { rollout, finding: ofWindows } = windowsByHand(policy.rollout, snapshot.ignoreWindowsUntil, nowMs);
  const situation = {
    ...modes,
    snapshot,
    nowMs,
    rollout,
    isPaused: policy.paused || snapshot.paused,
    participants,
    validationNamespaces: namespacesFor(policy, [], () => validationNamespaces(policy)),
    keptByOthers: keptByConfigDaemon(policy, snapshot),
    names: namesFor(policy, [], () => new Set(policy.drivers.map(({ labelPrefix }) => labelPrefix))),
  };
  const decision = decideOn(situation, options);
  return {
    ...decision,
    waiting: [...refusals.flatMap(({ waiting }) => waiting), ...decision.waiting],
    findings: [
      ...refusals.map((one) => one.finding),
      ...findings,
      ...participants.flatMap(({ name }) => (ofWindows === undefined ? [] : finding(name, ...ofWindows))),
      ...decision.findings,
    ],
  };
}
