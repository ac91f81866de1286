import { podRefusal } from '../../shared/contract/maintenance-record.js';
import { NODE_STATES, type NodeState } from '../../shared/contract/node-states.js';
import * as z from 'zod';
import { parsedJson } from '../../shared/lib/json.js';
import { BLOCKER_KINDS, WAIT_KINDS, type WaitKind } from '../../companion/model/wait-kinds.js';

import { STATUS_KEY } from '../../companion/runtime/report/status.js';

const oneOf = <Name extends string>(isKnown: (name: string) => boolean) =>
  z.custom<Name>((name) => typeof name === 'string' && isKnown(name));

const savedWait = z.object({
  driver: z.string(),
  node: z.string(),
  state: oneOf<NodeState>((name) => NODE_STATES.has(name)),
  kind: oneOf<WaitKind>((name) => name in WAIT_KINDS),
  message: z.string(),
  sinceMs: z.number().exactOptional(),
  untilMs: z.number().exactOptional(),
  blockers: z.array(
    z.object({
      // An older companion wrote none.
      kind: z.enum(BLOCKER_KINDS).default('eviction'),
      pod: z.string(),
      budgets: z.array(z.string()),
      reason: z.string(),
      refusal: z.string().exactOptional(),
      finalizers: z.array(z.string()).exactOptional(),
      retryMs: z.number().exactOptional(),
    }),
  ),
  refusals: z.array(podRefusal).exactOptional(),
});

const savedStatus = z.object({
  run: z.string(),
  policyHash: z.string(),
  waiting: z.array(savedWait),
  moreWaiting: z.number(),
  problems: z.array(z.string()),
});

/** What a run of the companion last wrote. */
type SavedStatus = z.output<typeof savedStatus>;

/** The status in a ConfigMap; undefined if there is none, or one that another version of the companion wrote. */
export function readSavedStatus(data: Readonly<Record<string, string>>): SavedStatus | undefined {
  return savedStatus.safeParse(parsedJson(data[STATUS_KEY] ?? 'null')).data;
}
