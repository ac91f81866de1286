import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { identityOf } from '../../shared/kubernetes/identity.js';
import { isObject, valueAt } from '../../shared/lib/json.js';
import { proposedRelease, releases, type Version } from '../../compile/releases/catalog.js';
import { isNicNode, readNodes, type ClusterNode } from '../pools/nodes.js';
import { poolsOf, type NodeFinding } from '../pools/pools.js';
import { addOnSections } from './add-ons.js';
import { settingsOfChart, valuesWithoutPlace, type ChartRelease } from './chart.js';
import { oldChartFindings, policyOfChart } from './chart-policy.js';
import { clusterDocument } from './cluster-document.js';
import { configMapNames, existingConfigMaps } from './config-maps.js';
import { importCustomResources } from './custom-resources.js';
import { withoutMadeByAddOns } from './made-by-add-ons.js';
import { openshiftFacts } from './openshift.js';
import { readOperator, releaseNamedIn, tooOld, type OperatorFacts } from './operator.js';
import { precompiledTags } from './precompiled.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import type { Imported, ImportedDocument } from './source.js';
import { DEFAULT_NAMESPACE } from '../../shared/contract/network-operator.js';

/** What a cluster folder is made from. */
export interface ImportSource {
  /** Name of the Cluster document. */
  readonly name: string;
  /** Objects of the cluster, of any kinds. */
  readonly objects: readonly NamedObject[];
  /** That of the operator, as a person chose it; nothing in another one is a setting. */
  readonly namespace?: string;
  /** Values of the operator's chart, where they are known. */
  readonly chart?: ChartRelease;
  /** Version of Kubernetes, where it is known: `1.34`. */
  readonly kubernetesVersion?: string;
}

/** The documents of a cluster folder. */
export interface ImportedCluster extends Imported {
  /** That of the operator. */
  readonly namespace: string;
  readonly nodes: readonly ClusterNode[];
  /** NIC nodes that are in no pool. */
  readonly nodeFindings: readonly NodeFinding[];
}

/** The documents that render what the operator made in a cluster, and what of it they do not say. */
export function importCluster(source: ImportSource): ImportedCluster {
  const { name, objects: given, chart, kubernetesVersion, namespace = DEFAULT_NAMESPACE } = source;
  const ofChart = chart && policyOfChart(chart.values);
  // Of the policy of the values and that of the cluster the latter counts.
  const all = ofChart ? [ofChart, ...given] : given;
  const objects = [...new Map(all.map((object) => [identityOf(object), object])).values()];
  const resources = importCustomResources(objects, namespace);
  const { operator, findings: ofOperator } = readOperator(objects, source.namespace);
  const nodes = nodesOf(objects);
  const { pools, findings: nodeFindings } = poolsOf(nodes, resources.documents.flatMap(nodeSelectorOf));
  const addOns = addOnSections({ chart, objects, namespace });
  const { versions, ...settings } = settingsOf(operator, chart);
  const release = releaseFor(versions, resources.documents);
  const named = configMapNames(resources.documents);
  const cluster = clusterDocument({
    name,
    kubernetesVersion,
    clusterUid: clusterUidOf(objects),
    namespace,
    pools,
    ...settings,
    release,
    openshift: openshiftFacts(objects, pools),
    precompiledTags: precompiledTags(objects, namespace),
    existingConfigMaps: existingConfigMaps(named, objects, namespace),
    addOns: addOns.sections,
    comments: addOns.comments,
  });
  const others = withoutMadeByAddOns(cluster, resources.documents);
  return {
    documents: [cluster, ...others.documents],
    findings: [
      ...nothingFound({
        documents: resources.documents,
        isKnown: operator !== undefined || chart !== undefined,
        nodes,
      }),
      ...(operator || chart || ofOperator.length > 0 ? [] : [operatorUnknown()]),
      ...(chart?.isOnlySriov === true ? [ownImages()] : []),
      ...tooOld(versions),
      ...ofOperator,
      ...addOns.findings,
      ...(chart ? [...oldChartFindings(chart.values), ...valuesWithoutPlace(chart)] : []),
      ...resources.findings,
      ...others.findings,
    ],
    namespace,
    nodes,
    nodeFindings,
  };
}

const IS_IT = 'is it the right cluster? `kubectl get nicclusterpolicies,nicnodepolicies -A` lists policies';

