import { App, Chart } from 'cdk8s';
import { Cpu, Job, Node, NodeLabelQuery } from 'cdk8s-plus-28';
import {
  Cluster,
  ContainerNetworkingPlugins,
  type IPPoolDocument,
  MacvlanNetwork,
  MultusCni,
  NvIpamCni,
  OfedDriver,
  RdmaSharedDevicePlugin,
} from 'weft-gitops';

const POOL: IPPoolDocument = {
  apiVersion: 'nv-ipam.nvidia.com/v1alpha1',
  kind: 'IPPool',
  metadata: { name: 'training' },
  spec: { subnet: '192.168.0.0/16', perNodeBlockSize: 100, gateway: '192.168.0.1' },
};

/** A training Job over two RDMA networks, whose addresses come from an IP pool of its own. */
export function trainingJob(): App {
  const app = new App();
  const chart = new Chart(app, 'training');
  const cluster = new Cluster(chart, 'east', {
    spec: {
      release: 'v26.4',
      nodePools: [{ name: 'h100', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64', labels: { pool: 'h100' } }],
    },
    documents: [POOL],
  });
  new OfedDriver(chart, 'driver', { cluster });
  new MultusCni(chart, 'multus', { cluster });
  new ContainerNetworkingPlugins(chart, 'cni-plugins', { cluster });
  new NvIpamCni(chart, 'ipam', { cluster });
  const rails = ['ens1f0', 'ens2f0'];
  const plugin = new RdmaSharedDevicePlugin(chart, 'plugin', {
    cluster,
    config: {
      configList: rails.map((name, rail) => ({
        resourceName: `rail_${rail}`,
        rdmaHcaMax: 63,
        selectors: { ifNames: [name] },
      })),
    },
  });

  const namespace = 'training';
  const job = new Job(chart, 'job', {
    metadata: { name: 'train', namespace },
    containers: [
      { name: 'trainer', image: 'registry.example.com/trainer:1', resources: { cpu: { request: Cpu.units(8) } } },
    ],
  });
  job.scheduling.attract(Node.labeled(NodeLabelQuery.is('pool', 'h100')));
  for (const [rail, master] of rails.entries()) {
    const network = new MacvlanNetwork(chart, `rail-${rail}`, {
      cluster,
      networkNamespace: namespace,
      master,
      mtu: 9000,
      ipam: { type: 'nv-ipam', poolName: POOL.metadata.name },
    });
    network.attachTo(job, { interface: `rdma${rail}` });
    plugin.resources[rail]?.requestFrom(job, { container: 'trainer' });
  }
  return app;
}
