import { Construct } from 'constructs';
import { buildResolved, type ClusterScope } from '../model/cluster-scope.js';
import type { Config } from '../model/config.js';
import { networkKinds } from '../networks/all.js';
import { folderScope } from './folder.js';

/** All networks of a configuration, each as a NetworkAttachmentDefinition. */
export class Networks extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { config, cluster }: { readonly config: Config; readonly cluster: ClusterScope },
  ) {
    super(scope, id);
    for (const kind of networkKinds) {
      const networks = config.networks.filter((network) => network.kind === kind.kind);
      if (networks.length === 0) continue;
      const folder = folderScope(this, kind.id);
      for (const props of networks) {
        buildResolved(
          { kind: 'network', construct: kind.construct, props },
          folder,
          `${kind.kind}-${props.name}`,
          cluster,
        );
      }
    }
  }
}
