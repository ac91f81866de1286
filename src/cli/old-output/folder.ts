import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readRegularFile } from '../../shared/files/read-file.js';
import { compareText } from '../../shared/lib/json.js';
import { fileBytesMax, reasonOf } from '../../compile/load/load.js';
import { fromCluster } from '../../compile/render/tree/base-path.js';
import { INDEX_PATH } from '../../compile/render/tree/manifest-index.js';
import { unreadable } from './git.js';
import { blobId, clusterOf, isReadFile, notFollowed, type OldCluster, type OldManifest, type OldTree } from './tree.js';

/** A tree on disk: the folder of one cluster if `cluster` names it, else a folder with one for each cluster. */
export function openFolder(folder: string, label: string, cluster?: string): OldTree {
  const folderOf = (name: string) => (cluster === undefined ? join(folder, name) : folder);
  const names = existsSync(folder) && cluster === undefined ? readdirSync(folder).sort(compareText) : [];
  return {
    label,
    folders: names.filter((name) => lstatSync(join(folder, name)).isDirectory()),
    cluster: (name) => {
      const root = folderOf(name);
      if (cluster !== undefined && name !== cluster) return undefined;
      const stat = lstatSync(root, { throwIfNoEntry: false });
      if (stat?.isSymbolicLink() === true && cluster === undefined) throw notFollowed(join(label, name));
      return stat === undefined || stat.isFile() ? undefined : clusterOnDisk(root, join(label, relative(folder, root)));
    },
    idOf: (text) => blobId(text, 'sha1'),
  };
}

/** Whether a folder is the output of one cluster and not of several. */
export function isClusterFolder(folder: string): boolean {
  return existsSync(join(folder, INDEX_PATH)) || existsSync(join(folder, 'kustomization.yaml'));
}

function clusterOnDisk(root: string, label: string): OldCluster {
  const contents = new Map<string, Buffer>();
  const readAll = (inners: readonly string[]) =>
    inners.map((inner): OldManifest => {
      const path = join(label, inner);
      const content = contentOf(join(root, inner), path);
      contents.set(inner, content);
      return { inner, path, id: blobId(content, 'sha1') };
    });
  const files = readAll(filesBelow(root, label));
  const inBase = (folder: string) => {
    const above = dirname(join(root, fromCluster(folder)));
    // A link there would lead elsewhere.
    const isThere = [above, join(root, fromCluster(folder))].every((path) =>
      lstatSync(path, { throwIfNoEntry: false })?.isDirectory(),
    );
    return isThere ? readAll(filesBelow(root, label, fromCluster(folder))) : [];
  };
  return clusterOf(files, contents.get(INDEX_PATH)?.toString('utf8'), inBase, (manifests) =>
    manifests.flatMap(({ inner }) => contents.get(inner) ?? []),
  );
}

/** Paths of what is no folder, with `/` between their parts. */
function filesBelow(root: string, label: string, folder = ''): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isSymbolicLink()) throw notFollowed(join(label, path));
    if (entry.isDirectory()) return filesBelow(root, label, path);
    return isReadFile(path) ? [path] : [];
  });
}

function contentOf(path: string, label: string): Buffer {
  const read = readRegularFile(path, { bytesMax: fileBytesMax });
  switch (read.kind) {
    case 'content':
      return read.bytes;
    case 'link':
      throw notFollowed(label);
    case 'not-a-file':
      throw unreadable(`\`${label}\` is not a regular file`);
    case 'too-large':
      throw unreadable(`\`${label}\` has ${read.bytes} bytes; at most ${fileBytesMax} are read`);
    case 'failed':
      throw unreadable(`\`${label}\`: ${reasonOf(read.error).text}`);
  }
}
