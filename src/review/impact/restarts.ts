import { podGate, ungatedConstraints } from '../../shared/contract/pod-gate.js';
import type { DriverPolicyOf, UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import { namespacedName } from '../../shared/kubernetes/identity.js';
import { matchesSelector, selectorOf } from '../../shared/kubernetes/selection/label-selector.js';
import { nodePlacement, type NodePlacement } from '../../shared/kubernetes/selection/node-placement.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { canonicalJson, compareText, textAt, valueAt } from '../../shared/lib/json.js';
import { textsAt } from '../../cluster/changes/data.js';
import { isDriver } from './driver.js';
import type { Fate } from './node-rows.js';

/** The pods of a DaemonSet that are made anew on nodes that keep them. */
export interface PodRestart {
  /** `<namespace>/<name>`; of no driver. */
  readonly daemonSet: string;
  /** `template`: its pod template changes. `driver`: its pods wait for the driver, which is replaced on these nodes. */
  readonly because: 'template' | 'driver';
  /** Names, sorted; absent if the nodes of the cluster are not known. */
  readonly nodes?: readonly string[];
}

/** A DaemonSet that is no driver. */
interface Workload {
  readonly id: string;
  readonly object: KubernetesObject;
  /** Its controller replaces pods when the template changes. */
  readonly isRolling: boolean;
  /** What keeps its pods waiting for the driver. */
  readonly gate: ReturnType<typeof podGate>;
  readonly podLabels: Readonly<Record<string, string>>;
  /** Whether a node is for it, apart from the gate. */
  readonly accepts: NodePlacement['accepts'];
}

/**
 * The restarts of pods that are not those of drivers.
 *
 * @param sides all objects of the old and of the new output
 */
export function podRestarts(
  fates: readonly Fate[],
  [old, next]: readonly [readonly KubernetesObject[], readonly KubernetesObject[]],
  policy: UpgradePolicy | undefined,
  areNodesKnown: boolean,
): readonly PodRestart[] {
  const before = new Map(workloadsOf(old).map((one) => [one.id, one]));
  const gate = policy?.drivers.find((one) => one.kind === 'ofed')?.gate;
  const renewed = renewalsOf(gate);
  const known = areNodesKnown ? fates.filter(({ member }) => member.node.name !== undefined) : fates;
  const found = workloadsOf(next).flatMap((to): readonly PodRestart[] => {
    const from = before.get(to.id);
    if (from === undefined) return [];
    const isChanged = isTemplateChanged(from.object, to.object);
    if (isChanged && !to.isRolling) return [];
    if (isChanged && !areNodesKnown) return [{ daemonSet: to.id, because: 'template' }];
    const nodes = known.filter(
      (fate) => ran(from, fate) && runs(from, to, fate, gate !== undefined) && (isChanged || renewed(to, fate.outcome)),
    );
    if (nodes.length === 0) return [];
    const names = nodes.flatMap(({ member }) => member.node.name ?? []).sort(compareText);
    const because = isChanged ? 'template' : 'driver';
    return [{ daemonSet: to.id, because, ...(areNodesKnown && { nodes: names }) }];
  });
  return found.sort((a, b) => compareText(a.daemonSet, b.daemonSet));
}

function workloadsOf(objects: readonly KubernetesObject[]): readonly Workload[] {
  return objects.filter((one) => one.kind === 'DaemonSet' && !isDriver(one)).map(workloadOf);
}

function workloadOf(object: KubernetesObject): Workload {
  const template = valueAt(object, ['spec', 'template']);
  const spec = valueAt(template, ['spec']);
  return {
    id: namespacedName(object),
    object,
    isRolling: textAt(object, 'spec', 'updateStrategy', 'type') !== 'OnDelete',
    gate: podGate(spec),
    podLabels: Object.fromEntries(textsAt(template, 'metadata', 'labels')),
    accepts: nodePlacement(ungatedConstraints(spec)).accepts,
  };
}

/** Objects that both sides have are the same value, and most are. */
function isTemplateChanged(from: KubernetesObject, to: KubernetesObject): boolean {
  const templateText = (object: KubernetesObject) => canonicalJson(valueAt(object, ['spec', 'template']) ?? null);
  return from !== to && templateText(from) !== templateText(to);
}

/** Whether the node had a running pod of the DaemonSet. */
function ran({ gate, accepts }: Workload, { member, before }: Fate): boolean {
  return accepts(member.node) && (gate === 'none' || before !== undefined);
}

/** Whether the node has one at the end, if it had one before. */
function runs(
  from: Workload,
  { gate, accepts }: Workload,
  { member, before, outcome }: Fate,
  isGateKept: boolean,
): boolean {
  if (!accepts(member.node)) return false;
  if (gate === 'none') return true;
  // Without a companion the gate label of a node stays as it is.
  if (gate === 'label' && !isGateKept) return from.gate === 'label';
  const driver = outcome === undefined ? before : outcome.after;
  // Before an uninstall the driver is still there, and after it the companion opens the label gate.
  if (driver !== undefined || outcome?.reason === 'uninstall') return true;
  return gate === 'label' && from.gate === 'label' && outcome?.reason === 'no-driver';
}

/** Whether the companion, or its gate label, has the pod of a node made anew because its driver is replaced. */
function renewalsOf(gate: DriverPolicyOf<'ofed'>['gate']): (to: Workload, outcome: Fate['outcome']) => boolean {
  const selectors = (gate?.podSelectors ?? []).map(selectorOf);
  return ({ gate: kind, podLabels }, outcome) => {
    if (outcome === undefined || kind === 'none' || gate === undefined) return false;
    const isReplaced = outcome.step !== 'kept' && outcome.step !== 'installed' && outcome.after !== undefined;
    if (kind === 'label') return isReplaced || outcome.reason === 'uninstall';
    return isReplaced && selectors.some((selector) => matchesSelector(selector, podLabels));
  };
}
