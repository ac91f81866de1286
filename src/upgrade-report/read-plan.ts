import * as z from 'zod';
import { parsedJson } from '../lib/json.js';

const time = z.iso.datetime().nullable();
const span = z.object({ from: z.iso.datetime(), to: z.iso.datetime() });

/** What a report reads of a plan. A newer one may have more. */
const givenPlan = z.object({
  startsAt: z.iso.datetime(),
  duration: z.object({ half: z.number(), nineOfTen: z.number() }),
  nodes: z.number(),
  upgraded: z.number(),
  podsEvicted: z.number(),
  nodesAtOnce: z.number().nullable().default(null),
  windows: z.array(span).default([]),
  nodePlans: z.array(
    z.object({
      node: z.string(),
      driver: z.string(),
      pool: z.string().default(''),
      topologyDomain: z.string().nullable().default(null),
      outcome: z.string(),
      wave: z.number().nullable(),
      beginsAt: time,
      endsAt: time,
    }),
  ),
});

export type GivenPlan = z.output<typeof givenPlan>;

/** What `weft plan --format json` printed; undefined: the text is something else. */
export function readPlan(text: string): GivenPlan | undefined {
  return givenPlan.safeParse(parsedJson(text)).data;
}
