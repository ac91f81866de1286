import { describe, expect, it } from '@jest/globals';
import { compile, PLAIN_CLUSTER, policyText } from '../../../../test/golden/compile.js';
import { sortDiagnostics } from '../../../shared/diagnostics/render/order.js';

/** Name, `spec`, and the expected diagnostics: code and message, then the help if there is one. */
type Case = readonly [name: string, spec: string, ...expected: readonly string[]];

function found(apiVersion: string, kind: string, spec: string): readonly string[] {
  const document = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\nspec: ${spec}\n`;
  const policy = policyText('NicNodePolicy', 'a', '  {}\n');
  const { diagnostics } = compile({ 'cluster.yaml': PLAIN_CLUSTER, 'policy.yaml': policy, 'o.yaml': document });
  // Nothing of this input reads the object.
  const others = diagnostics.filter(({ code }) => code !== 'WEFT0351');
  return sortDiagnostics(others).map(
    ({ code, message, help }) => `${code} ${message}${help === undefined ? '' : ` | ${help}`}`,
  );
}

function table(apiVersion: string, kind: string, cases: readonly Case[]): void {
  describe(kind, () => {
    it.each(cases.map(([name, ...rest]) => ({ name, rest })))('$name', ({ rest: [spec, ...expected] }) => {
      expect(found(apiVersion, kind, spec)).toEqual(expected);
    });
  });
}

const SUBNET = 'subnet: 192.168.0.0/24, perNodeBlockSize: 20';
const CIDR = 'cidr: 10.0.0.0/16, perNodeNetworkPrefix: 24';

table('nv-ipam.nvidia.com/v1alpha1', 'IPPool', [
  ['the least', `{${SUBNET}}`],
  [
    'everything',
    `{${SUBNET}, gateway: 192.168.0.1, defaultGateway: true, routes: [{dst: 10.0.0.0/8}], exclusions: [{startIP: 192.168.0.9, endIP: 192.168.0.9}], perNodeExclusions: [{startIndex: 0, endIndex: 19}], nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}`,
  ],
  ['a subnet of two addresses', '{subnet: 10.0.0.0/31, perNodeBlockSize: 2}'],
  ['IPv6', '{subnet: "fd00::/120", perNodeBlockSize: 255, gateway: "fd00::1"}'],
  [
    'a misspelt key',
    '{subnet: 192.168.0.0/24, perNodeBlocksize: 20}',
    'WEFT0140 `spec` has no key `perNodeBlocksize` | did you mean `perNodeBlockSize`?',
  ],
  [
    'values of another type',
    '{subnet: 1, perNodeBlockSize: "20", exclusions: {}}',
    'WEFT0142 `spec.subnet` must be a string | write "1"',
    'WEFT0142 `spec.perNodeBlockSize` must be a number | write 20, without quotes',
    'WEFT0142 `spec.exclusions` must be a list | write a list: `- ` before it, or `[…]` around it',
  ],
  [
    'a subnet that is none',
    '{subnet: 192.168.0.0/36, perNodeBlockSize: 20, gateway: 10.0.0.1}',
    'WEFT0143 `spec.subnet` must be an IP address with a prefix length such as `192.168.0.0/16`',
  ],
  [
    'blocks that are too small and too large',
    '{subnet: 192.168.0.0/24, perNodeBlockSize: 255}',
    'WEFT0143 `spec.perNodeBlockSize` must be at most 254, the number of addresses for pods in `192.168.0.0/24`',
  ],
  [
    'no block',
    '{subnet: 192.168.0.0/24, perNodeBlockSize: 0, perNodeExclusions: [{startIndex: 0, endIndex: 0}]}',
    'WEFT0143 `spec.perNodeBlockSize` must be at least 1',
  ],
  ['a gateway elsewhere', `{${SUBNET}, gateway: 10.0.0.1}`, 'WEFT0143 `spec.gateway` must lie in `192.168.0.0/24`'],
  [
    'a gateway that is none',
    `{${SUBNET}, gateway: 192.168.0.300}`,
    'WEFT0143 `spec.gateway` must be an IP address such as `192.168.0.1`',
  ],
  [
    'exclusions in the wrong order, elsewhere, and of the other family',
    `{${SUBNET}, exclusions: [{startIP: 192.168.0.9, endIP: 192.168.0.8}, {startIP: 192.168.1.0, endIP: "fd00::1"}]}`,
    'WEFT0143 `spec.exclusions[0].endIP` must not be before `startIP`, 192.168.0.9',
    'WEFT0143 `spec.exclusions[1].startIP` must lie in `192.168.0.0/24`',
    'WEFT0143 `spec.exclusions[1].endIP` must lie in `192.168.0.0/24`',
  ],
  [
    'exclusions of a node in the wrong order, and beyond its block',
    `{${SUBNET}, perNodeExclusions: [{startIndex: 4, endIndex: 2}]}`,
    'WEFT0143 `spec.perNodeExclusions[0]`: endIndex must be greater than or equal to startIndex',
  ],
  [
    'exclusions of a node beyond its block',
    `{${SUBNET}, perNodeExclusions: [{startIndex: 4, endIndex: 20}]}`,
    "WEFT0143 `spec.perNodeExclusions[0].endIndex` must be at most 19, the last of a node's block",
  ],
  [
    'routes without a gateway',
    `{${SUBNET}, defaultGateway: true, routes: [{dst: 10.0.0.0/8}]}`,
    'WEFT0143 `spec.defaultGateway` must not be `true` without `gateway`',
    'WEFT0143 `spec.routes` needs `gateway`',
  ],
  [
    'routes that are none',
    `{${SUBNET}, gateway: 192.168.0.1, defaultGateway: true, routes: [{dst: 10.0.0.0}, {dst: "fd00::/8"}, {dst: 0.0.0.0/0}]}`,
    'WEFT0143 `spec.routes[0].dst` must be an IP address with a prefix length such as `192.168.0.0/16`',
    'WEFT0143 `spec.routes[1].dst` must be an IPv4 network, as those of the pool are',
    'WEFT0143 `spec.routes[2].dst` must not be the default route with `defaultGateway: true`',
  ],
  [
    'a selector of nodes',
    `{${SUBNET}, nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: in, values: [b]}]}]}}`,
    'WEFT0143 `spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].operator` must be `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt` | did you mean `In`?',
  ],
]);

table('nv-ipam.nvidia.com/v1alpha1', 'CIDRPool', [
  ['the least', `{${CIDR}}`],
  [
    'everything',
    `{${CIDR}, gatewayIndex: 1, defaultGateway: true, staticAllocations: [{nodeName: a, prefix: 10.0.5.0/24, gateway: 10.0.5.1}, {prefix: 10.0.6.0/24}], perNodeExclusions: [{startIndex: 0, endIndex: 255}], exclusions: [{startIP: 10.0.0.1, endIP: 10.0.0.2}]}`,
  ],
  ['point to point', '{cidr: 10.0.0.0/16, perNodeNetworkPrefix: 31, gatewayIndex: 0}'],
  [
    'nodes with more than the pool',
    '{cidr: 10.0.0.0/16, perNodeNetworkPrefix: 12}',
    'WEFT0143 `spec.perNodeNetworkPrefix` must be 16 to 32: a part of `10.0.0.0/16`',
  ],
  [
    'a prefix that no address has',
    '{cidr: 0.0.0.0/0, perNodeNetworkPrefix: 0}',
    'WEFT0143 `spec.perNodeNetworkPrefix` must be 1 to 32: a part of `0.0.0.0/0`',
  ],
  [
    'no network',
    '{cidr: 10.0.0.0, perNodeNetworkPrefix: 12}',
    'WEFT0143 `spec.cidr` must be an IP address with a prefix length such as `192.168.0.0/16`',
  ],
  [
    'an address inside the network',
    '{cidr: 10.0.0.1/16, perNodeNetworkPrefix: 12}',
    'WEFT0143 `spec.cidr` must begin with the first address of the network: its bits after 16 are 0',
  ],
  [
    'a gateway that is not in the network of a node',
    `{${CIDR}, gatewayIndex: 255}`,
    'WEFT0143 `spec.gatewayIndex` must be 1 to 254, with a /24 for each node',
  ],
  [
    'a gateway that is the network itself',
    `{${CIDR}, gatewayIndex: 0}`,
    'WEFT0143 `spec.gatewayIndex` must be 1 to 254, with a /24 for each node',
  ],
  [
    'routes without a gateway',
    `{${CIDR}, routes: [{dst: 10.1.0.0/16}]}`,
    'WEFT0143 `spec.routes` needs `gatewayIndex`',
  ],
  [
    'allocations that do not fit',
    `{${CIDR}, staticAllocations: [{prefix: x}, {prefix: 10.0.0.1/24}, {prefix: 10.0.0.0/25}, {prefix: 10.1.0.0/24}, {prefix: 10.0.1.0/24, gateway: 10.0.2.1}, {prefix: 10.0.2.0/24, gateway: none}]}`,
    ...[
      '[0].prefix` must be an IP address with a prefix length such as `192.168.0.0/16`',
      '[1].prefix` must begin with the first address of the network',
      '[2].prefix` must be a /24, as `perNodeNetworkPrefix` says',
      '[3].prefix` must lie in `10.0.0.0/16`',
      '[4].gateway` must lie in `10.0.1.0/24`',
      '[5].gateway` must be an IP address such as `192.168.0.1`',
    ].map((end) => `WEFT0143 \`spec.staticAllocations${end}`),
  ],
  [
    'two allocations of one node and of one network',
    `{${CIDR}, staticAllocations: [{nodeName: a, prefix: 10.0.1.0/24}, {nodeName: a, prefix: 10.0.1.0/24}]}`,
    ...['nodeName', 'prefix'].map(
      (key) => `WEFT0143 \`spec.staticAllocations[1].${key}\` is there in another entry, too`,
    ),
  ],
]);

