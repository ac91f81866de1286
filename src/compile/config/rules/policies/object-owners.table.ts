import { testRule } from '../../../../../test/golden/rule-table.js';

const object = (kind: string, more: string): string => `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: a\n${more}`;
const OWNER = '  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: b, uid: c}]\n';

testRule('WEFT0279', {
  valid: [
    { name: 'no owner', policy: object('Service', '') },
    { name: 'an empty list', policy: object('Service', '  ownerReferences: []\n') },
  ],
  invalid: ['Service', 'ConfigMap'].map((kind) => ({
    name: kind,
    policy: object(kind, OWNER),
    expected: [
      `policy.yaml:5:3 ${kind} \`a\` is deleted where its owner, Deployment \`b\` of that UID, is not in the cluster`,
    ],
    help: 'remove `ownerReferences`: what is applied from git needs no owner',
  })),
});
