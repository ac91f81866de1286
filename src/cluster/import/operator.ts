import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { isObject, listAt, textAt } from '../../shared/lib/json.js';
import { compareVersions } from '../../shared/lib/version.js';
import { listedNames } from '../../shared/lib/listed.js';
import { looksLikeOperator } from '../takeover/operator/find.js';
import { ownersOf } from '../takeover/operator/owner.js';
import { findRelease, releaseNames, versionOfDigest } from '../../compile/releases/catalog.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { isIn } from './source.js';
import { DEFAULT_NAMESPACE } from '../../shared/contract/network-operator.js';

/** What the operator's Deployment tells about its settings. */
export interface OperatorFacts {
  /** Name of the Helm release that made it. */
  readonly helmRelease: string | undefined;
  readonly image: string;
  /** Name of the ClusterServiceVersion that installed it; empty where OLM did not. */
  readonly csv: string;
  /** Its environment variables that have a value. */
  readonly env: ReadonlyMap<string, string>;
}

/** Folder of the operator's templates in its image (network-operator v26.7, main.go). */
const OWN_TEMPLATES: ReadonlySet<string> = new Set(['', '/manifests', './manifests']);

interface ReadOperator {
  readonly operator?: OperatorFacts;
  readonly findings: readonly Diagnostic[];
}

/** How many Deployments a message names; the others are counted. */
const SHOWN = 5;

/**
 * The operator in its namespace, with what of it has no place in a Cluster document. Anybody may make a Deployment that looks like the
 * operator in a namespace of his own: nothing is read of it.
 *
 * @param namespace that a person chose; absent: the default one, if nothing elsewhere looks like the operator
 */
export function readOperator(objects: readonly NamedObject[], namespace?: string): ReadOperator {
  const place = namespace ?? DEFAULT_NAMESPACE;
  const alike = objects.filter((object) => object.kind === 'Deployment' && looksLikeOperator(object));
  const isHere = ({ metadata }: NamedObject) => isIn(metadata.namespace, place);
  const elsewhere = alike.filter((one) => !isHere(one));
  if (namespace === undefined && elsewhere.length > 0)
    return {
      findings: [notOne(elsewhere, `and ${elsewhere.length === 1 ? 'is' : 'are'} not in the namespace \`${place}\``)],
    };
  const [deployment, ...others] = alike.filter(isHere);
  if (deployment === undefined) return { findings: [] };
  if (others.length > 0) return { findings: [notOne([deployment, ...others], 'and only one can be')] };
  const csv = ownersOf(deployment).find((owner) => owner.kind === 'olm')?.name ?? '';
  const operator = { ...factsOf(deployment), csv };
  return { operator, findings: withoutPlace(operator) };
}

function notOne(deployments: readonly NamedObject[], why: string): Diagnostic {
  const names = deployments.map(({ metadata: { namespace, name } }) => `${namespace ?? ''}/${name}`);
  const message = `${listedNames(names, SHOWN)} look like the operator’s Deployment, ${why}`;
  return diagnostic('WEFT0567', {
    message: names.length === 1 ? message.replace(' look ', ' looks ') : message,
    help: 'name the namespace of the operator with `--namespace`, where it has one Deployment: settings are read there only',
  });
}

function factsOf(deployment: NamedObject): Omit<OperatorFacts, 'csv'> {
  const all = listAt(deployment, 'spec', 'template', 'spec', 'containers').filter(isObject);
  // A sidecar has none of the operator's variables.
  const container = all.find((one) => envOf(one).has('STATE_MANIFEST_BASE_DIR')) ?? all[0] ?? {};
  const { annotations, labels = {} } = deployment.metadata;
  // Also where Argo CD or Flux applied what `helm template` renders.
  const isOfChart = labels['app.kubernetes.io/managed-by'] === 'Helm';
  return {
    helmRelease:
      annotations?.['meta.helm.sh/release-name'] ?? (isOfChart ? labels['app.kubernetes.io/instance'] : undefined),
    image: textAt(container, 'image') ?? '',
    env: envOf(container),
  };
}

