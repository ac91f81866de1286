import type { decide } from '../../../src/companion/decide.js';
import { Violation } from './rules.js';

type Decide = typeof decide;

/** What the companion keeps from one decision to the next changes none: it decides the same on a snapshot and a policy that it has not seen. */
export function checkingKept(decide: Decide): Decide {
  return (snapshot, policy, nowMs, options) => {
    const decision = decide(snapshot, policy, nowMs, options);
    // One of seven: each costs a decision.
    if (Math.floor(nowMs) % 7 !== 0) return decision;
    const unseen = { ...snapshot, nodes: snapshot.nodes.map((node) => ({ ...node })) };
    const drivers = policy.drivers.map((driver) => ({ ...driver }));
    const [anew, kept] = [decide(unseen, { ...policy, drivers }, nowMs, options), decision].map((one) =>
      JSON.stringify(one),
    );
    if (anew !== kept)
      throw new Violation('a decision follows from its snapshot', `${kept ?? ''} is not ${anew ?? ''}`);
    return decision;
  };
}
