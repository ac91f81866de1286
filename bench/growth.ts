/**
 * The processor time of resolving and building a cluster in which the documents of one kind are there once, twice and four times: the exponent is 1
 * where the time grows with their number, and 2 where each is compared with each. `npm run bench:growth [documents] [kind]`; it ends with 1 where one grows faster.
 */
import { resolve } from '../src/compile/config/resolve.js';
import { join, loadYaml } from '../src/compile/load/yaml/yaml.js';
import { buildObjects } from '../src/compile/synth.js';

const COUNT = Number(process.argv[2] ?? 200);
/** Four times as many pools are what one Cluster document holds: 20,000 words and signs. */
const POOLS_MAX = 100;
const ROUNDS = 5;
const EXPONENT_MAX = 1.2;

const pool = (index: number) =>
  `    - {name: p${index}, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {pool: "${index}"}}\n`;
const clusterOf = (pools: number) =>
  `apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: east}\nspec:\n  release: v26.7\n  sriovNetworkOperator: {deploy: true}\n  nodePools:\n${numbers(pools).map(pool).join('')}`;
const document = (apiVersion: string, kind: string, name: string, spec: string) =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
const ofPolicy = (kind: string, name: string, spec: string) => document('mellanox.com/v1alpha1', kind, name, spec);
const ofSriov = (kind: string, name: string, spec: string) =>
  document('sriovnetwork.openshift.io/v1', kind, name, spec);

const SHARED = ofPolicy(
  'NicClusterPolicy',
  'nic-cluster-policy',
  '{nvIpam: {}, nicConfigurationOperator: {}, secondaryNetwork: {multus: {}, cniPlugins: {}, ipoib: {}}}',
);

