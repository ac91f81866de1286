import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { decide } from '../../decide.js';
import { controllerLeft } from '../../core/fleet/report.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Decision } from '../../model/types.js';
import type { Clock } from '../ports.js';

/** Why the loop is over. */
export interface Ended<End> {
  readonly end: End;
}

/**
 * What the loop decides for: a cluster, or a simulated one. Methods that have to wait yield what they wait for, so that the same loop runs in
 * real time and in that of a simulation: whoever runs it goes on when that is over.
 */
export interface LoopPort<Pause, End> {
  readonly clock: Pick<Clock, 'now'>;
  /** Waits until a decision can be made, and has the policy for it. */
  ready(): Generator<Pause, Ended<End> | { readonly policy: UpgradePolicy }>;
  /** What is known now, with the results of the loop's own requests. */
  snapshot(): Snapshot;
  /** See `decide`. */
  mostEvictions(): number;
  /** Runs a decision and may measure it. */
  timed<Value>(compute: () => Value): Value;
  /** The snapshot may lack the last writes of a controller that has just stopped: `ready` waits until it has them. */
  relist(): void;
  /** Is told of a decision before its actions are sent. */
  decided(decision: Decision, snapshot: Snapshot): Generator<Pause, Ended<End> | undefined>;
  /** Starts the requests of a decision; it does not wait for their results. */
  act(decision: Decision, snapshot: Snapshot): void;
  /** Waits until something changes or is due. */
  wait(decision: Decision): Generator<Pause, void>;
  /** Tests make its decisions wrong. Default: the companion's. */
  readonly decide?: typeof decide;
}

/**
 * The loop of the companion: it observes, decides, acts, and waits until something changes or is due.
 *
 * @param run has the decision before, which may be one of a preflight
 */
export function* decisionLoop<Pause, End>(
  port: LoopPort<Pause, End>,
  run: { decision?: Decision },
): Generator<Pause, End> {
  const decideOn = port.decide ?? decide;
  for (;;) {
    const ready = yield* port.ready();
    if ('end' in ready) return ready.end;
    const { snapshot, decision } = port.timed(() => {
      const seen = port.snapshot();
      const options = { mostEvictions: port.mostEvictions() };
      return { snapshot: seen, decision: decideOn(seen, ready.policy, port.clock.now(), options) };
    });
    const isStale = controllerLeft(run.decision, decision);
    run.decision = decision;
    if (isStale) {
      port.relist();
      continue;
    }
    const ended = yield* port.decided(decision, snapshot);
    if (ended !== undefined) return ended.end;
    port.act(decision, snapshot);
    yield* port.wait(decision);
  }
}
