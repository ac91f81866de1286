import { Construct } from 'constructs';
import type { AnyComponent, ComponentProps } from '../components/component.js';
import { allComponents } from '../components/all.js';
import { gateOf } from '../config/gate.js';
import { CLUSTER_POLICY_NAME } from '../config/kinds/policies.js';
import { buildResolved, type ClusterScope, inCluster, type InCluster } from '../model/cluster-scope.js';
import type { Config, Instance, PolicyOwner } from '../model/config.js';
import type { NicClusterPolicySpecInput, NicNodePolicySpecInput } from '../model/input.js';
import { folderScope } from './folder.js';
import type { ClusterPolicyComponents, NodePolicyComponents } from './policy-components.js';

// The components become properties of the policy when it is built.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type
export interface NicClusterPolicy extends ClusterPolicyComponents {}

/** The props of a `NicClusterPolicy`. */
export interface NicClusterPolicyProps extends InCluster {
  /**
   * The `spec` of the document.
   *
   * @default the policy has no section
   */
  readonly spec?: NicClusterPolicySpecInput;
}

// The components become properties of the policy when it is built.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type
export interface NicNodePolicy extends NodePolicyComponents {}

/** The props of a `NicNodePolicy`. */
export interface NicNodePolicyProps extends InCluster {
  /**
   * Name of the policy, which is part of the names of its objects.
   *
   * @default the id of the construct
   */
  readonly name?: string;
  /** The `spec` of the document. */
  readonly spec: NicNodePolicySpecInput;
}

/** A configuration, and the components of a policy that its construct builds. */
export interface PolicyBuild {
  readonly config: Config;
  readonly builds: (component: AnyComponent) => boolean;
}

/**
 * The components of the NicClusterPolicy, each as a construct under the key of its section: `policy.ofedDriver`. Components that
 * have constructs of their own belong to the same policy, and take its `global`, tolerations and affinity.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export class NicClusterPolicy extends Construct {
  /** @throws InvalidConfigError when the policy has an error, or when the cluster has another one. */
  constructor(scope: Construct, id: string, props: NicClusterPolicyProps) {
    super(scope, id);
    const { cluster, spec = {} } = inCluster(id, props);
    const isOwn = (owner: PolicyOwner) => owner.kind === 'NicClusterPolicy';
    const build = (built: PolicyBuild): void => void Object.assign(this, buildComponents(this, built, isOwn, cluster));
    const [documentKind, name] = ['NicClusterPolicy', CLUSTER_POLICY_NAME] as const;
    cluster.add({ kind: 'policy', construct: this, documentKind, name, values: spec, build });
  }
}

/** The components of one NicNodePolicy, each as a construct under the key of its section: `policy.ofedDriver`. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export class NicNodePolicy extends Construct {
  /** @throws InvalidConfigError when the policy has an error, or when the cluster has another one of this name. */
  constructor(scope: Construct, id: string, props: NicNodePolicyProps) {
    super(scope, id);
    const { cluster, name = id, spec } = inCluster(id, props);
    const isOwn = (owner: PolicyOwner) => owner.kind === 'NicNodePolicy' && owner.name === name;
    const build = (built: PolicyBuild): void => void Object.assign(this, buildComponents(this, built, isOwn, cluster));
    cluster.add({ kind: 'policy', construct: this, documentKind: 'NicNodePolicy', name, values: spec, build });
  }
}

/** The components of all NicNodePolicies of a configuration, built together because they share objects. */
export class NicNodePolicies extends Construct {
  constructor(scope: Construct, id: string, { config, cluster }: { readonly config: Config } & InCluster) {
    super(scope, id);
    buildComponents(this, { config, builds: () => true }, ({ kind }) => kind === 'NicNodePolicy', cluster);
  }
}

/** The input of a component's construct from a configuration: the instances of the component. */
export function componentProps(
  config: Config,
  component: AnyComponent,
  isWanted: (instance: Instance) => boolean,
): ComponentProps<unknown> {
  return {
    instances: (config.instances.get(component.id) ?? []).filter(isWanted),
    context: {
      cluster: config.cluster,
      configMaps: config.configMaps,
      gateOf: (instance) => gateOf(config, component, instance),
      crdNames: component.crds.map(({ crd }) => crd.metadata.name),
    },
  };
}

/** The constructs of the components, by the key of their section. */
export function buildComponents(
  scope: Construct,
  { config, builds }: PolicyBuild,
  isOwn: (owner: PolicyOwner) => boolean,
  cluster: ClusterScope,
): Readonly<Record<string, Construct>> {
  const made: Record<string, Construct> = {};
  for (const component of allComponents) {
    const props = componentProps(config, component, ({ owner }) => isOwn(owner));
    if (props.instances.length === 0 || !builds(component)) continue;
    const { id, construct, source } = component;
    const part = { kind: 'section', construct, props } as const;
    made[source.path.at(-1) ?? ''] = buildResolved(part, folderScope(scope, id), id, cluster);
  }
  return made;
}
