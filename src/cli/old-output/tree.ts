import { createHash } from 'node:crypto';
import { isSettingsLine, readSettings, type ClusterSettings } from '../../shared/contract/cluster-settings.js';
import { readCoverageLine, type DriverCoverage } from '../../shared/contract/driver-coverage.js';
import { INDEX_PATH, parseIndex } from '../../compile/render/tree/manifest-index.js';
import { unreadable } from './git.js';

/** A manifest of the old tree. */
export interface OldManifest {
  /** For messages. */
  readonly path: string;
  /** Relative to the folder of its cluster. */
  readonly inner: string;
  /** Git's object id of its content: equal ids, equal bytes. */
  readonly id: string;
}

/** The folder of one cluster in the old tree. */
export interface OldCluster {
  readonly manifests: readonly OldManifest[];
  /** Whether Weft wrote it. */
  readonly hasIndex: boolean;
  /** The drivers of its configuration; absent when its index does not list them or has merge conflicts. */
  readonly coverage?: readonly DriverCoverage[];
  /** Absent when its index has merge conflicts. */
  readonly settings?: ClusterSettings;
  /** The contents of some of its manifests, in the order of these. */
  readonly contents: (manifests: readonly OldManifest[]) => readonly Buffer[];
}

/** The old side. Reading it may end with an error, see `isUnreadable`. */
export interface OldTree {
  /** For messages, such as `HEAD:dist/`. */
  readonly label: string;
  /** Sorted: clusters, also those that are not in the input any more, and folders of others. */
  readonly folders: readonly string[];
  /** `undefined` if the tree has no such folder. */
  readonly cluster: (name: string) => OldCluster | undefined;
  /** The id that a text would have in this tree. */
  readonly idOf: (text: string) => string;
  /** What a folder of the input held in this revision, by the names of its files; absent for a tree that is no revision. */
  readonly inputOf?: (folder: string) => ReadonlyMap<string, Buffer>;
}

const MANIFEST = /\.(?:ya?ml|json)$/;
const NO_MANIFEST = /(?:^|\/)kustomization\.ya?ml$/;
const isManifest = (path: string) => MANIFEST.test(path) && !NO_MANIFEST.test(path);

/**
 * The manifests are the files that the index lists, and those of the bases that it lists; without an index, all files that look like manifests.
 *
 * @param text that of the index; absent: there is none
 * @param inBase the files of a base, with their paths from the folder of the cluster
 */
export function clusterOf(
  files: readonly OldManifest[],
  text: string | undefined,
  inBase: (folder: string) => readonly OldManifest[],
  contents: OldCluster['contents'],
): OldCluster {
  const index = parseIndex(text ?? '');
  const ours = index.kind === 'index' ? new Set(index.paths) : undefined;
  const own = files.filter(({ inner }) => isManifest(inner) && (ours === undefined || ours.has(inner)));
  const bases = index.kind === 'index' ? index.bases.flatMap(inBase).filter(({ inner }) => isManifest(inner)) : [];
  const manifests = [...own, ...bases];
  const cluster = { manifests, hasIndex: text !== undefined, contents };
  if (index.kind !== 'index' || !index.isWhole) return cluster;
  const coverage = index.facts.filter((line) => !isSettingsLine(line)).map(readCoverageLine);
  const isComplete = coverage.every((one) => one !== undefined);
  return isComplete ? { ...cluster, coverage, settings: readSettings(index.facts) } : cluster;
}

export function blobId(content: string | Buffer, algorithm: 'sha1' | 'sha256'): string {
  return createHash(algorithm)
    .update(`blob ${Buffer.byteLength(content)}\0`)
    .update(content)
    .digest('hex');
}

/** Whether a file of an output is read. */
export const isReadFile = (path: string) => MANIFEST.test(path) || path === INDEX_PATH;

export const notFollowed = (label: string, what = 'symbolic link') =>
  unreadable(`\`${label}\` is a ${what}, and its content is elsewhere`);
