import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText, problemLines, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { expectGolden, manifestText } from '../../../test/golden/golden-file.js';

const IMAGE = '    image: ib-kubernetes\n    repository: nvcr.io/nvidia/mellanox\n    version: v1\n';
const range = (start: string, end: string): string =>
  `    pKeyGUIDPoolRangeStart: ${start}\n    pKeyGUIDPoolRangeEnd: ${end}\n`;
const SECRET = '    ufmSecret: ufm-secret\n';
const MINIMAL = range('02:00:00:00:00:00:00:00', '02:FF:FF:FF:FF:FF:FF:FF') + SECRET;
const FULL = `${MINIMAL}    periodicUpdateSeconds: 0
    imagePullSecrets: [first, second]
    containerResources: [{name: ib-kubernetes, requests: {cpu: "0.1", memory: 64Mi}, limits: {memory: 1024Mi}}]
`;
const TERM = '{matchExpressions: [{key: a, operator: Exists}]}';
const POD_SETTINGS = `  tolerations: [{key: of-daemon-sets, operator: Exists}]
  deploymentTolerations: [{key: infra, operator: Exists, value: ""}]
  deploymentNodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [${TERM}]}
    preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, preference: ${TERM}}]
`;

const policy = (section: string, podSettings = ''): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `  ibKubernetes:\n${IMAGE}${section}${podSettings}`);

const cluster = (more = ''): string => clusterText(`${more}  nodePools:\n${UBUNTU_POOL}`);

const goldens = [
  { name: 'minimal', cluster: cluster(), policy: policy(MINIMAL) },
  { name: 'full', cluster: cluster('  namespace: drivers\n'), policy: policy(FULL, POD_SETTINGS) },
  { name: 'openshift', cluster: cluster('  platform: openshift\n'), policy: policy(MINIMAL) },
];

const problems = (section: string): readonly string[] => {
  const documents = { 'cluster.yaml': cluster(), 'policy.yaml': policy(section) };
  return problemLines(compile(documents).diagnostics);
};

describe('the manifests of ibKubernetes', () => {
  it.each(goldens)('$name', ({ name, ...documents }) => {
    const { placed, diagnostics } = compile({ 'cluster.yaml': documents.cluster, 'policy.yaml': documents.policy });
    expect(problemLines(diagnostics)).toEqual([]);
    const objects = placed.filter(({ folder }) => folder === 'ib-kubernetes').map(({ object }) => object);
    expectGolden(join(__dirname, 'golden', `${name}.yaml`), manifestText(objects));
  });

  const ranges = [
    {
      name: 'neighbours that a double cannot tell apart',
      start: 'FF:FF:FF:FF:FF:FF:FF:FE',
      end: 'ff:ff:ff:ff:ff:ff:ff:ff',
    },
    { name: 'the whole range', start: '00:00:00:00:00:00:00:00', end: 'FF:FF:FF:FF:FF:FF:FF:FF' },
  ];
  it.each(ranges)('takes $name', ({ start, end }) => {
    expect(problems(range(start, end) + SECRET)).toEqual([]);
  });

  const NOT_GREATER =
    'policy.yaml:11:27 WEFT0143 `spec.ibKubernetes.pKeyGUIDPoolRangeEnd` must be greater than `pKeyGUIDPoolRangeStart`';
  const NO_GUID = 'must be a GUID such as `02:00:00:00:00:00:00:00`';
  const rejected: readonly { readonly name: string; readonly section: string; readonly expected: readonly string[] }[] =
    [
      {
        name: 'a range of one, whatever the case of its letters',
        section: range('02:00:00:00:00:00:00:aa', '02:00:00:00:00:00:00:AA') + SECRET,
        expected: [NOT_GREATER],
      },
      {
        name: 'a range that ends before it begins',
        section: range('02:FF:00:00:00:00:00:00', '02:00:00:00:00:00:00:00') + SECRET,
        expected: [NOT_GREATER],
      },
      {
        name: 'bad GUIDs, both',
        section: range('"02:00:00"', '02-00-00-00-00-00-00-0g') + SECRET,
        expected: [
          `policy.yaml:10:29 WEFT0143 \`spec.ibKubernetes.pKeyGUIDPoolRangeStart\` ${NO_GUID}`,
          `policy.yaml:11:27 WEFT0143 \`spec.ibKubernetes.pKeyGUIDPoolRangeEnd\` ${NO_GUID}`,
        ],
      },
      {
        name: 'a section without what it needs',
        section: '',
        expected: ['pKeyGUIDPoolRangeStart', 'pKeyGUIDPoolRangeEnd', 'ufmSecret'].map(
          (key) => `policy.yaml:6:3 WEFT0141 \`spec.ibKubernetes.${key}\` is missing`,
        ),
      },
      {
        name: 'a negative interval, and no name of a Secret',
        section: `${MINIMAL.replace('ufm-secret', '""')}    periodicUpdateSeconds: -1\n`,
        expected: [
          'policy.yaml:12:16 WEFT0143 `spec.ibKubernetes.ufmSecret` must be the name of a Secret',
          'policy.yaml:13:28 WEFT0143 `spec.ibKubernetes.periodicUpdateSeconds` must be at least 0',
        ],
      },
    ];
  it.each(rejected)('refuses $name', ({ section, expected }) => {
    expect([...problems(section)].sort()).toEqual([...expected].sort());
  });
});
