import type { InputDocument } from '../../cluster/pools/cluster-of-nodes.js';
import { WEFT_API_VERSION } from '../../compile/model/cluster.js';
import { CLUSTERS } from '../project.js';
import { describedCluster, documentFile, type DocumentFile, type FirstCluster } from './first-cluster.js';

/** A folder of documents, with its path in the repository. */
interface DocumentFolder {
  readonly path: string;
  readonly files: readonly DocumentFile[];
}

/** The folder of the first cluster by itself. */
export function clusterFolder({ name, cluster, others }: FirstCluster): DocumentFolder {
  return { path: `${CLUSTERS}/${name}`, files: [documentFile('cluster.yaml', cluster), ...others] };
}

const BASE = 'base/common';

/** The first cluster with its shared part in a base, and a second one on it. */
export function fleetFolders({ name, cluster, others }: FirstCluster): readonly DocumentFolder[] {
  const second = name === 'west' ? 'east' : 'west';
  const onBase = (of: string, document: InputDocument): DocumentFolder => ({
    path: `${CLUSTERS}/${of}`,
    files: [documentFile('cluster.yaml', extending(document))],
  });
  return [
    { path: BASE, files: [documentFile('cluster.yaml', baseOf(cluster)), ...others] },
    onBase(name, cluster),
    onBase(second, describedCluster(second, {})),
  ];
}

/** The keys of \`spec\` that clusters share; node pools and what a live cluster told are those of one. */
const isShared = (key: unknown) => key === 'release';

const specOf = ({ value }: InputDocument) => Object.entries((value as { readonly spec: object }).spec);

function baseOf(document: InputDocument): InputDocument {
  const shared = Object.fromEntries(specOf(document).filter(([key]) => isShared(key)));
  const spec = { required: ['nodePools'], ...shared };
  const about =
    'What clusters share. A document of the same kind and name in the folder of a cluster is merged with it.';
  return {
    value: { apiVersion: WEFT_API_VERSION, kind: 'ClusterBase', metadata: { name: 'common' }, spec },
    comments: [{ path: ['apiVersion'], text: about }, ...document.comments.filter(({ path }) => isShared(path[1]))],
  };
}

function extending(document: InputDocument): InputDocument {
  const own = Object.fromEntries(specOf(document).filter(([key]) => !isShared(key)));
  return {
    value: { ...document.value, spec: { extends: [`../../${BASE}`], ...own } },
    comments: document.comments.filter(({ path }) => !isShared(path[1])),
  };
}
