import { driverKeys } from '../../../src/shared/contract/labels.js';
import type { UpgradePolicy } from '../../../src/shared/contract/upgrade-policy.js';
import type { Snapshot } from '../../../src/companion/model/snapshot.js';
import type { Decision, SnapshotNode } from '../../../src/companion/model/types.js';
import { isLeft } from './invariants-limits.js';
import { IN_PROGRESS, Violation } from './rules.js';
import { isOfPool, limitOf } from './sriov.js';

/** No SR-IOV pool has more nodes out than it allows, for whatever driver they are out. A node that others cordoned needs no slot. */
export function checkSriovPools(snapshot: Snapshot, { drivers }: UpgradePolicy, { actions }: Decision): void {
  const sriov = drivers.find((one) => one.kind === 'sriov');
  if (sriov === undefined) return;
  const ours = drivers.filter((one) => !isLeft(snapshot, one));
  const isOut = ({ labels }: SnapshotNode): boolean =>
    ours.some(({ labelPrefix }) => IN_PROGRESS.has(labels[driverKeys(labelPrefix).state] ?? ''));
  const begins = new Set(
    actions.flatMap((one) =>
      one.kind === 'patchNode' && one.steps.some(({ row }) => row === 'begin') ? [one.node] : [],
    ),
  );
  const asks = ({ name }: SnapshotNode): boolean => snapshot.sriovNodeStates?.get(name)?.isExternal === true;
  // A node that leaves the cluster may have lost its state first; nothing says which pool it was in.
  const { state } = driverKeys(sriov.labelPrefix);
  const isLost = ({ name, labels }: SnapshotNode): boolean =>
    state in labels && snapshot.sriovNodeStates?.has(name) === false;
  if (snapshot.nodes.some(isLost)) return;
  const selectors = sriov.policies.flatMap(({ nodeSelector }) => nodeSelector ?? []);
  // A node of two pools counts in the first one: neither lets it out for virtual functions.
  const poolOf = (node: SnapshotNode): string | undefined => selectors.find((one) => isOfPool(node, one));
  for (const { name, nodeSelector, upgradePolicy } of sriov.policies) {
    const members = snapshot.nodes.filter((node) => asks(node) && poolOf(node) === nodeSelector);
    const fresh = members.filter((node) => begins.has(node.name) && !node.unschedulable && !isOut(node));
    const out = [...members.filter(isOut), ...fresh];
    const limit = limitOf(upgradePolicy.maxUnavailable, members.length);
    if (fresh.length > 0 && out.length > limit)
      throw new Violation(
        'never above maxUnavailable of an SR-IOV pool',
        `${out.map((node) => node.name).join(', ')} of ${name}: ${limit}`,
      );
  }
}
