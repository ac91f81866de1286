import { customResourcesOwning, ownersOf, type OperatorOwner } from '../../../cluster/takeover/operator/owner.js';
import { releaseOfVersion } from '../../../cluster/takeover/operator/version.js';
import { renderedRelease } from '../../../compile/releases/catalog.js';
import type { ClusterSettings } from '../../../shared/contract/cluster-settings.js';
import { STATE_LABEL } from '../../../shared/contract/labels.js';
import { NETWORK_OPERATOR_REVISION } from '../../../shared/contract/network-operator.js';
import type { DriverCoverage } from '../../../shared/contract/driver-coverage.js';
import { identityOf, namespacedName } from '../../../shared/kubernetes/identity.js';
import { withoutLiveFields } from '../../../shared/kubernetes/listed-object.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { shellWord } from '../../../shared/lib/escape.js';
import { canonicalJson, compareText } from '../../../shared/lib/json.js';
import { groupBy } from '../../../shared/lib/group-by.js';
import { compareVersions } from '../../../shared/lib/version.js';
import { listed } from '../../../shared/lib/listed.js';
import { diffCluster, type ClusterDiff, type ObjectDiff } from '../diff.js';
import type { CoveredSide } from '../../impact/coverage-changes.js';
import type { ImpactClass } from '../../impact/impact.js';
import type { UsedAddress } from '../../impact/used-addresses.js';
import type { ClusterNode } from '../../../cluster/pools/nodes.js';
import { alignLive, type Aligned } from './align.js';
import { managedFields, type Applier } from './managed-fields.js';

/** The rendered objects and a live cluster. */
export interface LiveSides {
  /** Name of the cluster. */
  readonly name: string;
  /** All objects that are rendered now, but those of kinds that nobody listed. */
  readonly rendered: readonly KubernetesObject[];
  /** Rendered objects of kinds that nobody listed: they are taken for applied, and count for what happens to nodes. Default: none. */
  readonly unlisted?: readonly KubernetesObject[];
  /**
   * Objects of the cluster, as lists have them, of any kind: those that are not rendered count if Weft or the operator made them.
   */
  readonly live: readonly KubernetesObject[];
  /** What the API server would make of rendered objects (a dry run of server-side apply), by `identityOf`. Default: none is known. */
  readonly dryRun?: ReadonlyMap<string, KubernetesObject>;
  /** Messages of the API server about objects that it refuses, by `identityOf`. Default: none is known. */
  readonly refused?: ReadonlyMap<string, string>;
  /** What applies the output. */
  readonly applier: Applier;
  /** What the Cluster document sets. */
  readonly settings: ClusterSettings;
  /** The versions of the operators that run, such as `26.4.1`; `undefined` for one whose version is not known. Default: none runs. */
  readonly operators?: readonly (string | undefined)[];
  readonly coverage: readonly DriverCoverage[];
  /** The DaemonSets of components. Default: what pools get of them is not compared. */
  readonly covered?: CoveredSide;
  /** Identities of the objects that are documents of the input, unchanged; absent if there are none. */
  readonly documents?: ReadonlySet<string>;
  readonly nodes?: readonly ClusterNode[];
  readonly addresses?: readonly UsedAddress[];
  readonly files?: ReadonlyMap<KubernetesObject, string>;
}

/** What else is to be known about a live object that is rendered, beside its differences. */
interface LiveFacts {
  readonly kind: string;
  /** Empty if it has none. */
  readonly namespace: string;
  readonly name: string;
  /** Field managers whose values a server-side apply changes: it needs `--force-conflicts`. */
  readonly conflicts: readonly string[];
  /** Field managers that own fields which are not rendered: these stay. */
  readonly staying: readonly string[];
  /** Other tools that track it: Argo CD, Flux, Helm, OLM. */
  readonly trackers: readonly OperatorOwner[];
  /** Custom resources that own it, as `Kind/name`: it goes when they are deleted. */
  readonly owners: readonly string[];
}

/**
 * Compares what is rendered with a live cluster: what applying it does. The notes also name field managers, trackers and owners. Objects
 * of kind Secret are not compared. Linear in the number of objects.
 */
