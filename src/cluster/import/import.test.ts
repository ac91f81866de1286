import { describe, expect, it } from '@jest/globals';
import { findRelease } from '../../compile/releases/catalog.js';
import { loadYaml } from '../../compile/load/yaml/yaml.js';
import { compareWith } from './compare.js';
import { filesOf } from './files.js';
import { importCluster } from './import.js';
import { readSource } from './read-source.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';

const NAMESPACE = 'nvidia-network-operator';

function object(apiVersion: string, kind: string, metadata: Partial<NamedObject['metadata']> = {}, rest = {}) {
  return { apiVersion, kind, metadata: { name: 'x', ...metadata }, ...rest } as NamedObject;
}

const NAMED = 'apiVersion: v1\nkind: Node\nmetadata: {name: a';
const POLICY = object('mellanox.com/v1alpha1', 'NicClusterPolicy', { name: 'nic-cluster-policy' }, { spec: {} });

const imported = (...objects: readonly NamedObject[]) => importCluster({ name: 'east', objects });
const textOf = (...objects: readonly NamedObject[]) =>
  filesOf(imported(...objects).documents)
    .slice(1)
    .map(({ name, text }) => `# ${name}\n${text}`)
    .join('');
const saidOf = (...objects: readonly NamedObject[]) =>
  imported(POLICY, ...objects).findings.map(({ code, message }) => `${code} ${message}`);

