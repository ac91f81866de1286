import { isError, type Diagnostic } from '../diagnostics/diagnostic.js';
import { isObject } from '../lib/json.js';
import { apiGroup } from '../kubernetes/names.js';
import { ofRole } from './build-config.js';
import type { Config } from '../model/config.js';
import { readDocuments, type ReadDocuments, type ValidDocument } from './documents.js';
import { collectEnough, sayAll } from './diagnostic-sink.js';
import { judge, sayFindings } from './check-rules.js';
import { kindOf } from './kinds/kind-of.js';
import { WEFT_API_VERSION } from '../model/cluster.js';
import type { Known } from './fleet-cache.js';
import type { LoadedDocuments, SourceDocument } from '../load/yaml/yaml.js';

/** The configuration, where the input has no errors; and everything that is to be said about it, from loading on. */
export interface Resolved {
  readonly config?: Config;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Documents to configuration: each is validated, policies are expanded to instances, defaults, `global` and the release
 * fill what is left out, and the rules look at the whole. The order of the documents does not matter.
 *
 * @param known what the same run knows from other clusters
 */
export function resolve(loaded: Pick<LoadedDocuments, 'documents' | 'diagnostics'>, known?: Known): Resolved {
  const read = readDocuments(loaded.documents, known?.values);
  const enough = collectEnough();
  const { all, say } = enough;
  sayAll(enough, loaded.diagnostics);
  sayAll(enough, read.diagnostics);
  const clusters = ofRole(read.documents, 'cluster');
  const [cluster] = clusters;
  if (!cluster) return { diagnostics: [...all, ...missingCluster(loaded)] };
  for (const other of clusters.slice(1)) say('error', () => secondCluster(other, cluster));
  const isAllRead = !loaded.diagnostics.some(isError) && hasAllOffers(read);
  const judged = known && !all.some(isError) ? known.judge(cluster, read) : judge(cluster, read, isAllRead);
  sayFindings(enough, judged);
  return all.some(isError) ? { diagnostics: all } : { config: judged.config, diagnostics: all };
}

/** Networks take and offer nothing; a ConfigMap that is broken is known by its name. */
function hasAllOffers({ broken, hasUnknown }: ReadDocuments): boolean {
  return !hasUnknown && !broken.some(({ kind: { role } }) => role === 'policy' || role === 'object');
}

/**
 * Without a Cluster nothing can be resolved. Where one failed its validation, that has been said already; where a document
 * could not be read, that may be the Cluster.
 */
function missingCluster({
  documents,
  diagnostics,
}: Pick<LoadedDocuments, 'documents' | 'diagnostics'>): readonly Diagnostic[] {
  if (documents.some(isMeantAsCluster) || diagnostics.some(isError)) return [];
  const [first] = documents;
  return [
    {
      code: 'WEFT0103',
      severity: 'error',
      message: 'there is no Cluster document beside the policies',
      ...(first && { location: first.locate([]) }),
      help:
        'add a file with `apiVersion: weft.dev/v1alpha1`, `kind: Cluster`, `metadata: {name: …}` and ' +
        '`spec: {nodePools: […]}`; `kubectl get nodes -o json | weft pools` prints the pools',
    },
  ];
}

/** Also where its `apiVersion` or `kind` is not the right one: that has been said. */
function isMeantAsCluster(document: SourceDocument): boolean {
  const found = kindOf(document);
  if (!('code' in found)) return found.role === 'cluster';
  const { apiVersion, kind } = isObject(document.value) ? document.value : {};
  const isOurs = typeof apiVersion === 'string' && apiGroup(apiVersion) === apiGroup(WEFT_API_VERSION);
  return kind === 'Cluster' || isOurs;
}

function secondCluster(other: ValidDocument, first: ValidDocument): Diagnostic {
  return {
    code: 'WEFT0104',
    severity: 'error',
    message: `there are two Cluster documents: \`${first.name}\` and \`${other.name}\``,
    location: other.document.locate(['metadata', 'name']),
    help: 'remove one of the two, or give each cluster a folder of its own',
    related: { location: first.document.locate(['metadata', 'name']), message: 'the first is here' },
  };
}
