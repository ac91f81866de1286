import { kustomization } from './kustomization.js';
import { layout, type Manifest, type OutputFile, type Placed } from './layout.js';

/** The files of the clusters of one run, without their first lines. The same list of objects gives the same files. */
export interface FileCache {
  /** The files of an output folder, with its kustomization. */
  readonly filesOf: (objects: readonly Placed[]) => readonly OutputFile[];
  /** The files of the objects alone. */
  readonly manifestsOf: (objects: readonly Placed[]) => readonly Manifest[];
}

export function createFileCache(): FileCache {
  const made = new WeakMap<readonly Placed[], readonly Manifest[]>();
  const paths = new Map<string, string>();
  /** A run keeps the paths of all clusters until its end, and most are equal: one string for each saves memory. */
  const withSharedPath = (file: Manifest): Manifest => {
    const path = paths.get(file.path) ?? file.path;
    paths.set(path, path);
    return { ...file, path };
  };
  const manifestsOf = (objects: readonly Placed[]) => {
    const manifests = made.get(objects) ?? layout(objects).map(withSharedPath);
    made.set(objects, manifests);
    return manifests;
  };
  return {
    manifestsOf,
    filesOf: (objects) => {
      const manifests = manifestsOf(objects);
      return [...manifests, kustomization(manifests.map(({ path }) => path))];
    },
  };
}
