import { describe, expect, it } from '@jest/globals';
import { App, Chart, Cron, Testing } from 'cdk8s';
import { CronJob, DaemonSet, Deployment, Job, Pod, Service, StatefulSet } from 'cdk8s-plus-28';
import { Cluster, ContainerNetworkingPlugins, MacvlanNetwork, MultusCni, RdmaSharedDevicePlugin } from 'weft-gitops';
import { valueAt } from '../../src/shared/lib/json.js';

const POOL = { name: 'h100', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64' } as const;
const RDMA = { configList: [{ resourceName: 'rdma_a', rdmaHcaMax: 63, selectors: { vendors: ['15b3'] } }] };
const NETWORKS = 'k8s.v1.cni.cncf.io/networks';
const containers = [{ name: 'main', image: 'trainer:1' }];
const template = ['spec', 'template'];

function setUp() {
  const chart = new Chart(new App(), 'chart');
  const cluster = new Cluster(chart, 'east', { spec: { release: 'v26.4', nodePools: [POOL] } });
  new MultusCni(chart, 'multus', { cluster });
  new ContainerNetworkingPlugins(chart, 'cni', { cluster });
  const plugin = new RdmaSharedDevicePlugin(chart, 'plugin', { cluster, config: RDMA });
  const network = new MacvlanNetwork(chart, 'rail', { cluster, networkNamespace: 'apps' });
  return { chart, cluster, plugin, network };
}

/** The pods of the only object of a kind that the program itself created. */
function podsOf(chart: Chart, kind: string, path: readonly string[]): unknown {
  const objects = Testing.synth(chart) as readonly { readonly kind: string; readonly metadata: { name: string } }[];
  return valueAt(
    objects.find((one) => one.kind === kind && one.metadata.name === 'own'),
    path,
  );
}

const metadata = { name: 'own' };

describe('a workload of cdk8s-plus', () => {
  it.each([
    {
      kind: 'Deployment',
      path: template,
      make: (chart: Chart) => new Deployment(chart, 'own', { metadata, containers }),
    },
    {
      kind: 'StatefulSet',
      path: template,
      make: (chart: Chart) => {
        const service = new Service(chart, 'service', { ports: [{ port: 80 }] });
        return new StatefulSet(chart, 'own', { metadata, containers, service });
      },
    },
    {
      kind: 'DaemonSet',
      path: template,
      make: (chart: Chart) => new DaemonSet(chart, 'own', { metadata, containers }),
    },
    { kind: 'Job', path: template, make: (chart: Chart) => new Job(chart, 'own', { metadata, containers }) },
    {
      kind: 'CronJob',
      path: ['spec', 'jobTemplate', ...template],
      make: (chart: Chart) =>
        new CronJob(chart, 'own', { metadata, containers, schedule: Cron.schedule({ hour: '0', minute: '0' }) }),
    },
    { kind: 'Pod', path: [], make: (chart: Chart) => new Pod(chart, 'own', { metadata, containers }) },
  ])('$kind: has the network and the resource in its pods', ({ kind, path, make }) => {
    const { chart, network, plugin } = setUp();
    const workload = make(chart);
    network.attachTo(workload, { interface: 'rdma0' });
    plugin.resources[0]?.requestFrom(workload, { count: 2 });
    const pods = podsOf(chart, kind, path);
    expect(JSON.parse(String(valueAt(pods, ['metadata', 'annotations', NETWORKS])))).toEqual([
      { name: 'rail', namespace: 'apps', interface: 'rdma0' },
    ]);
    const amount = { 'rdma/rdma_a': '2' };
    expect(valueAt(pods, ['spec', 'containers', 0, 'resources'])).toMatchObject({ requests: amount, limits: amount });
  });

  it.each([
    {
      name: 'names',
      given: 'storage, other/backup@net7',
      first: [{ name: 'storage' }, { name: 'backup', namespace: 'other', interface: 'net7' }],
    },
    {
      name: 'JSON',
      given: '[{"name":"storage","ips":["10.0.0.7/24"]}]',
      first: [{ name: 'storage', ips: ['10.0.0.7/24'] }],
    },
  ])('keeps the networks that it has, as $name', ({ given, first }) => {
    const { chart, network } = setUp();
    const workload = new Deployment(chart, 'own', { metadata, containers });
    workload.podMetadata.addAnnotation(NETWORKS, given);
    network.attachTo(workload);
    const written = valueAt(podsOf(chart, 'Deployment', template), ['metadata', 'annotations', NETWORKS]);
    const networks = JSON.parse(String(written)) as readonly Readonly<Record<string, unknown>>[];
    expect(networks).toMatchObject([...first, { name: 'rail', namespace: 'apps' }]);
  });

  it('is refused where it has no pods', () => {
    const { chart, network } = setUp();
    const service = new Service(chart, 'own', { ports: [{ port: 80 }] });
    expect(() => network.attachTo(service)).toThrow('is a Service, which has no pods');
  });
});
