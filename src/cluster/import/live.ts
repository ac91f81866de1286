import { DEFAULT_NAMESPACE, NETWORK_OPERATOR_GROUP } from '../../shared/contract/network-operator.js';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { ApiClient } from '../../shared/kube-client/api-client.js';
import type { ServedGroup, ServedKind } from '../../shared/kube-client/discovery.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { apiGroup } from '../../shared/kubernetes/names.js';
import { passthroughKinds } from '../../compile/passthrough/table.js';
import type { Session } from '../client/session.js';
import { Refusal } from '../reader/answers.js';
import { read, type Want } from '../reader/read.js';
import { servedKindsOfGroups, serverVersion } from '../reader/served.js';
import { configMapNames } from './config-maps.js';
import { importCustomResources } from './custom-resources.js';
import { HELM_SECRET_TYPE, newestRelease } from './helm-release.js';
import type { ImportSource } from './import.js';
import { TOOLKIT_NAMESPACE } from './openshift.js';
import { readOperator } from './operator.js';

/** What a live cluster tells. */
type LiveSource = Omit<ImportSource, 'name'> & { readonly findings: readonly Diagnostic[] };

/** What a person chooses. */
interface LiveChoice {
  /** Read the values of the chart, too. */
  readonly helm?: boolean;
  /** That of the operator. */
  readonly namespace?: string;
}

interface Kind {
  readonly group: string;
  readonly kind: string;
}

/** The kinds that are listed beside those of the operator's group: of the table of custom resources, and of OpenShift. */
const LISTED: readonly Kind[] = [
  ...passthroughKinds.filter(({ writtenBy }) => writtenBy === 'people'),
  { group: 'config.openshift.io', kind: 'Proxy' },
  { group: 'image.openshift.io', kind: 'ImageStream' },
];

/** Lists whose objects are only of interest in one namespace. */
const NAMESPACES: Readonly<Record<string, string>> = { ImageStream: TOOLKIT_NAMESPACE };

/** Objects of these kinds are made by others and tell nothing. */
const UNREAD: ReadonlySet<string> = new Set(['NetworkAttachmentDefinition', 'NodeFeatureRule', 'NodeFeatureGroup']);

/**
 * Reads what an import needs; what may not be read is said, and left out.
 *
 * @param onStep is told what is read, as which of how many
 */
export async function readLive(
  { client }: Session,
  { helm = false, namespace: chosen }: LiveChoice,
  onStep: (what: string, at: number, of: number) => void,
): Promise<LiveSource> {
  const findings: Diagnostic[] = [];
  const objects: NamedObject[] = [];
  const custom = [...(await servedKindsOfGroups(client, versionsOf)).values()].filter(isListed);
  const wants: readonly (readonly [what: string, want: Want])[] = [
    ['nodes', { kind: 'Node' }],
    ['Deployments', { kind: 'Deployment', namespace: chosen }],
    ['DaemonSets', { kind: 'DaemonSet', namespace: chosen ?? DEFAULT_NAMESPACE }],
    ...custom.map((kind) => [kind.plural, { kind, namespace: NAMESPACES[kind.kind] }] as const),
  ];
  for (const [index, [what, want]] of wants.entries()) {
    onStep(`reading ${what}`, index + 1, wants.length);
    const { items, unread } = await read(client, [want], { without: ['forbidden'] }, whole);
    objects.push(...items);
    findings.push(...unread.flatMap(({ reason, message }) => (reason === 'forbidden' ? notRead(what, message) : [])));
  }
  const namespace = chosen ?? DEFAULT_NAMESPACE;
  const { operator, findings: ofOperator } = readOperator(objects, chosen);
  const wrong = ofOperator.find(({ code }) => code === 'WEFT0567');
  // Else what is missing in the namespace would be the error.
  if (wrong) throw new Refusal(wrong);
  objects.push(...(await namedObjects(client, objects, namespace)));
  const chart = helm ? await readRelease(client, namespace, operator?.helmRelease) : undefined;
  const kubernetesVersion = await serverVersion(client);
  return {
    objects,
    findings,
    ...(chosen !== undefined && { namespace: chosen }),
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

const whole = (object: NamedObject) => object;

/** The custom resources that the cluster serves, in the version that Weft knows or else in the preferred one. */
function versionsOf({ name, apiVersions, preferred }: ServedGroup): readonly string[] {
  if (name !== NETWORK_OPERATOR_GROUP && !LISTED.some(({ group }) => group === name)) return [];
  const known = passthroughKinds.find(({ group }) => group === name)?.versions.map((one) => `${name}/${one}`);
  return [known?.find((one) => apiVersions.includes(one)) ?? preferred];
}

function isListed({ apiVersion, kind }: ServedKind): boolean {
  if (UNREAD.has(kind)) return false;
  const group = apiGroup(apiVersion);
  return group === NETWORK_OPERATOR_GROUP || LISTED.some((one) => one.group === group && one.kind === kind);
}

/** The ConfigMaps that policies name, and the namespace whose UID tells clusters apart. */
async function namedObjects(
  client: ApiClient,
  objects: readonly NamedObject[],
  namespace: string,
): Promise<readonly NamedObject[]> {
  const names = configMapNames(importCustomResources(objects, namespace).documents);
  const wants: readonly Want[] = [
    { kind: 'Namespace', name: 'kube-system' },
    ...names.map((name): Want => ({ kind: 'ConfigMap', namespace, name })),
  ];
  return (await read(client, wants, { without: ['forbidden', 'unavailable'] }, whole)).items;
}

/** The newest release of the operator's chart. Only here a Secret is read. */
async function readRelease(client: ApiClient, namespace: string, name: string | undefined) {
  const want = { kind: 'Secret', namespace, labels: 'owner=helm,status=deployed', fields: `type=${HELM_SECRET_TYPE}` };
  const help = `\`--helm\` reads the Secrets of Helm in \`${namespace}\`; without that right: \`helm get values\`, by somebody who has it, and \`--from\``;
  const { items } = await read(client, [want as Want], { help });
  const release = newestRelease(items, name);
  if (!('problem' in release)) return release;
  const message = `in the namespace \`${namespace}\` ${release.problem}`;
  throw new Refusal(diagnostic('WEFT0565', { message, help: 'leave out `--helm`; `helm list -A` shows the releases' }));
}
