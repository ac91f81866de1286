import { Construct } from 'constructs';
import type { NetworkInstance } from '../model/config.js';
import { networkKinds } from '../networks/all.js';
import { folderScope } from './folder.js';
import type { PolicyProps } from './policies.js';

/** All networks of a configuration, each as a NetworkAttachmentDefinition. */
export class Networks extends Construct {
  constructor(scope: Construct, id: string, { config }: PolicyProps) {
    super(scope, id);
    for (const kind of networkKinds) {
      const networks = config.networks.filter((network) => network.kind === kind.kind);
      if (networks.length === 0) continue;
      const folder = folderScope(this, kind.id);
      for (const network of networks) kind.build(folder, network as NetworkInstance<never>);
    }
  }
}
