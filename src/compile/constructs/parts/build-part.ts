import { removeObjects } from '../../../shared/kubernetes/objects.js';
import { valueAt } from '../../../shared/lib/json.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import type { PolicyPart } from '../../model/cluster-scope.js';
import type { Config } from '../../model/config.js';
import { networkKinds } from '../../networks/all.js';
import { addOnProps } from '../add-ons.js';
import { setFolder } from '../folder.js';
import type { DocumentPart } from './parts.js';
import { componentProps, type PolicyBuild } from '../policies.js';
import { addOnOf, componentOf } from './sections.js';

/**
 * Builds the objects of a part.
 *
 * @param others identities of the objects of constructs that already belong to the cluster
 * @param served the objects that an add-on may have to serve
 */
export function buildPart(
  part: DocumentPart,
  config: Config,
  others: ReadonlySet<string>,
  served: () => readonly KubernetesObject[],
): void {
  const { construct } = part;
  switch (part.kind) {
    case 'section': {
      const component = componentOf(part);
      setFolder(construct, component.id);
      part.build(componentProps(config, component, ({ owner }) => owner.kind === 'NicClusterPolicy'));
      return;
    }
    case 'add-on': {
      const addOn = addOnOf(part);
      setFolder(construct, addOn.id);
      part.build(addOnProps(config, addOn, served()));
      return;
    }
    case 'network': {
      const { id } = networkKinds.find(({ kind }) => kind === part.documentKind) ?? { id: part.documentKind };
      setFolder(construct, id);
      const isMeant = (network: Config['networks'][number]) =>
        network.kind === part.documentKind && network.name === part.name;
      part.build(config.networks.find(isMeant));
      return;
    }
    case 'policy':
      part.build({ config, builds: hasSection(part) } satisfies PolicyBuild);
      // Policies share some objects. Those stay with the first policy that created them.
      if (part.documentKind === 'NicNodePolicy') removeObjects(construct, others);
  }
}

function hasSection({ values }: PolicyPart): PolicyBuild['builds'] {
  return ({ source }) => valueAt(values, source.path) !== undefined;
}
