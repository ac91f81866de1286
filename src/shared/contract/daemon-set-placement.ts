import {
  nodePlacement,
  type Misfit,
  type NodeConstraints,
  type NodePlacement,
  type PlacementNode,
} from '../kubernetes/selection/node-placement.js';
import { labelValue } from '../kubernetes/selection/label-selector.js';
import { taintText } from '../kubernetes/selection/taints.js';
import { ARCH_LABEL, NFD_LABELS } from './labels.js';

/**
 * Which DaemonSet puts a pod on a node, or why none does: of the driver (`driver-placement`), and of every component for the table of node
 * pools (`compile/coverage`).
 */

/** A DaemonSet: its name, and the constraints of its pod template. */
export interface PlacedDaemonSet extends NodeConstraints {
  readonly name: string;
}

/** Why no DaemonSet puts a pod on a node. */
export interface NoPod {
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

/** How messages call the DaemonSets. */
interface Words {
  /** `driver DaemonSet`. */
  readonly noun: string;
  /** Where there is no DaemonSet: `no policy installs a driver`. */
  readonly none: string;
}

/** The DaemonSets of one program. */
interface DaemonSetPlacement<DaemonSet> {
  /** The first that puts a pod on the node, of those that are meant. Default: of all. */
  readonly first: (node: PlacementNode, isMeant?: (daemonSet: DaemonSet) => boolean) => DaemonSet | undefined;
  /** All that put a pod on the node. */
  readonly on: (node: PlacementNode) => readonly DaemonSet[];
  /** Why none of them puts a pod on the node. */
  readonly whyNone: (node: PlacementNode) => NoPod;
}

/** Parses the DaemonSets once. */
export function daemonSetPlacement<DaemonSet extends PlacedDaemonSet>(
  daemonSets: readonly DaemonSet[],
  words: Words,
): DaemonSetPlacement<DaemonSet> {
  const sites = daemonSets.map((daemonSet) => ({ daemonSet, placement: nodePlacement(daemonSet) }));
  return {
    first: (node, isMeant = () => true) =>
      sites.find(({ daemonSet, placement }) => isMeant(daemonSet) && placement.accepts(node))?.daemonSet,
    on: (node) => sites.filter(({ placement }) => placement.accepts(node)).map(({ daemonSet }) => daemonSet),
    whyNone: (node) => reasonOf(sites, node, words),
  };
}

interface Site<DaemonSet> {
  readonly daemonSet: DaemonSet;
  readonly placement: NodePlacement;
}

function reasonOf(sites: readonly Site<PlacedDaemonSet>[], node: PlacementNode, { noun, none }: Words): NoPod {
  const compared = sites
    .map(({ daemonSet, placement }) => ({ daemonSet, misfits: placement.misfitsOf(node) }))
    .sort((a, b) => distance(a.misfits) - distance(b.misfits));
  const [nearest] = compared;
  if (nearest === undefined) return { kind: 'policy', message: none };
  const { daemonSet, misfits } = nearest;
  const worst = worstOf(misfits);
  if (worst?.kind === 'taint') {
    const taints = misfits.flatMap((one) => (one.kind === 'taint' ? [taintText(one.taint)] : []));
    const message = `DaemonSet ${daemonSet.name} does not tolerate the taint ${taints.join(' and ')}`;
    return { kind: 'taint', message, daemonSet: daemonSet.name };
  }
  const found = labelReason(daemonSet, worst, node, noun);
  return found.kind === 'kernel' ? (ownKernelReason(compared, node, noun) ?? found) : found;
}

/** The reason where another DaemonSet is for the kernel of the node: its system or architecture keeps its pods away. */
function ownKernelReason(
  compared: readonly { readonly misfits: readonly Misfit[] }[],
  { labels }: PlacementNode,
  noun: string,
): NoPod | undefined {
  const others = compared.filter(({ misfits }) => !misfits.some((one) => fieldOf(one)?.kind === 'kernel'));
  const field = fieldOf(worstOf(others[0]?.misfits ?? []));
  const kernel = labels[NFD_LABELS.kernel] ?? '';
  return field && { kind: field.kind, message: `no ${noun} is for ${field.textOf(labels)} with kernel ${kernel}` };
}

function worstOf(misfits: readonly Misfit[]): Misfit | undefined {
  return [...misfits].sort((a, b) => weightOf(b) - weightOf(a))[0];
}

function fieldOf(misfit: Misfit | undefined) {
  return misfit?.kind === 'label' ? FIELDS.get(misfit.key) : undefined;
}

function labelReason(
  { name }: PlacedDaemonSet,
  worst: Misfit | undefined,
  { labels }: PlacementNode,
  noun: string,
): NoPod {
  const key = worst?.kind === 'label' ? worst.key : undefined;
  const value = key === undefined ? undefined : labelValue(labels, key);
  const field = fieldOf(worst);
  if (field !== undefined && value !== undefined) {
    return { kind: field.kind, message: `no ${noun} is for ${field.textOf(labels)}` };
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
  { readonly weight: number; readonly kind: NoPod['kind']; readonly textOf: (labels: Labels) => string }
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
