import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText, problemLines, UBUNTU_POOL } from '../../../../test/golden/compile.js';

const cluster = clusterText(`  release: v26.4\n  nodePools:\n${UBUNTU_POOL}`);
const network = (spec: string, name = 'net'): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
const policy = (env: string): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver: {env: [${env}]}\n`);
const sriov = `apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
metadata: {name: x}
spec:
  resourceName: r
  numVfs: 46
  nodeSelector: {node-role.kubernetes.io/$MCP: ""}
  nicSelector: {pfNames: ["$DPU_P0#2-45"]}
`;

const slips = (text: string) =>
  compile({ 'cluster.yaml': cluster, 'policy.yaml': text }).diagnostics.filter(({ code }) =>
    ['WEFT0327', 'WEFT0328'].includes(code),
  );

const PLACEHOLDERS = [
  '@NIC@',
  '@NIC_NAME@',
  '%NIC%',
  '__NIC__',
  '#{nic}#',
  '<your-nic>',
  '<NIC name>',
  'YOUR_NIC',
  'INSERT_NIC_HERE',
  'CHANGEME',
  'CHANGE_ME',
  'change-me',
  'REPLACE_ME',
  'your-nic',
  'TODO',
  'TBD',
  'FIXME',
  'xxx',
  'XXX',
  'x.x.x.x',
];

/** Values that have parts of placeholders. */
const FILLED = [
  'http://user:p%40ss@proxy:3128',
  'http://a%C3%A9%CE%B1b',
  'registry.corp/a@sha256:0123',
  'a@b.c,d@e.f',
  'todo',
  'todo-app',
  'TODOS',
  'methods',
  'xx',
  'XXL',
  'yourcompany.com',
  'exchange-media',
  'a<b',
  '1 < 2 > 0',
  'aGVsbG8XXXd29ybGQ',
  '100%',
  '50%-75%',
  '0x0000',
  'admin@corp',
  'MLX5__CORE',
  '#1',
  'x86_64',
  'CHANGE_MEDIA',
  'x.x',
];

describe('variables, templates and quotes in texts', () => {
  it.each([
    {
      name: 'a variable',
      text: network('{master: "${ROCE_MASTER}"}'),
      expected: ['policy.yaml:4:16 WEFT0328 `${ROCE_MASTER}` in `spec.master` was not filled in'],
      help: /envsubst/,
    },
    {
      name: 'a template expression',
      text: network('{master: "{{ .Values.master }}"}'),
      expected: ['policy.yaml:4:16 WEFT0328 `{{ .Values.master }}` in `spec.master` was not filled in'],
      help: /helm template/,
    },
    {
      name: 'several, also in a key',
      text: sriov,
      expected: [
        'policy.yaml:7:18 WEFT0328 `$MCP` in `spec.nodeSelector["node-role.kubernetes.io/$MCP"]` was not filled in, and 1 more of the document',
      ],
      help: /envsubst/,
    },
    ...PLACEHOLDERS.map((text) => ({
      name: `the placeholder ${text}`,
      text: network(`{master: '${text}'}`),
      expected: [`policy.yaml:4:16 WEFT0328 \`${text}\` in \`spec.master\` was not filled in`],
      help: /write the value that belongs here/,
    })),
    {
      name: 'a placeholder in JSON text',
      text: network(`{ipam: '{"type": "whereabouts", "range": "10.0.XXX.0/24"}'}`),
      expected: ['policy.yaml:4:14 WEFT0328 `XXX` in `spec.ipam` was not filled in'],
      help: /write the value/,
    },
    {
      name: 'typographic quotes',
      text: policy('{name: UNLOAD_STORAGE_MODULES, value: “true”}'),
      expected: [
        'policy.yaml:6:60 WEFT0327 `spec.ofedDriver.env[0].value` has a typographic quote, which programs take as a letter',
      ],
      help: /write/,
    },
  ])('finds $name', ({ text, expected, help }) => {
    expect(problemLines(slips(text))).toEqual(expected);
    for (const one of slips(text)) expect(one.help).toMatch(help);
  });

  it.each([
    { name: 'filled texts', text: network('{master: ens1f0}') },
    ...FILLED.map((value) => ({
      name: `the value ${value}`,
      text: policy(`{name: HTTP_PROXY, value: '${value}'}`),
    })),
    { name: 'plain quotes', text: policy(`{name: UNLOAD_STORAGE_MODULES, value: "it's"}`) },
    {
      name: 'annotations',
      text: network('{master: ens1f0}').replace('{name: net}', '{name: net, annotations: {a: "“b” ${C}"}}'),
    },
    { name: 'a script', text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {run: "echo ${HOME}"}\n' },
  ])('says nothing of $name', ({ text }) => {
    expect(problemLines(slips(text))).toEqual([]);
  });

  it('proposes to fill in a variable where the value is refused', () => {
    const { diagnostics } = compile({ 'cluster.yaml': cluster, 'policy.yaml': network('{}', '$name') });
    const refused = diagnostics.find(({ code }) => code === 'WEFT0143');
    expect(refused?.help).toMatch(/envsubst/);
  });
});
