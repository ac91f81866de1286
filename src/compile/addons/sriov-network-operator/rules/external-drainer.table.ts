import { clusterText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (section: string): string =>
  clusterText(`  release: v26.7\n  nodePools:\n${UBUNTU_POOL}  sriovNetworkOperator: ${section}\n`);
const EXTERNAL = 'operator: {externalDrainer: {enabled: true}}';
const MESSAGE =
  '`externalDrainer.enabled: true` has no effect without `deploy: true`: the companion drains no node for virtual functions';

testRule('WEFT0335', {
  valid: [
    { name: 'the add-on', cluster: cluster(`{deploy: true, ${EXTERNAL}}`) },
    { name: 'an operator that drains by itself', cluster: cluster('{operator: {resourcePrefix: example.com}}') },
    { name: 'no section', cluster: clusterText(`  release: v26.7\n  nodePools:\n${UBUNTU_POOL}`) },
  ],
  invalid: [
    {
      name: 'an add-on that is off',
      cluster: cluster(`{deploy: false, ${EXTERNAL}}`),
      expected: [`cluster.yaml:9:79 ${MESSAGE}`],
      help: 'set `spec.sriovNetworkOperator.deploy: true`; if something else deploys the operator, remove `externalDrainer`, and the operator drains by itself',
    },
    {
      name: 'an add-on without `deploy`',
      cluster: cluster(`{${EXTERNAL}}`),
      expected: [`cluster.yaml:9:64 ${MESSAGE}`],
    },
  ],
});

const unused = (key: string): string => `\`externalDrainer.${key}\` has no effect: the operator drains by itself`;

testRule('WEFT0336', {
  valid: [
    {
      name: 'settings of the companion',
      cluster: cluster('{deploy: true, operator: {externalDrainer: {enabled: true, drain: {timeoutSeconds: 60}}}}'),
    },
    { name: 'no settings', cluster: cluster('{deploy: true, operator: {externalDrainer: {enabled: false}}}') },
  ],
  invalid: [
    {
      name: 'without `enabled`',
      cluster: cluster('{deploy: true, operator: {externalDrainer: {drain: {timeoutSeconds: 60}}}}'),
      expected: [`cluster.yaml:9:69 ${unused('drain')}`],
      help: 'set `externalDrainer.enabled: true`, and the companion drains, or remove it',
    },
    {
      name: 'with `enabled: false`',
      cluster: cluster(
        '{deploy: true, operator: {externalDrainer: {enabled: false, waitForCompletion: {podSelector: a}}}}',
      ),
      expected: [`cluster.yaml:9:85 ${unused('waitForCompletion')}`],
    },
  ],
});
