import { Construct } from 'constructs';
import type { AnyAddOn } from '../addons/add-on.js';
import { allAddOns } from '../addons/all.js';
import { addedObjects } from '../kubernetes/objects.js';
import type { KubernetesObject } from '../kubernetes/types.js';
import type { Config } from '../model/config.js';
import { folderScope } from './folder.js';

/** The add-ons of the Cluster document; `others` are the objects that they may have to serve. */
export class AddOns extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { config, others }: { readonly config: Config; readonly others: readonly KubernetesObject[] },
  ) {
    super(scope, id);
    const isLast = ({ servesAddOns = false }: AnyAddOn) => servesAddOns;
    for (const addOn of [...allAddOns.filter((one) => !isLast(one)), ...allAddOns.filter(isLast)]) {
      if (!config.addOns.has(addOn.id)) continue;
      // The add-on's own schema has made the section, which the configuration cannot say in types.
      const spec = config.addOns.get(addOn.id) as never;
      const ofAddOns = isLast(addOn) ? addedObjects(this) : [];
      addOn.build(folderScope(this, addOn.id), { spec, cluster: config.cluster, others: [...others, ...ofAddOns] });
    }
  }
}