describe('custom resources', () => {
  it.each([
    ['nv-ipam.nvidia.com/v1alpha1', 'CIDRPool', 'cidr-pools.yaml'],
    ['nv-ipam.nvidia.com/v1alpha1', 'IPPool', 'ip-pools.yaml'],
    ['configuration.net.nvidia.com/v1alpha1', 'NicConfigurationTemplate', 'nic-configuration-templates.yaml'],
    ['configuration.net.nvidia.com/v1alpha1', 'NicFirmwareSource', 'nic-firmware-sources.yaml'],
    ['configuration.net.nvidia.com/v1alpha1', 'NicFirmwareTemplate', 'nic-firmware-templates.yaml'],
    ['configuration.net.nvidia.com/v1alpha1', 'NicInterfaceNameTemplate', 'nic-interface-name-templates.yaml'],
    ['spectrumx.nvidia.com/v1alpha2', 'SpectrumXRailPoolConfig', 'spectrum-x-rail-pool-configs.yaml'],
    ['sriovnetwork.openshift.io/v1', 'SriovNetwork', 'sriov-networks.yaml'],
    ['sriovnetwork.openshift.io/v1', 'SriovIBNetwork', 'sriov-ib-networks.yaml'],
    ['sriovnetwork.openshift.io/v1', 'OVSNetwork', 'ovs-networks.yaml'],
    ['sriovnetwork.openshift.io/v1', 'SriovNetworkNodePolicy', 'sriov-network-node-policies.yaml'],
    ['sriovnetwork.openshift.io/v1', 'SriovNetworkPoolConfig', 'sriov-network-pool-configs.yaml'],
    ['sriovnetwork.openshift.io/v1', 'SriovOperatorConfig', 'sriov-operator-configs.yaml'],
    ['maintenance.nvidia.com/v1alpha1', 'MaintenanceOperatorConfig', 'maintenance-operator-configs.yaml'],
  ])('%s %s goes to %s', (apiVersion, kind, file) => {
    const labels = { team: 'net', 'app.kubernetes.io/managed-by': 'Helm', 'argocd.argoproj.io/instance': 'a' };
    const annotations = { 'meta.helm.sh/release-name': 'a', 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
    const served = {
      namespace: NAMESPACE,
      uid: 'u',
      resourceVersion: '1',
      generation: 1,
      finalizers: ['f'],
      managedFields: [],
    };
    const given = object(apiVersion, kind, { ...served, labels, annotations }, { spec: {}, status: {} });
    expect(textOf(given)).toBe(`# ${file}
apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: x
  namespace: nvidia-network-operator
  labels:
    team: net
spec: {}
`);
  });

  it('networks go to a file of their kind', () => {
    const kinds = ['HostDeviceNetwork', 'IPoIBNetwork', 'MacvlanNetwork'];
    const { documents } = imported(...kinds.map((kind) => object('mellanox.com/v1alpha1', kind, {}, { spec: {} })));
    expect(filesOf(documents).map(({ name }) => name)).toEqual([
      ...['cluster.yaml', 'host-device-networks.yaml', 'ipoib-networks.yaml', 'macvlan-networks.yaml'],
    ]);
  });

  it('leave out what the API server fills in', () => {
    const spec = {
      name: 'net',
      resourceName: 'r',
      vlan: 0,
      networkNamespace: 'apps',
      numVfs: 8,
      priority: 99,
      isRdma: false,
    };
    const policy = object('sriovnetwork.openshift.io/v1', 'SriovNetworkNodePolicy', {}, { spec });
    expect(textOf(policy)).toContain('numVfs: 8\n');
  });

  it('sections of a policy begin with the driver, and settings stay after them', () => {
    const image = { image: 'a', repository: 'b', version: 'c' };
    const spec = {
      tolerations: [{ operator: 'Exists' }],
      rdmaSharedDevicePlugin: image,
      nvIpam: image,
      ofedDriver: image,
      global: { repository: 'r' },
    };
    const keys = Object.keys(imported({ ...POLICY, spec }).documents[1]?.value['spec'] ?? {});
    expect(keys).toEqual(['global', 'ofedDriver', 'rdmaSharedDevicePlugin', 'nvIpam', 'tolerations']);
  });

  it('of another namespace than the operator are left out, however many they are', () => {
    const pools = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) =>
      object('nv-ipam.nvidia.com/v1alpha1', 'IPPool', { name, namespace: 'tenant' }, { spec: {} }),
    );
    const { documents, findings } = imported(POLICY, ...pools);
    expect(documents.map(({ kind }) => kind)).toEqual(['Cluster', 'NicClusterPolicy']);
    expect(findings.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^IPPool `tenant\/a`.* and 2 more are not carried over: it is in another namespace/),
    );
  });

  it('of another namespace do not count as gone where the folder has them', () => {
    const value = object('nv-ipam.nvidia.com/v1alpha1', 'IPPool', { namespace: 'sriov' }, { spec: {} });
    const { documents } = loadYaml('pools.yaml', JSON.stringify(value));
    expect(compareWith(imported(POLICY), documents).gone).toEqual([]);
  });

  const owner = { kind: 'MacvlanNetwork', name: 'rail', controller: true };
  const NAD = ['k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition'] as const;
  it.each([
    { name: 'what a program made of another object', given: object(...NAD, { ownerReferences: [owner] }), says: [] },
    { name: 'what programs write', given: object('sriovnetwork.openshift.io/v1', 'SriovNetworkNodeState'), says: [] },
    {
      name: 'the rule that Weft renders',
      given: object('nfd.k8s-sigs.io/v1alpha1', 'NodeFeatureRule', { name: 'nvidia-nics-rules' }),
      says: [],
    },
    {
      name: 'a network of nobody',
      given: object(...NAD),
      says: [
        'NetworkAttachmentDefinition `x` is not carried over: no network of the operator owns it: it stays as it is',
      ],
    },
    {
      name: 'a Secret',
      given: object('v1', 'Secret'),
      says: [
        'Secret `x` is not carried over: documents go to git and hold no text of a Secret; it stays in the cluster, and documents refer to it by its name',
      ],
    },
    {
      name: 'a kind that is not read',
      given: object('apps/v1', 'StatefulSet'),
      says: ['StatefulSet `x` is not carried over: an import reads no objects of this kind'],
    },
    {
      name: 'a policy of another name',
      given: object('mellanox.com/v1alpha1', 'NicClusterPolicy', { name: 'other' }),
      says: [
        'NicClusterPolicy `other` is not carried over: the operator ignores every NicClusterPolicy but `nic-cluster-policy`',
      ],
    },
    {
      name: 'what is being deleted',
      given: object('mellanox.com/v1alpha1', 'MacvlanNetwork', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      says: ['MacvlanNetwork `x` is not carried over: it is being deleted'],
    },
  ])('leave out $name', ({ given, says }) => {
    expect(saidOf(given).filter((line) => !line.includes('no Deployment of the operator'))).toEqual(
      says.map((text) => `WEFT0560 ${text}`),
    );
  });
});

