import { Construct } from 'constructs';
import type { NetworkInstance } from '../config/config.js';
import { KEEP_ANNOTATIONS } from '../contract/labels.js';
import type { KubernetesObject } from '../lib/kubernetes.js';
import { addObject } from '../lib/objects.js';
import { networkKinds } from '../networks/registry.js';
import { folderScope } from './folder.js';
import { NicClusterPolicy, NicNodePolicies, type PolicyProps } from './policies.js';

/** Everything that a cluster's documents become: what `weft synth` writes for one folder of `clusters/`. */
export class Cluster extends Construct {
  constructor(scope: Construct, id: string, { config }: PolicyProps) {
    super(scope, id);
    new OperatorNamespace(folderScope(this, 'namespace'), 'namespace', { name: config.cluster.namespace });
    new NicClusterPolicy(this, 'nic-cluster-policy', { config });
    new NicNodePolicies(this, 'nic-node-policies', { config });
    for (const kind of networkKinds) {
      const networks = config.networks.filter((network) => network.kind === kind.kind);
      const folder = networks.length > 0 ? folderScope(this, kind.id) : this;
      for (const network of networks) kind.build(folder, network as NetworkInstance<never>);
    }
    for (const { folder, object } of config.passthrough) {
      const group = this.node.tryFindChild(folder) as Construct | undefined;
      addObject(group ?? folderScope(this, folder), object as KubernetesObject);
    }
  }
}

/**
 * The namespace of the drivers. Its pods are privileged, which clusters that enforce pod security refuse elsewhere, and
 * deleting it would take every driver away.
 */
export class OperatorNamespace extends Construct {
  constructor(scope: Construct, id: string, { name }: { readonly name: string }) {
    super(scope, id);
    const level = 'privileged';
    addObject(this, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name,
        annotations: KEEP_ANNOTATIONS,
        labels: {
          'pod-security.kubernetes.io/audit': level,
          'pod-security.kubernetes.io/enforce': level,
          'pod-security.kubernetes.io/warn': level,
        },
      },
    });
  }
}
