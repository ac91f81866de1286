import { ApiObject, App, Chart } from 'cdk8s';
import {
  AddOns,
  MacvlanNetwork,
  NicClusterPolicy,
  NicNodePolicies,
  OperatorNamespace,
  resolveConfig,
  type InputDocument,
} from 'weft-gitops';

type MacvlanNetworkProps = ConstructorParameters<typeof MacvlanNetwork>[2];

/**
 * A user's own cdk8s program: its App, its Charts with their own labels and namespace, Weft's constructs in these charts, and
 * an object of the user's beside them.
 */
export function program(documents: readonly InputDocument[]): App {
  const config = resolveConfig(documents);
  const app = new App();

  const drivers = new Chart(app, 'drivers', { labels: { team: 'platform' }, namespace: 'ignored-by-weft' });
  new OperatorNamespace(drivers, 'namespace', { name: config.cluster.namespace });
  new NicClusterPolicy(drivers, 'cluster-policy', { config });
  new NicNodePolicies(drivers, 'node-policies', { config });

  const networks = new Chart(app, 'networks', { namespace: 'apps' });
  for (const network of config.networks) {
    // Each kind of network has its construct; the schema has checked the spec.
    new MacvlanNetwork(networks, network.name, { network } as MacvlanNetworkProps);
  }
  // The rule that labels the nodes on which the drivers run.
  const nodes = new Chart(app, 'nodes', { labels: { team: 'platform' } });
  new AddOns(nodes, 'add-ons', { config, others: drivers.toJson() });
  new ApiObject(networks, 'quota', {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'rdma' },
    spec: { hard: { 'requests.rdma/rdma_a': '8' } },
  });
  return app;
}
