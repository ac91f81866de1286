import { releaseNames, renderedRelease } from '../../compile/releases/catalog.js';
import { shellWord } from '../../shared/lib/escape.js';
import { compareVersions } from '../../shared/lib/version.js';
import { listed } from '../../shared/lib/listed.js';
import type { ListedObject } from '../../shared/kubernetes/listed-object.js';
import { looksLikeOperator, type FoundOperator } from './operator/find.js';
import { operatorVersion, releaseOfVersion } from './operator/version.js';
import { ownersOf, ownerText, type OperatorOwner } from './operator/owner.js';
import type { TakeoverState } from './state.js';
import { gitOpsLines } from './steps.js';

/** A fact that a person should know before the takeover; `stop` keeps it from beginning. */
export interface Notice {
  readonly level: 'stop' | 'note';
  readonly message: string;
  readonly lines?: readonly string[];
}

/** What the preflight looks at beside the state. */
interface PreflightInput {
  readonly state: TakeoverState;
  readonly gate: 'label' | 'ready-file';
  /** Of the Cluster; absent: the newest one is rendered. */
  readonly release?: string;
  /** Deployments of all namespaces. */
  readonly deployments: readonly ListedObject[];
}

const SHOWN = 8;

/** Everything that stops a takeover, or that it is good to know, in the order of importance. */
export function preflight(input: PreflightInput): readonly Notice[] {
  return [namespaces, versions, discovery, refusals, restarts, strays, owners].flatMap((check) => check(input));
}

const stop = (message: string): Notice => ({ level: 'stop', message });
const note = (message: string, lines?: readonly string[]): Notice => ({
  level: 'note',
  message,
  ...(lines && { lines }),
});

/** A Deployment of another namespace stops the takeover only where there is no operator in that of the output: anybody could have made it. */
function namespaces({ state, deployments }: PreflightInput): readonly Notice[] {
  const other = deployments.find((one) => one.metadata?.namespace !== state.namespace && looksLikeOperator(one));
  if (other === undefined) return [];
  const { namespace = '', name = '' } = other.metadata ?? {};
  return state.operator.deployments.length > 0
    ? [note(`the Deployment ${namespace}/${name} looks like the operator, too; it is left alone`)]
    : [stop(`the operator is in the namespace ${namespace}, and the output is for ${state.namespace}`)];
}

/** The oldest release whose objects were compared with what Weft renders. */
const OLDEST = releaseNames.at(-1) ?? '';

/** An output of another release has other names and templates: DaemonSets would be there twice, and pods be replaced. */
function versions({ state, release }: PreflightInput): readonly Notice[] {
  const { release: rendered } = renderedRelease(release);
  return state.operator.deployments.flatMap((deployment) => {
    const version = operatorVersion(deployment);
    if (version === undefined)
      return [
        note(
          `the version of the operator is not known: its image has neither a tag with one nor a known digest; the output is that of ${rendered}`,
        ),
      ];
    return compareVersions(version, OLDEST.slice(1)) < 0
      ? [stop(`the operator is v${version}: upgrade it to ${OLDEST} first; older templates were not compared`)]
      : compareVersions(version, rendered.slice(1)) === 0
        ? [note(`the operator is v${version}`)]
        : [stop(`the operator is v${version}, and the output is that of ${rendered}: ${releaseAdvice(version)}`)];
  });
}

function releaseAdvice(version: string): string {
  const name = releaseOfVersion(version);
  return name === undefined
    ? 'this version of Weft does not know it'
    : `write \`release: ${name}\` in the Cluster, and choose another one after the takeover`;
}

const NFD_NAME = 'node-feature-discovery';

/** Sub-charts of the operator's chart by the name that they label their Deployments with. */
const SUB_CHARTS: Readonly<Record<string, string>> = {
  [NFD_NAME]: 'Node Feature Discovery, and with `postDeleteCleanup` its labels on all nodes',
  'sriov-network-operator': 'the SR-IOV Network Operator, with a Job that deletes the SriovOperatorConfig',
  'maintenance-operator': 'the Maintenance Operator',
};

const nameLabel = ({ metadata }: ListedObject) => metadata?.labels?.['app.kubernetes.io/name'] ?? '';

function releaseOf(object: ListedObject): string | undefined {
  const owner = ownersOf(object).find(({ kind }) => kind === 'helm');
  return owner?.kind === 'helm' ? `${owner.namespace}/${owner.name}` : undefined;
}

