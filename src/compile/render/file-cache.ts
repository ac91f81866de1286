import { layout, type Manifest, type Placed } from './layout.js';

/** The files of the clusters' objects in one run, without their first lines. */
interface FileCache {
  /** Returns the same files for the same list of objects. */
  readonly manifestsOf: (objects: readonly Placed[]) => readonly Manifest[];
}

/** @param arrange arranges the files in other folders or with other texts. Default: those of `layout` */
export function createFileCache(arrange: (objects: readonly Placed[]) => readonly Manifest[] = layout): FileCache {
  const made = new WeakMap<readonly Placed[], readonly Manifest[]>();
  let lastPaths: ReadonlyMap<string, string> = new Map();
  /** A run keeps the paths of all clusters, and most are those of the cluster before: shared strings save memory. */
  const withSharedPaths = (files: readonly Manifest[]): readonly Manifest[] => {
    const shared = files.map((file) => ({ ...file, path: lastPaths.get(file.path) ?? file.path }));
    lastPaths = new Map(shared.map(({ path }) => [path, path]));
    return shared;
  };
  return {
    manifestsOf: (objects) => {
      const manifests = made.get(objects) ?? withSharedPaths(arrange(objects));
      made.set(objects, manifests);
      return manifests;
    },
  };
}
