import { nodePlacement, type NodeConstraints, type PlacementNode } from '../kubernetes/selection/node-placement.js';
import { once } from '../lib/memo.js';
import { daemonSetPlacement, type NoPod, type PlacedDaemonSet } from './daemon-set-placement.js';
import { ARCH_LABEL } from './labels.js';

/**
 * Which driver DaemonSet puts a pod on a node. The generator, `weft diff`, `weft pools`, `weft upgrade status` and the companion all
 * ask this function, so that a review says what then happens.
 */

/** Why no DaemonSet puts a driver pod on a node. */
export type NoDriver = NoPod;

/** The DaemonSet that puts a driver pod on a node, or why none does. */
type NodeDriver<DaemonSet> =
  | { readonly daemonSet: DaemonSet; readonly reason?: undefined }
  | { readonly daemonSet?: undefined; readonly reason: NoDriver };

/** How messages call the DaemonSets of drivers. */
export const DRIVER_WORDS = { noun: 'driver DaemonSet', none: 'no policy installs a driver' } as const;

/**
 * Parses the DaemonSets once. The function that it returns answers for one node. If several DaemonSets put a pod there, it takes the
 * one that `preferred` names, whose pod is already on the node, else the first.
 *
 * @param architecture the only one that the DaemonSets have drivers for: a pod that they put on another node does not run, so it is no
 *   driver. Absent: each selects its own.
 */
export function driverPlacement<DaemonSet extends PlacedDaemonSet>(
  daemonSets: readonly DaemonSet[],
  architecture?: string,
): (node: PlacementNode, preferred?: readonly string[]) => NodeDriver<DaemonSet> {
  const sites = daemonSets.map((daemonSet) => ({ ...onArchitecture(daemonSet, architecture), given: daemonSet }));
  const { first, whyNone } = daemonSetPlacement(sites, DRIVER_WORDS);
  return (node, preferred = []) => {
    const kept = preferred.length > 0 ? first(node, ({ name }) => preferred.includes(name)) : undefined;
    const found = kept ?? first(node);
    if (found !== undefined) return { daemonSet: found.given };
    // Found out only if it is asked for: a cluster may have thousands of nodes that are to have no driver.
    const reason = once(() => whyNone(node));
    return {
      get reason() {
        return reason();
      },
    };
  };
}

/** The constraints of driver pods that run on the nodes of one architecture only; unchanged without one. */
export function onArchitecture<Constraints extends NodeConstraints>(
  constraints: Constraints,
  architecture: string | undefined,
): Constraints {
  if (architecture === undefined) return constraints;
  return { ...constraints, nodeSelector: { ...constraints.nodeSelector, [ARCH_LABEL]: architecture } };
}

/** The architecture of all node pools; undefined if they have several, and each driver DaemonSet selects its own. */
export function onlyArchitecture(pools: readonly { readonly arch: string }[]): string | undefined {
  const [only, ...others] = new Set(pools.map(({ arch }) => arch));
  return others.length === 0 ? only : undefined;
}

/**
 * Whether a retired DaemonSet has to stay for a node that has its pod, and on which no other DaemonSet puts a driver: nothing else would
 * start the driver again if the pod ended. It need not stay where only a taint keeps the next driver away that it does not tolerate
 * either, because it would not start the pod again. The companion deletes a retired DaemonSet only if it has to stay for none of its
 * nodes; until then the pods of all its nodes stay.
 */
export function staysFor(retired: PlacedDaemonSet): (node: PlacementNode, noDriver: NoDriver) => boolean {
  const { accepts } = nodePlacement(retired);
  return (node, { kind }) => kind !== 'taint' || accepts(node);
}