function discovery({ state, deployments }: PreflightInput): readonly Notice[] {
  const releases = new Set(state.operator.deployments.flatMap((one) => releaseOf(one) ?? []));
  const inRelease = deployments.filter((one) => nameLabel(one) === NFD_NAME && releases.has(releaseOf(one) ?? ''));
  const isRendered = state.rendered.some(
    ({ object }) => object.kind === 'Deployment' && nameLabel(object) === NFD_NAME,
  );
  const hasRule = state.rendered.some(({ object }) => object.kind === 'NodeFeatureRule');
  return [
    ...(inRelease.length > 0 && !isRendered
      ? [
          stop(
            'Node Feature Discovery is of the release of the operator, and the output has none: set `nodeFeatureDiscovery: {deploy: true}`',
          ),
        ]
      : []),
    ...(hasRule ? [] : [note('the output has no NodeFeatureRule: see that another one labels NICs of vendor 15b3')]),
  ];
}

function refusals({ state }: PreflightInput): readonly Notice[] {
  return state.rendered.flatMap(({ reference, refused }) =>
    refused === undefined ? [] : [stop(`${reference} is refused: ${refused}`)],
  );
}

function restarts({ state, gate }: PreflightInput): readonly Notice[] {
  const of = (when: 'now' | 'on-delete') =>
    state.rendered.filter((one) => one.restarts === when).map(({ reference }) => reference);
  const [now, later] = [of('now'), of('on-delete')];
  return [
    now.length === 0
      ? note(`no pod is replaced (gate: ${gate})`)
      : note(`pods are replaced, in a rolling update (gate: ${gate}): ${listed(now, SHOWN)}`),
    ...(later.length === 0
      ? []
      : [note(`another template, but their pods stay until they are deleted: ${listed(later, SHOWN)}`)]),
  ];
}

function strays({ state }: PreflightInput): readonly Notice[] {
  const found = state.strays.map(({ reference }) => reference);
  if (found.length === 0) return [];
  return [
    note(
      `${found.length} objects of the operator are not in the output; they stay, and no program changes them: ${listed(found, SHOWN)}`,
    ),
  ];
}

function owners({ state, deployments }: PreflightInput): readonly Notice[] {
  return state.operator.owners.map((owner) => {
    if (owner.kind === 'olm') {
      const lines = state.subscriptions.map(
        ({ reference }) => `${reference} must not install another version meanwhile`,
      );
      return note(`the operator was installed by ${ownerText(owner)}`, lines);
    }
    if (owner.kind !== 'helm') return note(`the operator was installed by ${ownerText(owner)}`, gitOpsLines(owner));
    const others = [
      ...new Set(deployments.filter((one) => releaseOf(one) === `${owner.namespace}/${owner.name}`).map(nameLabel)),
    ];
    const parts = others.flatMap((name) => SUB_CHARTS[name] ?? []);
    const lines = parts.length === 0 ? [] : [`\`helm uninstall\` would also delete: ${parts.join('; ')}`];
    return note(`the operator was installed by ${ownerText(owner)}`, lines);
  });
}

/** How to remove what a takeover leaves of the operator, for each owner, once nobody wants to go back. */
export function removalLines(
  owner: OperatorOwner,
  {
    subscriptions,
    operator,
  }: Pick<TakeoverState, 'subscriptions'> & { readonly operator: Pick<FoundOperator, 'deployments'> },
): readonly string[] {
  switch (owner.kind) {
    case 'helm': {
      const name = shellWord(operator.deployments[0]?.metadata?.name ?? '');
      const [release, namespace] = [shellWord(owner.name), shellWord(owner.namespace)];
      return [
        `do not run \`helm uninstall ${release}\`: it deletes what its manifest lists, the NodeFeatureRule too. Let Helm forget the release:`,
        `kubectl delete secret -n ${namespace} -l owner=helm,name=${release}`,
        `kubectl delete deployment,serviceaccount -n ${namespace} ${name}`,
        `kubectl delete clusterrole,clusterrolebinding ${name}`,
      ];
    }
    case 'olm':
      return [
        ...subscriptions.map(({ reference }) => `kubectl delete ${reference}`),
        `kubectl delete clusterserviceversion -n ${shellWord(owner.namespace)} ${shellWord(owner.name)}`,
      ];
    case 'argocd':
      return ['remove the operator from git, with `Prune=false` for what the output has too'];
    case 'flux':
      return [
        'remove the operator from git, and delete its object of Flux while it is suspended: then nothing is deleted',
      ];
    case 'manifests':
      return ['kubectl delete deployment,serviceaccount -n <namespace> <those of the operator>'];
  }
}
