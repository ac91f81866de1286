import { Construct } from 'constructs';
import { allComponents } from '../components/registry.js';
import type { Config, Instance, PolicyOwner } from '../config/config.js';
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

function buildComponents(scope: Construct, config: Config, kind: PolicyOwner['kind']): void {
  for (const component of allComponents) {
    // The component's own schema has made each spec, which the registry cannot say in types.
    const all = (config.instances.get(component.id) ?? []) as readonly Instance<never>[];
    const instances = all.filter(({ owner }) => owner.kind === kind);
    if (instances.length === 0) continue;
    component.build(folderScope(scope, component.id), {
      instances,
      context: {
        cluster: config.cluster,
        configMaps: config.configMaps,
        gateOf: (instance) => gateOf(config, component, instance),
      },
    });
  }
}
