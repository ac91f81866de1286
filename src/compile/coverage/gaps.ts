import { groupBy } from '../../shared/lib/group-by.js';
import { listedNames } from '../../shared/lib/listed.js';
import type { Cell, Place, Row } from './coverage.js';

/** What is missing on the nodes of a place that need it. */
export interface Gap {
  readonly place: Place;
  /**
   * `driver`, `plugin`: a policy that selects the place has it, and does not tolerate a taint. `network`: pods get devices there, and no further network.
   * `labels`: what labels nodes does not reach them. `all`: neither driver nor device plugin, although others have one or an affinity keeps them away.
   */
  readonly kind: 'driver' | 'plugin' | 'network' | 'labels' | 'all';
  /** At least one, all without a pod for the same reason. */
  readonly cells: readonly [Cell, ...Cell[]];
  /** As a part of a sentence. */
  readonly why: string;
}

/** The gaps of a table, in the order of its places. */
export function gapsOf(rows: readonly Row[]): readonly Gap[] {
  const isAnyServed = rows.some(isServed);
  return rows.flatMap((row) => [
    ...driverGaps(row),
    ...pluginGaps(row),
    ...(isServed(row) ? networkGaps(row) : []),
    ...labelGaps(row),
    ...(!isServed(row) && (isAnyServed || isUnselected(row)) ? unservedGaps(row) : []),
  ]);
}

const isAbsent = ({ daemonSets }: Cell) => daemonSets.length === 0;

/** Whether an affinity keeps a driver or a device plugin away. */
function isUnselected({ cells }: Row): boolean {
  return cells.some(({ program, absence }) => absence?.kind === 'label' && (program.isDriver || program.offersDevices));
}

/** Whether the nodes have a driver or a device plugin. */
function isServed({ cells }: Row): boolean {
  return cells.some((cell) => !isAbsent(cell) && (cell.program.isDriver || cell.program.offersDevices));
}

function driverGaps(row: Row): readonly Gap[] {
  if (row.cells.some((cell) => cell.program.isDriver && !isAbsent(cell))) return [];
  return gapsBy(row, 'driver', ({ program, absence }) => program.isDriver && absence?.kind === 'taint');
}

/** A policy with a driver has the message of its driver already. */
function pluginGaps(row: Row): readonly Gap[] {
  const named = new Set(driverGaps(row).flatMap(({ cells }) => cells.flatMap(ownersOf)));
  return gapsBy(row, 'plugin', (cell) => {
    const owners = ownersOf(cell);
    const isNamed = owners.length > 0 && owners.every((owner) => named.has(owner));
    return cell.program.offersDevices && cell.absence?.kind === 'taint' && !isNamed;
  });
}

function ownersOf({ absence }: Cell): readonly string[] {
  return (absence?.owners ?? []).map(({ label }) => label);
}

function networkGaps(row: Row): readonly Gap[] {
  return gapsBy(row, 'network', ({ program }) => program.servesNetworks);
}

/** Where no policy wants anything, nothing needs the labels. */
function labelGaps(row: Row): readonly Gap[] {
  const isWanted = row.cells.some(({ program, absence }) => program.isOfPolicy && absence?.kind !== 'policy');
  return isWanted ? gapsBy(row, 'labels', ({ program }) => program.labels !== undefined) : [];
}

function unservedGaps(row: Row): readonly Gap[] {
  const wanted = row.cells.filter(({ program }) => program.isDriver || program.offersDevices);
  const [first, ...others] = wanted;
  // Another gap names a taint, and an uninstall is meant.
  if (first === undefined || wanted.some(({ absence }) => absence?.kind === 'taint' || absence?.kind === 'uninstall'))
    return [];
  return [{ place: row.place, kind: 'all', cells: [first, ...others], why: unservedText(row, wanted) }];
}

function unservedText({ place }: Row, cells: readonly Cell[]): string {
  const what = place.node.name === undefined ? 'the pool' : 'the node';
  const missing = cells.filter(({ absence }) => absence?.kind === 'policy').map(({ program }) => program.section);
  const others = cells.flatMap(({ absence }) => (absence && absence.kind !== 'policy' ? [absence.message] : []));
  const ofPolicies =
    missing.length === 0
      ? []
      : [`no policy with ${listedNames(missing, SHOWN).replace(/, ([^,]*)$/, ' or $1')} selects ${what}`];
  return [...ofPolicies, ...new Set(others)].join('; ');
}

const SHOWN = 5;

/** The cells without a pod that are meant, by reason. */
function gapsBy({ place, cells }: Row, kind: Gap['kind'], isMeant: (cell: Cell) => boolean): readonly Gap[] {
  const absent = cells.filter((cell) => isAbsent(cell) && isMeant(cell));
  return [...groupBy(absent, ({ absence }) => absence?.message ?? '')].flatMap(([why, own]) => {
    const [first, ...others] = own;
    return first === undefined ? [] : [{ place, kind, cells: [first, ...others], why }];
  });
}
