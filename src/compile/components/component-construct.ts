import type { Construct } from 'constructs';
import { inCluster, type InCluster } from '../model/cluster-scope.js';
import type { NodePool } from '../model/config.js';
import { InstalledConstruct } from '../model/installed-construct.js';
import type { ComponentProps } from './component.js';

/**
 * A component with its objects. In a user's program it belongs to the NicClusterPolicy of its cluster, which does not
 * need a construct.
 */
export abstract class ComponentConstruct extends InstalledConstruct {
  /** @internal */
  private readonly resolvedProps: ComponentProps<unknown>;

  /** @throws InvalidConfigError when the section has an error, or when the policy already has it. */
  constructor(scope: Construct, id: string, componentId: string, props: InCluster) {
    const { cluster, ...values } = inCluster(id, props);
    super(scope, id, cluster);
    let resolvedProps: ComponentProps<unknown> | undefined;
    const build = (given: ComponentProps<unknown>): void => {
      resolvedProps = given;
      this.build(given);
    };
    cluster.add({ kind: 'section', construct: this, componentId, values, build });
    if (!resolvedProps) throw new Error(`the cluster did not build ${componentId}`);
    this.resolvedProps = resolvedProps;
  }

  /** The node pools on which it runs: those that the policy selects and whose taints it tolerates. */
  get pools(): readonly NodePool[] {
    return [...new Set(this.resolvedProps.instances.flatMap(({ pools }) => pools))];
  }

  /** @internal */
  protected override get crdNames(): readonly string[] {
    return this.resolvedProps.context.crdNames;
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
  protected abstract build(props: ComponentProps<unknown>): void;
}