describe('the operator', () => {
  const operator = (
    env: Readonly<Record<string, string>>,
    more: Partial<NamedObject['metadata']> = {},
    image = 'r/network-operator:v26.4.0',
  ) =>
    object(
      'apps/v1',
      'Deployment',
      { namespace: NAMESPACE, ...more },
      {
        spec: {
          template: {
            metadata: { labels: { 'control-plane': 'nvidia-network-operator-controller' } },
            spec: {
              containers: [
                { name: 'proxy', image: 'kube-rbac-proxy:v1' },
                {
                  name: 'manager',
                  image,
                  env: Object.entries({ STATE_MANIFEST_BASE_DIR: '/manifests', ...env }).map(([name, value]) => ({
                    name,
                    value,
                  })),
                },
              ],
            },
          },
        },
      },
    );

  it.each([
    { env: { MAINTENANCE_OPERATOR_ENABLED: 'true' }, says: ['WEFT0560 `MAINTENANCE_OPERATOR_ENABLED`'] },
    { env: { DRAIN_CONTROLLER_ENABLED: 'true' }, says: ['WEFT0560 `DRAIN_CONTROLLER_ENABLED`'] },
    { env: { ENABLE_WEBHOOKS: 'true' }, says: ['WEFT0560 `ENABLE_WEBHOOKS`'] },
    { env: { STATE_MANIFEST_BASE_DIR: '/custom' }, says: ['WEFT0561 the operator renders templates of its own'] },
    { env: { ENABLE_WEBHOOKS: 'false', MAINTENANCE_OPERATOR_ENABLED: 'false' }, says: [] },
  ])('$env: $says', ({ env, says }) => {
    const said = saidOf(operator(env));
    expect(said).toEqual(says.map((text) => expect.stringContaining(text)));
  });

  it('is one Deployment of one namespace, and is not chosen among several', () => {
    const here = operator({});
    const tenants = operator({ CNI_BIN_DIR: '/etc/cron.d' }, { namespace: 'aaa' });
    expect(saidOf(tenants, here)).toEqual([
      'WEFT0567 `aaa/x` looks like the operator’s Deployment, and is not in the namespace `nvidia-network-operator`',
    ]);
    expect(saidOf(here, operator({}, { name: 'y' }))).toEqual([
      'WEFT0567 `nvidia-network-operator/x`, `nvidia-network-operator/y` look like the operator’s Deployment, and only one can be',
    ]);
  });

  it('is read in the namespace that is chosen, whatever is in others', () => {
    const elsewhere = operator({ CNI_BIN_DIR: '/etc/cron.d' });
    const chosen = operator({ CNI_BIN_DIR: '/opt/bin' }, { namespace: 'net' });
    const objects = [POLICY, elsewhere, chosen];
    const { documents, findings } = importCluster({ name: 'east', objects, namespace: 'net' });
    expect(findings).toEqual([]);
    expect(documents[0]?.value['spec']).toMatchObject({ namespace: 'net', cni: { binDirectory: '/opt/bin' } });
  });

  it.each([
    { name: 'its image', image: 'r/network-operator:v26.7.0', env: {}, release: 'v26.7.0' },
    {
      name: 'its init container',
      image: `r/network-operator@sha256:${'0'.repeat(64)}`,
      env: { OFED_INIT_CONTAINER_IMAGE: 'r/i:network-operator-v26.4.1' },
      release: 'v26.4.1',
    },
    {
      name: 'its init container by digest',
      image: `r/network-operator@sha256:${'0'.repeat(64)}`,
      env: {
        OFED_INIT_CONTAINER_IMAGE: `r/i@${findRelease('v26.7.0')?.images['NetworkOperatorInitContainer']?.digest ?? ''}`,
      },
      release: 'v26.7.0',
    },
    {
      name: 'its image, a release candidate',
      image: 'r/network-operator:v26.7.0-rc.2',
      env: {},
      release: 'v26.7',
    },
    {
      name: 'its ClusterServiceVersion',
      image: `r/network-operator@sha256:${'0'.repeat(64)}`,
      env: {},
      labels: { 'olm.owner.kind': 'ClusterServiceVersion', 'olm.owner': 'nvidia-network-operator.v26.7.1' },
      release: 'v26.7.1',
    },
  ])('has the release of $name', ({ image, env, labels = {}, release }) => {
    const [cluster] = imported(POLICY, operator(env, { labels }, image)).documents;
    expect(cluster?.value['spec']).toMatchObject({ release });
  });

  it.each([
    { tag: 'v26.4.1', release: 'v26.4.1', codes: [] },
    { tag: 'v25.4.0', release: undefined, codes: ['WEFT0285'] },
  ])('is known by `operator.tag` of the values: $tag', ({ tag, release, codes }) => {
    const values = { operator: { tag } };
    const { documents, findings } = importCluster({ name: 'east', objects: [], chart: { values, given: values } });
    expect(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(codes);
    if (release !== undefined) expect(documents[0]?.value['spec']).toMatchObject({ release });
  });

  it.each(['r/network-operator:v26.1.2', 'r/network-operator:v25.10.0'])('is refused where it is %s', (image) => {
    const { findings } = imported(POLICY, operator({}, {}, image));
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'WEFT0285', help: 'upgrade the operator to v26.4 first, and import then' },
    ]);
  });

  it('has the release of which the policies have most versions, where the operator is not known', () => {
    const section = (key: string) => ({ version: findRelease('v26.4.1')?.images[key]?.version });
    const spec = { multus: section('Multus'), docaTelemetryService: section('docaTelemetryService') };
    const [cluster] = importCluster({ name: 'east', objects: [{ ...POLICY, spec }] }).documents;
    expect(cluster?.value['spec']).toMatchObject({ release: 'v26.4.1' });
  });
});

