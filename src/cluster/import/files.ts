import type { JsonValue } from '../../shared/lib/json.js';
import { networkKinds } from '../../compile/networks/all.js';
import { toInputYaml } from '../../compile/render/yaml/input-document.js';
import type { ImportedDocument } from './source.js';

/** A file of the cluster folder. */
export interface ImportedFile {
  /** Its name in the folder. */
  readonly name: string;
  readonly text: string;
  readonly documents: readonly ImportedDocument[];
}

/** Names of the files of kinds whose plural says too much. */
const SHORT: Readonly<Record<string, string>> = {
  Cluster: 'cluster.yaml',
  NicClusterPolicy: 'policy.yaml',
  NicNodePolicy: 'node-policies.yaml',
};

/** `SriovNetworkNodePolicy` in `sriov-network-node-policies.yaml`. */
function fileNameOf({ kind }: Pick<ImportedDocument, 'kind'>): string {
  if (Object.hasOwn(SHORT, kind)) return SHORT[kind] ?? '';
  const network = networkKinds.find((one) => one.kind === kind);
  if (network) return `${network.id}s.yaml`;
  const words = kind.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();
  return `${words.replace(/y$/, 'ie')}s.yaml`;
}

/** The documents in files, one for each kind, in their order. */
export function filesOf(documents: readonly ImportedDocument[]): readonly ImportedFile[] {
  const names = [...new Set(documents.map(fileNameOf))];
  return names.map((name) => {
    const inFile = documents.filter((document) => fileNameOf(document) === name);
    return { name, text: inFile.map(documentText).join('---\n'), documents: inFile };
  });
}

/** The text of one document, as a person would write it. */
export function documentText({ value, comments }: ImportedDocument): string {
  return toInputYaml(value as JsonValue, comments);
}
