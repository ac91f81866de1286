import { expect, it } from '@jest/globals';
import { ofed, policyFor } from '../../../../test/kit/shared-nodes.js';
import { after, driverPod, node, NOW, pod, snapshot } from '../../../../test/kit/snapshots.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import { MAINTENANCE_ANNOTATION } from '../../../shared/contract/maintenance-record.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { podIndexOf } from '../../model/pod-index.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Action, SnapshotNode } from '../../model/types.js';
import { inPlace } from '../../modes/in-place/in-place.js';
import { ofed as ofedParticipant } from '../../participants/ofed/ofed.js';
import type { Part, PartAnswers, Participant } from '../maintenance/plan.js';
import { decideOn } from './decide.js';

/** The core runs a participant that it has never seen: firmware, which is written anew when the pod of its agent is deleted. */

const WANTED = 'example.com/firmware-wanted';
const INSTALLED = 'example.com/firmware';
const keys = driverKeys('firmware');
const OFED = driverKeys('ofed');

function firmware(policy: UpgradePolicy, state: Snapshot, policies: Participant['policies']): Participant {
  const participant: Participant = {
    ...{ name: 'firmware', keys, policies, order: 2, rollout: 'one', title: 'the firmware', isPrePulled: false },
    ...{ leavesDaemonSets: false, uncovered: 0, withoutSuccessor: 0 },
    isOwnPod: ({ name }) => name.startsWith('agent-'),
    holdsIt: () => false,
    on: (there) => partOf(there),
    parts: () => state.nodes.map((there) => ({ node: there, part: partOf(there) })),
    isProven: () => false,
    fleet: () => ({ actions: [], findings: [] }),
  };
  const partOf = (there: SnapshotNode): Part => {
    const isDone = there.annotations[WANTED] === there.annotations[INSTALLED];
    return {
      ...{ participant, state: there.labels[keys.state] ?? '', policy: policies[0], wants: there.annotations[WANTED] },
      ...{ isManaged: true, isCounted: true, isDriven: true, isReady: true, isUninstalled: false, isCandidate: true },
      ...{ suspended: undefined, isSick: false, isQuiet: false },
      inSyncSinceMs: () => undefined,
      isSettled: () => isDone,
      answers: answersOf(there, isDone, state),
    };
  };
  return participant;
}

function answersOf({ name }: SnapshotNode, isDone: boolean, { pods }: Snapshot): PartAnswers {
  const agent = pods.onNode(name).find((one) => one.name === `agent-${name}`);
  return {
    ...{ leavesPods: false, isOver: isDone, isUnloaded: true, isTouched: isDone, validationPodSelectors: [] },
    ...{
      resources: [],
      holdsNode: false,
      takesNode: false,
      isLoading: () => false,
      restartsBefore: undefined,
      wasChanged: true,
      leftText: undefined,
    },
    due: () =>
      isDone ? { kind: 'in-sync' } : { kind: 'due', isOutdated: true, row: 'due', message: 'its firmware is old' },
    progress: () =>
      isDone ? { kind: 'done' } : { kind: 'at-work', wait: { kind: 'driver-pod', message: 'its firmware is written' } },
    restart: () => ({
      actions: agent === undefined ? [] : [deletion(agent, name)],
    }),
    isPending: () => !isDone && agent !== undefined,
    isHarmless: () => false,
    beginWait: () => undefined,
    hold: () => undefined,
    restartAnnotations: () => ({}),
    restartSeconds: () => 600,
    validationLack: () => undefined,
    validates: () => false,
    remember: (before) => before,
    upkeep: () => ({ labels: {}, annotations: {} }),
    aboutCordon: () => ({}),
    restWait: () => undefined,
    failedWait: () => undefined,
    findings: () => [],
    objectActions: () => [],
  };
}

function deletion(
  { namespace, name, uid }: { readonly namespace: string; readonly name: string; readonly uid: string },
  on: string,
): Action {
  return { kind: 'deletePod', driver: 'firmware', node: on, namespace, name, uid, reason: 'driver-restart' };
}

const agentPod = (on: string) => driverPod(on, { owner: 'agent', labels: { app: 'agent' } });

/** New pods come for those that were deleted, and the new agent has written the firmware. */
function others(state: Snapshot): Snapshot {
  const names = new Set([...state.pods].map(({ name }) => name));
  const isGone = !names.has('agent-a');
  const made = [driverPod('a'), agentPod('a')].filter(({ name }) => !names.has(name));
  return {
    ...state,
    pods: podIndexOf([...state.pods, ...made]),
    nodes: state.nodes.map((one) =>
      isGone ? { ...one, annotations: { ...one.annotations, [INSTALLED]: one.annotations[WANTED] ?? '' } } : one,
    ),
  };
}

/** Decides once a minute about node a, which runs a pod, until nothing happens. */
function run(digest: 'old' | 'new'): { readonly log: readonly string[]; readonly end: Snapshot } {
  const policy = policyFor([ofed()]);
  const log: string[] = [];
  let state = snapshot({
    nodes: [node('a', { annotations: { [WANTED]: '2', [INSTALLED]: '1' } })],
    pods: [driverPod('a', { digest }), agentPod('a'), pod('a', 'work')],
  });
  for (let minute = 0; minute < 15; minute += 1) {
    const nowMs = NOW + minute * 60_000;
    const [driver] = policy.drivers;
    if (driver?.kind !== 'ofed') throw new Error('the policy has OFED');
    const one = ofedParticipant(driver, state, nowMs, policy);
    const decision = decideOn({
      ...{ snapshot: state, nowMs, rollout: policy.rollout, isPaused: false, names: new Set(['ofed', 'firmware']) },
      ...{
        validationNamespaces: new Set<string>(),
        keptByOthers: () => undefined,
        inPlace,
        newMode: inPlace,
        modeOf: () => inPlace,
      },
      hasRequest: () => false,
      participants: [one, firmware(policy, state, one.policies)],
    });
    for (const action of decision.actions) log.push(...entryOf(action));
    state = others(after(state, decision));
  }
  return { log, end: state };
}

function entryOf(action: Action): readonly string[] {
  if (action.kind === 'patchNode')
    return action.unschedulable === undefined ? [] : [action.unschedulable ? 'cordon' : 'uncordon'];
  return 'name' in action ? [`${action.kind} ${action.name}`] : [];
}

it('drains the node once for OFED and for firmware, and restarts OFED before', () => {
  const { log, end } = run('old');
  expect(log).toEqual(['cordon', 'evictPod work', 'deletePod mofed-a', 'deletePod agent-a', 'uncordon']);
  expect(end.nodes[0]?.labels).toMatchObject({ [keys.state]: 'upgrade-done', [OFED.state]: 'upgrade-done' });
  expect(end.nodes[0]?.annotations).not.toHaveProperty([MAINTENANCE_ANNOTATION]);
});

it('does it for firmware alone', () => {
  const { log, end } = run('new');
  expect(log).toEqual(['cordon', 'evictPod work', 'deletePod agent-a', 'uncordon']);
  expect(end.nodes[0]?.labels).toMatchObject({ [keys.state]: 'upgrade-done', [OFED.state]: 'upgrade-done' });
});
