import { describe, expect, it } from '@jest/globals';
import {
  clusterText,
  compile,
  PLAIN_CLUSTER,
  policyText,
  problemLines,
  type Files,
} from '../../../test/golden/compile.js';
import { testRule } from '../../../test/golden/rule-table.js';

const network = (name: string, more = ''): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: ${name}${more}}\n`;
const configMap = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${more}}\ndata: {a: text}\n`;
const clusterPolicy = (more = '', spec = '  {}\n'): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\nmetadata: {name: nic-cluster-policy${more}}\nspec:\n${spec}`;

testRule('WEFT0100', {
  valid: [{ name: 'both', network: network('net') }],
  invalid: [
    {
      name: 'neither',
      network: 'metadata: {name: a}\n',
      expected: ['network.yaml:1:1 the document has no `apiVersion` and `kind`'],
    },
    {
      name: 'an apiVersion that is no text',
      network: 'apiVersion: 1\nkind: Cluster\n',
      expected: ['network.yaml:1:13 `apiVersion` must be text'],
      help: 'write `apiVersion: weft.dev/v1alpha1`',
    },
    {
      name: 'no apiVersion',
      network: 'kind: MacvlanNetwork\nmetadata: {name: a}\n',
      expected: ['network.yaml:1:1 the document has no `apiVersion`'],
      help: 'write `apiVersion: mellanox.com/v1alpha1`',
    },
    {
      name: 'no kind',
      network: 'apiVersion: weft.dev/v1alpha1\nmetadata: {name: a}\n',
      expected: ['network.yaml:1:1 the document has no `kind`'],
      help: 'write `kind: Cluster`',
    },
    {
      name: 'no kind, and an apiVersion of others',
      network: 'apiVersion: apps/v1\nmetadata: {name: a}\n',
      expected: ['network.yaml:1:1 the document has no `kind`'],
      help: 'each document starts with `apiVersion: …` and `kind: …`',
    },
  ],
});

testRule('WEFT0101', {
  valid: [
    { name: 'a List of known kinds', network: 'apiVersion: v1\nkind: List\nitems: []\n' },
    {
      name: 'a Cluster of others',
      network: 'apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: a}\n',
    },
  ],
  invalid: [
    {
      name: 'another kind',
      network: 'apiVersion: mellanox.com/v1alpha1\nkind: Thing\nmetadata: {name: a}\n',
      expected: ['network.yaml:2:7 Weft does not read documents of kind `Thing` (mellanox.com/v1alpha1)'],
    },
    {
      name: 'another version of a known kind',
      network: network('net').replace('v1alpha1', 'v1'),
      expected: ['network.yaml:1:13 `apiVersion` of a MacvlanNetwork is not `mellanox.com/v1`'],
      help: 'write `apiVersion: mellanox.com/v1alpha1`',
    },
    ...['weft.dev/v1', 'weft.dev', 'weft.io/v1alpha1'].map((apiVersion) => ({
      name: `a Cluster of ${apiVersion}`,
      cluster: PLAIN_CLUSTER.replace('weft.dev/v1alpha1', apiVersion),
      expected: [`cluster.yaml:1:13 \`apiVersion\` of a Cluster is not \`${apiVersion}\``],
      help: 'write `apiVersion: weft.dev/v1alpha1`',
    })),
  ],
});

testRule('WEFT0102', {
  valid: [
    { name: 'other names', network: [network('first'), network('second')].join('---\n') },
    {
      name: 'ConfigMaps of other namespaces',
      network: [configMap('a'), configMap('a', ', namespace: other')].join('---\n'),
    },
  ],
  invalid: [
    {
      name: 'one name',
      network: [network('net'), network('net')].join('---\n'),
      expected: ['network.yaml:7:18 there is a second MacvlanNetwork `net`'],
    },
    {
      name: 'one name, and namespaces that the kind does not have',
      network: [network('net', ', namespace: a'), network('net', ', namespace: b')].join('---\n'),
      expected: ['network.yaml:7:18 there is a second MacvlanNetwork `net`'],
    },
    {
      name: 'one policy, and namespaces that the kind does not have',
      policy: [clusterPolicy(', namespace: a'), clusterPolicy(', namespace: b')].join('---\n'),
      expected: ['policy.yaml:9:18 there is a second NicClusterPolicy `nic-cluster-policy`'],
    },
  ],
});