const deployment = (name: string, namespace: string, image: string, labels = {}) => {
  const ofChart = {
    'app.kubernetes.io/managed-by': 'Helm',
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/instance': 'prod',
  };
  const spec = { template: { spec: { containers: [{ name, image }] } } };
  return object('apps/v1', 'Deployment', { name, namespace, labels: { ...ofChart, ...labels } }, { spec });
};
describe('add-ons of a chart whose values are not known', () => {
  const NFD = 'registry.example.com:5000/nfd/node-feature-discovery';

  it('have the image of Node Feature Discovery and its names', () => {
    const { documents } = imported(POLICY, deployment('node-feature-discovery', NAMESPACE, `${NFD}:v1`));
    expect(documents[0]?.value['spec']).toMatchObject({
      nodeFeatureDiscovery: {
        deploy: true,
        releaseName: 'prod',
        fullnameOverride: 'prod-node-feature-discovery',
        image: { repository: NFD, tag: 'v1' },
      },
    });
  });

  it('have their usual names where no label names the release', () => {
    const nameless = deployment('node-feature-discovery', NAMESPACE, `${NFD}:v1`, {
      'app.kubernetes.io/instance': undefined,
    });
    const { documents } = imported(POLICY, nameless);
    expect(documents[0]?.value['spec']).toMatchObject({
      nodeFeatureDiscovery: { deploy: true, image: { repository: NFD, tag: 'v1' } },
    });
    expect(documents[0]?.value['spec']).not.toHaveProperty('nodeFeatureDiscovery.releaseName');
  });

  it('are not those of another namespace', () => {
    const { documents } = imported(POLICY, deployment('node-feature-discovery', 'node-feature-discovery', `${NFD}:v1`));
    expect(documents[0]?.value['spec']).not.toHaveProperty('nodeFeatureDiscovery');
  });

  it('are said where an image says too little', () => {
    expect(saidOf(deployment('sriov-network-operator', NAMESPACE, 'a:v1'))).toContainEqual(
      expect.stringContaining('is not carried over into `sriovNetworkOperator` of the Cluster'),
    );
  });
});

