import { escapeUnsafe } from '../../shared/lib/escape.js';
import type { Timeline } from './types.js';

/** Names and messages are of the cluster: invisible characters and those that change the direction of text are shown as escapes. */
export function withoutUnsafe(timeline: Timeline): Timeline {
  return JSON.parse(JSON.stringify(timeline), (_key, value: unknown) =>
    typeof value === 'string' ? escapeUnsafe(value) : value,
  ) as Timeline;
}