export function compareLive(sides: LiveSides): ClusterDiff {
  const { name, rendered, unlisted = [], live, dryRun, refused, applier } = sides;
  const { coverage, covered, documents, nodes, addresses, files } = sides;
  const found = new Map(live.map((object) => [identityOf(object), object]));
  const facts: LiveFacts[] = [];
  const [before, after] = [[...unlisted], [...unlisted]];
  const places = new Map(files);
  for (const object of rendered) {
    const identity = identityOf(object);
    const there = found.get(identity);
    found.delete(identity);
    if (there === undefined || object.kind === 'Secret') {
      after.push(object);
      if (object.kind === 'Secret') before.push(object);
      continue;
    }
    const made = dryRun?.get(identity);
    const next = made === undefined ? object : withoutLiveFields(made);
    const aligned = alignLive(there, next, managedFields(there, applier));
    const isEqual = canonicalJson(aligned.object) === canonicalJson(next);
    before.push(isEqual ? object : aligned.object);
    after.push(isEqual ? object : next);
    const file = files?.get(object);
    if (file !== undefined) places.set(next, file);
    facts.push(factsOf(object, there, aligned, applier));
  }
  before.push(...[...found.values()].filter(isMadeForPolicies).map((object) => withoutLiveFields(object)));
  const release = otherRelease(sides);
  const diff = diffCluster({
    name,
    releases: {
      ...(release?.ofOperator !== undefined && { before: { release: release.ofOperator } }),
      after: sides.settings,
    },
    old: { objects: before },
    next: { objects: after, coverage, ...(covered && { covered }), ...(documents && { documents }) },
    ...(nodes && { nodes }),
    ...(addresses && { addresses }),
    files: places,
  });
  const objects = diff.objects.map((object) => withRefusal(object, refused));
  const isQuiet = objects.length > 0 && !objects.some(isDisturbing);
  const notes = [...(isQuiet ? [QUIET] : []), ...(release ? [release.note] : []), ...diff.notes, ...factNotes(facts)];
  return { ...diff, objects, notes };
}

/** The release of the operator where the output is that of another one, or may be. */
function otherRelease({
  operators = [],
  settings,
}: LiveSides): { readonly ofOperator?: string; readonly note: string } | undefined {
  const [operator] = operators;
  const { release: rendered } = renderedRelease(settings.release);
  const output = `the output is that of ${rendered}`;
  if (operators.length === 0) return undefined;
  if (operators.length > 1)
    return {
      note: `${operators.length} Deployments look like the operator, and ${output}: remove those that do not run`,
    };
  if (operator === undefined)
    return {
      note: `the version of the operator that runs is not known, because its image has neither a tag with one nor a known digest, and ${output}: compare with its \`release\``,
    };
  const ofOperator = releaseOfVersion(operator);
  if (ofOperator === undefined)
    return { note: `the operator that runs is v${operator}, whose output Weft does not render, and ${output}` };
  if (compareVersions(operator, rendered.slice(1)) === 0) return undefined;
  const note = `the operator that runs is v${operator}, and ${output}: \`release: ${ofOperator}\` in the Cluster compares with what the operator renders`;
  return { ofOperator, note };
}

const DISTURBING: ReadonlySet<ImpactClass> = new Set(['driver-loss', 'drain', 'restart']);

function isDisturbing({ impact, hasLaterPods = false, refusedFields }: ObjectDiff): boolean {
  if (impact === 'restart' && hasLaterPods && refusedFields === undefined) return false;
  return DISTURBING.has(impact);
}

const QUIET = 'no pod restarts, and no node is drained';

function withRefusal(object: ObjectDiff, refused: LiveSides['refused']): ObjectDiff {
  const { apiVersion, kind, namespace, name } = object;
  const identity = identityOf({ apiVersion, kind, metadata: { name, ...(namespace !== '' && { namespace }) } });
  const message = refused?.get(identity);
  if (message === undefined || object.refusedFields !== undefined) return object;
  return { ...object, notes: [`the API server refuses it: ${message}`, ...object.notes], refusedFields: [] };
}

