import { clusterText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const LABEL = 'network.nvidia.com/operator.mofed.wait';
const addOn = (more = ''): string =>
  clusterText(
    `  release: v26.4\n${more}  sriovNetworkOperator: {deploy: true, sriovOperatorConfig: {configDaemonNodeSelector: {${LABEL}: "false"}}}\n  nodePools:\n${UBUNTU_POOL}`,
  );
const document = (label: string): string =>
  `apiVersion: sriovnetwork.openshift.io/v1
kind: SriovOperatorConfig
metadata:
  name: default
  namespace: nvidia-network-operator
spec:
  configDaemonNodeSelector: {${label}: "false"}
`;
const message = `with \`gate: ready-file\` no program sets the label \`${LABEL}\``;

testRule('WEFT0482', {
  valid: [
    { name: 'the gate by the label', cluster: addOn('  driver: {gate: label}\n') },
    { name: 'another label', network: document('a.example.com/b') },
  ],
  invalid: [
    { name: 'a selector of the add-on', cluster: addOn(), expected: [`cluster.yaml:7:89 ${message}`] },
    { name: 'a selector of a document', network: document(LABEL), expected: [`network.yaml:7:30 ${message}`] },
  ],
});
