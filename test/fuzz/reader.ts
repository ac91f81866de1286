import type { Printed } from '../kit/run-weft.js';
import type { Json } from './mutate.js';

/** What reads objects of others. */
export interface Reader {
  readonly name: string;
  /** A value that it accepts. */
  readonly seed: () => Promise<Json>;
  /** @param number chooses among formats */
  readonly read: (value: Json, number: number) => Promise<Printed>;
}