/** Kinds of which no object is a part of the output. */
const NEVER_RENDERED = new Set([
  'Node',
  'Pod',
  'Event',
  'Lease',
  'ControllerRevision',
  'ReplicaSet',
  'Secret',
  'Endpoints',
]);

/** Whether the operator or Weft made an object for policies: such a one is not rendered any more. */
export function isMadeForPolicies(object: KubernetesObject): boolean {
  if (NEVER_RENDERED.has(object.kind)) return false;
  const { labels = {}, annotations = {} } = object.metadata;
  const isMarked = labels[STATE_LABEL] !== undefined || annotations[NETWORK_OPERATOR_REVISION] !== undefined;
  return isMarked || customResourcesOwning(object).length > 0;
}

const OWN_TRACKERS: Readonly<Record<Applier, readonly OperatorOwner['kind'][]>> = {
  plain: [],
  argocd: ['argocd'],
  flux: ['flux', 'helm'],
  helm: ['helm'],
};

function factsOf(object: KubernetesObject, live: KubernetesObject, aligned: Aligned, applier: Applier): LiveFacts {
  const { kind, metadata } = object;
  const isOther = ({ kind: tracker }: OperatorOwner) =>
    tracker !== 'manifests' && !OWN_TRACKERS[applier].includes(tracker);
  return {
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    conflicts: aligned.conflicts,
    staying: aligned.staying,
    trackers: ownersOf(live).filter(isOther),
    owners: customResourcesOwning(live).map((owner) => `${owner.kind}/${owner.name}`),
  };
}

const SHOWN = 3;

/** One sentence for all objects about which the same is to be known. */
function factNotes(facts: readonly LiveFacts[]): readonly string[] {
  const conflicts = grouped(facts, ({ conflicts: managers }) => managers);
  const staying = grouped(facts, (one) => one.staying);
  const trackers = grouped(facts, (one) => one.trackers.map(trackerName));
  const owners = grouped(facts, (one) => one.owners);
  return [
    ...conflicts.map(
      ([manager, objects]) =>
        `the field manager \`${manager}\` owns fields that change in ${objects}: server-side apply needs \`--force-conflicts\``,
    ),
    ...staying.map(
      ([manager, objects]) => `fields that are not rendered stay, because \`${manager}\` owns them, in ${objects}`,
    ),
    ...trackers.map(([tracker, objects]) => `${tracker}, in ${objects}`),
    ...owners.map(([owner, objects]) => `${owner} of the operator owns ${objects}: they go when it is deleted`),
  ];
}

function grouped(
  facts: readonly LiveFacts[],
  keysOf: (one: LiveFacts) => readonly string[],
): readonly (readonly [string, string])[] {
  const keyed = facts.flatMap((one) => keysOf(one).map((key) => [key, one] as const));
  return [...groupBy(keyed, ([key]) => key)]
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, objects]) => {
      const names = objects.map(([, { kind, namespace, name }]) => `${kind} ${shortName(namespace, name)}`);
      return [key, `${objects.length === 1 ? '' : `${objects.length} objects: `}${listed(names, SHOWN)}`];
    });
}

function shortName(namespace: string, name: string): string {
  return namespace === '' ? name : namespacedName({ metadata: { namespace, name } });
}

/** Who else writes an object, and when. */
function trackerName(tracker: OperatorOwner): string {
  switch (tracker.kind) {
    case 'argocd': {
      const who = tracker.name === undefined ? 'Argo CD' : `the Application \`${tracker.name}\` of Argo CD`;
      return `${who} changes back what it tracks`;
    }
    case 'flux': {
      const who = tracker.name === undefined ? `a ${tracker.resource}` : `the ${tracker.resource} \`${tracker.name}\``;
      return `${who} of Flux changes back what it tracks`;
    }
    case 'helm':
      return `\`helm uninstall ${shellWord(tracker.name)}\` deletes and \`helm upgrade\` changes back what the release has`;
    case 'olm':
      return `OLM changes back what the ClusterServiceVersion \`${tracker.name}\` has`;
    case 'manifests':
      return '';
  }
}