table('configuration.net.nvidia.com/v1alpha1', 'NicConfigurationTemplate', [
  ['what the definition allows', '{nicSelector: {nicType: "1023"}, template: {numVfs: 8, linkType: Ethernet}}'],
  [
    'a value that is none of those that there are',
    '{nicSelector: {nicType: "1023"}, template: {numVfs: 8, linkType: Ethernett}}',
    'WEFT0143 `spec.template.linkType` must be `Ethernet` or `Infiniband` | did you mean `Ethernet`?',
  ],
  [
    'text that does not match',
    '{nicSelector: {nicType: "1023", pciAddresses: ["08:00.0"]}, template: {numVfs: 8, linkType: Ethernet}}',
    'WEFT0143 `spec.nicSelector.pciAddresses[0]` must match `^[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]$`',
  ],
  [
    'fields that do not go together, with the default of one of them',
    '{nicSelector: {nicType: "1023"}, template: {numVfs: 1, linkType: Ethernet, spectrumXOptimized: {enabled: true, version: RA1, multiplaneMode: hwplb}}}',
    'WEFT0143 `spec.template.spectrumXOptimized`: when MultiplaneMode is not none, numberOfPlanes must not be 1',
  ],
  [
    'keys that the schema does not have',
    '{nicSelector: {nicType: "1023"}, template: {numVfs: 8, linkTyp: Ethernet}, more: 1}',
    'WEFT0140 `spec.template` has no key `linkTyp` | did you mean `linkType`?',
    'WEFT0140 `spec` has no key `more` | known keys: `nicSelector`, `nodeSelector`, `resetToDefault`, `template`',
  ],
]);

