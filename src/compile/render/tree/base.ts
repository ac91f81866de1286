import type { Manifest, OutputFile } from '../layout.js';
import { sha256 } from '../../../shared/lib/hash.js';
import { kustomization } from '../kustomization.js';
import { BASES_FOLDER } from './base-path.js';
import type { Tree } from './write-plan.js';

/** A folder with a kustomization of its own, which those of several clusters list. Its name is a hash of its content. */
export interface Base {
  /** Relative to the folder that the output folders of the clusters are in. */
  readonly folder: string;
  readonly manifests: readonly Manifest[];
}

/** @param manifest its folder does not matter */
export function baseOf({ path, text, object }: Manifest): Base {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = `${BASES_FOLDER}/${sha256(text).slice(0, 10)}`;
  return { folder, manifests: [{ path: name, text, object }] };
}

/** What the first line of its files names: all clusters, because each of them writes the same. */
export const BASE_SOURCE = 'clusters';

export function baseTree({ manifests }: Base): Tree {
  const files: readonly OutputFile[] = [...manifests, kustomization(manifests.map(({ path }) => path))];
  return { source: BASE_SOURCE, facts: [], bases: [], files };
}

/** A base that no cluster has any more. */
export const NO_BASE: Tree = { source: BASE_SOURCE, facts: [], bases: [], files: [] };
