import type { Construct } from 'constructs';
import { inCluster, type InCluster } from '../model/cluster-scope.js';
import { InstalledConstruct } from '../model/installed-construct.js';
import type { AddOnProps } from './add-on.js';

/** Props of every add-on, in addition to the fields of its section. */
export interface DeployedInCluster extends InCluster {
  /**
   * Whether the add-on is rendered.
   *
   * @default true
   */
  readonly deploy?: boolean | undefined;
}

/** An add-on with its objects. It replaces its section in the `spec` of the `Cluster`. */
export abstract class AddOnConstruct extends InstalledConstruct {
  /** @internal */
  private readonly resolvedProps: AddOnProps<unknown>;

  /** @throws InvalidConfigError when the section has an error, or when the cluster already has it. */
  constructor(scope: Construct, id: string, addOnId: string, props: DeployedInCluster) {
    const { cluster, deploy = true, ...others } = inCluster(id, props);
    super(scope, id, cluster);
    let resolvedProps: AddOnProps<unknown> | undefined;
    const build = (given: AddOnProps<unknown>): void => {
      resolvedProps = given;
      this.build(given);
    };
    cluster.add({ kind: 'add-on', construct: this, addOnId, values: { deploy, ...others }, build });
    if (!resolvedProps) throw new Error(`the cluster did not build ${addOnId}`);
    this.resolvedProps = resolvedProps;
  }

  /** @internal */
  protected override get crdNames(): readonly string[] {
    return this.resolvedProps.crdNames;
  }

  /**
   * Adds the objects; none if it is not deployed.
   *
   * @internal
   */
  protected abstract build(props: AddOnProps<unknown>): void;
}
