import type { AnyComponent, ImageKey } from '../components/component.js';
import { allComponents } from '../components/all.js';
import { shortHash } from '../../shared/lib/hash.js';
import { isObject } from '../../shared/lib/json.js';
import { nodePlacement } from '../../shared/kubernetes/selection/node-placement.js';
import { DAEMON_SET_TOLERATIONS } from '../../shared/kubernetes/selection/taints.js';
import type { Release } from '../releases/catalog.js';
import type { Instance, NodePool, Policy, PolicyOwner } from '../model/config.js';
import { within } from '../model/config.js';
import type { ValidDocument } from './documents.js';
import type { PolicySpec } from './kinds/policies.js';
import { matchesSelector } from './pools.js';

/** The inputs of instances other than their own policy. */
interface Surroundings {
  readonly pools: readonly NodePool[];
  readonly release: Release | undefined;
}

/** Creates the policy of a document. */
export function resolvePolicy({ document, kind, name, value }: ValidDocument, pools: readonly NodePool[]): Policy {
  const { nodeSelector = {} } = (value as { spec: PolicySpec }).spec;
  const isClusterPolicy = kind.kind === 'NicClusterPolicy';
  const owner: PolicyOwner = {
    kind: isClusterPolicy ? 'NicClusterPolicy' : 'NicNodePolicy',
    name,
    label: isClusterPolicy ? 'NicClusterPolicy' : `nnp-${name}`,
  };
  return {
    owner,
    nodeSelector,
    pools: pools.filter((pool) => matchesSelector(pool, nodeSelector)),
    origin: { document, path: [] },
  };
}

/** The instances that one policy makes, with the component of each. */
export function resolveInstances(
  valid: ValidDocument,
  policy: Policy,
  { release }: Surroundings,
): readonly (readonly [componentId: string, instance: Instance])[] {
  const spec = (valid.value as { spec: PolicySpec }).spec;
  return allComponents.flatMap((component) => {
    const section = sectionOf(spec, component.source.path);
    if (section === undefined) return [];
    const filled = withImages(component, section, spec.global, release);
    return [[component.id, instanceOf(component, policy, spec, filled)] as const];
  });
}

function sectionOf(spec: PolicySpec, path: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  const found = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), spec);
  return isObject(found) ? found : undefined;
}

function instanceOf(component: AnyComponent, policy: Policy, spec: PolicySpec, section: unknown): Instance {
  const { owner, nodeSelector } = policy;
  const isNodePolicy = owner.kind === 'NicNodePolicy';
  const { accepts } = nodePlacement({
    nodeSelector: {},
    tolerations: [...spec.tolerations, ...DAEMON_SET_TOLERATIONS],
  });
  return {
    owner,
    nameSuffix: isNodePolicy ? `-${owner.name}` : '',
    hashedSuffix: isNodePolicy ? `-${shortHash(owner.name)}` : '',
    spec: section,
    nodeSelector,
    tolerations: spec.tolerations,
    affinity: spec.nodeAffinity,
    deployment: { tolerations: spec.deploymentTolerations ?? [], affinity: spec.deploymentNodeAffinity },
    pools: policy.pools.filter(accepts),
    origin: within(policy.origin, 'spec', ...component.source.path),
  };
}

/** The section with its images complete: from its own fields, then `global`, then the release. */
function withImages(
  component: AnyComponent,
  section: Readonly<Record<string, unknown>>,
  global: PolicySpec['global'],
  release: Release | undefined,
): unknown {
  return component.imageKeys.reduce<unknown>((result, key) => {
    const defaults = globalDefaults(key, global);
    return fillAt(result, key.path, (image) => fillImage(image, defaults, release?.images[key.release]));
  }, section);
}

function globalDefaults({ isHandedOn, hasOwnVersion }: ImageKey, global: GlobalDefaults): GlobalDefaults {
  if (isHandedOn) return undefined;
  return hasOwnVersion ? { ...global, version: undefined } : global;
}

type Image = Readonly<Record<string, unknown>>;
type GlobalDefaults = Partial<NonNullable<PolicySpec['global']>> | undefined;

function fillAt(value: unknown, path: readonly string[], fill: (image: Image) => Image): unknown {
  if (!isObject(value)) return value;
  const [key, ...rest] = path;
  return key === undefined ? fill(value) : { ...value, [key]: fillAt(value[key], rest, fill) };
}

function fillImage(image: Image, global: GlobalDefaults, release: Release['images'][string] | undefined): Image {
  const pick = (key: 'image' | 'repository' | 'version', fallback?: string) =>
    [image[key], fallback, release?.[key]].find((value) => value !== undefined && value !== '') ?? '';
  const secrets = image['imagePullSecrets'] as readonly string[];
  return {
    ...image,
    image: pick('image'),
    repository: pick('repository', global?.repository),
    version: pick('version', global?.version),
    imagePullSecrets: secrets.length > 0 ? secrets : (global?.imagePullSecrets ?? []),
  };
}