describe('values of the chart', () => {
  const ofValues = (text: string, ...objects: readonly NamedObject[]) => {
    const read = readSource(text);
    if ('problem' in read || !read.chart) throw new Error('no values');
    return importCluster({ name: 'east', objects: [POLICY, ...objects], chart: read.chart });
  };

  it('maps are merged with those of the chart key by key, as Helm does', () => {
    const { documents } = ofValues('node-feature-discovery: {worker: {config: {core: {sleepInterval: 30s}}}}\n');
    const pci = { deviceClassWhitelist: ['0300', '0302'], deviceLabelFields: ['vendor'] };
    expect(documents[0]?.value['spec']).toMatchObject({
      nodeFeatureDiscovery: {
        worker: { config: { core: { sleepInterval: '30s' }, sources: { pci } } },
      },
    });
  });

  it('computed: what is empty or the default is left out, and no value is named', () => {
    const { documents, findings } = ofValues(`COMPUTED VALUES:
keepNCP: true
nfd: {enabled: true}
node-feature-discovery:
  global: {}
  fullnameOverride: ""
  master:
    livenessProbe: {initialDelaySeconds: null, failureThreshold: null}
    rbac: {create: true}
    port: 8080
sriovNetworkOperator: {enabled: true}
sriov-network-operator:
  global: {}
  sriovOperatorConfig:
    configDaemonNodeSelector: {network.nvidia.com/operator.mofed.wait: "false", a: b}
`);
    expect(documents[0]?.value['spec']).toMatchObject({
      nodeFeatureDiscovery: { deploy: true },
      sriovNetworkOperator: { deploy: true },
    });
    const text = filesOf(documents)[0]?.text ?? '';
    expect(text).not.toMatch(/null|rbac|global|fullname|port|mofed|livenessProbe/);
    expect(findings).toEqual([]);
  });

  it.each([
    { name: 'that nothing carries over', at: 'junk', value: 1, says: 1 },
    { name: 'that are copied', at: 'node-feature-discovery.worker.annotations', value: 'a', says: 0 },
    { name: 'that are switches', at: 'node-feature-discovery.worker.annotations', value: true, says: 0 },
  ])('500 $name are read in one go', ({ at, value, says }) => {
    const many = Object.fromEntries(Array.from({ length: 499 }, (_, index) => [`k${index}`, value]));
    const nested = at.split('.').reduceRight<object>((inner, key) => ({ [key]: inner }), many);
    const started = process.cpuUsage();
    const { findings } = ofValues(JSON.stringify({ nfd: { enabled: true }, ...nested }));
    expect(findings.filter(({ message }) => message.includes('are not carried over'))).toHaveLength(says);
    // It took half a minute when each value made the whole document.
    const { user } = process.cpuUsage(started);
    expect(user / 1000).toBeLessThan(5_000);
  });

  it('more than any chart has are refused', () => {
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`k${index}`, 1]));
    expect(ofValues(JSON.stringify({ nfd: many })).findings.map(({ code }) => code)).toContain('WEFT0568');
  });

  it('given: those of an add-on that is off, switches that are off and empty ones ask for nothing', () => {
    const { findings } = ofValues(`
keepNCP: false
operator: {resources: {limits: {cpu: 1, memory: 1Gi}}, nodeSelector: {}, nameOverride: ""}
sriovNetworkOperator: {enabled: false}
sriov-network-operator: {operator: {resourcePrefix: nvidia.com}}
`);
    expect(findings.map(({ message }) => message)).toEqual([
      'the value `operator.resources` of the chart is not carried over: Weft has no pod of the operator',
    ]);
  });
});

