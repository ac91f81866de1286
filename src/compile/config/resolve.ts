import { diagnostic } from '../../shared/diagnostics/codes.js';
import { isError, type Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { isObject } from '../../shared/lib/json.js';
import { apiGroup } from '../../shared/kubernetes/names.js';
import { ofRole } from './build-config.js';
import type { Config } from '../model/config.js';
import { type CheckedValues, readDocuments, type ReadDocuments, type ValidDocument } from './documents.js';
import { createDiagnosticSink, reportAll } from './diagnostic-sink.js';
import { checkRules, reportViolations } from './check-rules.js';
import { kindOf } from './kinds/kind-of.js';
import { WEFT_API_VERSION } from '../model/cluster.js';
import type { FleetCache } from './fleet-cache.js';
import type { LoadedDocuments, SourceDocument } from '../load/yaml/yaml.js';

/** The configuration, if the input has no errors, and all diagnostics, also those of loading. */
interface Resolved {
  readonly config?: Config;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Resolves documents to a configuration: validates each document, expands policies to instances, fills in defaults,
 * `global` and the release, and runs the rules. The order of the documents does not matter.
 *
 * @param cache results of the same run for other clusters
 */
export function resolve(loaded: Pick<LoadedDocuments, 'documents' | 'diagnostics'>, cache?: FleetCache): Resolved {
  const read = readDocuments(loaded.documents, cache?.values);
  const sink = createDiagnosticSink();
  const { all, report } = sink;
  reportAll(sink, loaded.diagnostics);
  reportAll(sink, read.diagnostics);
  const clusters = ofRole(read.documents, 'cluster');
  const [cluster] = clusters;
  if (!cluster) return { diagnostics: [...all, ...missingCluster(loaded)] };
  for (const other of clusters.slice(1)) report('error', () => secondCluster(other, cluster));
  const isAllRead = !loaded.diagnostics.some(isError) && hasAllOffers(read);
  const checked = cache && !all.some(isError) ? cache.checkRules(cluster, read) : checkRules(cluster, read, isAllRead);
  reportViolations(sink, checked);
  return all.some(isError) ? { diagnostics: all } : { config: checked.config, diagnostics: all };
}

/**
 * The configuration of documents to which others will be added, also where rules have found errors. The rules that need all
 * documents do not run.
 */
export function resolvePart(documents: readonly SourceDocument[], values?: CheckedValues): Resolved {
  const read = readDocuments(documents, values);
  const sink = createDiagnosticSink();
  reportAll(sink, read.diagnostics);
  const [cluster] = ofRole(read.documents, 'cluster');
  if (!cluster) return { diagnostics: sink.all };
  const checked = checkRules(cluster, read, false);
  reportViolations(sink, checked);
  return { config: checked.config, diagnostics: sink.all };
}

/** Networks offer no resources, and of a broken ConfigMap the name is enough. A broken Cluster may lack pools and add-ons. */
function hasAllOffers({ broken, hasUnknown }: ReadDocuments): boolean {
  return !hasUnknown && !broken.some(({ kind: { role } }) => role !== 'network' && role !== 'config-map');
}

/**
 * Without a Cluster nothing can be resolved. There is no diagnostic if a Cluster failed its validation, because that
 * has one already, or if a document could not be read, because it may be the Cluster.
 */
function missingCluster({
  documents,
  diagnostics,
}: Pick<LoadedDocuments, 'documents' | 'diagnostics'>): readonly Diagnostic[] {
  if (documents.some(isMeantAsCluster) || diagnostics.some(isError)) return [];
  const [first] = documents;
  return [
    diagnostic('WEFT0103', {
      message: 'there is no Cluster document beside the policies',
      ...(first && { location: first.locate([]) }),
      help:
        'add a file with `apiVersion: weft.dev/v1alpha1`, `kind: Cluster`, `metadata: {name: …}` and ' +
        '`spec: {nodePools: […]}`; `kubectl get nodes -o json | weft pools` prints the pools',
    }),
  ];
}

/** True also if its `apiVersion` or `kind` is wrong, which has its own diagnostic. */
function isMeantAsCluster(document: SourceDocument): boolean {
  const found = kindOf(document);
  if (!('code' in found)) return found.role === 'cluster';
  const { apiVersion, kind } = isObject(document.value) ? document.value : {};
  const isOurs = typeof apiVersion === 'string' && apiGroup(apiVersion) === apiGroup(WEFT_API_VERSION);
  return kind === 'Cluster' || isOurs;
}

function secondCluster(other: ValidDocument, first: ValidDocument): Diagnostic {
  return diagnostic('WEFT0104', {
    message: `there are two Cluster documents: \`${first.name}\` and \`${other.name}\``,
    location: other.document.locate(['metadata', 'name']),
    help: 'remove one of the two, or give each cluster a folder of its own',
    related: { location: first.document.locate(['metadata', 'name']), message: 'the first is here' },
  });
}
