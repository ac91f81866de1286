import { expect, it } from '@jest/globals';
import { node, NOW, pod, policyOf, snapshot } from '../../../test/kit/snapshots.js';
import { participantsOf } from './participants.js';

const SELECTOR = 'app.kubernetes.io/name=network-operator';
const labels = { 'app.kubernetes.io/name': 'network-operator' };

it.each([
  { of: 'the operator', mirror: false, refusals: ['controller-runs'] },
  // A kubelet may create mirror pods of its own node in every namespace.
  { of: 'a file of a kubelet', mirror: true, refusals: [] },
])('a pod with the label of the operator in its namespace: $of', ({ mirror, refusals }) => {
  const policy = policyOf({}, { controllerPodSelector: SELECTOR });
  const pods = [pod('a', 'operator', { namespace: 'nno', labels, mirror, controllerOf: 'network-operator' })];
  const found = participantsOf(policy, snapshot({ nodes: [node('a')], pods }), NOW);
  expect(found.refusals.map(({ finding }) => finding.kind)).toEqual(refusals);
});
