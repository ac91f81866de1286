import { testSection } from '../../../../test/golden/manifests.js';

const range = (start: string, end: string): string => `  ibKubernetes:
    image: ib-kubernetes
    repository: nvcr.io/nvidia/mellanox
    version: v1
    pKeyGUIDPoolRangeStart: ${start}
    pKeyGUIDPoolRangeEnd: ${end}
    ufmSecret: ufm-secret`;
const SECTION = range('02:00:00:00:00:00:00:00', '02:FF:FF:FF:FF:FF:FF:FF');
const TERM = '{matchExpressions: [{key: a, operator: Exists}]}';
/** Values that a double cannot tell apart. */
const NEIGHBOURS = range('FF:FF:FF:FF:FF:FF:FF:FE', 'ff:ff:ff:ff:ff:ff:ff:ff');

const NOT_GREATER =
  'policy.yaml:11:27 WEFT0143 `spec.ibKubernetes.pKeyGUIDPoolRangeEnd` must be greater than `pKeyGUIDPoolRangeStart`';
const NO_GUID = 'must be a GUID such as `02:00:00:00:00:00:00:00`';

testSection(__dirname, {
  goldens: [
    { name: 'minimal', spec: SECTION },
    {
      name: 'full',
      cluster: '  namespace: drivers\n',
      spec: `${SECTION}
    periodicUpdateSeconds: 0
    imagePullSecrets: [first, second]
    containerResources: [{name: ib-kubernetes, requests: {cpu: "0.1", memory: 64Mi}, limits: {memory: 1024Mi}}]
  tolerations: [{key: of-daemon-sets, operator: Exists}]
  deploymentTolerations: [{key: infra, operator: Exists, value: ""}]
  deploymentNodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [${TERM}]}
    preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, preference: ${TERM}}]`,
    },
    { name: 'openshift', cluster: '  platform: openshift\n', spec: SECTION },
  ],
  accepted: [
    { name: 'neighbours', spec: NEIGHBOURS },
    { name: 'the whole range', spec: range('00:00:00:00:00:00:00:00', 'FF:FF:FF:FF:FF:FF:FF:FF') },
  ],
  rejected: [
    {
      name: 'a range of one, whatever the case of its letters',
      spec: range('02:00:00:00:00:00:00:aa', '02:00:00:00:00:00:00:AA'),
      expected: [NOT_GREATER],
    },
    {
      name: 'a range that ends before it begins',
      spec: range('02:FF:00:00:00:00:00:00', '02:00:00:00:00:00:00:00'),
      expected: [NOT_GREATER],
    },
    {
      name: 'bad GUIDs, both',
      spec: range('"02:00:00"', '02-00-00-00-00-00-00-0g'),
      expected: [
        `policy.yaml:10:29 WEFT0143 \`spec.ibKubernetes.pKeyGUIDPoolRangeStart\` ${NO_GUID}`,
        `policy.yaml:11:27 WEFT0143 \`spec.ibKubernetes.pKeyGUIDPoolRangeEnd\` ${NO_GUID}`,
      ],
    },
    {
      name: 'a section without what it needs',
      spec: '  ibKubernetes: {image: ib-kubernetes, repository: nvcr.io/nvidia/mellanox, version: v1}',
      expected: ['pKeyGUIDPoolRangeEnd', 'pKeyGUIDPoolRangeStart', 'ufmSecret'].map(
        (key) => `policy.yaml:6:3 WEFT0141 \`spec.ibKubernetes.${key}\` is missing`,
      ),
    },
    {
      name: 'a negative interval, and no name of a Secret',
      spec: `${SECTION.replace('ufm-secret', '""')}\n    periodicUpdateSeconds: -1`,
      expected: [
        'policy.yaml:12:16 WEFT0143 `spec.ibKubernetes.ufmSecret` must be the name of a Secret',
        'policy.yaml:13:28 WEFT0143 `spec.ibKubernetes.periodicUpdateSeconds` must be at least 0',
      ],
    },
  ],
});
