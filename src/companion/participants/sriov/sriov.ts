import { durationMs } from '../../../shared/contract/duration.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import {
  nodeUpgradePolicies,
  type DriverPolicyOf,
  type UpgradePolicy,
} from '../../../shared/contract/upgrade-policy.js';
import { once } from '../../../shared/lib/memo.js';
import { driverSeconds } from '../../core/maintenance/clock.js';
import type { Due, Part, PartAnswers, Participant, Progress, NodePlan } from '../../core/maintenance/plan.js';
import { finding } from '../../model/findings.js';
import { isAtRest } from '../../model/node-states.js';
import type { Snapshot } from '../../model/snapshot.js';
import { asksForDrain, type SriovNodeState } from '../../model/sriov.js';
import type { SnapshotNode, WaitReason } from '../../model/types.js';
import { rolloutName } from '../driver/driver-view.js';
import { suspendedFindings, suspendedWait } from '../suspended.js';
import { sriovAnswer } from './answer.js';
import { configDaemonText, NODE_STATES_UNREAD } from './config-daemon.js';
import { daemonState, sriovNodes, type DaemonState, type SriovNode } from './node.js';

type SriovDriver = DriverPolicyOf<'sriov'>;

const NOT_EXTERNAL =
  'no SriovNetworkNodeState has the annotation `sriovnetwork.openshift.io/use-external-drainer`: the SR-IOV operator is absent, has no ' +
  'policies, or drains by itself';

const UNREAD: WaitReason = { kind: 'config-daemon', message: NODE_STATES_UNREAD };

/** How long the SR-IOV operator may take to write new policies into the SriovNetworkNodeStates; it takes seconds. */
const POLICY_SETTLES_MS = 120_000;

/** When the SriovNetworkNodeStates have the policies at the latest. */
function policiesSettledMs({ policyWrittenMs = -Infinity }: Snapshot): number {
  return policyWrittenMs + POLICY_SETTLES_MS;
}

/** Virtual functions: the config daemon of the SR-IOV Network Operator asks for a drain of its node, and makes them on the drained node. */
export function sriov(policy: SriovDriver, snapshot: Snapshot, nowMs: number, of: UpgradePolicy): Participant {
  const policies = nodeUpgradePolicies(policy);
  const keys = driverKeys(policy.labelPrefix);
  const nodeOf = sriovNodes(policies, snapshot);
  const isUnread = snapshot.sriovNodeStates === undefined;
  const parts = once(
    () =>
      new Map(
        snapshot.nodes.flatMap((node) => {
          const part = partOf(node, nodeOf(node));
          return part === undefined ? [] : [[node, part] as const];
        }),
      ),
  );
  const participant: Participant = {
    name: policy.labelPrefix,
    keys,
    policies,
    order: 1,
    rollout: rolloutName([['', policy.change]]),
    title: `the ${policy.labelPrefix} driver`,
    isPrePulled: false,
    isOwnPod: () => false,
    holdsIt: () => false,
    leavesDaemonSets: true,
    on: (node) => parts().get(node),
    parts: once(() => [...parts()].map(([node, part]) => ({ node, part }))),
    isProven: () => false,
    fleet: () => ({
      actions: [],
      findings: [...parts().keys()].some((node) => nodeOf(node) !== undefined)
        ? []
        : [finding(policy.labelPrefix, 'sriov-not-external', NOT_EXTERNAL)],
    }),
    uncovered: 0,
    withoutSuccessor: 0,
  };
  const partOf = (node: SnapshotNode, found: SriovNode | undefined): Part | undefined => {
    const state = node.labels[keys.state] ?? '';
    if (found === undefined && state === '') return undefined;
    const { nodeState } = found ?? {};
    const ofNode = found?.policy ?? (found === undefined ? policies[0] : undefined);
    const asksOperator = of.nodeMaintenance !== undefined;
    const suspended =
      suspendedWait({ node, state, keys, policy: ofNode, isUninstalled: false, asksOperator }) ??
      (isUnread ? UNREAD : undefined);
    const isSettled = () =>
      nodeState?.syncStatus === 'Succeeded' && !asksForDrain(nodeState) && nowMs >= policiesSettledMs(snapshot);
    const isQuiet = state === 'upgrade-done' && suspended === undefined && isSettled() && isIdle(nodeState);
    return {
      participant,
      state,
      policy: ofNode,
      isManaged: ofNode !== undefined && (found !== undefined || state !== 'upgrade-done'),
      isCounted: found !== undefined,
      isDriven: found !== undefined,
      isReady: false,
      isUninstalled: false,
      isCandidate: ofNode?.autoUpgrade === true && found !== undefined,
      suspended,
      wants: nodeState?.generation.toString(),
      inSyncSinceMs: () => (isSettled() ? policiesSettledMs(snapshot) : undefined),
      isSettled,
      isSick: nodeState !== undefined && asksForDrain(nodeState),
      isQuiet,
      answers: sriovAnswers(snapshot, state, found, suspended),
    };
  };
  return participant;
}

function isIdle(nodeState: SriovNodeState | undefined): boolean {
  return nodeState?.current === 'Idle' && nodeState.desired === 'Idle';
}

