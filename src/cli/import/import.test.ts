import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runWeft, withCluster } from '../../../test/kit/run-weft.js';

const NFD = 'feature.node.kubernetes.io';
const NAMESPACE = 'nvidia-network-operator';
const POLICY = {
  apiVersion: 'mellanox.com/v1alpha1',
  kind: 'NicClusterPolicy',
  metadata: { name: 'nic-cluster-policy', uid: 'u', resourceVersion: '7', generation: 2 },
  spec: {
    ofedDriver: {
      ...{ image: 'doca-driver', repository: 'nvcr.io/nvidia/mellanox', version: 'doca3.4.1-26.04-1.1.0.0-1' },
      certConfig: { name: 'corp-ca' },
    },
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  },
  status: { state: 'ready' },
};
const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'a',
    labels: {
      [`${NFD}/pci-15b3.present`]: 'true',
      [`${NFD}/system-os_release.ID`]: 'ubuntu',
      [`${NFD}/system-os_release.VERSION_ID`]: '24.04',
      [`${NFD}/kernel-version.full`]: '6.8.0-31-generic',
      'kubernetes.io/arch': 'amd64',
    },
  },
  spec: { taints: [{ key: 'dedicated', value: 'hpc', effect: 'NoSchedule' }] },
};
const OPERATOR = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'controller-manager', namespace: NAMESPACE },
  spec: {
    template: {
      // As OLM installs it.
      metadata: { labels: { 'control-plane': 'nvidia-network-operator-controller' } },
      spec: {
        containers: [
          {
            name: 'manager',
            image: 'nvcr.io/nvidia/cloud-native/network-operator:v26.4.1',
            env: [
              { name: 'CNI_BIN_DIR', value: '/var/lib/cni' },
              {
                name: 'OFED_INIT_CONTAINER_IMAGE',
                value: 'nvcr.io/nvidia/mellanox/network-operator-init-container:network-operator-v26.4.1',
              },
            ],
          },
        ],
      },
    },
  },
};
const TAG = 'doca3.4.1-26.04-1.1.0.0-3-6.8.0-31-generic-ubuntu24.04-amd64';
const DRIVER = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'mofed-ubuntu24.04-ds', namespace: NAMESPACE },
  spec: {
    template: {
      spec: {
        nodeSelector: { [`${NFD}/kernel-version.full`]: '6.8.0-31-generic' },
        containers: [{ name: 'mofed-container', image: `nvcr.io/nvidia/mellanox/doca-driver:${TAG}` }],
      },
    },
  },
};
const CONFIG_MAP = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'corp-ca', namespace: NAMESPACE },
  data: { 'root.crt': '' },
};
const POOL = {
  apiVersion: 'nv-ipam.nvidia.com/v1alpha1',
  kind: 'IPPool',
  metadata: {
    name: 'rdma',
    namespace: NAMESPACE,
    finalizers: ['x'],
    labels: { 'app.kubernetes.io/managed-by': 'Helm' },
  },
  spec: { subnet: '10.0.0.0/24', perNodeBlockSize: 8, gateway: '10.0.0.1' },
};
const items = (...all: readonly object[]) => ({ metadata: { resourceVersion: '1' }, items: all });

/** What the cluster answers, by path. */
const LIVE: Readonly<Record<string, unknown>> = {
  '/apis/mellanox.com/v1alpha1': {
    resources: [
      { name: 'nicclusterpolicies', kind: 'NicClusterPolicy' },
      { name: 'nicclusterpolicies/status', kind: 'NicClusterPolicy' },
    ],
  },
  '/apis/nv-ipam.nvidia.com/v1alpha1': { resources: [{ name: 'ippools', kind: 'IPPool' }] },
  '/apis/mellanox.com/v1alpha1/nicclusterpolicies': items(POLICY),
  '/apis/nv-ipam.nvidia.com/v1alpha1/ippools': items(POOL),
  '/apis/apps/v1/deployments': items(OPERATOR),
  [`/apis/apps/v1/namespaces/${NAMESPACE}/daemonsets`]: items(DRIVER),
  '/api/v1/nodes': items(NODE),
  [`/api/v1/namespaces/${NAMESPACE}/configmaps/corp-ca`]: CONFIG_MAP,
  '/api/v1/namespaces/kube-system': { metadata: { name: 'kube-system', uid: 'uid-of-east' } },
  '/version': { gitVersion: 'v1.34.2' },
};

