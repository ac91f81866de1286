import { escapeLine } from '../../shared/lib/escape.js';
import { compareText } from '../../shared/lib/json.js';
import { counted, listed } from '../../shared/lib/listed.js';
import type { SourceDocument } from '../../compile/load/yaml/yaml.js';
import { alikeGroups, type AlikeGroups } from './alike.js';
import { isSetElsewhere, type BaseChange, type PlacedBaseChange } from './base-changes.js';
import { countByImpact } from './diff.js';
import type { DiffGroup } from './groups.js';
import { changedValues, objectName, orderText, valueText } from './messages.js';
import { moreText, rankOf } from './order.js';

/** What changed in folders that clusters extend, and what becomes of these clusters. */
export interface Causes {
  /** In the order in which clusters extend the folders. */
  readonly changes: readonly BaseChange[];
  /** The clusters that extend a folder which changed, sorted; also by others. */
  readonly clusters: readonly string[];
  /** Those of them that do not differ, because they have all these values from elsewhere. Sorted. */
  readonly setElsewhere: readonly string[];
  /** The others that do not differ. Sorted. */
  readonly same: readonly string[];
}

/** A cluster that extends folders which changed. */
interface Heir {
  readonly name: string;
  readonly documents: readonly SourceDocument[];
  readonly changes: readonly PlacedBaseChange[];
  /** Whether its output differs; `unknown`: it has errors. */
  readonly outcome: 'different' | 'same' | 'unknown';
}

/** Collects the clusters one by one, and keeps only their names. */
interface CauseCollector {
  readonly add: (heir: Heir) => void;
  /** `undefined` if no folder changed. */
  readonly all: () => Causes | undefined;
}

export function collectCauses(): CauseCollector {
  const changes = new Set<BaseChange>();
  const [clusters, setElsewhere, same]: [string[], string[], string[]] = [[], [], []];
  return {
    add: (heir) => {
      if (heir.changes.length === 0) return;
      for (const { change } of heir.changes) changes.add(change);
      clusters.push(heir.name);
      if (heir.outcome !== 'same') return;
      const isElsewhere = heir.changes.every((change) => isSetElsewhere(change, heir.documents));
      (isElsewhere ? setElsewhere : same).push(heir.name);
    },
    all: () => {
      if (changes.size === 0) return undefined;
      const [sorted, elsewhere, others] = [clusters, setElsewhere, same].map((names) => names.sort(compareText));
      return { changes: [...changes], clusters: sorted ?? [], setElsewhere: elsewhere ?? [], same: others ?? [] };
    },
  };
}

const SHOWN_CHANGES = 20;
const SHOWN_CLUSTERS = 5;

/** How parts of a line are written. */
export interface Quoting {
  /** The name of a cluster. */
  readonly name: (text: string) => string;
  /** A file with its line. */
  readonly place: (text: string) => string;
  /** Any other text. */
  readonly text: (text: string) => string;
}

function clusterNames(names: readonly string[], quote: Quoting): string {
  return listed(names.map(quote.name), SHOWN_CLUSTERS);
}

function changeLines(changes: readonly BaseChange[], quote: Quoting): readonly string[] {
  const shown = changes
    .slice(0, SHOWN_CHANGES)
    .map((change) => `${quote.place(placeText(change))}: ${quote.text(changeText(change))}`);
  const more = changes.length - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${counted(more, 'more change')} of bases`] : [])];
}

/** The changes, one line each, and the clusters that extend what changed by what happens to them. */
export function causeLines(
  { changes, clusters, setElsewhere, same }: Causes,
  groups: readonly DiffGroup[],
  quote: Quoting,
): { readonly changes: readonly string[]; readonly clusters: readonly string[] } {
  const heirs = new Set(clusters);
  const unchanged = (names: readonly string[], what: string) =>
    names.length === 0 ? [] : [`${counted(names.length, 'cluster')} ${what}: ${clusterNames(names, quote)}`];
  return {
    changes: changeLines(changes, quote),
    clusters: [
      ...groupLines(alikeGroups(groups), heirs, quote),
      ...unchanged(setElsewhere, 'with values of their own'),
      ...unchanged(same, 'with the same output as before'),
    ],
  };
}

const SHOWN_GROUPS = 20;

function groupLines(groups: readonly AlikeGroups[], heirs: ReadonlySet<string>, quote: Quoting): readonly string[] {
  const own = groups.filter(({ names }) => names.some((name) => heirs.has(name)));
  const left = own.slice(SHOWN_GROUPS).map(({ shown }) => rankOf(shown));
  return [
    ...own.slice(0, SHOWN_GROUPS).flatMap((group) => groupLine(group, heirs, quote)),
    ...(left.length === 0 ? [] : [`… and ${moreText(left, 'more groups of clusters')}`]),
  ];
}

function groupLine(
  { names, shown, others, nodeCount }: AlikeGroups,
  heirs: ReadonlySet<string>,
  quote: Quoting,
): readonly string[] {
  const own = names.filter((name) => heirs.has(name));
  const [first] = own;
  if (first === undefined) return [];
  const classes = [...countByImpact(shown.objects).keys()].join(', ') || 'no object differs';
  const nodes = nodeCount === undefined || own.length < names.length ? '' : `, ${counted(nodeCount, 'node')}`;
  // Exactly equal differences are shown for each of them.
  const example = others.length === 0 ? first : (shown.names[0] ?? first);
  return [`${counted(own.length, 'cluster')}${nodes}: ${classes}, shown: ${quote.name(example)}`];
}

/** `base/common/cluster.yaml:7`. */
function placeText({ file, line }: BaseChange): string {
  return escapeLine(line === undefined ? file : `${file}:${line}`);
}

/** `spec.release of ClusterBase common: "v26.4" -> "v26.7"`. */
function changeText({ document, change, field }: BaseChange): string {
  const whole = { added: 'is new', removed: 'is gone', changed: 'has changed' }[change];
  if (document === undefined) return `the file ${whole}`;
  if (field === undefined) return `${objectName(document)} ${whole}`;
  const subject = `${escapeLine(field.path)} of ${objectName(document)}`;
  switch (field.kind) {
    case 'added':
      return `${subject} is new: ${valueText(field.to)}`;
    case 'removed':
      return `${subject} is gone: ${valueText(field.from)}`;
    case 'changed':
      return `${subject}: ${changedValues(field.from, field.to).join(' -> ')}`;
    case 'reordered':
    case 'reformatted':
      return `${subject}: ${orderText(field)}`;
  }
}