function sriovAnswers(
  snapshot: Snapshot,
  state: string,
  found: SriovNode | undefined,
  suspended: WaitReason | undefined,
): PartAnswers {
  const { nodeState } = found ?? {};
  const daemon = nodeState && daemonState(nodeState, state);
  return {
    due: () => dueOf(daemon, state),
    beginWait: () => {
      // It is told first that the node is not its own any more, so that it asks again.
      if (nodeState?.syncStatus === 'Failed' && daemon === 'works')
        return { kind: 'config-daemon', message: configDaemonText(nodeState) };
      if (found?.conflict === undefined) return undefined;
      return { kind: 'pools', message: `it is in the SR-IOV pools ${found.conflict}, and may be in one` };
    },
    leavesPods: found?.isDrainless === true,
    // The others on the node fail without the virtual functions that they wait for. No driver is restarted for them.
    isHarmless: ({ phase }) => phase !== 'due',
    hold: () => undefined,
    isOver: daemon === 'done' || daemon === undefined,
    isPending: () => daemon === 'asks',
    isUnloaded: false,
    isLoading: () => false,
    takesNode: daemon === 'asks',
    holdsNode:
      daemon === 'works' ||
      (nodeState !== undefined && asksForDrain(nodeState) && nodeState.current === 'DrainComplete'),
    isTouched: daemon === 'works',
    progress: (plan) => progressOf(nodeState, daemon, plan),
    restart: () => ({ actions: [] }),
    restartAnnotations: () => ({}),
    restartSeconds: (plan) => driverSeconds(plan, 0),
    validationPodSelectors: [],
    validationLack: () => undefined,
    validates: () => false,
    resources: [],
    remember: (before) => before,
    restartsBefore: undefined,
    upkeep: () => ({ labels: {}, annotations: {} }),
    aboutCordon: () => ({}),
    restWait: (plan) => (nodeState === undefined || !isAtRest(state) ? undefined : syncWait(nodeState, snapshot, plan)),
    failedWait: (plan, failure) => policiesWait(nodeState, snapshot, plan.shared.nowMs, `${failure}; `),
    wasChanged: nodeState !== undefined,
    leftText: undefined,
    findings: () => suspendedFindings(state, suspended?.kind === 'foreign-flow' ? suspended : undefined),
    objectActions(plan, part) {
      if (nodeState === undefined || suspended !== undefined) return [];
      const answer = sriovAnswer(nodeState, plan, part);
      return answer === undefined ? [] : [answer];
    },
  };
}

function dueOf(daemon: DaemonState | undefined, state: string): Due {
  if (daemon === 'asks')
    return { kind: 'due', isOutdated: false, row: 'due', message: 'its SR-IOV config daemon asks for a drain' };
  if (daemon === 'done' && state !== 'upgrade-required') return { kind: 'in-sync' };
  if (daemon === 'works') return { kind: 'unknown' };
  return { kind: 'never', row: 'not-due', message: 'its SR-IOV config daemon asks for nothing any more' };
}

/** A daemon that was told that the node is drained may boot it, and unloads what it likes. */
function progressOf(
  nodeState: SriovNodeState | undefined,
  daemon: DaemonState | undefined,
  { node }: NodePlan,
): Progress {
  if (nodeState === undefined || daemon === 'done') return { kind: 'done' };
  const message = configDaemonText(nodeState);
  if (daemon === 'failed') return { kind: 'failed', reason: message };
  return {
    kind: 'at-work',
    wait: { kind: 'config-daemon', message },
    isTimeStopped: daemon === 'works' && node.ready !== 'True',
  };
}

/** What a node at rest waits for, so that a run ends when all virtual functions are as the policies want them. */
function syncWait(nodeState: SriovNodeState, snapshot: Snapshot, { node, shared }: NodePlan): WaitReason | undefined {
  const { nowMs, rollout } = shared;
  const message = configDaemonText(nodeState);
  if (nodeState.syncStatus === 'Succeeded') return policiesWait(nodeState, snapshot, nowMs);
  if (nodeState.syncStatus === 'Failed')
    return policiesWait(nodeState, snapshot, nowMs, `${message}; `) ?? { kind: 'config-failed', message };
  if (node.ready === 'Unknown') return { kind: 'unreachable', message };
  // A config daemon that needs no drain has the time of a driver.
  const timeoutMs = durationMs(rollout.driverTimeout);
  const untilMs = timeoutMs === 0 ? Infinity : (snapshot.policyWrittenMs ?? Infinity) + timeoutMs;
  if (nowMs < untilMs) return { kind: 'config-daemon', message, ...(untilMs < Infinity && { untilMs }) };
  return {
    kind: 'config-failed',
    message: `${message}, more than ${rollout.driverTimeout} after the policy was written`,
  };
}

/**
 * The wait for new policies, about which the config daemons have not said anything yet; undefined where they may have.
 *
 * @param said what the node waits for besides that
 */
function policiesWait(
  nodeState: SriovNodeState | undefined,
  snapshot: Snapshot,
  nowMs: number,
  said = '',
): WaitReason | undefined {
  const untilMs = policiesSettledMs(snapshot);
  if (nodeState === undefined || nowMs >= untilMs) return undefined;
  return {
    kind: 'config-daemon',
    message: `${said}the SR-IOV operator may not have seen the new policies yet`,
    untilMs,
  };
}
