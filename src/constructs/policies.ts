import { Construct } from 'constructs';
import type { Component, ComponentProps } from '../components/component.js';
import { allComponents } from '../components/all.js';
import type { Config, Instance, PolicyOwner } from '../model/config.js';
import { gateOf } from '../config/gate.js';
import { folderScope } from './folder.js';

/** What a construct of a whole policy is made from. */
export interface PolicyProps {
  /** The configuration that `resolveConfig` makes of the documents. */
  readonly config: Config;
}

/** The components of the NicClusterPolicy. Adds nothing where the configuration has none. */
export class NicClusterPolicy extends Construct {
  constructor(scope: Construct, id: string, { config }: PolicyProps) {
    super(scope, id);
    buildComponents(this, config, 'NicClusterPolicy');
  }
}

/** The components of all NicNodePolicies: together, because they share objects of which a cluster has one. */
export class NicNodePolicies extends Construct {
  constructor(scope: Construct, id: string, { config }: PolicyProps) {
    super(scope, id);
    buildComponents(this, config, 'NicNodePolicy');
  }
}

/**
 * What the construct of one component needs of a configuration: the instances that policies make of it.
 *
 * @example
 * new OfedDriver(chart, 'driver', componentProps(config, ofedDriver));
 */
export function componentProps<Spec>(
  config: Config,
  component: Pick<Component<Spec>, 'id' | 'gated'>,
  isWanted: (instance: Instance) => boolean = () => true,
): ComponentProps<Spec> {
  return {
    // The component's own schema has made each spec, which the configuration cannot say in types.
    instances: (config.instances.get(component.id) ?? []).filter(isWanted) as readonly Instance<Spec>[],
    context: {
      cluster: config.cluster,
      configMaps: config.configMaps,
      gateOf: (instance) => gateOf(config, component, instance),
    },
  };
}

function buildComponents(scope: Construct, config: Config, kind: PolicyOwner['kind']): void {
  for (const component of allComponents) {
    const props = componentProps<never>(config, component, ({ owner }) => owner.kind === kind);
    if (props.instances.length > 0) component.build(folderScope(scope, component.id), props);
  }
}
