import { cordon } from '../../core/maintenance/cordon.js';
import { type Mode, isUnschedulable } from '../../core/maintenance/plan.js';

/** The companion cordons the node, and uncordons it. */
export const inPlace: Mode = {
  stateOf: () => undefined,
  beginWait: () => undefined,
  isTaken: () => false,
  take: cordon,
  outWait(plan) {
    cordon(plan);
    return undefined;
  },
  isLost: (plan) => !isUnschedulable(plan),
  returnWait: () => undefined,
  giveBack: () => undefined,
  release: () => undefined,
  ownsCordon: () => false,
  keepsPod: () => false,
  evictsCompanion: false,
  lostText: () => undefined,
  objectActions: () => [],
};