let cwd: string;
const makeFolder = () => {
  cwd = mkdtempSync(join(tmpdir(), 'weft-import-'));
  answer(LIVE);
};
/** An import of the live cluster, and the folder in which it wrote; each costs two processes. */
let first: Awaited<ReturnType<typeof weft>> & { readonly cwd: string };
beforeAll(async () => {
  makeFolder();
  first = { ...(await weft()), cwd };
});
afterAll(() => rmSync(first.cwd, { recursive: true }));
beforeEach(makeFolder);
afterEach(() => rmSync(cwd, { recursive: true }));

const answer = (live: unknown) => writeFileSync(join(cwd, 'live.json'), JSON.stringify(live));
const put = (name: string, value: unknown) =>
  writeFileSync(join(cwd, name), typeof value === 'string' ? value : JSON.stringify(value));
/** Puts what that import wrote in the folder of the test. */
const putFirst = () => cpSync(join(first.cwd, 'clusters'), join(cwd, 'clusters'), { recursive: true });
const read = (path: string) => readFileSync(join(cwd, path), 'utf8');

async function weft(...args: readonly string[]) {
  return runWeft(['import', ...args], {
    readStdin: () => Promise.resolve('USER-SUPPLIED VALUES:\nnfd:\n  enabled: true\n'),
    cwd,
    env: withCluster(join(cwd, 'live.json')),
  });
}

const CLUSTER = `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata:
  name: east
spec:
  # By \`nvcr.io/nvidia/cloud-native/network-operator:v26.4.1\`. It fills the images that a policy leaves out.
  release: v26.4.1
  kubernetesVersion: "1.34"
  # As the nodes are today: a pool or a kernel without a node now is not here.
  nodePools:
    - name: ubuntu-24-04-amd64-hpc
      osName: ubuntu
      osVersion: "24.04"
      arch: amd64
      kernel: 6.8.0-31-generic
      # Keep those that the pool has for good.
      taints:
        - key: dedicated
          value: hpc
          effect: NoSchedule
  cni:
    binDirectory: /var/lib/cni
  driver:
    # As the operator has it: no pod is replaced. \`ready-file\` needs nobody who changes a label; a choice for after the takeover.
    gate: label
    # Those that run; add the tags of later kernels and drivers that the registry holds.
    precompiledTags:
      - ${TAG}
  existingConfigMaps:
    - name: corp-ca
      keys:
        - root.crt
  # Commands that reach a live cluster refuse any other one.
  access:
    clusterUID: uid-of-east
`;