function envOf(container: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const env = listAt(container, 'env').filter(isObject);
  return new Map(
    env.flatMap(({ name, value }) => (typeof name === 'string' && typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** Settings of the operator that Weft does not have, a diagnostic each. */
function withoutPlace({ env }: OperatorFacts): readonly Diagnostic[] {
  const isOn = (name: string) => env.get(name) === 'true';
  const left = (what: string, reason: string, help?: string) =>
    diagnostic('WEFT0560', { message: `${what} is not carried over: ${reason}`, help });
  const templates = env.get('STATE_MANIFEST_BASE_DIR') ?? '';
  return [
    ...(OWN_TEMPLATES.has(templates) ? [] : [ownTemplates(templates)]),
    ...(isOn('MAINTENANCE_OPERATOR_ENABLED')
      ? [left('`MAINTENANCE_OPERATOR_ENABLED` of the operator', ...REQUESTOR)]
      : []),
    ...(isOn('DRAIN_CONTROLLER_ENABLED')
      ? [left('`DRAIN_CONTROLLER_ENABLED` of the operator', ...DRAIN_CONTROLLER)]
      : []),
    ...(isOn('ENABLE_WEBHOOKS') ? [left('`ENABLE_WEBHOOKS` of the operator', ...WEBHOOK)] : []),
  ];
}

function ownTemplates(folder: string): Diagnostic {
  return diagnostic('WEFT0561', {
    message: `the operator renders templates of its own: \`STATE_MANIFEST_BASE_DIR\` is \`${folder}\``,
    help: 'Weft renders those of the operator’s image: what these change goes into `spec.patches` of the Cluster, by hand',
  });
}

/** Why settings have no place: the reason, and what to do. */
export const REQUESTOR = [
  'the operator asks the Maintenance Operator to empty nodes, and the companion empties them itself by default',
  'let upgrades in progress end before the takeover (`kubectl get nodemaintenances -A` shows them); `upgrade.drainer: MaintenanceOperator` in the Cluster makes the companion ask, too',
] as const;
export const DRAIN_CONTROLLER = [
  'the operator empties nodes for the SR-IOV operator, which waits for it; the companion does so where `externalDrainer` is enabled, without a NodeMaintenance',
  'leave `upgrade.drainer` of the Cluster as it is by default, or turn `externalDrainer` off, and the SR-IOV operator empties nodes itself',
] as const;
export const WEBHOOK = [
  '`weft synth` checks the same without a webhook',
  'delete its configuration with the operator: `kubectl get validatingwebhookconfigurations` shows it',
] as const;

const VERSION = /[:.-]v(\d+\.\d+)(?:[.-]|$)/;

/** An error where a text names a release that is older than all of the catalog. */
export function tooOld(texts: readonly string[]): readonly Diagnostic[] {
  const oldest = releaseNames.at(-1) ?? '';
  const [version] = texts.flatMap((text) => VERSION.exec(text)?.[1] ?? []);
  if (version === undefined || compareVersions(version, oldest.slice(1)) >= 0) return [];
  return [
    diagnostic('WEFT0285', {
      message: `the operator is v${version}, whose output Weft does not render`,
      help: `upgrade the operator to ${oldest} first, and import then`,
    }),
  ];
}

const FINAL = /[:.-](v\d+\.\d+\.\d+)$/;
const DIGEST = /@(sha256:[0-9a-f]{64})$/;

/**
 * The version in the catalog that a text names, or else its release: an image with a tag such as `v26.4.1` or `network-operator-v26.4.1`, or
 * with the digest of one, or a ClusterServiceVersion `nvidia-network-operator.v26.4.1`.
 */
export function releaseNamedIn(text: string): string | undefined {
  const [, final = ''] = FINAL.exec(text) ?? [];
  if (findRelease(final)) return final;
  const [, digest] = DIGEST.exec(text) ?? [];
  if (digest !== undefined) return versionOfDigest(digest);
  const [, version] = VERSION.exec(text) ?? [];
  return releaseNames.find((name) => name === `v${version ?? ''}`);
}
