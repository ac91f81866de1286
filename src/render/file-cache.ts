import { kustomization } from './kustomization.js';
import { layout, type OutputFile, type Placed } from './layout.js';

/** The files of the clusters of one run. */
export interface FileCache {
  /** The files of an output folder, with its kustomization. The same list of objects gives the same list of files. */
  readonly filesOf: (objects: readonly Placed[]) => readonly OutputFile[];
}

export function createFileCache(): FileCache {
  const made = new WeakMap<readonly Placed[], readonly OutputFile[]>();
  const paths = new Map<string, string>();
  /** A run keeps the paths of all clusters until its end, and most are equal: one string for each saves memory. */
  const withSharedPath = (file: OutputFile): OutputFile => {
    const path = paths.get(file.path) ?? file.path;
    paths.set(path, path);
    return { ...file, path };
  };
  return {
    filesOf: (objects) => {
      const known = made.get(objects);
      if (known !== undefined) return known;
      const manifests = layout(objects);
      const files = [...manifests, kustomization(manifests.map(({ path }) => path))].map(withSharedPath);
      made.set(objects, files);
      return files;
    },
  };
}
