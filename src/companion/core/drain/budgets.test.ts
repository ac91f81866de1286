import { expect, it } from '@jest/globals';
import { pod } from '../../../../test/kit/snapshots.js';
import { budgetsOver, podBudgetsIn } from './budgets.js';

it('the selector of a budget is read once, however many decisions are made with it', () => {
  let reads = 0;
  const selector = {
    get matchExpressions() {
      reads += 1;
      return [{ key: 'app', operator: 'NotIn', values: ['b'] }];
    },
  };
  const subject = pod('a', 'w');
  const budgets = [{ namespace: subject.namespace, name: 'thousands', selector, disruptionsAllowed: 0 }];
  const names = [1, 2, 3].map(() => budgetsOver(podBudgetsIn({ budgets }), subject).map(({ name }) => name));
  expect(names).toEqual([['thousands'], ['thousands'], ['thousands']]);
  expect(reads).toBe(1);
});
