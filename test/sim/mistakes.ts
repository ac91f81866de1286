import type { Snapshot } from '../../src/companion/model/snapshot.js';
import type { Action, PatchNode, SnapshotNode, SnapshotPod } from '../../src/companion/model/types.js';
import type { DecisionChange } from './run/companion.js';
import { runScenario } from './run/run.js';
import { drawScenario, type ScenarioKind } from './scenario/scenario.js';

/** Deliberate mistakes of the companion, each of which a rule must notice within these seeds. */
export const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);

/** The seeds, after one that detects the mistake. */
export const seedsAfter = (first: number): readonly number[] => [first, ...SEEDS];

const STATE = /^nvidia\.com\/(.+)-driver-upgrade-state$/;
export const stateOf = (node: SnapshotNode): string =>
  Object.entries(node.labels).find(([key]) => STATE.test(key))?.[1] ?? '';
export const driverOf = (snapshot: Snapshot): string =>
  [...snapshot.pods].some(({ labels }) => 'nvidia.com/ofed-driver' in labels) ? 'ofed' : 'gpu';

export function patchOf(
  snapshot: Snapshot,
  { name, uid, resourceVersion }: SnapshotNode,
  change: Partial<PatchNode>,
): PatchNode {
  const base = { kind: 'patchNode', driver: driverOf(snapshot), node: name, uid, resourceVersion } as const;
  return { ...base, labels: {}, annotations: {}, steps: [], ...change };
}

export const adding =
  (add: (snapshot: Snapshot, actions: readonly Action[]) => readonly Action[]): DecisionChange =>
  (decision, snapshot) => ({ ...decision, actions: [...decision.actions, ...add(snapshot, decision.actions)] });

export const changing =
  (change: (patch: PatchNode, snapshot: Snapshot) => PatchNode | undefined): DecisionChange =>
  (decision, snapshot) => ({
    ...decision,
    actions: decision.actions.flatMap((action): Action[] => {
      if (action.kind !== 'patchNode') return [action];
      const changed = change(action, snapshot);
      return changed === undefined ? [] : [changed];
    }),
  });

export const evictionsOn = (snapshot: Snapshot, nodes: readonly string[], of: (pod: SnapshotPod) => boolean) =>
  [...snapshot.pods]
    .filter((pod) => nodes.includes(pod.nodeName) && of(pod))
    .map(({ namespace, name, uid, nodeName }): Action => {
      return { kind: 'evictPod', driver: driverOf(snapshot), node: nodeName, namespace, name, uid };
    });

export const withState = (snapshot: Snapshot, state: string): string[] =>
  snapshot.nodes.filter((node) => stateOf(node) === state).map(({ name }) => name);

/** A change of what the companion decides, and the rule that notices it. */
export interface Mistake {
  readonly name: string;
  readonly change: DecisionChange;
  readonly expected: RegExp;
  /** A seed that detects it, tried first. Default: the seeds in their order. */
  readonly first?: number;
}

/** The rule that notices a mistake; undefined if none does. */
export function noticed({ change, first }: Mistake, only?: ScenarioKind): string | undefined {
  for (const seed of first === undefined ? SEEDS : seedsAfter(first)) {
    const rule = runScenario(drawScenario(seed, only), change).violation?.rule;
    if (rule !== undefined) return rule;
  }
  return undefined;
}