describe('an object of a kind whose definition is here', () => {
  const outputOf = (document: string) =>
    compile({ 'cluster.yaml': PLAIN_CLUSTER, 'o.yaml': document }).placed.find(({ folder }) => folder === 'objects')
      ?.object;

  it('goes to the output as it is: without defaults, without what the API server wrote', () => {
    const written = {
      apiVersion: 'spectrumx.nvidia.com/v1alpha2',
      kind: 'SpectrumXRailPoolConfig',
      metadata: { name: 'a', namespace: 'b' },
      spec: { numVfs: 1, railTopology: [{ name: 'r', mtu: 0, nicSelector: { pfNames: ['p'] } }] },
    };
    const exported = { ...written, metadata: { ...written.metadata, uid: 'u' }, status: { any: 1 } };
    expect(outputOf(JSON.stringify(exported))).toEqual(written);
  });

  const pool = (kind: string, spec: string, namespace = '') =>
    `apiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: ${kind}\nmetadata: {name: a${namespace}}\nspec: {${spec}}\n`;

  it.each([
    { name: 'an IPPool', document: pool('IPPool', SUBNET), expected: 'nvidia-network-operator' },
    { name: 'a CIDRPool', document: pool('CIDRPool', CIDR), expected: 'nvidia-network-operator' },
    { name: 'a pool that says where', document: pool('IPPool', SUBNET, ', namespace: default'), expected: 'default' },
    {
      name: 'a pool with an empty namespace',
      document: pool('IPPool', SUBNET, ', namespace: ""'),
      expected: 'nvidia-network-operator',
    },
    {
      name: 'another kind',
      document: 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {}\n',
      expected: undefined,
    },
  ])('is put where it is looked for: $name', ({ document, expected }) => {
    expect(outputOf(document)?.metadata.namespace).toBe(expected);
  });
});

