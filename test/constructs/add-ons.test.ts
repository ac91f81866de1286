import { describe, expect, it } from '@jest/globals';
import { ApiObject, App, Chart, Testing } from 'cdk8s';
import {
  Cluster,
  type ClusterSpecInput,
  type InputDocument,
  MaintenanceOperator,
  NicClusterPolicy,
  NodeFeatureDiscovery,
  OfedDriver,
  SriovNetworkOperator,
  Whereabouts,
} from 'weft-gitops';
import { diagnosticsOf, inOrder, type Manifest } from './results.js';
import { buildObjects } from '../../src/compile/synth.js';
import { resolveConfig } from '../kit/resolve-config.js';

const POOL = { name: 'h100', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64' } as const;
const SPEC: ClusterSpecInput = { release: 'v26.4', nodePools: [POOL] };

function newCluster(spec: Partial<ClusterSpecInput> = {}) {
  const chart = new Chart(new App(), 'chart');
  return { chart, cluster: new Cluster(chart, 'east', { spec: { ...SPEC, ...spec } }) };
}

describe('add-ons made one by one', () => {
  const sections = {
    nodeFeatureDiscovery: { deploy: true, namespaceOverride: 'nfd' },
    sriovNetworkOperator: { deploy: true, sriovOperatorConfig: { deploy: true, logLevel: 1 } },
    maintenanceOperator: { deploy: true },
    whereabouts: { deploy: true, reconciler: { schedule: '0 1 * * *' } },
  };
  const documents = [
    { apiVersion: 'weft.dev/v1alpha1', kind: 'Cluster', metadata: { name: 'east' }, spec: { ...SPEC, ...sections } },
    {
      apiVersion: 'mellanox.com/v1alpha1',
      kind: 'NicClusterPolicy',
      metadata: { name: 'nic-cluster-policy' },
      spec: { global: { repository: 'mirror.example/nvidia' }, ofedDriver: {} },
    },
  ] as unknown as readonly InputDocument[];
  const expected = inOrder(buildObjects(resolveConfig(documents)).objects.map(({ object }) => object));

  const { nodeFeatureDiscovery, sriovNetworkOperator, whereabouts } = sections;
  const makers = [
    (chart: Chart, cluster: Cluster) => new NodeFeatureDiscovery(chart, 'nfd', { cluster, ...nodeFeatureDiscovery }),
    (chart: Chart, cluster: Cluster) => new SriovNetworkOperator(chart, 'sriov', { cluster, ...sriovNetworkOperator }),
    (chart: Chart, cluster: Cluster) => new MaintenanceOperator(chart, 'maintenance', { cluster }),
    (chart: Chart, cluster: Cluster) => new Whereabouts(chart, 'wb', { cluster, reconciler: whereabouts.reconciler }),
    (chart: Chart, cluster: Cluster) => new OfedDriver(chart, 'driver', { cluster }),
    (chart: Chart, cluster: Cluster) =>
      new NicClusterPolicy(chart, 'policy', { cluster, spec: { global: { repository: 'mirror.example/nvidia' } } }),
  ];

  it.each([
    { order: 'add-ons first', made: makers },
    { order: 'add-ons last', made: [...makers].reverse() },
  ])('give what `weft synth` makes of the same documents: $order', ({ made }) => {
    const { chart, cluster } = newCluster();
    for (const make of made) make(chart, cluster);
    expect(inOrder(Testing.synth(chart))).toEqual(expected);
  });

  it('give the same as sections of the cluster', () => {
    const { chart, cluster } = newCluster(sections);
    for (const make of makers.slice(4)) make(chart, cluster);
    expect(inOrder(Testing.synth(chart))).toEqual(expected);
  });

  it('are in the chart where a program makes them', () => {
    const app = new App();
    const cluster = new Cluster(new Chart(app, 'network'), 'east', { spec: SPEC });
    const own = new Chart(app, 'ipam');
    const { daemonSets } = new Whereabouts(own, 'wb', { cluster });
    const kinds = (Testing.synth(own) as readonly Manifest[]).map(({ kind }) => kind);
    expect(kinds).toContain('DaemonSet');
    expect(daemonSets.map(({ name }) => name)).toEqual(['whereabouts']);
  });
});

describe('what add-ons made', () => {
  it('is there, by kind', () => {
    const { chart, cluster } = newCluster();
    const whereabouts = new Whereabouts(chart, 'wb', { cluster });
    expect(whereabouts.deployments.map(({ name }) => name)).toEqual(['whereabouts-reconciler']);
    expect(whereabouts.configMaps.map(({ name }) => name)).toEqual(['whereabouts-config']);
    expect(whereabouts.crds.map(({ name }) => name)).toEqual([
      'ippools.whereabouts.cni.cncf.io',
      'network-attachment-definitions.k8s.cni.cncf.io',
      'nodeslicepools.whereabouts.cni.cncf.io',
      'overlappingrangeipreservations.whereabouts.cni.cncf.io',
    ]);
    const sriov = new SriovNetworkOperator(chart, 'sriov', { cluster });
    expect(sriov.config?.toJson()).toMatchObject({ kind: 'SriovOperatorConfig', metadata: { name: 'default' } });
    expect(sriov.crds.map(({ name }) => name)).toContain('sriovnetworks.sriovnetwork.openshift.io');
    const maintenance = new MaintenanceOperator(chart, 'maintenance', { cluster });
    expect(maintenance.config?.kind ?? '').toBe('');
    expect(maintenance.crds).toHaveLength(2);
  });

  it('is there for sections of the cluster, too', () => {
    const { cluster } = newCluster({ whereabouts: { deploy: true } });
    expect(cluster.addOns.whereabouts?.daemonSets.map(({ name }) => name)).toEqual(['whereabouts']);
    expect(cluster.addOns.sriovNetworkOperator).toBeUndefined();
  });

  it('grows with what other constructs need', () => {
    const { chart, cluster } = newCluster();
    const discovery = new NodeFeatureDiscovery(chart, 'nfd', { cluster });
    expect(discovery.rule).toBeUndefined();
    new OfedDriver(chart, 'driver', { cluster });
    Testing.synth(chart);
    expect(discovery.rule?.name).toBe('nvidia-nics-rules');
  });

  it('keeps labels of a user, and can be depended on', () => {
    const { chart, cluster } = newCluster();
    const quota = new ApiObject(chart, 'quota', { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' } });
    const whereabouts = new Whereabouts(chart, 'wb', { cluster });
    whereabouts.daemonSets[0]?.metadata.addLabel('team', 'hpc');
    quota.addDependency(whereabouts, ...whereabouts.crds);
    const objects = Testing.synth(chart) as readonly (Manifest & { metadata: { labels?: object } })[];
    const last = objects.findIndex(({ kind }) => kind === 'ResourceQuota');
    const isBefore = ({ kind }: Manifest) => ['CustomResourceDefinition', 'DaemonSet'].includes(kind);
    expect(objects.slice(0, last).filter(isBefore)).toHaveLength(5);
    expect(objects.find(({ kind }) => kind === 'DaemonSet')?.metadata.labels).toMatchObject({ team: 'hpc' });
  });
});

describe('a wrong add-on', () => {
  it('is an InvalidConfigError with all problems and the path of the construct', () => {
    const { chart, cluster } = newCluster();
    const props = { cluster, logLevl: 'debug', reconciler: { schedule: 'daily' }, resources: 1 } as never;
    const found = diagnosticsOf(() => new Whereabouts(chart, 'wb', props));
    expect(found.map(({ code, path, location }) => [code, path?.join('.'), location?.file]).sort()).toEqual([
      ['WEFT0140', 'spec.whereabouts.logLevl', 'chart/wb'],
      ['WEFT0142', 'spec.whereabouts.resources', 'chart/wb'],
      ['WEFT0143', 'spec.whereabouts.reconciler.schedule', 'chart/wb'],
    ]);
    expect(found.find(({ code }) => code === 'WEFT0140')?.help).toContain('`logLevel`');
  });

  const wrong: readonly {
    readonly name: string;
    readonly code: string;
    readonly spec?: Partial<ClusterSpecInput>;
    readonly make: (chart: Chart, cluster: Cluster) => unknown;
  }[] = [
    {
      name: 'a section of the cluster',
      code: 'WEFT0520',
      spec: { whereabouts: {} },
      make: (chart, cluster) => new Whereabouts(chart, 'two', { cluster }),
    },
    {
      name: 'a second Node Feature Discovery',
      code: 'WEFT0520',
      make(chart, cluster) {
        new NodeFeatureDiscovery(chart, 'one', { cluster });
        new NodeFeatureDiscovery(chart, 'two', { cluster, namespaceOverride: 'nfd' });
      },
    },
    {
      name: 'an image that no release has',
      code: 'WEFT0480',
      spec: { release: undefined },
      make: (chart, cluster) => new SriovNetworkOperator(chart, 'two', { cluster }),
    },
    {
      name: 'what OpenShift brings',
      code: 'WEFT0481',
      spec: { platform: 'openshift' },
      make: (chart, cluster) => new Whereabouts(chart, 'two', { cluster }),
    },
  ];
  it.each(wrong)('names its construct: $name', ({ code, spec = {}, make }) => {
    const { chart, cluster } = newCluster(spec);
    const found = diagnosticsOf(() => make(chart, cluster));
    expect([...new Set(found.map((one) => `${one.code} ${one.location?.file ?? ''}`))]).toEqual([`${code} chart/two`]);
    expect(() => void Testing.synth(chart)).not.toThrow();
  });

  it('is found by a rule over all documents when the chart is validated', () => {
    const { chart, cluster } = newCluster({ driver: { gate: 'ready-file' } });
    const configDaemonNodeSelector = { 'network.nvidia.com/operator.mofed.wait': 'false' };
    new SriovNetworkOperator(chart, 'sriov', { cluster, sriovOperatorConfig: { configDaemonNodeSelector } });
    expect(cluster.diagnostics.map(({ code, location }) => [code, location?.file])).toContainEqual([
      'WEFT0482',
      'chart/sriov',
    ]);
  });
});