testRule('WEFT0103', {
  valid: [
    { name: 'a Cluster' },
    { name: 'a Cluster with errors', cluster: clusterText('  nodePools: {}\n') },
    { name: 'a Cluster of another version', cluster: PLAIN_CLUSTER.replace('v1alpha1', 'v1') },
    { name: 'a Cluster of another group', cluster: PLAIN_CLUSTER.replace('weft.dev', 'weft.io') },
    { name: 'a Cluster without apiVersion', cluster: PLAIN_CLUSTER.replace(/^apiVersion.*\n/, '') },
    { name: 'a Cluster without kind', cluster: PLAIN_CLUSTER.replace('kind: Cluster\n', '') },
    { name: 'a Cluster whose text is no YAML', cluster: `${PLAIN_CLUSTER}  a: [\n`, policy: clusterPolicy() },
    { name: 'a Cluster in a file with a character that is not allowed', cluster: `# \u2028\n${PLAIN_CLUSTER}` },
  ],
  invalid: [
    {
      name: 'a policy alone',
      cluster: '',
      policy: clusterPolicy(),
      expected: ['policy.yaml:1:1 there is no Cluster document beside the policies'],
    },
  ],
});

testRule('WEFT0104', {
  valid: [{ name: 'one' }],
  invalid: [
    {
      name: 'two, whatever the order of the files',
      network: PLAIN_CLUSTER.replace('east', 'a'),
      expected: ['cluster.yaml:4:9 there are two Cluster documents: `a` and `east`'],
      help: 'remove one of the two, or give each cluster a folder of its own',
    },
    {
      name: 'one twice, which is said once',
      network: PLAIN_CLUSTER,
      expected: ['network.yaml:4:9 there are two Cluster documents: `east` and `east`'],
    },
  ],
});

testRule('WEFT0105', {
  valid: [
    {
      name: 'a reference to one',
      network: 'apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: a}\n',
    },
  ],
  invalid: [
    {
      name: 'a Secret',
      network: 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n',
      expected: ['network.yaml:2:7 a Secret in the input would end in git, in clear text'],
    },
  ],
});

testRule('WEFT0106', {
  valid: [{ name: 'keys that look similar', network: network('net', ', labels: {proto: a, constructors: b}') }],
  invalid: [
    {
      name: 'keys that JavaScript gives a meaning',
      network: network('net', ', labels: {__proto__: a, constructor: b}'),
      expected: [
        'network.yaml:3:32 `__proto__` cannot be used as a key',
        'network.yaml:3:46 `constructor` cannot be used as a key',
      ],
    },
  ],
});

testRule('WEFT0243', {
  valid: [
    { name: 'another namespace', network: configMap('rdma-devices', ', namespace: other') },
    { name: 'a name that no component uses', network: configMap('rdma-devices') },
    {
      name: 'names that look the same when they are joined',
      network: [configMap('b-c', ', namespace: a'), configMap('c', ', namespace: a-b')].join('---\n'),
    },
  ],
  invalid: [
    {
      name: "a component's name",
      policy: clusterPolicy(
        '',
        '  rdmaSharedDevicePlugin: {config: {configList: [{resourceName: a, rdmaHcaMax: 1, devices: [b]}]}}\n',
      ),
      network: configMap('rdma-devices'),
      expected: [
        'network.yaml:3:18 the output has another ConfigMap `rdma-devices` in namespace `nvidia-network-operator`',
      ],
      help: 'give this one another name; to change the object that a component makes, use `spec.patches` of the Cluster',
    },
    {
      name: 'add-ons of one name',
      cluster: clusterText(
        '  release: v26.7\n  nodePools: []\n  sriovNetworkOperator: {deploy: true, fullnameOverride: a}\n  maintenanceOperator: {deploy: true, fullnameOverride: a}\n',
      ),
      network: configMap('other'),
      expected: [
        'cluster.yaml:8:3 the output has another Deployment `a` in namespace `nvidia-network-operator`',
        'cluster.yaml:9:3 the output has another Deployment `a` in namespace `nvidia-network-operator`',
      ],
      help: 'give the add-on another `fullnameOverride`',
    },
  ],
});

testRule('WEFT0315', {
  valid: [
    { name: 'a policy', policy: policyText('NicNodePolicy', 'a', '  ofedDriver: {}\n') },
    {
      name: 'a companion for a driver that Weft does not render',
      cluster: clusterText('  release: v26.7\n  nodePools: []\n  gpuDriver: {upgradePolicy: {autoUpgrade: true}}\n'),
    },
    {
      name: 'an add-on',
      cluster: clusterText('  release: v26.7\n  nodePools: []\n  sriovNetworkOperator: {deploy: true}\n'),
    },
  ],
  invalid: [
    {
      name: 'a policy without sections',
      policy: policyText('NicClusterPolicy', 'nic-cluster-policy', '  {}\n'),
      expected: ['cluster.yaml:4:9 the cluster has no section in a policy, so its output has no component'],
      help: 'add the sections of the components that the nodes need to the policy',
    },
    {
      name: 'a Cluster alone',
      expected: ['cluster.yaml:4:9 the cluster has no policy, so its output has no component'],
      help: 'add a NicClusterPolicy named `nic-cluster-policy` beside the Cluster',
    },
    {
      name: 'other objects alone',
      network: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
      expected: ['cluster.yaml:4:9 the cluster has no policy, so its output has no component'],
    },
  ],
});