/** Of files neither the version of Kubernetes nor the UID of the cluster is known. */
const OF_FILES = CLUSTER.replace(/^ {2}# Commands.*\n.*\n.*\n/m, '').replace(/^ {2}kubernetesVersion.*\n/m, '');

/** The arguments that name files with the same objects. */
function files(): readonly string[] {
  put('all.json', { kind: 'List', apiVersion: 'v1', items: [POLICY, POOL, OPERATOR, DRIVER, CONFIG_MAP] });
  put('nodes.json', { kind: 'NodeList', apiVersion: 'v1', items: [NODE] });
  return ['--from', 'all.json', '--from', 'nodes.json'];
}

describe('weft import', () => {
  it('writes the folder of a live cluster', () => {
    const { exit, stdout, stderr } = first;
    putFirst();
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout: 'clusters/east/cluster.yaml\nclusters/east/policy.yaml\nclusters/east/ip-pools.yaml\n',
    });
    expect(stderr).toContain('next: read the comments, then `weft synth clusters/east`');
    expect(read('clusters/east/cluster.yaml')).toBe(CLUSTER);
    expect(read('clusters/east/policy.yaml')).not.toMatch(/uid|resourceVersion|status|generation/);
    expect(read('clusters/east/ip-pools.yaml')).not.toMatch(/finalizers|managed-by/);
  });

  it('writes the same from files', async () => {
    const { exit } = await weft('clusters/east', ...files());
    expect(exit).toBe(0);
    expect(read('clusters/east/cluster.yaml')).toBe(OF_FILES);
  });

  it('says that nothing changed, and keeps what a person wrote', async () => {
    putFirst();
    const edited = read('clusters/east/cluster.yaml')
      .replace('ubuntu-24-04-amd64-hpc', 'hpc')
      .replace(/^ *#.*\n/gm, '')
      .replace('gate: label', 'gate: ready-file');
    put('clusters/east/cluster.yaml', edited);
    const { exit, stdout, stderr } = await weft('clusters/east');
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '' });
    expect(stderr).toContain('as the cluster is; nothing to write');
    expect(read('clusters/east/cluster.yaml')).toBe(edited);
  });

  it('shows what differs, and overwrites nothing', async () => {
    putFirst();
    const before = read('clusters/east/policy.yaml');
    const spec = { ...POLICY.spec, ofedDriver: { ...POLICY.spec.ofedDriver, version: 'doca3.5.0-26.07-0.7.0.0-0' } };
    const network = {
      apiVersion: 'mellanox.com/v1alpha1',
      kind: 'MacvlanNetwork',
      metadata: { name: 'net' },
      spec: { master: 'ens1' },
    };
    answer({
      ...LIVE,
      '/apis/mellanox.com/v1alpha1': {
        resources: [
          { name: 'nicclusterpolicies', kind: 'NicClusterPolicy' },
          { name: 'macvlannetworks', kind: 'MacvlanNetwork' },
        ],
      },
      '/apis/mellanox.com/v1alpha1/nicclusterpolicies': items({ ...POLICY, spec }),
      '/apis/mellanox.com/v1alpha1/macvlannetworks': items(network),
      '/apis/nv-ipam.nvidia.com/v1alpha1/ippools': items(),
    });
    const { exit, stdout, stderr } = await weft('clusters/east');
    expect(exit).toBe(1);
    expect(stdout).toBe(`clusters/east/macvlan-networks.yaml
clusters/east/policy.yaml: NicClusterPolicy nic-cluster-policy, from the folder to the cluster:
  ~ spec.ofedDriver.version: "doca3.4.1-26.04-1.1.0.0-1" -> "doca3.5.0-26.07-0.7.0.0-0"
clusters/east/ip-pools.yaml: IPPool rdma is not in the cluster
`);
    expect(stderr).toContain('2 documents differ from the cluster, and were left as in the folder');
    expect(read('clusters/east/policy.yaml')).toBe(before);
  });

  it('prints with --dry-run what it would write', async () => {
    const { exit, stdout } = await weft('clusters/east', ...files(), '--dry-run');
    expect(exit).toBe(0);
    expect(stdout).toContain(`# clusters/east/cluster.yaml\n${OF_FILES}---\n# clusters/east/policy.yaml\n`);
    expect(existsSync(join(cwd, 'clusters'))).toBe(false);
  });

  it('prints one JSON document on each stream with --format json', async () => {
    const { stdout, stderr } = await weft('clusters/east', ...files(), '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      folder: 'clusters/east',
      files: [{ path: 'clusters/east/cluster.yaml', documents: [{ kind: 'Cluster', name: 'east' }] }, {}, {}],
      changed: [],
    });
    expect(JSON.parse(stderr)).toMatchObject({ diagnostics: [{ code: 'WEFT0351' }] });
  });

  it('reads no setting of a Deployment that a tenant made to look like the operator', async () => {
    const [container] = OPERATOR.spec.template.spec.containers;
    const env = [{ name: 'CNI_BIN_DIR', value: '/etc/cron.d' }];
    const spec = { template: { ...OPERATOR.spec.template, spec: { containers: [{ ...container, env }] } } };
    const tenants = { ...OPERATOR, metadata: { name: 'x', namespace: 'aaa-tenant' }, spec };
    const secret = { type: 'helm.sh/release.v1', metadata: { name: 's', namespace: 'aaa-tenant' } };
    answer({
      ...LIVE,
      '/apis/apps/v1/deployments': items(tenants, OPERATOR),
      [`/apis/apps/v1/namespaces/${NAMESPACE}/deployments`]: items(OPERATOR),
      '/api/v1/namespaces/aaa-tenant/secrets': items(secret),
    });
    const unsaid = await weft('clusters/east', '--helm');
    expect(unsaid).toMatchObject({ exit: 2, stdout: '' });
    expect(unsaid.stderr).toContain('error[WEFT0567]: `aaa-tenant/x` looks like');
    const { exit } = await weft('clusters/east', '--namespace', NAMESPACE);
    expect(exit).toBe(0);
    expect(read('clusters/east/cluster.yaml')).toBe(CLUSTER);
  });

  it('refuses a cluster that is not that of the folder', async () => {
    putFirst();
    answer({ ...LIVE, '/api/v1/namespaces/kube-system': { metadata: { name: 'kube-system', uid: 'other' } } });
    const { exit, stderr } = await weft('clusters/east');
    expect({ exit, code: stderr.includes('WEFT0393') }).toEqual({ exit: 2, code: true });
  });

  it('goes on without a list that may not be read, says so, and writes what does not compile, with the error', async () => {
    const forbidden = {
      kind: 'Status',
      code: 403,
      message:
        'deployments.apps is forbidden: User "u" cannot list resource "deployments" in API group "apps" at the cluster scope',
    };
    const configMap = `/api/v1/namespaces/${NAMESPACE}/configmaps/corp-ca`;
    answer({ ...LIVE, '/apis/apps/v1/deployments': forbidden, [configMap]: undefined });
    const { exit, stderr } = await weft('clusters/east');
    expect(exit).toBe(2);
    expect(stderr).toMatch(/^error\[WEFT\d+\].*corp-ca/m);
    expect(stderr).toContain('--> clusters/east/policy.yaml:');
    expect(stderr).toContain('the Deployments of the cluster may not be read');
    expect(read('clusters/east/policy.yaml')).toContain('kind: NicClusterPolicy');
  });
});

