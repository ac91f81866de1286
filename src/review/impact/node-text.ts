import { A_DOWNGRADE } from './downgrades.js';
import { isOlderDriver } from './driver-version.js';
import { counted, listed } from '../../shared/lib/listed.js';
import type { NodePlace, NodeRow, RowDriver } from './node-rows.js';
import type { OutcomeReason } from './node-outcome.js';
import { shownValue } from './setting-notes.js';

/** How bad it is for nodes, the worst first. */
const nodeRanks = ['no-driver', 'nic-lost', 'old-driver', 'drained', 'installed'] as const;
type NodeRank = (typeof nodeRanks)[number];

/** The worst that happens to the nodes of a row. */
function rankOf({ step, end }: Pick<NodeRow, 'step' | 'end'>): NodeRank {
  if (end === 'none') return 'no-driver';
  if (step === 'at-once' || step === 'undrained') return 'nic-lost';
  if (end === 'old') return 'old-driver';
  return step === 'drained' ? 'drained' : 'installed';
}

/** Orders rows, the worst first. */
export function byRank(one: NodeRow, other: NodeRow): number {
  return nodeRanks.indexOf(rankOf(one)) - nodeRanks.indexOf(rankOf(other));
}

/** Whether nodes end without a driver or with an old one, or lose it under running pods. */
export function isDangerous(row: Pick<NodeRow, 'step' | 'end'>): boolean {
  return nodeRanks.indexOf(rankOf(row)) <= nodeRanks.indexOf('old-driver');
}

/**
 * What happens to the nodes of a row, as the rest of a sentence whose subject are these nodes.
 *
 * @param name how a driver is called: `driver 25.10-1.2.8.0-2`
 */
export function nodeText(row: NodeRow, name: (driver: RowDriver) => string): string {
  const { step, end, after, before } = row;
  const next = after ? `${name(after)}${isDowngrade(row) ? `, ${A_DOWNGRADE}` : ''}` : '';
  switch (rankOf(row)) {
    case 'no-driver':
      return `no driver at the end; ${endText(row)}`;
    case 'nic-lost':
      return step === 'at-once'
        ? `pods lose their NIC without a drain: the driver pod is deleted when this is applied; the nodes get ${next}${loadText(row)}`
        : `pods lose their NIC without a drain, because \`drain.enable\` is not set; the nodes get ${next}`;
    case 'old-driver':
      return `the nodes keep ${before ? name(before) : 'their driver'}, and nothing upgrades it; ${keptText(row)}`;
    case 'drained':
      return `${drainText(row)}, and they get ${next}${row.mayKeepDaemonSet ? MAY_KEEP_DAEMON_SET : ''}`;
    case 'installed':
      return end === 'new' ? `the nodes have no driver, and get ${next}${loadText(row)}` : '';
  }
}

function isDowngrade({ before, after }: NodeRow): boolean {
  return before !== undefined && after !== undefined && isOlderDriver(after.version, before.version);
}

/** Whether the text of a row says that its driver is a downgrade: it names the one that the nodes get. */
export function saysDowngrade(row: NodeRow): boolean {
  const rank = rankOf(row);
  return (rank === 'nic-lost' || rank === 'drained') && isDowngrade(row);
}

const MAY_KEEP_DAEMON_SET =
  '; but nodes of the pool that no driver DaemonSet is for any more keep the old one, and then all of them wait';

/** A drain that leaves pods on the node. */
function drainText({ podSelector }: NodeRow): string {
  if (podSelector === undefined) return 'the companion drains the nodes';
  return `the companion drains the nodes, but evicts only pods with \`${shownValue(podSelector)}\`: others lose their NIC`;
}

function loadText(row: NodeRow): string {
  return row.isDrainedToLoad ? `; before it is loaded, ${drainText(row)}` : '';
}

function endText(row: NodeRow): string {
  const { step, reason, misfit } = row;
  if (reason === 'paused') return 'a new one is not loaded while the companion is paused (`safeLoad`)';
  if (reason === 'uninstall') {
    return step === 'drained'
      ? `${drainText(row)}${row.podSelector === undefined ? ' and uninstalls it' : '; then it uninstalls the driver'}`
      : 'the companion uninstalls it without a drain, so pods lose their NIC';
  }
  return `its pod is deleted when this is applied, without a drain; ${misfit ?? 'no DaemonSet installs another'}`;
}

function keptText({ reason, misfit }: NodeRow): string {
  return reason === undefined ? '' : REASONS[reason](misfit);
}

const REASONS: Readonly<Record<OutcomeReason, (misfit: string | undefined) => string>> = {
  'no-driver': (misfit = 'no DaemonSet is for the nodes') => misfit,
  'auto-upgrade-off': () => '`autoUpgrade` is not set',
  paused: () => 'the companion is paused',
  'no-companion': () => 'the output has no companion',
  uninstall: () => 'it is uninstalled',
  'drain-off': () => '`drain.enable` is not set',
  'other-namespace': () =>
    'the companion knows the drivers of the new namespace only, and a second driver pod may start beside it',
  'daemon-set-kept': () => 'its DaemonSet stays for other nodes, which get no new driver',
  'cluster-gone': () => 'the whole cluster leaves the output',
};

/** ` (12 nodes)`; empty where their number is not known. */
export function countText(count: number | undefined): string {
  return count === undefined ? '' : ` (${counted(count, 'node')})`;
}

/** What happens comes after the pools, and has to fit into a comment. */
const SHOWN_POOLS = 10;
const SHOWN_KERNELS = 3;

/** `pools a, b at kernel 6.8.0-31`; a kernel is named where something else happens to other kernels of the pool. */
export function placesText(row: NodeRow, rows: readonly NodeRow[], quote: (name: string) => string): string {
  const { places, before, after } = row;
  if (places.length === 0) {
    return row.nodes ? 'nodes of no pool' : `nodes of ${quote((before ?? after)?.daemonSet ?? '')}`;
  }
  const pools = [...new Set(places.map(({ pool }) => pool))];
  const texts = pools.map((pool) => {
    const own = places.filter((place) => place.pool === pool);
    const others = rows.flatMap((other) => (other === row ? [] : other.places.filter((place) => place.pool === pool)));
    if (others.length === 0) return quote(pool);
    const isTwofold = others.some(({ kernel }) => own.some((place) => place.kernel === kernel));
    return `${quote(pool)}${kernelsText(own, quote)}${isTwofold ? sideText(own) : ''}`;
  });
  return `${pools.length === 1 ? 'pool' : 'pools'} ${listed(texts, SHOWN_POOLS)}`;
}

function kernelsText(places: readonly NodePlace[], quote: (name: string) => string): string {
  const named = [...new Set(places.flatMap(({ kernel }) => (kernel === '' ? [] : [quote(kernel)])))];
  if (named.length === 0) return ' at other kernels';
  const names = named.length > SHOWN_KERNELS ? listed(named, SHOWN_KERNELS) : named.join(' and ');
  return ` at ${named.length === 1 ? 'kernel' : 'kernels'} ${names}`;
}

function sideText(places: readonly NodePlace[]): string {
  if (places.every(({ side }) => side === 'old')) return ' as it was';
  return places.every(({ side }) => side === 'new') ? ' as it is described now' : '';
}
