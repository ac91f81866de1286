import { testRule } from '../../../../../test/golden/rule-table.js';

const namespace = (name: string, labels: string): string =>
  `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${name}\n  labels:\n    ${labels}\n`;
const OURS = 'nvidia-network-operator';
const rendered = (place: string, label: string): string =>
  `policy.yaml:${place} \`pod-security.kubernetes.io/${label}\` of Namespace \`${OURS}\` is rendered as \`privileged\`: drivers and device plugins are privileged pods`;

testRule('WEFT0576', {
  valid: [
    { name: 'the level that is rendered', policy: namespace(OURS, 'pod-security.kubernetes.io/enforce: privileged') },
    { name: 'another label', policy: namespace(OURS, 'pod-security.kubernetes.io/enforce-version: v1.33') },
    { name: 'another namespace', policy: namespace('other', 'pod-security.kubernetes.io/enforce: restricted') },
  ],
  invalid: [
    {
      name: 'a level that refuses the drivers',
      policy: namespace(OURS, 'pod-security.kubernetes.io/enforce: restricted'),
      expected: [rendered('6:41', 'enforce: restricted')],
      help: 'remove the label, or write `# weft-ignore WEFT0576: reason` above it',
    },
    {
      name: 'a level for warnings',
      policy: namespace(OURS, 'pod-security.kubernetes.io/warn: baseline'),
      expected: [rendered('6:38', 'warn: baseline')],
    },
  ],
});