describe('values of the chart', () => {
  const packed = (release: object) =>
    Buffer.from(gzipSync(JSON.stringify(release)).toString('base64')).toString('base64');
  const secret = (version: number, config: object, status = 'deployed') => ({
    type: 'helm.sh/release.v1',
    metadata: { name: `v${version}`, labels: { name: 'prod', owner: 'helm', status, version: String(version) } },
    data: {
      release: packed({
        ...{ name: 'prod', namespace: NAMESPACE, version, config },
        chart: { metadata: { name: 'network-operator', appVersion: 'v26.4.1' }, values: { nfd: { enabled: true } } },
      }),
    },
  });
  const SECRETS = `/api/v1/namespaces/${NAMESPACE}/secrets`;

  it('come with --helm from the newest deployed release, with its names', async () => {
    const secrets = items(
      secret(9, { nfd: { enabled: false } }),
      secret(10, { nfd: { enabled: true }, 'node-feature-discovery': { master: { replicaCount: 2 } } }),
      secret(11, { nfd: { enabled: false } }, 'failed'),
    );
    answer({ ...LIVE, [SECRETS]: secrets });
    const { exit } = await weft('clusters/east', '--helm');
    expect(exit).toBe(0);
    expect(read('clusters/east/cluster.yaml')).toContain(`  nodeFeatureDiscovery:
    deploy: true
    releaseName: prod
    fullnameOverride: prod-node-feature-discovery
    master:
      replicaCount: 2
`);
  });

  it('come from no Secret of another namespace in a file', async () => {
    const tenants = { ...secret(99, { nfd: { enabled: true } }), apiVersion: 'v1', kind: 'Secret' };
    const file = { ...tenants, metadata: { ...tenants.metadata, namespace: 'aaa-tenant' } };
    put('secret.json', file);
    const { exit, stderr } = await weft('clusters/east', ...files(), '--from', 'secret.json', '--helm');
    expect({ exit, code: stderr.includes('error[WEFT0565]') }).toEqual({ exit: 2, code: true });
  });

  it('are an error with --helm where there is no release', async () => {
    answer({ ...LIVE, [SECRETS]: items() });
    const { exit, stderr } = await weft('clusters/east', '--helm');
    expect({ exit, code: stderr.includes('error[WEFT0565]') }).toEqual({ exit: 2, code: true });
    expect(existsSync(join(cwd, 'clusters'))).toBe(false);
  });

  it('come from a HelmRelease', async () => {
    const spec = { chart: { spec: { chart: 'network-operator' } }, values: { nfd: { enabled: true }, a: 1, b: 1 } };
    put('release.json', {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name: 'net', namespace: NAMESPACE },
      spec,
    });
    const { exit, stderr } = await weft('clusters/east', '--from', 'release.json');
    expect(read('clusters/east/cluster.yaml')).toContain('  nodeFeatureDiscovery:\n    deploy: true\n');
    expect(stderr).toContain('warning[WEFT0571]: the documents have no place for 2 of 3 values of the chart');
    expect(exit).toBe(1);
  });

  it('of another chart are refused', async () => {
    put('values.yaml', 'foo: bar\n');
    const { exit, stderr } = await weft('clusters/east', '--from', 'values.yaml');
    expect({ exit, codes: stderr.match(/error\[\w+/g) }).toEqual({ exit: 2, codes: ['error[WEFT0563'] });
    expect(existsSync(join(cwd, 'clusters'))).toBe(false);
  });

  it('come from standard input beside the cluster', async () => {
    const { exit } = await weft('clusters/east', '--live', '--from', '-');
    expect(exit).toBe(0);
    expect(read('clusters/east/cluster.yaml')).toContain('  nodeFeatureDiscovery:\n    deploy: true\n');
  });
});
