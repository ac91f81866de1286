import { NETWORK_OPERATOR_GROUP } from '../../shared/contract/network-operator.js';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { configMapNames } from '../../cluster/import/config-maps.js';
import { importCustomResources } from '../../cluster/import/custom-resources.js';
import { HELM_SECRET_TYPE, newestRelease } from '../../cluster/import/helm-release.js';
import { readOperator } from '../../cluster/import/operator.js';
import { namedObject, type NamedObject } from '../../shared/kubernetes/listed-object.js';
import type { ImportSource } from '../../cluster/import/import.js';
import { ask } from '../../shared/kube-client/ask.js';
import type { Session } from '../../cluster/client/session.js';
import { listAll } from '../../shared/kube-client/list.js';
import { collectionPath, objectPath } from '../../shared/kube-client/paths.js';
import { SHAPES } from '../../shared/kubernetes/shapes/kinds.js';
import { valueAt } from '../../shared/lib/json.js';
import { apiGroup } from '../../shared/kubernetes/names.js';
import { DEFAULT_NAMESPACE } from '../../compile/model/cluster.js';
import { passthroughKinds } from '../../compile/passthrough/table.js';
import { servedGroups, servedKindsOf, type ServedKind } from '../../shared/kube-client/discovery.js';
import { pathOf } from '../cluster/discovery.js';
import { Refusal, valueOf } from '../../cluster/reader/answers.js';
import type { Progress } from '../progress.js';

/** What a live cluster tells. */
type LiveSource = Omit<ImportSource, 'name'> & { readonly findings: readonly Diagnostic[] };

interface Kind {
  readonly group: string;
  readonly kind: string;
}

