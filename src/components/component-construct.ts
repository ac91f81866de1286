import { Construct } from 'constructs';
import type { ClusterScope, InCluster } from '../model/cluster-scope.js';
import type { NodePool } from '../model/config.js';
import { type MadeObject, madeObjects } from '../kubernetes/made-objects.js';
import type { ConfigMapObject, DaemonSetObject, DeploymentObject } from '../kubernetes/types.js';
import type { ComponentProps } from './component.js';

/**
 * A component with its objects. In a program of a user's own it belongs to the NicClusterPolicy of its cluster, which need not
 * have a construct.
 */
export abstract class ComponentConstruct extends Construct {
  /** @internal */
  private readonly resolvedProps: ComponentProps<unknown>;
  /** @internal */
  protected readonly cluster: ClusterScope;

  /** @throws InvalidConfigError when the section has an error, or when the policy has it already. */
  constructor(scope: Construct, id: string, componentId: string, props: InCluster) {
    super(scope, id);
    const { cluster, ...values } = props;
    this.cluster = cluster;
    let resolvedProps: ComponentProps<unknown> | undefined;
    const build = (given: ComponentProps<unknown>): void => {
      resolvedProps = given;
      this.build(given as ComponentProps<never>);
    };
    cluster.add({ kind: 'section', construct: this, componentId, values, build });
    if (!resolvedProps) throw new Error(`the cluster did not build ${componentId}`);
    this.resolvedProps = resolvedProps;
  }

  /** All objects, in the order in which they were added. */
  get objects(): readonly MadeObject[] {
    return madeObjects(this);
  }

  /** Its DaemonSets. */
  get daemonSets(): readonly MadeObject<DaemonSetObject>[] {
    return madeObjects<DaemonSetObject>(this, 'DaemonSet');
  }

  /** Its Deployments. */
  get deployments(): readonly MadeObject<DeploymentObject>[] {
    return madeObjects<DeploymentObject>(this, 'Deployment');
  }

  /** Its ConfigMaps. */
  get configMaps(): readonly MadeObject<ConfigMapObject>[] {
    return madeObjects<ConfigMapObject>(this, 'ConfigMap');
  }

  /** The node pools that it is for: those that the policy selects and whose taints it tolerates. */
  get pools(): readonly NodePool[] {
    return [...new Set(this.resolvedProps.instances.flatMap(({ pools }) => pools))];
  }

  /**
   * The sections of the policies, with defaults and images filled in.
   *
   * @internal
   */
  protected get specs(): readonly unknown[] {
    return this.resolvedProps.instances.map(({ spec }) => spec);
  }

  /**
   * Adds the objects: shared ones once, then instance by instance.
   *
   * @internal
   */
  protected abstract build(props: ComponentProps<never>): void;
}

/** Makes a component from instances of a configuration: the props of its construct. */
export function resolved(props: ComponentProps<unknown>, cluster?: ClusterScope): never {
  const scope: ClusterScope = {
    add: (part) => {
      if (part.kind === 'section') part.build(props as never);
      else cluster?.add(part);
    },
  };
  return { cluster: scope } as never;
}
