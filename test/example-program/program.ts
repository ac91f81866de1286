import { ApiObject, App, Chart } from 'cdk8s';
import { Cluster, MacvlanNetwork, NicNodePolicy, RdmaSharedDevicePlugin } from 'weft-gitops';

/**
 * A user's own cdk8s program: its App, its Charts with their own labels and namespace, Weft's constructs in these charts, and
 * an object of the user's. Its constructs have the same content as `documents`.
 */
export function program(): App {
  const app = new App();
  const drivers = new Chart(app, 'drivers', { labels: { team: 'platform' }, namespace: 'ignored-by-weft' });
  const cluster = new Cluster(drivers, 'east', {
    spec: {
      namespace: 'network',
      nodePools: [
        { name: 'gpu', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64', labels: { pool: 'gpu' } },
        { name: 'cpu', osName: 'ubuntu', osVersion: '22.04', arch: 'arm64', labels: { pool: 'cpu' } },
      ],
    },
  });
  const plugin = new RdmaSharedDevicePlugin(drivers, 'plugin', {
    cluster,
    image: 'k8s-rdma-shared-dev-plugin',
    repository: 'nvcr.io/nvidia/mellanox',
    version: 'v1',
    config: { configList: [{ resourceName: 'rdma_a', rdmaHcaMax: 63, selectors: { vendors: ['15b3'] } }] },
  });
  for (const [pool, version] of Object.entries({ gpu: '25.01-0.6.0.0-0', cpu: '24.10-0.7.0.0-0' })) {
    const ofedDriver = { image: 'doca-driver', repository: 'nvcr.io/nvidia/mellanox', version };
    new NicNodePolicy(drivers, pool, { cluster, spec: { nodeSelector: { pool }, ofedDriver } });
  }

  const networks = new Chart(app, 'networks', { namespace: 'apps' });
  new MacvlanNetwork(networks, 'rail', {
    cluster,
    networkNamespace: 'apps',
    master: 'ens1f0',
    ipam: { type: 'nv-ipam', poolName: 'rail' },
  });
  new ApiObject(networks, 'quota', {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'rdma' },
    spec: { hard: Object.fromEntries(plugin.resources.map(({ name }) => [`requests.${name}`, '8'])) },
  });
  return app;
}