/** An error where there is nothing at all, a warning where there is no policy. */
function nothingFound({ documents, isKnown, nodes }: Found): readonly Diagnostic[] {
  if (documents.length === 0 && !isKnown && !nodes.some(isNicNode)) {
    const message = 'there is nothing to import: no custom resource, no operator, and no node with an NVIDIA NIC';
    return [diagnostic('WEFT0562', { message, help: IS_IT })];
  }
  if (documents.some(({ kind }) => kind === 'NicClusterPolicy' || kind === 'NicNodePolicy')) return [];
  const message = 'there is no NicClusterPolicy and no NicNodePolicy: the cluster gets no component';
  return [diagnostic('WEFT0564', { message, help: IS_IT })];
}

interface Found {
  readonly documents: readonly ImportedDocument[];
  /** Whether the operator or the values of its chart are there. */
  readonly isKnown: boolean;
  readonly nodes: readonly ClusterNode[];
}

function operatorUnknown(): Diagnostic {
  return diagnostic('WEFT0564', {
    message: 'there is no Deployment of the operator: its CNI folders and its init container are not known',
    help: 'where it runs in another namespace, name that with `--namespace`; add `kubectl get deployments -A -o yaml`, or the values of its chart; the defaults are assumed',
  });
}

function ownImages(): Diagnostic {
  return diagnostic('WEFT0564', {
    message:
      'the values are those of the SR-IOV Network Operator’s own chart, and its images that they do not set are not known',
    help: 'the `release` fills them with those of NVIDIA; to keep yours, write them into `images` of the add-on in the Cluster',
  });
}

/** The release of the operator, else of the images of policies, else the newest final one. */
function releaseFor(ofOperator: readonly string[], documents: readonly ImportedDocument[]) {
  const named = ofOperator.find((text) => releaseNamedIn(text) !== undefined);
  if (named !== undefined) return { name: releaseNamedIn(named) ?? '', why: `By \`${named}\`.` };
  const used = new Set(documents.flatMap(({ value }) => versionsIn(value)));
  const shared = ({ images }: Version) =>
    new Set(Object.values(images).flatMap(({ version }) => (used.has(version) ? [version] : []))).size;
  // Versions have images in common.
  const [newest, ...others] = releases.flatMap(({ versions }) => versions);
  const ofPolicies = others.reduce((best, one) => (best && shared(best) >= shared(one) ? best : one), newest);
  if (ofPolicies && shared(ofPolicies) > 0) return { name: ofPolicies.version, why: 'By the images of the policies.' };
  return {
    name: proposedRelease.release,
    why: 'The newest final one: write the one of the operator, which is not known.',
  };
}

/** The values of all fields `version`. */
function versionsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(versionsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'version' && typeof inner === 'string' ? [inner] : versionsIn(inner),
  );
}

/** The settings of the operator: its Deployment has those that hold; the values of its chart say the same. */
function settingsOf(operator: OperatorFacts | undefined, chart: ChartRelease | undefined) {
  const ofChart = chart && settingsOfChart(chart);
  // The chart's own order: templates/operator.yaml.
  const tag = ofChart?.tag || chart?.appVersion;
  const image = operator?.image ?? (tag === undefined ? '' : `network-operator:${tag}`);
  const env = (name: string) => operator?.env.get(name);
  const initContainerImage = operator ? (env('OFED_INIT_CONTAINER_IMAGE') ?? '') : ofChart?.initContainerImage;
  return {
    // Images may be named by their digests; that of the init container is of the same release.
    versions: [image, initContainerImage ?? '', operator?.csv ?? ''],
    cni: {
      binDirectory: env('CNI_BIN_DIR') ?? ofChart?.binDirectory ?? '',
      networkDirectory: env('CNI_NETWORK_DIR') ?? ofChart?.networkDirectory ?? '',
    },
    initContainerImage,
    useDriverToolkit: operator ? env('USE_DTK') !== 'false' : (ofChart?.useDriverToolkit ?? true),
  };
}

function clusterUidOf(objects: readonly NamedObject[]): string | undefined {
  const found = objects.find(({ kind, metadata }) => kind === 'Namespace' && metadata.name === 'kube-system');
  const uid = valueAt(found, ['metadata', 'uid']);
  return typeof uid === 'string' ? uid : undefined;
}

function nodesOf(objects: readonly NamedObject[]): readonly ClusterNode[] {
  const items = objects.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Node');
  const read = readNodes({ kind: 'List', items });
  return 'nodes' in read ? read.nodes : [];
}

/** The labels by which a NicNodePolicy selects, which pools need. */
function nodeSelectorOf({ kind, value }: ImportedDocument): readonly Readonly<Record<string, string>>[] {
  const { spec } = value;
  if (kind !== 'NicNodePolicy' || !isObject(spec) || !isObject(spec['nodeSelector'])) return [];
  return [spec['nodeSelector'] as Readonly<Record<string, string>>];
}