table('networking.k8s.io/v1', 'NetworkPolicy', [
  ['as Kubernetes has it', '{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 53}]}]}'],
  ['a misspelt key', '{podSelectr: {}}', 'WEFT0140 `spec` has no key `podSelectr` | did you mean `podSelector`?'],
  [
    'a key that is misspelt deep inside',
    '{podSelector: {}, egress: [{ports: [{prt: 53}]}]}',
    'WEFT0140 `spec.egress[0].ports[0]` has no key `prt` | did you mean `port`?',
  ],
  [
    'values of another type',
    '{podSelector: {matchLabels: {a: 1}}, policyTypes: Egress}',
    'WEFT0142 `spec.podSelector.matchLabels.a` must be a string | write "1"',
    'WEFT0142 `spec.policyTypes` must be a list',
  ],
]);

table('apiextensions.k8s.io/v1', 'CustomResourceDefinition', [
  [
    'a schema inside of a schema',
    '{group: a.b, scope: Cluster, names: {kind: A, plural: as}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}}]}',
  ],
  [
    'a misspelt key',
    '{group: a.b, scop: Cluster, names: {kind: A, plural: as}, versions: []}',
    'WEFT0140 `spec` has no key `scop` | did you mean `scope`?',
  ],
  [
    'fields that are missing',
    '{group: a.b, scope: Cluster, names: {kind: A}}',
    'WEFT0141 `spec.versions` is missing',
    'WEFT0141 `spec.names.plural` is missing',
  ],
]);

table('monitoring.coreos.com/v1', 'PodMonitor', [
  ['the least', '{selector: {}}'],
  ['no selector', '{podMetricsEndpoints: []}', 'WEFT0141 `spec.selector` is missing'],
  [
    'a misspelt key',
    '{selector: {matchLabel: {a: b}}}',
    'WEFT0140 `spec.selector` has no key `matchLabel` | did you mean `matchLabels`?',
  ],
]);

table('apps/v1', 'Deployment', [
  [
    'a container without a name, and a probe without a port',
    '{selector: {}, template: {spec: {containers: [{image: a, livenessProbe: {httpGet: {path: /}}}]}}}',
    'WEFT0141 `spec.template.spec.containers[0].name` is missing',
    'WEFT0141 `spec.template.spec.containers[0].livenessProbe.httpGet.port` is missing',
  ],
  ['a template that is missing', '{selector: {}}', 'WEFT0141 `spec.template` is missing'],
]);

table('nfd.openshift.io/v1alpha1', 'NodeFeatureRule', [
  [
    'a rule without a name, and a misspelt key',
    '{rules: [{label: {a: b}}]}',
    'WEFT0140 `spec.rules[0]` has no key `label` | did you mean `labels`?',
    'WEFT0141 `spec.rules[0].name` is missing',
  ],
]);

// The schema of a JSON Schema is inside of itself.
table('apiextensions.k8s.io/v1', 'CustomResourceDefinition', [
  [
    'a key that is nowhere',
    '{group: example.com, scope: Namespaced, names: {kind: A, plural: as}, versions: [], foo: 1}',
    'WEFT0140 `spec` has no key `foo` | known keys: `conversion`, `group`, `names`, `preserveUnknownFields`, `scope`, `versions`',
  ],
]);