/** One document for each number, by kind; each that needs a pool of its own has one. */
const kinds: Readonly<Record<string, { readonly hasPoolEach?: boolean; readonly make: (index: number) => string }>> = {
  'node pools': { hasPoolEach: true, make: () => '' },
  NicNodePolicy: {
    hasPoolEach: true,
    make: (index) =>
      ofPolicy(
        'NicNodePolicy',
        `n${index}`,
        `{nodeSelector: {pool: "${index}"}, ofedDriver: {}, tolerations: [{key: t, operator: Exists}]}`,
      ),
  },
  MacvlanNetwork: { make: (index) => ofPolicy('MacvlanNetwork', `m${index}`, '{master: ens1f0}') },
  HostDeviceNetwork: {
    make: (index) => ofPolicy('HostDeviceNetwork', `h${index}`, `{resourceName: r${index}}`),
  },
  IPoIBNetwork: { make: (index) => ofPolicy('IPoIBNetwork', `i${index}`, '{master: ibs1f0}') },
  SriovNetworkNodePolicy: {
    make: (index) =>
      ofSriov(
        'SriovNetworkNodePolicy',
        `s${index}`,
        `{resourceName: r${index}, numVfs: 4, nodeSelector: {node: "${index}"}, nicSelector: {pfNames: [ens1f0]}}`,
      ),
  },
  SriovNetworkPoolConfig: {
    make: (index) =>
      ofSriov(
        'SriovNetworkPoolConfig',
        `l${index}`,
        `{maxUnavailable: 1, nodeSelector: {matchLabels: {node: "${index}"}}}`,
      ),
  },
  SriovIBNetwork: { make: (index) => ofSriov('SriovIBNetwork', `b${index}`, `{resourceName: r${index}}`) },
  OVSNetwork: { make: (index) => ofSriov('OVSNetwork', `o${index}`, `{resourceName: r${index}, bridge: br0}`) },
  SriovNetwork: { make: (index) => ofSriov('SriovNetwork', `w${index}`, `{resourceName: r${index}}`) },
  IPPool: {
    make: (index) =>
      document(
        'nv-ipam.nvidia.com/v1alpha1',
        'IPPool',
        `q${index}`,
        `{subnet: 10.${index >> 8}.${index & 255}.0/24, perNodeBlockSize: 8, gateway: 10.${index >> 8}.${index & 255}.1}`,
      ),
  },
  CIDRPool: {
    make: (index) =>
      document(
        'nv-ipam.nvidia.com/v1alpha1',
        'CIDRPool',
        `d${index}`,
        `{cidr: 10.${index >> 8}.${index & 255}.0/24, perNodeNetworkPrefix: 28, gatewayIndex: 1}`,
      ),
  },
  'networks of whereabouts': {
    make: (index) =>
      ofPolicy(
        'MacvlanNetwork',
        `w${index}`,
        `{master: ens1f0, ipam: {type: whereabouts, range: 10.${index >> 8}.${index & 255}.0/24}}`,
      ),
  },
  'networks with a pool': {
    make: (index) =>
      ofPolicy('MacvlanNetwork', `m${index}`, `{master: ens1f0, ipam: {type: nv-ipam, poolName: q${index}}}`) +
      `---\n${kinds['IPPool']?.make(index) ?? ''}`,
  },
  NetworkAttachmentDefinition: {
    make: (index) =>
      document(
        'k8s.cni.cncf.io/v1',
        'NetworkAttachmentDefinition',
        `a${index}`,
        `{config: '{"cniVersion": "0.3.1", "type": "macvlan", "master": "ens1f0"}'}`,
      ),
  },
  NodeFeatureRule: {
    make: (index) =>
      document(
        'nfd.k8s-sigs.io/v1alpha1',
        'NodeFeatureRule',
        `f${index}`,
        `{rules: [{name: a, labels: {"example.com/l${index}": "true"}}]}`,
      ),
  },
  NicConfigurationTemplate: {
    make: (index) =>
      document(
        'configuration.net.nvidia.com/v1alpha1',
        'NicConfigurationTemplate',
        `t${index}`,
        `{nodeSelector: {node: "${index}"}, nicSelector: {nicType: "1021"}, template: {numVfs: 0, linkType: Ethernet}}`,
      ),
  },
  'pods with a network': {
    make: (index) =>
      `${ofPolicy('HostDeviceNetwork', `h${index}`, `{resourceName: r${index}}`)}---\napiVersion: v1\nkind: Pod\nmetadata: {name: p${index}, annotations: {k8s.v1.cni.cncf.io/networks: h${index}}}\n` +
      `spec: {containers: [{name: a, image: "a:1", resources: {limits: {"nvidia.com/r${index}": 1}}}]}\n`,
  },
  ConfigMap: {
    make: (index) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${index}}\ndata: {a: "${index}"}\n`,
  },
};

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function milliseconds(kind: string, count: number): number {
  const { hasPoolEach = false, make } = kinds[kind] ?? { make: () => '' };
  const texts = [clusterOf(hasPoolEach ? count : 4), SHARED, ...numbers(count).map(make)].filter((text) => text !== '');
  const loaded = join(texts.map((text, index) => loadYaml(`${index}.yaml`, text)));
  const before = process.cpuUsage();
  const { config, diagnostics } = resolve(loaded);
  if (config === undefined) throw new Error(`${kind}: ${diagnostics[0]?.message ?? ''}`);
  buildObjects(config);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least of some rounds: other programs of the machine only add to it. */
function least(kind: string, count: number): number {
  return Math.min(...numbers(ROUNDS).map(() => milliseconds(kind, count)));
}

for (const kind of process.argv[3] === undefined ? Object.keys(kinds) : [process.argv[3]]) {
  const count = kinds[kind]?.hasPoolEach === true ? Math.min(COUNT, POOLS_MAX) : COUNT;
  // What the compiler of Node has not seen yet is slow.
  milliseconds(kind, count * 4);
  const [once = 0, twice = 0, four = 0] = [1, 2, 4].map((times) => least(kind, count * times));
  const exponent = Math.log2(four / once) / 2;
  const figures = [once, twice, four].map((value) => `${value.toFixed(0)} ms`).join(', ');
  const isTooMuch = exponent > EXPONENT_MAX;
  if (isTooMuch) process.exitCode = 1;
  const mark = isTooMuch ? `  MORE THAN ${EXPONENT_MAX}` : '';
  process.stdout.write(
    `${kind.padEnd(28)} ${String(count).padEnd(5)} ${figures.padEnd(28)} ${exponent.toFixed(2)}${mark}\n`,
  );
}