const BUILT_IN: readonly ServedKind[] = [
  { apiVersion: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false },
  { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', isNamespaced: true },
];

/** The kinds that are listed beside those of the operator's group: of the table of custom resources, and of OpenShift. */
const LISTED: readonly Kind[] = [
  ...passthroughKinds.filter(({ writtenBy }) => writtenBy === 'people'),
  { group: 'config.openshift.io', kind: 'Proxy' },
  { group: 'image.openshift.io', kind: 'ImageStream' },
];

/** Lists whose objects are only of interest in one namespace. */
const NAMESPACES: Readonly<Record<string, string>> = { ImageStream: 'openshift' };

/** Objects of these kinds are made by others and tell nothing. */
const UNREAD: ReadonlySet<string> = new Set(['NetworkAttachmentDefinition', 'NodeFeatureRule', 'NodeFeatureGroup']);

/** Reads what an import needs; what may not be read is said, and left out. */
export async function readLive(session: Session, isHelm: boolean, progress: Progress): Promise<LiveSource> {
  const findings: Diagnostic[] = [];
  const objects: NamedObject[] = [];
  const kinds = [...BUILT_IN, ...(await customKinds(session))];
  for (const [index, kind] of kinds.entries()) {
    const what = kind.kind === 'Deployment' ? 'Deployments' : kind.plural;
    progress.step(`reading ${what}`, index + 1, kinds.length);
    const path = pathOf(kind, NAMESPACES[kind.kind]);
    const answer = await listAll(session.client, path, (object) => object);
    if (answer.kind === 'ok') objects.push(...answer.value.items.flatMap((item) => asSource(item, kind)));
    else if (answer.kind === 'forbidden') findings.push(notRead(what, answer.message));
    else valueOf(answer);
  }
  const { operator } = readOperator(objects);
  const namespace = operator?.namespace ?? DEFAULT_NAMESPACE;
  objects.push(...(await namedObjects(session, objects, namespace)));
  const chart = isHelm ? await readRelease(session, namespace, operator?.helmRelease) : undefined;
  const kubernetesVersion = await versionOf(session);
  return {
    objects,
    findings,
    ...(chart && { chart }),
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
  };
}

function notRead(what: string, reason: string): Diagnostic {
  return diagnostic('WEFT0564', {
    message: `the ${what} of the cluster may not be read, so nothing of them is imported: ${reason}`,
    help: `ask somebody who may for \`kubectl get ${what.toLowerCase()} -A -o yaml\`, and give the file with \`--from\` beside \`--live\``,
  });
}

/** Items of a list have no `apiVersion` and `kind`. */
function asSource(item: object, { apiVersion, kind }: Pick<ServedKind, 'apiVersion' | 'kind'>): readonly NamedObject[] {
  const object = namedObject({ apiVersion, kind, ...item });
  return object ? [object] : [];
}

/** The custom resources that the cluster serves, in the version that Weft knows or else in the preferred one. */
async function customKinds({ client }: Session): Promise<readonly ServedKind[]> {
  const wanted = new Set([NETWORK_OPERATOR_GROUP, ...LISTED.map(({ group }) => group)]);
  const groups = valueOf(await servedGroups(client)).filter(({ name }) => wanted.has(name));
  const kinds = await Promise.all(
    groups.map(async ({ name, apiVersions, preferred }) => {
      const known = passthroughKinds.find(({ group }) => group === name)?.versions.map((one) => `${name}/${one}`);
      return valueOf(await servedKindsOf(client, known?.find((one) => apiVersions.includes(one)) ?? preferred));
    }),
  );
  return kinds.flat().filter(isListed);
}

function isListed({ apiVersion, kind }: ServedKind): boolean {
  if (UNREAD.has(kind)) return false;
  const group = apiGroup(apiVersion);
  return group === NETWORK_OPERATOR_GROUP || LISTED.some((one) => one.group === group && one.kind === kind);
}

/** The ConfigMaps that policies name, and the namespace whose UID tells clusters apart. */
async function namedObjects(
  { client }: Session,
  objects: readonly NamedObject[],
  namespace: string,
): Promise<readonly NamedObject[]> {
  const names = configMapNames(importCustomResources(objects).documents);
  const paths = [
    ['Namespace', '/api/v1/namespaces/kube-system'],
    ...names.map((name) => ['ConfigMap', objectPath(SHAPES.ConfigMap, namespace, name)]),
  ];
  const found: NamedObject[] = [];
  for (const [kind = '', path = ''] of paths) {
    const answer = await ask(client, { method: 'GET', path }, (object) => object);
    if (answer.kind === 'ok') found.push(...asSource(answer.value, { apiVersion: 'v1', kind }));
  }
  return found;
}

async function versionOf({ client }: Session): Promise<string | undefined> {
  const answer = await ask(client, { method: 'GET', path: '/version' }, (version) => version);
  const text = answer.kind === 'ok' ? valueAt(answer.value, ['gitVersion']) : undefined;
  return typeof text === 'string' ? /^v?(\d+\.\d+)/.exec(text)?.[1] : undefined;
}

/** The newest release of the operator's chart. Only here a Secret is read. */
async function readRelease({ client }: Session, namespace: string, name: string | undefined) {
  const query = `labelSelector=${encodeURIComponent('owner=helm,status=deployed')}&fieldSelector=${encodeURIComponent(`type=${HELM_SECRET_TYPE}`)}`;
  const path = `${collectionPath({ apiVersion: 'v1', plural: 'secrets' }, namespace)}?${query}`;
  const help = `\`--helm\` reads the Secrets of Helm in \`${namespace}\`; without that right: \`helm get values\`, by somebody who has it, and \`--from\``;
  const { items } = valueOf(await listAll(client, path, (secret) => secret), help);
  const release = newestRelease(
    items.flatMap((item) => asSource(item, { apiVersion: 'v1', kind: 'Secret' })),
    name,
  );
  if (!('problem' in release)) return release;
  const message = `in the namespace \`${namespace}\` ${release.problem}`;
  throw new Refusal(diagnostic('WEFT0565', { message, help: 'leave out `--helm`; `helm list -A` shows the releases' }));
}
