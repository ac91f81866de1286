import { describe, expect, it } from '@jest/globals';
import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { ConfigMap, Secret } from 'cdk8s-plus-28';
import {
  Cluster,
  type ClusterSpecInput,
  DocaTelemetryService,
  IbKubernetes,
  type NamedObject,
  type NicClusterPolicyDocument,
  NicConfigurationOperator,
  NodeFeatureDiscovery,
  OfedDriver,
  SriovNetworkOperator,
  Whereabouts,
} from 'weft-gitops';
import { diagnosticsOf } from './results.js';

const POOL = { name: 'h100', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64' } as const;
const SPEC: ClusterSpecInput = { release: 'v26.4', nodePools: [POOL] };
const NAMESPACE = 'nvidia-network-operator';

interface Parts {
  readonly chart: Chart;
  readonly cluster: Cluster;
  /** An object of this kind, name and namespace. */
  readonly object: (kind: string, name: string, namespace?: string) => NamedObject;
}

function parts(): Parts {
  const chart = new Chart(new App(), 'chart');
  const object = (kind: string, name: string, namespace = NAMESPACE): NamedObject =>
    new ApiObject(chart, `${kind}-${name}`, {
      apiVersion: 'v1',
      kind,
      metadata: { name, namespace },
      data: { a: 'eA==' },
    });
  return { chart, cluster: new Cluster(chart, 'east', { spec: SPEC }), object };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const text = (objects: unknown) => JSON.stringify(objects);

const GUIDS = { pKeyGUIDPoolRangeStart: '02:00:00:00:00:00:00:00', pKeyGUIDPoolRangeEnd: '02:FF:FF:FF:FF:FF:FF:FF' };

describe('an object where a field names one', () => {
  it.each<{ readonly field: string; readonly make: (parts: Parts) => { readonly objects: readonly ApiObject[] } }>([
    {
      field: 'imagePullSecrets of a component',
      make: ({ chart, cluster, object }) =>
        new OfedDriver(chart, 'one', { cluster, imagePullSecrets: ['other', object('Secret', 'given')] }),
    },
    {
      field: 'certConfig',
      make: ({ chart, cluster, object }) =>
        new OfedDriver(chart, 'one', { cluster, certConfig: { name: object('ConfigMap', 'given') } }),
    },
    {
      field: 'env',
      make: ({ chart, cluster, object }) =>
        new OfedDriver(chart, 'one', {
          cluster,
          env: [{ name: 'A', valueFrom: { secretKeyRef: { key: 'a', name: object('Secret', 'given') } } }],
        }),
    },
    {
      field: 'fromConfigMap',
      make: ({ chart, cluster, object }) =>
        new DocaTelemetryService(chart, 'one', { cluster, config: { fromConfigMap: object('ConfigMap', 'given') } }),
    },
    {
      field: 'ufmSecret',
      make: ({ chart, cluster, object }) =>
        new IbKubernetes(chart, 'one', { cluster, ...GUIDS, ufmSecret: object('Secret', 'given') }),
    },
    {
      field: 'pvcName',
      make: ({ chart, cluster, object }) =>
        new NicConfigurationOperator(chart, 'one', {
          cluster,
          operator: {},
          configurationDaemon: {},
          nicFirmwareStorage: { create: false, pvcName: object('PersistentVolumeClaim', 'given') },
        }),
    },
    {
      field: 'imagePullSecrets of an add-on',
      make: ({ chart, cluster, object }) =>
        new Whereabouts(chart, 'one', { cluster, imagePullSecrets: [object('Secret', 'given')] }),
    },
    {
      field: 'imagePullSecrets of an add-on with mappings, in a namespace of its own',
      make: ({ chart, cluster, object }) =>
        new NodeFeatureDiscovery(chart, 'one', {
          cluster,
          namespaceOverride: 'nfd',
          imagePullSecrets: [{ name: object('Secret', 'given', 'nfd') }],
        }),
    },
    {
      field: 'secretNames',
      make: ({ chart, cluster, object }) =>
        new SriovNetworkOperator(chart, 'one', {
          cluster,
          operator: {
            admissionControllers: {
              enabled: true,
              certificates: { secretNames: { operator: object('Secret', 'given') } },
            },
          },
        }),
    },
  ])('becomes its name, and comes first: $field', ({ make }) => {
    const all = parts();
    const { objects } = make(all);
    expect(text(objects.map((object) => object.toJson() as unknown))).toContain('"given"');
    const written = Testing.synth(all.chart) as readonly Manifest[];
    const given = written.findIndex(({ metadata }) => metadata.name === 'given');
    const first = written.findIndex((one) => text(one).includes('"given"') && one.metadata.name !== 'given');
    expect(given).toBeGreaterThanOrEqual(0);
    expect(given).toBeLessThan(first);
  });

  it('is one of cdk8s-plus, whose keys the rules know', () => {
    const { chart, cluster } = parts();
    const metadata = { name: 'corp-ca', namespace: cluster.namespace };
    const authorities = new ConfigMap(chart, 'authorities', { metadata, data: { 'root.crt': 'x' } });
    const driver = new OfedDriver(chart, 'driver', { cluster, certConfig: { name: authorities } });
    expect(text(driver.daemonSets[0]?.toJson())).toContain('root.crt');
    expect(cluster.diagnostics).toEqual([]);
  });

  it('may be one that the program only knows by its name', () => {
    const { chart, cluster } = parts();
    const secret = Secret.fromSecretName(chart, 'secret', 'registry');
    const driver = new OfedDriver(chart, 'driver', { cluster, imagePullSecrets: [secret] });
    expect(text(driver.daemonSets[0]?.toJson())).toContain('"imagePullSecrets":[{"name":"registry"}]');
  });

  it('may stand in documents and in the `spec` of a cluster', () => {
    const chart = new Chart(new App(), 'chart');
    const metadata = { namespace: NAMESPACE };
    const secret = new Secret(chart, 'secret', { metadata });
    const authorities = new ConfigMap(chart, 'authorities', { metadata, data: { 'root.crt': 'x' } });
    const policy: NicClusterPolicyDocument = {
      apiVersion: 'mellanox.com/v1alpha1',
      kind: 'NicClusterPolicy',
      metadata: { name: 'nic-cluster-policy' },
      spec: { global: { imagePullSecrets: [secret] }, ofedDriver: { certConfig: { name: authorities } } },
    };
    const spec: ClusterSpecInput = { ...SPEC, whereabouts: { deploy: true, imagePullSecrets: [secret] } };
    const cluster = new Cluster(chart, 'east', { spec, documents: [policy] });
    expect(text(cluster.policy.ofedDriver?.daemonSets[0]?.toJson())).toContain('root.crt');
    const written = Testing.synth(chart) as readonly Manifest[];
    const using = written.filter((one) => one.kind === 'DaemonSet' && text(one).includes(secret.name));
    expect(using.map(({ metadata: { name } }) => name).sort()).toEqual(['mofed-ubuntu24.04-ds', 'whereabouts']);
    const before = written.slice(0, written.indexOf(using[0] as Manifest)).map(({ metadata: { name } }) => name);
    expect(before).toEqual(expect.arrayContaining([secret.name, authorities.name]));
  });
});

describe('an object that does not fit', () => {
  it('is refused with all other problems of the props', () => {
    const { chart, cluster, object } = parts();
    const props = {
      cluster,
      verison: '1',
      version: object('Secret', 'a'),
      certConfig: { name: object('Secret', 'b') },
      imagePullSecrets: [object('ConfigMap', 'c')],
    } as never;
    const found = diagnosticsOf(() => new OfedDriver(chart, 'driver', props));
    expect(found.map(({ code, path, location }) => [code, path?.join('.'), location?.file])).toEqual([
      ['WEFT0530', 'spec.ofedDriver.version', 'chart/driver'],
      ['WEFT0530', 'spec.ofedDriver.certConfig.name', 'chart/driver'],
      ['WEFT0530', 'spec.ofedDriver.imagePullSecrets.0', 'chart/driver'],
      ['WEFT0140', 'spec.ofedDriver.verison', 'chart/driver'],
    ]);
    expect(found[1]?.message).toBe('`ofedDriver.certConfig.name` names a ConfigMap, and is the Secret `b`');
  });

  it('stands beside a mapping with its name', () => {
    const { chart, cluster, object } = parts();
    const found = diagnosticsOf(() => new OfedDriver(chart, 'd', { cluster, certConfig: object('ConfigMap', 'a') }));
    expect(found.map(({ code, help }) => [code, help])).toContainEqual(['WEFT0530', 'write `{ name: … }` around it']);
  });

  it('is one problem where a rule misses it as well', () => {
    const { chart, cluster, object } = parts();
    new OfedDriver(chart, 'driver', { cluster, certConfig: { name: object('ConfigMap', 'a', 'apps') } });
    expect(cluster.diagnostics.map(({ code }) => code)).toEqual(['WEFT0527']);
  });

  it.each([
    { name: 'another namespace', namespace: 'apps' },
    { name: 'none', namespace: undefined },
  ])('is an error when the chart is validated: $name', ({ namespace }) => {
    const { chart, cluster } = parts();
    const metadata = { name: 'registry', ...(namespace !== undefined && { namespace }) };
    const secret = new Secret(chart, 'secret', { metadata });
    new OfedDriver(chart, 'driver', { cluster, imagePullSecrets: [secret] });
    expect(() => void Testing.synth(chart)).toThrow('[chart/driver] error[WEFT0527]: Secret `registry`');
  });

  it('is forgotten with the construct that could not be made', () => {
    const { chart, cluster, object } = parts();
    const props = { cluster, imagePullSecrets: [object('Secret', 'a', 'apps')], verison: '1' } as never;
    expect(diagnosticsOf(() => new OfedDriver(chart, 'driver', props))).toHaveLength(1);
    expect(cluster.diagnostics.map(({ code }) => code)).not.toContain('WEFT0527');
  });
});
