import type { AnyComponent, ImageKey } from '../components/component.js';
import { allComponents } from '../components/all.js';
import { shortHash } from '../../shared/lib/hash.js';
import { isObject } from '../../shared/lib/json.js';
import { nodePlacement } from '../../shared/kubernetes/selection/node-placement.js';
import { DAEMON_SET_TOLERATIONS } from '../../shared/kubernetes/selection/taints.js';
import type { Release, ReleaseImage } from '../releases/catalog.js';
import { since } from '../releases/changes.js';
import type { Cluster, Instance, NodePool, Policy, PolicyOwner } from '../model/config.js';
import { within } from '../model/config.js';
import type { ValidDocument } from './documents.js';
import type { PolicySpec } from './kinds/policies.js';
import { matchesSelector } from './pools.js';

/** The inputs of instances other than their own policy. */
interface Surroundings {
  readonly cluster: Cluster;
  readonly release: Release | undefined;
  /** That of the NicClusterPolicy. */
  readonly global: PolicySpec['global'];
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
  { cluster, release, global }: Surroundings,
): readonly (readonly [componentId: string, instance: Instance])[] {
  const spec = (valid.value as { spec: PolicySpec }).spec;
  return allComponents.flatMap((component) => {
    const section = sectionOf(spec, component.source.path);
    if (section === undefined) return [];
    const filled = withImages(component, section, spec.global, { release, global });
    return [[component.id, { ...instanceOf(component, policy, spec, filled), ...suffixes(policy, cluster) }] as const];
  });
}

function sectionOf(spec: PolicySpec, path: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  const found = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), spec);
  return isObject(found) ? found : undefined;
}

function suffixes({ owner }: Policy, cluster: Cluster): Pick<Instance, 'nameSuffix' | 'daemonSetSuffix'> {
  if (owner.kind === 'NicClusterPolicy') return { nameSuffix: '', daemonSetSuffix: '' };
  const name = since(cluster, 'hashed-policy-names') ? shortHash(owner.name) : owner.name;
  return { nameSuffix: `-${owner.name}`, daemonSetSuffix: `-${name}` };
}

function instanceOf(
  component: AnyComponent,
  policy: Policy,
  spec: PolicySpec,
  section: unknown,
): Omit<Instance, 'nameSuffix' | 'daemonSetSuffix'> {
  const { owner, nodeSelector } = policy;
  const { accepts } = nodePlacement({
    nodeSelector: {},
    tolerations: [...spec.tolerations, ...DAEMON_SET_TOLERATIONS],
  });
  return {
    owner,
    spec: section,
    nodeSelector,
    tolerations: spec.tolerations,
    affinity: spec.nodeAffinity,
    deployment: { tolerations: spec.deploymentTolerations ?? [], affinity: spec.deploymentNodeAffinity },
    pools: policy.pools.filter(accepts),
    origin: within(policy.origin, 'spec', ...component.source.path),
  };
}

/**
 * The section with its images complete: from its own fields, then `global` of its policy, then the release. The release fills a repository
 * from the registry of the NicClusterPolicy's `global`, so the pull secrets of that come with it, for a NicNodePolicy too.
 *
 * @param own `global` of the policy; a NicNodePolicy has none, and the operator fills nothing there
 */
function withImages(
  component: AnyComponent,
  section: Readonly<Record<string, unknown>>,
  own: PolicySpec['global'],
  { release, global }: Omit<Surroundings, 'cluster'>,
): unknown {
  return component.imageKeys.reduce<unknown>((result, key) => {
    return fillAt(result, key.path, (image) => {
      const defaults = globalDefaults(
        key,
        image['repository'] ? own : { ...own, imagePullSecrets: global?.imagePullSecrets },
      );
      return fillImage(image, defaults, releasedImage(key, image, release));
    });
  }, section);
}

function globalDefaults({ isHandedOn, hasOwnVersion }: ImageKey, global: GlobalDefaults): GlobalDefaults {
  if (isHandedOn) return undefined;
  return hasOwnVersion ? { ...global, version: undefined } : global;
}

/**
 * The operator leaves out an image that it hands on and that has no version. A policy that was written for it names such an image, as its
 * CRD demands: only one that names nothing is filled.
 */
function releasedImage(key: ImageKey, image: Image, release: Release | undefined): Partial<ReleaseImage> | undefined {
  const released = release?.images[key.release];
  return key.isHandedOn && image['image'] ? { ...released, version: '' } : released;
}

type Image = Readonly<Record<string, unknown>>;
type GlobalDefaults = Partial<NonNullable<PolicySpec['global']>> | undefined;

function fillAt(value: unknown, path: readonly string[], fill: (image: Image) => Image): unknown {
  if (!isObject(value)) return value;
  const [key, ...rest] = path;
  return key === undefined ? fill(value) : { ...value, [key]: fillAt(value[key], rest, fill) };
}

function fillImage(image: Image, global: GlobalDefaults, release: Partial<ReleaseImage> | undefined): Image {
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
