import {
  nodePlacement,
  type Misfit,
  type NodeConstraints,
  type NodePlacement,
  type PlacementNode,
} from '../kubernetes/selection/node-placement.js';
import { labelValue } from '../kubernetes/selection/label-selector.js';
import { taintText } from '../kubernetes/selection/taints.js';
import { once } from '../lib/memo.js';
import { ARCH_LABEL, NFD_LABELS } from './labels.js';

/**
 * Which driver DaemonSet puts a pod on a node. The generator, `weft diff`, `weft pools`, `weft upgrade status` and the companion all
 * ask this function, so that a review says what then happens.
 */

/** A driver DaemonSet: its name, and the constraints of its pod template. */
export interface PlacedDaemonSet extends NodeConstraints {
  readonly name: string;
}

/** The DaemonSet that puts a driver pod on a node, or why none does. */
type NodeDriver<DaemonSet> =
  | { readonly daemonSet: DaemonSet; readonly reason?: undefined }
  | { readonly daemonSet?: undefined; readonly reason: NoDriver };

/** Why no DaemonSet puts a driver pod on a node. */
export interface NoDriver {
  /**
   * `taint`: the labels of the node match a DaemonSet, which only does not tolerate its taints. `policy`: there is no DaemonSet. The
   * others name what the nearest DaemonSet selects and the node does not have.
   */
  readonly kind: 'taint' | 'kernel' | 'os' | 'architecture' | 'label' | 'policy';
  /** As a part of a sentence: `no driver DaemonSet is for kernel 6.8.0-31-generic`. */
  readonly message: string;
  /** With `taint`: the name of that DaemonSet. */
  readonly daemonSet?: string;
}

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
  const own = architecture === undefined ? {} : { [ARCH_LABEL]: architecture };
  const sites = daemonSets.map((daemonSet) => {
    const nodeSelector = { ...daemonSet.nodeSelector, ...own };
    return { daemonSet, placement: nodePlacement({ ...daemonSet, nodeSelector }) };
  });
  return (node, preferred = []) => {
    const isPreferred = ({ daemonSet: { name } }: Site<DaemonSet>) => preferred.includes(name);
    const found =
      (preferred.length > 0 ? sites.find((site) => isPreferred(site) && site.placement.accepts(node)) : undefined) ??
      sites.find(({ placement }) => placement.accepts(node));
    if (found !== undefined) return { daemonSet: found.daemonSet };
    // Found out only if it is asked for: a cluster may have thousands of nodes that are to have no driver.
    const reason = once(() => reasonOf(sites, node));
    return {
      get reason() {
        return reason();
      },
    };
  };
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

interface Site<DaemonSet> {
  readonly daemonSet: DaemonSet;
  readonly placement: NodePlacement;
}

function reasonOf(sites: readonly Site<PlacedDaemonSet>[], node: PlacementNode): NoDriver {
  const compared = sites
    .map(({ daemonSet, placement }) => ({ daemonSet, misfits: placement.misfitsOf(node) }))
    .sort((a, b) => distance(a.misfits) - distance(b.misfits));
  const [nearest] = compared;
  if (nearest === undefined) return { kind: 'policy', message: 'no policy installs a driver' };
  const { daemonSet, misfits } = nearest;
  const worst = worstOf(misfits);
  if (worst?.kind === 'taint') {
    const taints = misfits.flatMap((one) => (one.kind === 'taint' ? [taintText(one.taint)] : []));
    const message = `DaemonSet ${daemonSet.name} does not tolerate the taint ${taints.join(' and ')}`;
    return { kind: 'taint', message, daemonSet: daemonSet.name };
  }
  const found = labelReason(daemonSet, worst, node);
  return found.kind === 'kernel' ? (ownKernelReason(compared, node) ?? found) : found;
}

/** The reason where another DaemonSet is for the kernel of the node: its system or architecture keeps that driver away. */
function ownKernelReason(
  compared: readonly { readonly misfits: readonly Misfit[] }[],
  { labels }: PlacementNode,
): NoDriver | undefined {
  const others = compared.filter(({ misfits }) => !misfits.some((one) => fieldOf(one)?.kind === 'kernel'));
  const field = fieldOf(worstOf(others[0]?.misfits ?? []));
  const kernel = labels[NFD_LABELS.kernel] ?? '';
  return (
    field && { kind: field.kind, message: `no driver DaemonSet is for ${field.textOf(labels)} with kernel ${kernel}` }
  );
}

function worstOf(misfits: readonly Misfit[]): Misfit | undefined {
  return [...misfits].sort((a, b) => weightOf(b) - weightOf(a))[0];
}

function fieldOf(misfit: Misfit | undefined) {
  return misfit?.kind === 'label' ? FIELDS.get(misfit.key) : undefined;
}

function labelReason({ name }: PlacedDaemonSet, worst: Misfit | undefined, { labels }: PlacementNode): NoDriver {
  const key = worst?.kind === 'label' ? worst.key : undefined;
  const value = key === undefined ? undefined : labelValue(labels, key);
  const field = fieldOf(worst);
  if (field !== undefined && value !== undefined) {
    return { kind: field.kind, message: `no driver DaemonSet is for ${field.textOf(labels)}` };
  }
  if (worst?.kind !== 'label') return { kind: 'label', message: `DaemonSet ${name} does not select the node` };
  const wanted = worst.wanted.length === 0 ? worst.key : `${worst.key}=${worst.wanted.join(' or ')}`;
  const actual = value === undefined ? 'lacks that label' : `has ${worst.key}=${value}`;
  return { kind: 'label', message: `DaemonSet ${name} selects ${wanted}, and the node ${actual}` };
}

type Labels = PlacementNode['labels'];

/** Labels that say what a driver is built for. The heaviest is named, because a driver for another OS is far from fitting. */
const FIELDS: ReadonlyMap<
  string,
  { readonly weight: number; readonly kind: NoDriver['kind']; readonly textOf: (labels: Labels) => string }
> = new Map([
  [NFD_LABELS.osName, { weight: 1e6, kind: 'os', textOf: osText }],
  [ARCH_LABEL, { weight: 1e6, kind: 'architecture', textOf: (labels: Labels) => labels[ARCH_LABEL] ?? '' }],
  [NFD_LABELS.osVersion, { weight: 1e5, kind: 'os', textOf: osText }],
  [
    NFD_LABELS.rhcosVersion,
    { weight: 1e5, kind: 'os', textOf: (labels: Labels) => `RHCOS ${labels[NFD_LABELS.rhcosVersion] ?? ''}` },
  ],
  [
    NFD_LABELS.kernel,
    { weight: 1e3, kind: 'kernel', textOf: (labels: Labels) => `kernel ${labels[NFD_LABELS.kernel] ?? ''}` },
  ],
]);

function osText(labels: Labels): string {
  return `${labels[NFD_LABELS.osName] ?? ''} ${labels[NFD_LABELS.osVersion] ?? ''}`.trim();
}

/** Any number of taints weighs less than one label, so that a DaemonSet that only a taint keeps away is the nearest. */
function weightOf(misfit: Misfit): number {
  if (misfit.kind === 'taint') return 1;
  return fieldOf(misfit)?.weight ?? 1e4;
}

function distance(misfits: readonly Misfit[]): number {
  return misfits.reduce((sum, one) => sum + weightOf(one), 0);
}
