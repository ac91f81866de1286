import { testRule } from '../../../../../test/golden/rule-table.js';

const workload = (apiVersion: string, selector: string, labels: string): string =>
  `apiVersion: ${apiVersion}\nkind: Deployment\nmetadata: {name: a, namespace: b}\nspec:\n  selector: ${selector}\n` +
  `  template: {metadata: {labels: ${labels}}, spec: {containers: [{name: a, image: a}]}}\n`;

testRule('WEFT0487', {
  valid: [
    { name: 'labels', policy: workload('apps/v1', '{matchLabels: {a: b}}', '{a: b, c: d}') },
    {
      name: 'an expression',
      policy: workload('apps/v1', '{matchExpressions: [{key: a, operator: Exists}]}', '{a: b}'),
    },
    { name: 'a kind of others', policy: workload('example.com/v1', '{matchLabels: {a: b}}', '{}') },
  ],
  invalid: [
    {
      name: 'another value',
      policy: workload('apps/v1', '{matchLabels: {a: b}}', '{a: c}'),
      expected: ['policy.yaml:5:13 the selector of Deployment does not select the pods of its template'],
      help: 'give `spec.template.metadata.labels` the labels of the selector',
    },
    {
      name: 'an expression',
      policy: workload('apps/v1', '{matchExpressions: [{key: a, operator: NotIn, values: [b]}]}', '{a: b}'),
      expected: ['policy.yaml:5:13 the selector of Deployment does not select the pods of its template'],
    },
  ],
});
