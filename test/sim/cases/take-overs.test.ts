import { describe, expect, it } from '@jest/globals';
import { shareOf } from '../../kit/shares.js';
import { COMPANION_STOPS, OPERATOR_STOPS, runTakeOver, type TakeOver } from './take-overs.js';

const CORDONED: readonly string[] = [
  'wait-for-jobs-required',
  'drain-required',
  'pod-restart-required',
  'loading driver',
  'uncordon-required',
];
const BOTH = [false, true] as const;

const cases: readonly TakeOver[] = COMPANION_STOPS.flatMap((companion) =>
  OPERATOR_STOPS.flatMap((operator) =>
    BOTH.flatMap((isDated) =>
      BOTH.flatMap((isNextUpgrade) =>
        BOTH.flatMap((isCordonedBefore) =>
          (operator.startsWith('failed') ? (['driver', 'label'] as const) : (['driver'] as const)).map((repair) => {
            return { companion, operator, isDated, isNextUpgrade, isCordonedBefore, isCleaned: false, repair };
          }),
        ),
      ),
    ),
  ),
);
const unclear = cases.filter(isCordonUnclear);
const allClear = [
  ...cases.filter((one) => !isCordonUnclear(one)),
  ...unclear.map((one) => {
    return { ...one, isCleaned: true };
  }),
];

/** A fourth of the cases, or all with `WEFT_ALL_CASES=1`. */
const clear = shareOf(allClear, 4, 1);

/**
 * In these cases the node looks the same whether the operator or a user set the cordon: the companion recorded a wait or a failure, and
 * the operator failed the node; or the companion recorded its own cordon, and the operator set one in a later upgrade.
 */
function isCordonUnclear({ companion, operator, isDated, isNextUpgrade, isCordonedBefore, repair }: TakeOver): boolean {
  if (isCordonedBefore) return false;
  const isFailed = operator.startsWith('failed');
  if (companion === 'upgrade-required') return isFailed && repair === 'label';
  if (companion === 'upgrade-done' || !isNextUpgrade) return false;
  if (companion === 'failed drain') return isFailed;
  const isNoted = companion.startsWith('failed') || repair === 'label';
  return isDated && (CORDONED.includes(operator) || (isFailed && isNoted));
}

const textOf = (one: TakeOver): string => JSON.stringify(one).replaceAll('"', '');

describe('a node that the companion began, the operator continued and the companion ends', () => {
  const outcomesOf = (cases: readonly TakeOver[]) =>
    cases.map((one) => {
      const { state, isCordoned, failures, left } = runTakeOver(one);
      const timedOut = failures.filter((failure) => failure.includes('took too long'));
      return { one: textOf(one), state, isCordoned, timedOut, left };
    });
  const endedWell = (one: TakeOver, isCordoned: boolean) => {
    return { one: textOf(one), state: 'upgrade-done', isCordoned, timedOut: [], left: [] };
  };

  it('is done in time, and cordoned only where it was so before', () => {
    expect(outcomesOf(clear)).toEqual(clear.map((one) => endedWell(one, one.isCordonedBefore)));
  });

  it('stays cordoned if the cordon could be a user’s', () => {
    expect(outcomesOf(unclear)).toEqual(unclear.map((one) => endedWell(one, true)));
  });
});
