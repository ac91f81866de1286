import { layout, type Manifest, type Placed } from './layout.js';

/** The files of the clusters' objects in one run, without their first lines. */
interface FileCache {
  /** Returns the same files for the same list of objects. */
  readonly manifestsOf: (objects: readonly Placed[]) => readonly Manifest[];
}

/** @param arrange arranges the files in other folders or with other texts. Default: those of `layout` */
export function createFileCache(arrange: (objects: readonly Placed[]) => readonly Manifest[] = layout): FileCache {
  const made = new WeakMap<readonly Placed[], readonly Manifest[]>();
  const paths = new Map<string, string>();
  /** A run keeps the paths of all clusters, and most are equal: shared strings save memory. */
  const withSharedPath = (file: Manifest): Manifest => {
    const path = paths.get(file.path) ?? file.path;
    paths.set(path, path);
    return { ...file, path };
  };
  return {
    manifestsOf: (objects) => {
      const manifests = made.get(objects) ?? arrange(objects).map(withSharedPath);
      made.set(objects, manifests);
      return manifests;
    },
  };
}
