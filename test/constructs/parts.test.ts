import { describe, expect, it } from '@jest/globals';
import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { Deployment, Node, NodeLabelQuery } from 'cdk8s-plus-28';
import {
  Cluster,
  ContainerNetworkingPlugins,
  HostDeviceNetwork,
  type InputDocument,
  MacvlanNetwork,
  MultusCni,
  NicClusterPolicy,
  NicNodePolicy,
  OfedDriver,
  RdmaSharedDevicePlugin,
  SriovDevicePlugin,
  Whereabouts,
} from 'weft-gitops';
import { diagnosticsOf, identity, inOrder, type Manifest } from './results.js';
import { buildObjects } from '../../src/compile/synth.js';
import { resolveConfig } from '../kit/resolve-config.js';

const POOL = { name: 'h100', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64', kernel: '6.8.0-31-generic' } as const;
const SPEC = { release: 'v26.4', nodePools: [POOL] };
const RDMA = { configList: [{ resourceName: 'rdma_a', rdmaHcaMax: 63, selectors: { vendors: ['15b3'] } }] };

function newCluster(spec: object = {}) {
  const chart = new Chart(new App(), 'chart');
  return { chart, cluster: new Cluster(chart, 'east', { spec: { ...SPEC, ...spec } }) };
}

describe('constructs made one by one', () => {
  const meta = (kind: string, name: string) => ({ apiVersion: 'mellanox.com/v1alpha1', kind, metadata: { name } });
  const documents = [
    { apiVersion: 'weft.dev/v1alpha1', kind: 'Cluster', metadata: { name: 'east' }, spec: SPEC },
    {
      ...meta('NicClusterPolicy', 'nic-cluster-policy'),
      spec: {
        global: { imagePullSecrets: ['registry'] },
        ofedDriver: {},
        rdmaSharedDevicePlugin: { config: RDMA },
        secondaryNetwork: { multus: {}, cniPlugins: {} },
      },
    },
    { ...meta('MacvlanNetwork', 'rail'), spec: { master: 'ens1f0' } },
  ] as unknown as readonly InputDocument[];
  const expected = inOrder(buildObjects(resolveConfig(documents)).objects.map(({ object }) => object));

  it('give what `weft synth` makes of the same documents, whatever comes first', () => {
    const makers = [
      (chart: Chart, cluster: Cluster) => new RdmaSharedDevicePlugin(chart, 'plugin', { cluster, config: RDMA }),
      (chart: Chart, cluster: Cluster) => new OfedDriver(chart, 'driver', { cluster }),
      (chart: Chart, cluster: Cluster) => new MacvlanNetwork(chart, 'rail', { cluster, master: 'ens1f0' }),
      (chart: Chart, cluster: Cluster) => new MultusCni(chart, 'multus', { cluster }),
      (chart: Chart, cluster: Cluster) => new ContainerNetworkingPlugins(chart, 'cni-plugins', { cluster }),
      (chart: Chart, cluster: Cluster) =>
        new NicClusterPolicy(chart, 'policy', { cluster, spec: { global: { imagePullSecrets: ['registry'] } } }),
    ];
    for (const order of [makers, [...makers].reverse()]) {
      const { chart, cluster } = newCluster();
      for (const make of order) make(chart, cluster);
      expect(inOrder(Testing.synth(chart))).toEqual(expected);
    }
  });

  it('give the same when a Cluster gets the documents, alone and with a construct beside it', () => {
    const whole = new Chart(new App(), 'chart');
    new Cluster(whole, 'east', { documents });
    expect(inOrder(Testing.synth(whole))).toEqual(expected);
    const parted = new Chart(new App(), 'chart');
    const cluster = new Cluster(parted, 'east', { documents: documents.slice(0, 2) });
    new MacvlanNetwork(parted, 'rail', { cluster, master: 'ens1f0' });
    expect(inOrder(Testing.synth(parted))).toEqual(expected);
  });

  it('share objects of which a cluster has one', () => {
    const { chart, cluster } = newCluster({
      nodePools: [
        { ...POOL, labels: { pool: 'a' } },
        { ...POOL, name: 'b100', labels: { pool: 'b' } },
      ],
    });
    const [one, two] = ['a', 'b'].map(
      (pool) => new NicNodePolicy(chart, pool, { cluster, spec: { nodeSelector: { pool }, ofedDriver: {} } }),
    );
    expect(one?.ofedDriver?.objects.map(({ kind }) => kind)).toContain('ServiceAccount');
    expect(two?.ofedDriver?.objects.map(({ kind }) => kind)).toEqual(['DaemonSet']);
    const names = Testing.synth(chart).map((object) => identity(object as Manifest));
    expect(new Set(names).size).toBe(names.length);
  });

  it('say what they made', () => {
    const { chart, cluster } = newCluster();
    const driver = new OfedDriver(chart, 'driver', { cluster });
    expect(driver.daemonSets.map(({ name }) => name)).toEqual(['mofed-ubuntu24.04-d57dd4984-ds']);
    expect(driver.daemonSets[0]?.toJson().spec.template.spec.containers[0]?.name).toBe('mofed-container');
    expect(driver.pools.map(({ name, kernel }) => [name, kernel])).toEqual([['h100', '6.8.0-31-generic']]);
    const plugin = new RdmaSharedDevicePlugin(chart, 'plugin', { cluster, config: RDMA });
    expect(plugin.resources.map(({ name }) => name)).toEqual(['rdma/rdma_a']);
    expect(Object.keys(plugin.configMap?.toJson().data ?? {})).toEqual(['config.json']);
    const network = new MacvlanNetwork(chart, 'rail', { cluster, networkNamespace: 'apps' });
    expect(network.attachment.toJson().metadata).toMatchObject({ name: 'rail', namespace: 'apps' });
    const { policy } = new Cluster(new Chart(new App(), 'other'), 'east', { documents });
    expect(policy.ofedDriver?.daemonSets).toHaveLength(1);
    expect(policy.ibKubernetes).toBeUndefined();
  });

  it('keep labels and patches of a user, and can be depended on', () => {
    const { chart, cluster } = newCluster();
    const plugin = new RdmaSharedDevicePlugin(chart, 'plugin', { cluster, config: RDMA });
    const quota = new ApiObject(chart, 'quota', { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' } });
    const [daemonSet] = plugin.daemonSets;
    daemonSet?.metadata.addLabel('team', 'hpc');
    quota.node.addDependency(plugin);
    new OfedDriver(chart, 'driver', { cluster });
    const objects = Testing.synth(chart) as readonly (Manifest & { metadata: { labels?: object }; spec: unknown })[];
    const kinds = objects.map(identity);
    expect(kinds.indexOf('ResourceQuota  q')).toBeGreaterThan(
      kinds.indexOf('DaemonSet nvidia-network-operator rdma-shared-dp-ds'),
    );
    const written = objects.find(({ metadata }) => metadata.name === 'rdma-shared-dp-ds');
    expect(written?.metadata.labels).toMatchObject({ team: 'hpc' });
    // The plugin has the gate although the driver was created after it.
    expect(JSON.stringify(written?.spec)).toContain('/run/mellanox/drivers');
  });
});

describe('wrong props', () => {
  it('are an InvalidConfigError with all problems and the path of the construct', () => {
    const { chart, cluster } = newCluster();
    const props = { cluster, verison: '1', containerResources: 'x' } as never;
    const found = diagnosticsOf(() => new OfedDriver(chart, 'driver', props));
    expect(found.map(({ code, path, location }) => [code, path?.join('.'), location?.file])).toEqual([
      ['WEFT0142', 'spec.ofedDriver.containerResources', 'chart/driver'],
      ['WEFT0140', 'spec.ofedDriver.verison', 'chart/driver'],
    ]);
    expect(found[1]?.help).toContain('`version`');
  });

  it.each([
    { name: 'no props', props: undefined },
    { name: 'a misspelt key', props: { clutser: {} } },
  ])('without a cluster say so: $name', ({ props }) => {
    const { chart } = newCluster();
    for (const Made of [OfedDriver, MacvlanNetwork, NicClusterPolicy, NicNodePolicy, Whereabouts]) {
      expect(() => new Made(chart, Made.name, props as never)).toThrow(`\`${Made.name}\` needs \`cluster\``);
    }
  });

  const wrong: readonly {
    name: string;
    code: string;
    file: string;
    make: (chart: Chart, cluster: Cluster) => unknown;
  }[] = [
    {
      name: 'network',
      code: 'WEFT0143',
      file: 'chart/rail',
      make: (chart, cluster) => new MacvlanNetwork(chart, 'rail', { cluster, mode: 'bridged' as never }),
    },
    {
      name: 'policy',
      code: 'WEFT0140',
      file: 'chart/policy',
      make: (chart, cluster) => new NicClusterPolicy(chart, 'policy', { cluster, spec: { ofedDrivr: {} } as never }),
    },
    {
      name: 'name of a policy',
      code: 'WEFT0143',
      file: 'chart/Gpu',
      make: (chart, cluster) => new NicNodePolicy(chart, 'Gpu', { cluster, spec: {} }),
    },
    {
      name: 'second section',
      code: 'WEFT0520',
      file: 'chart/driver',
      make(chart, cluster) {
        new NicClusterPolicy(chart, 'policy', { cluster, spec: { ofedDriver: {} } });
        new OfedDriver(chart, 'driver', { cluster });
      },
    },
    {
      name: 'second policy',
      code: 'WEFT0520',
      file: 'chart/two',
      make(chart, cluster) {
        new NicClusterPolicy(chart, 'one', { cluster });
        new NicClusterPolicy(chart, 'two', { cluster });
      },
    },
    {
      name: 'second network of one name',
      code: 'WEFT0102',
      file: 'chart/two',
      make(chart, cluster) {
        new MacvlanNetwork(chart, 'one', { cluster, name: 'rail' });
        new MacvlanNetwork(chart, 'two', { cluster, name: 'rail' });
      },
    },
    {
      name: 'cluster',
      code: 'WEFT0240',
      file: 'chart/west',
      make: (chart) => new Cluster(chart, 'west', { spec: { release: 'v1', nodePools: [] } }),
    },
  ];
  it.each(wrong)('of a $name', ({ code, file, make }) => {
    const { chart, cluster } = newCluster();
    const found = diagnosticsOf(() => make(chart, cluster));
    expect(found.map((one) => [one.code, one.location?.file])).toEqual([[code, file]]);
  });
});

describe('validation', () => {
  it('has the rules over all documents, each at its construct', () => {
    const labels = { pool: 'a' };
    const { chart, cluster } = newCluster({
      nodePools: [
        { ...POOL, labels },
        { ...POOL, name: 'bare', arch: 'arm64' },
      ],
    });
    new NicNodePolicy(chart, 'a', { cluster, spec: { nodeSelector: labels, ofedDriver: {} } });
    expect(cluster.diagnostics).toEqual([]);
    new RdmaSharedDevicePlugin(chart, 'plugin', { cluster, config: RDMA });
    expect(() => void Testing.synth(chart)).toThrow(/\[chart\/plugin\] error\[WEFT0235\]: .*\(help: /);
  });

  it('finds policies that put a driver on the same nodes, and refuses neither of them before', () => {
    const labels = { pool: 'a' };
    const { chart, cluster } = newCluster({ nodePools: [{ ...POOL, labels }] });
    for (const id of ['a', 'b'])
      new NicNodePolicy(chart, id, { cluster, spec: { nodeSelector: labels, ofedDriver: {} } });
    expect(() => void Testing.synth(chart)).toThrow(/\[chart\/b\] error/);
  });

  it('applies the patches of the cluster to all constructs', () => {
    const patch = { metadata: { annotations: { team: 'hpc' } } };
    const { chart, cluster } = newCluster({ patches: [{ target: { kind: 'DaemonSet' }, patch }] });
    const driver = new OfedDriver(chart, 'driver', { cluster });
    Testing.synth(chart);
    expect(driver.daemonSets[0]?.toJson().metadata.annotations).toMatchObject({ team: 'hpc' });
    const other = newCluster({ patches: [{ target: { kind: 'DaemonSet' }, patch }] });
    expect(() => void Testing.synth(other.chart)).toThrow(
      '[chart/east] error[WEFT0244]: `spec.patches[0]` matches no object',
    );
  });

  it('applies the mirrors and pull secrets of the cluster to all constructs', () => {
    const mirrors = [{ from: 'nvcr.io', to: 'harbor.corp' }];
    const { chart, cluster } = newCluster({ mirrors, pullSecrets: { 'harbor.corp': ['harbor'] } });
    const driver = new OfedDriver(chart, 'driver', { cluster });
    Testing.synth(chart);
    const { template } = driver.daemonSets[0]?.toJson()['spec'] as { readonly template: { readonly spec: object } };
    expect(template.spec).toMatchObject({
      imagePullSecrets: [{ name: 'harbor' }],
      containers: [{ image: expect.stringMatching(/^harbor\.corp\/nvidia\//) as unknown }],
    });
  });

  it('finds a document that takes the place of what a construct makes', () => {
    const chart = new Chart(new App(), 'chart');
    const metadata = { name: 'rdma-devices', namespace: 'nvidia-network-operator' };
    const documents: readonly InputDocument[] = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } }];
    const cluster = new Cluster(chart, 'east', { spec: SPEC, documents });
    new RdmaSharedDevicePlugin(chart, 'plugin', { cluster, config: RDMA });
    expect(() => void Testing.synth(chart)).toThrow('[chart/east] error[WEFT0243]');
  });

  it('comes last', () => {
    const { chart, cluster } = newCluster();
    Testing.synth(chart);
    expect(() => new OfedDriver(chart, 'driver', { cluster })).toThrow('chart/east was validated already');
  });
});

describe('workloads', () => {
  const containers = [{ image: 'trainer', name: 'main' }];

  it('of another namespace than an isolated network are an error', () => {
    const { chart, cluster } = newCluster();
    new MultusCni(chart, 'multus', { cluster, config: { clusterNetwork: 'default', namespaceIsolation: true } });
    const network = new MacvlanNetwork(chart, 'rail', { cluster, networkNamespace: 'apps' });
    network.attachTo(new Deployment(chart, 'job', { containers, metadata: { name: 'job', namespace: 'other' } }));
    expect(() => void Testing.synth(chart)).toThrow('[chart/job/Resource] error[WEFT0525]');
  });

  it('ask for the resource of their network', () => {
    const { chart, cluster } = newCluster();
    const config = {
      resourceList: [{ resourceName: 'vf', resourcePrefix: 'nvidia.com', selectors: { vendors: ['15b3'] } }],
    };
    const plugin = new SriovDevicePlugin(chart, 'plugin', { cluster, config });
    const network = new HostDeviceNetwork(chart, 'net', { cluster, resourceName: 'vf' });
    const job = new Deployment(chart, 'job', { containers });
    network.attachTo(job);
    expect(cluster.diagnostics.map(({ code }) => code)).toContain('WEFT0524');
    plugin.resources[0]?.requestFrom(job);
    expect(cluster.diagnostics.map(({ code }) => code)).not.toContain('WEFT0524');
  });

  it.each<{ readonly name: string; readonly code: string; readonly use: (parts: Parts) => void }>([
    {
      name: 'name a container that is there',
      code: 'WEFT0521',
      use: ({ plugin, job }) => plugin.resources[0]?.requestFrom(job, { container: 'mian' }),
    },
    {
      name: 'are in the cluster of their network',
      code: 'WEFT0522',
      use: ({ chart, plugin, job }) => {
        const west = new Cluster(chart, 'west', { spec: { nodePools: [] } });
        new MacvlanNetwork(chart, 'rail', { cluster: west }).attachTo(job);
        plugin.resources[0]?.requestFrom(job);
      },
    },
    {
      name: 'select nodes that have their resource',
      code: 'WEFT0523',
      use: ({ plugin, job }) => {
        job.scheduling.attract(Node.labeled(NodeLabelQuery.is('pool', 'cpu')));
        plugin.resources[0]?.requestFrom(job);
      },
    },
    {
      name: 'have addresses that are such',
      code: 'WEFT0526',
      use: ({ chart, cluster, job }) =>
        new MacvlanNetwork(chart, 'rail', { cluster }).attachTo(job, { mac: '00-11-22-33-44-55' }),
    },
  ])('$name', ({ code, use }) => {
    const { chart, cluster } = newCluster({ nodePools: [{ ...POOL, labels: { pool: 'gpu' } }] });
    const plugin = new RdmaSharedDevicePlugin(chart, 'plugin', { cluster, config: RDMA });
    const job = new Deployment(chart, 'job', { containers });
    use({ chart, cluster, plugin, job });
    expect(() => void Testing.synth(chart)).toThrow(`error[${code}]`);
  });
});

interface Parts {
  readonly chart: Chart;
  readonly cluster: Cluster;
  readonly plugin: RdmaSharedDevicePlugin;
  readonly job: Deployment;
}

describe('the table of coverage', () => {
  it('says what each pool gets, also of parts that were just added', () => {
    const taints = [{ key: 'dedicated', effect: 'NoSchedule' }];
    const nodePools = [POOL, { ...POOL, name: 'gb200', osVersion: '22.04', taints }];
    const { chart, cluster } = newCluster({ nodePools });
    expect(cluster.coverage).toEqual([]);
    new MultusCni(chart, 'multus', { cluster });
    const absence = {
      kind: 'taint',
      message: 'NicClusterPolicy `nic-cluster-policy` does not tolerate `dedicated:NoSchedule`',
    };
    const program = { kernel: POOL.kernel, component: 'multus-cni', program: 'multus-cni' };
    expect(cluster.coverage).toEqual([
      {
        ...{ pool: 'h100', ...program },
        daemonSets: ['nvidia-network-operator/kube-multus-ds'],
        policies: ['NicClusterPolicy nic-cluster-policy'],
      },
      { pool: 'gb200', ...program, daemonSets: [], policies: [], absence },
    ]);
  });
});
