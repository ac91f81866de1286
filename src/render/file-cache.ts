import { layout, type Manifest, type Placed } from './layout.js';

/** The files of the objects of the clusters of one run, without their first lines. */
export interface FileCache {
  /** The same list of objects gives the same files. */
  readonly manifestsOf: (objects: readonly Placed[]) => readonly Manifest[];
}

/** @param arrange folders and texts other than those of `layout`. Default: its own */
export function createFileCache(arrange: (objects: readonly Placed[]) => readonly Manifest[] = layout): FileCache {
  const made = new WeakMap<readonly Placed[], readonly Manifest[]>();
  const paths = new Map<string, string>();
  /** A run keeps the paths of all clusters until its end, and most are equal: one string for each saves memory. */
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