describe('readSource', () => {
  it.each([
    {
      name: 'a List of kubectl',
      text: '{"kind":"List","apiVersion":"v1","items":[{"kind":"Node","apiVersion":"v1","metadata":{"name":"a"}}]}',
      kinds: ['Node'],
    },
    {
      name: 'a list of the API server',
      text: 'apiVersion: v1\nkind: NodeList\nitems:\n- metadata: {name: a}\n',
      kinds: ['Node'],
    },
    {
      name: 'several documents',
      text: 'apiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: b}\n',
      kinds: ['Node', 'Secret'],
    },
    { name: 'an empty list', text: 'apiVersion: v1\nitems: []\nkind: List\n', kinds: [] },
    { name: 'nothing', text: '', kinds: [] },
  ])('reads $name', ({ text, kinds }) => {
    const read = readSource(text);
    expect('objects' in read && read.objects.map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each([
    { name: 'values', text: 'nfd: {enabled: true}\n', given: { nfd: { enabled: true } } },
    {
      name: 'helm get values',
      text: 'USER-SUPPLIED VALUES:\nnfd:\n  enabled: true\n',
      given: { nfd: { enabled: true } },
    },
    {
      name: 'values as Helm does, by YAML 1.1',
      text: 'nfd: {b: yes, c: "yes", d: 0644, e: off, yes: 1}\n',
      given: { nfd: { b: true, c: 'yes', d: 420, e: false, yes: 1 } },
    },
    { name: 'helm get values of none', text: 'USER-SUPPLIED VALUES:\nnull\n', given: {} },
    { name: 'helm get values --all', text: 'COMPUTED VALUES:\nnfd:\n  enabled: true\n', given: {} },
  ])('reads $name', ({ text, given }) => {
    expect(readSource(text)).toMatchObject({ objects: [], chart: { given } });
  });

  it.each([
    { name: 'no YAML', text: 'a: [', says: 'it is not YAML' },
    { name: 'a text', text: 'hello\n', says: 'it is neither an object nor values' },
    { name: 'other values', text: 'a: 1\nb: 2\n', says: 'its keys are none of the operator’s chart: `a`, `b`' },
    { name: 'an object without a name', text: 'apiVersion: v1\nkind: Node\n', says: 'lacks' },
    { name: 'labels that are no texts', text: `${NAMED}, labels: {a: 5}}\n`, says: '`metadata.labels.a` of object 1' },
    { name: 'owners that are no list', text: `${NAMED}, ownerReferences: x}\n`, says: '`metadata.ownerReferences` of' },
    {
      name: 'taints that are no list',
      text: `${NAMED}}\nspec: {taints: x}\n`,
      says: 'Node a: `spec.taints` is no list',
    },
    { name: 'deep YAML', text: `a: ${'['.repeat(9_000)}`, says: 'it is nested more than 100 levels deep' },
    { name: 'deep JSON', text: `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`, says: 'it is nested more than 100' },
  ])('refuses $name', ({ text, says }) => {
    expect(readSource(text)).toEqual({ problem: expect.stringContaining(says) });
  });

  it('takes an empty field of the metadata for none', () => {
    const read = readSource(`${NAMED}, labels: , annotations: null, ownerReferences: }\nspec: {a: 1}\n`);
    expect(read).toEqual({ objects: [{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec: { a: 1 } }] });
  });
});