describe('a configuration', () => {
  const all = (files: Files) => compile({ 'cluster.yaml': PLAIN_CLUSTER, ...files });

  it('fills images from the section, then global, then the release', () => {
    const images = (spec: string) =>
      (all({ 'policy.yaml': clusterPolicy('', spec) }).config?.instances.get('rdma-shared-device-plugin') ?? []).map(
        (instance) => {
          const { image, repository, version, imagePullSecrets } = instance.spec as Record<string, unknown>;
          return [image, repository, version, imagePullSecrets];
        },
      );
    const [released] = images('  rdmaSharedDevicePlugin: {}\n');
    expect(released).toHaveLength(4);
    const [image, repository, version] = released ?? [];
    expect(
      images('  global: {repository: g.h/i, version: v2, imagePullSecrets: [s]}\n  rdmaSharedDevicePlugin: {}\n'),
    ).toEqual([[image, 'g.h/i', 'v2', ['s']]]);
    expect(
      images(
        '  global: {repository: g.h/i, version: v2, imagePullSecrets: [s]}\n  rdmaSharedDevicePlugin: {image: a, repository: x.y/z, version: v3, imagePullSecrets: [t]}\n',
      ),
    ).toEqual([['a', 'x.y/z', 'v3', ['t']]]);
    expect(
      images('  global: {repository: "", version: ""}\n  rdmaSharedDevicePlugin: {imagePullSecrets: null}\n'),
    ).toEqual([[image, repository, version, []]]);
  });

  it('takes `global.repository` for every image of the release, the init container and NicNodePolicies too', () => {
    const { config } = compile({
      'cluster.yaml': PLAIN_CLUSTER,
      'policy.yaml': clusterPolicy(
        '',
        '  global: {repository: mirror.example/nvidia}\n  ofedDriver: {}\n  docaTelemetryService: {}\n' +
          '  spectrumXOperator: {xPlane: {image: xplane}}\n  nvIpam: {repository: other.example}\n',
      ),
      'node.yaml': policyText('NicNodePolicy', 'a', '  rdmaSharedDevicePlugin: {}\n'),
    });
    const repositories = [...(config?.instances ?? [])].flatMap(([id, instances]) =>
      instances.map(({ spec }) => [id, (spec as { repository: string }).repository]),
    );
    expect(Object.fromEntries(repositories)).toEqual({
      'doca-telemetry-service': 'mirror.example/nvidia',
      'nv-ipam-cni': 'other.example',
      'ofed-driver': 'mirror.example/nvidia',
      'rdma-shared-device-plugin': 'mirror.example/nvidia',
      'spectrum-x-operator': 'mirror.example/nvidia',
    });
    expect(config?.instances.get('spectrum-x-operator')?.[0]?.spec).toMatchObject({
      xPlane: { repository: 'mirror.example/nvidia' },
    });
    expect(config?.cluster.initContainerImage).toMatch(/^mirror\.example\/nvidia\/network-operator-init-container:/);
  });

  it('has instances in the order of the names of their policies, whatever the order of the documents', () => {
    const policies = ['c', 'a', 'b'].map((name) =>
      policyText('NicNodePolicy', name, `  nodeSelector: {pool: ${name}}\n  ofedDriver: {}\n`),
    );
    const { config } = all({ 'policy.yaml': policies.join('---\n') });
    expect(config?.instances.get('ofed-driver')?.map(({ owner }) => owner.label)).toEqual(['nnp-a', 'nnp-b', 'nnp-c']);
    expect(config?.policies.map(({ owner }) => owner.name)).toEqual(['a', 'b', 'c']);
  });

  it('names the instances of a NicNodePolicy by its name, and DaemonSets by its hash since v26.10', () => {
    const instanceIn = (release: string) => {
      const cluster = PLAIN_CLUSTER.replace('v26.4', release);
      const policy = policyText(
        'NicNodePolicy',
        'gpu',
        '  ofedDriver: {repository: a.b/c, image: d, version: 26.10-0.1.0.0-0}\n',
      );
      return compile({ 'cluster.yaml': cluster, 'policy.yaml': policy }).config?.instances.get('ofed-driver');
    };
    expect(instanceIn('v26.7')).toMatchObject([{ nameSuffix: '-gpu', daemonSetSuffix: '-gpu' }]);
    expect(instanceIn('v26.10')).toMatchObject([{ nameSuffix: '-gpu', daemonSetSuffix: '-55f9554bcc' }]);
    const { config: other } = all({ 'policy.yaml': clusterPolicy('', '  ofedDriver: {}\n') });
    expect(other?.instances.get('ofed-driver')).toMatchObject([{ nameSuffix: '', daemonSetSuffix: '' }]);
  });

  it.each([
    { name: 'a taint that keeps no pod away', taint: '{key: a, effect: PreferNoSchedule}', expected: 1 },
    {
      name: 'a taint that goes by itself',
      taint: '{key: node.kubernetes.io/not-ready, effect: NoSchedule}',
      expected: 1,
    },
    { name: 'a taint that keeps pods away', taint: '{key: a, effect: NoSchedule}', expected: 0 },
  ])('installs the driver on a pool with $name, or not', ({ taint, expected }) => {
    const pool = `{name: main, osName: ubuntu, osVersion: "24.04", arch: amd64, taints: [${taint}]}`;
    const { config } = compile({
      'cluster.yaml': clusterText(`  release: v26.4\n  nodePools: [${pool}]\n`),
      'policy.yaml': clusterPolicy('', '  ofedDriver: {}\n'),
    });
    expect(config?.instances.get('ofed-driver')?.flatMap(({ pools }) => pools)).toHaveLength(expected);
  });

  it('is frozen, and what it was made from is kept out of it when there is an error', () => {
    const { config } = all({});
    expect(Object.isFrozen(config?.cluster.spec)).toBe(true);
    expect(all({ 'policy.yaml': clusterPolicy('', '  ofedDrive: {}\n') }).config).toBeUndefined();
  });

  it('finds the errors of every document and every rule at once', () => {
    const { diagnostics } = all({
      'policy.yaml': `${clusterPolicy('', '  ofedDriver: {version: latest, upgradePolicy: {safeLoad: true}}\n')}---\n${policyText('NicNodePolicy', 'a'.repeat(49), '  {}\n')}`,
      'network.yaml': network('net', ', label: {}'),
    });
    expect(problemLines(diagnostics).map((line) => line.split(' ')[1])).toEqual([
      'WEFT0265',
      'WEFT0265',
      'WEFT0140',
      'WEFT0210',
      'WEFT0308',
      'WEFT0211',
      'WEFT0231',
    ]);
  });

  describe('of a document that its schema refuses in part', () => {
    const driver = (fields: string) => clusterPolicy('', `  ofedDriver: {${fields}}\n`);
    const resources = (entries: string) =>
      clusterPolicy('', `  sriovDevicePlugin: {config: {resourceList: [${entries}]}}\n`);
    const twice =
      '{resourceName: a, selectors: {vendors: [15b3]}}, {resourceName: a, selectors: {drivers: [x], dirvers: [y]}}';
    it.each([
      {
        name: 'beside an unknown key',
        files: { 'p.yaml': driver('version: latest, foo: 1') },
        codes: ['WEFT0140', 'WEFT0210', 'WEFT0308'],
      },
      {
        name: 'beside a wrong value',
        files: { 'p.yaml': driver('version: latest, env: 3') },
        codes: ['WEFT0142', 'WEFT0210', 'WEFT0308'],
      },
      {
        name: 'in another section than a field without which its own is none',
        files: {
          'p.yaml': clusterPolicy('', '  ofedDriver: {version: latest}\n  secondaryNetwork: {multus: {image: 3}}\n'),
        },
        codes: ['WEFT0142', 'WEFT0210', 'WEFT0308'],
      },
      {
        name: 'not about what holds the refused field',
        files: { 'p.yaml': driver('verson: latest, image: x, repository: a.b') },
        codes: ['WEFT0140'],
      },
      {
        name: 'in lists, at the place that they have',
        files: { 'p.yaml': resources(twice) },
        codes: ['WEFT0140', 'WEFT0260'],
      },
      {
        name: 'of policies beside a Cluster with an unknown key',
        files: { 'cluster.yaml': `${PLAIN_CLUSTER}  foo: 1\n`, 'p.yaml': driver('version: latest') },
        codes: ['WEFT0140', 'WEFT0210', 'WEFT0308'],
      },
    ])('finds what rules find $name', ({ files, codes }) => {
      const { config, diagnostics } = compile({ 'cluster.yaml': PLAIN_CLUSTER, ...files });
      expect(diagnostics.map(({ code }) => code).sort()).toEqual(codes);
      expect(config).toBeUndefined();
    });

    it('draws no conclusion from what was left out', () => {
      const { diagnostics } = compile({
        'cluster.yaml': PLAIN_CLUSTER,
        'p.yaml': clusterPolicy('', '  secondaryNetwork: {multus: {image: 3}, cniPlugins: {image: 3}}\n'),
        'n.yaml': `${network('net')}spec: {}\n`,
      });
      expect(diagnostics.map(({ code }) => code)).toEqual(['WEFT0142', 'WEFT0142']);
    });
  });

  it('has one ConfigMap where one document names the namespace that the other gets', () => {
    const maps = [configMap('same'), configMap('same', ', namespace: nvidia-network-operator')];
    const { diagnostics } = all({ 'maps.yaml': maps.join('---\n') });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).not.toEqual([]);
  });

  it('is missed where there is a Cluster of another API group only', () => {
    const { config, diagnostics } = compile({
      'a.yaml': PLAIN_CLUSTER.replace('weft.dev/v1alpha1', 'cluster.x-k8s.io/v1beta1'),
    });
    expect(config).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['WEFT0103']);
  });

  it('is missed where something else has no text for its API version', () => {
    const { diagnostics } = compile({ 'a.yaml': 'apiVersion: {toString: x}\nkind: Foo\n' });
    expect(diagnostics.map(({ code }) => code)).toEqual(['WEFT0100', 'WEFT0103']);
  });

  it('does not blame a policy for a ConfigMap that has an error itself', () => {
    const { diagnostics } = all({
      'policy.yaml': clusterPolicy('', '  ofedDriver: {certConfig: {name: corp-ca}}\n'),
      'map.yaml': configMap('corp-ca').replace('text', '1'),
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(['WEFT0142']);
  });

  // Each needs something of the policy or of another document, and none of it can be known.
  const needy: Files = {
    'network.yaml': `${network('macvlan')}spec: {ipam: {type: nv-ipam, poolName: pool}}\n---\n${network('hostdev').replace('Macvlan', 'HostDevice')}spec: {resourceName: hostdev}\n`,
    'node.yaml':
      'apiVersion: mellanox.com/v1alpha1\nkind: NicNodePolicy\nmetadata: {name: gpu}\nspec: {ofedDriver: {certConfig: {name: corp-ca}}}\n',
  };
  it('says what is missing where every document is read', () => {
    const lines = problemLines(
      all({ ...needy, 'policy.yaml': clusterPolicy('', '  nvIpam: {enableWebhook: true}\n') }).diagnostics,
    );
    expect([...new Set(lines.map((line) => line.split(' ')[1]))].sort()).toEqual([
      'WEFT0212',
      'WEFT0263',
      'WEFT0264',
      'WEFT0265',
      'WEFT0266',
      'WEFT0281',
    ]);
  });

  it.each([
    {
      name: 'a typo',
      text: clusterPolicy('', '  ofedDriver: {upgradePolicy: {maxParalelUpgrades: 4}}\n'),
      code: 'WEFT0140',
      // The NicNodePolicy has the section, too.
      others: ['WEFT0233'],
    },
    { name: 'a value', text: clusterPolicy('', '  nvIpam: {version: 25.10}\n'), code: 'WEFT0142' },
    { name: 'another kind', text: clusterPolicy().replace('NicClusterPolicy', 'NicClusterPolcy'), code: 'WEFT0101' },
    { name: 'a tab', text: clusterPolicy('', '\tnvIpam: {}\n'), code: 'WEFT0001' },
    { name: 'no kind', text: clusterPolicy().replace(/^kind:.*\n/m, ''), code: 'WEFT0100' },
    {
      name: 'an object without a name',
      text: 'apiVersion: v1\nkind: Service\nmetadata: {}\n',
      code: 'WEFT0141',
    },
  ])('does not miss what a document with an error may have: $name', ({ text, code, others = [] }) => {
    const { diagnostics } = all({ ...needy, 'policy.yaml': text });
    expect(diagnostics.map((found) => found.code)).toEqual([code, ...others]);
  });

  it('still misses what no network could have brought', () => {
    const { diagnostics } = all({ ...needy, 'broken.yaml': `${network('broken')}spec: {mode: none}\n` });
    expect(diagnostics.map((found) => found.code)).toEqual(
      expect.arrayContaining(['WEFT0143', 'WEFT0264', 'WEFT0265']),
    );
  });
});
