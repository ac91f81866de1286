import { NODE_STATES, type NodeState } from '../contract/node-states.js';
import * as z from 'zod';
import { parsedJson } from '../lib/json.js';
import type { LogRecord } from '../upgrade/runtime/ports.js';
import { isFirstSight } from './read-events.js';
import type { HistoryEvent, NodeHistory, UpgradeRecord } from './types.js';

const logRecord: z.ZodType<LogRecord> = z
  .object({ time: z.string(), level: z.enum(['info', 'warning', 'error']), message: z.string() })
  .catchall(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

/** A line of the companion's log; undefined: it is of another program. Node itself writes lines, for instance when it runs out of memory. */
export function logRecordOf(line: string): LogRecord | undefined {
  return logRecord.safeParse(parsedJson(line)).data;
}

/** Reads the log of one or more runs of the companion. Undefined: no line is of the companion. */
export function readUpgradeLog(text: string): UpgradeRecord | undefined {
  const records = text.split('\n').flatMap((line) => {
    const record = line.trim() === '' ? undefined : logRecordOf(line);
    return record === undefined || Number.isNaN(Date.parse(record.time)) ? [] : [record];
  });
  if (records.length === 0) return undefined;
  // Logs of several runs may be given in any order.
  records.sort((a, b) => Date.parse(a.time) - Date.parse(b.time));
  const problems = records.flatMap(({ level, message, node }) =>
    level === 'info' || node !== undefined ? [] : [message],
  );
  return {
    source: 'the log of the companion',
    histories: historiesOf(records),
    soaks: soaksOf(records),
    problems: [...new Set(problems)],
  };
}

function historiesOf(records: readonly LogRecord[]): readonly NodeHistory[] {
  const found = new Map<string, NodeHistory & { readonly events: HistoryEvent[]; readonly evicted: string[] }>();
  for (const record of records) {
    const { node, driver, pod } = record;
    if (typeof node !== 'string' || typeof driver !== 'string' || isNoise(record)) continue;
    const key = `${driver}/${node}`;
    const history = found.get(key) ?? { node, driver, pool: '', topologyDomain: null, events: [], evicted: [] };
    found.set(key, history);
    const isEviction = record.message.startsWith('pod evicted');
    if (isEviction && typeof pod === 'string') history.evicted.push(pod);
    const isWait = record['waitsFor'] !== undefined;
    history.events.push({ atMs: Date.parse(record.time), state: stateOf(record), message: messageOf(record), isWait });
  }
  return [...found.values()];
}

/** Patches that only keep records, and waits of a moment. */
function isNoise({ changed, waitsFor }: LogRecord): boolean {
  return changed !== undefined || waitsFor === 'cache-sync';
}

function stateOf({ from, to, state }: LogRecord): NodeState | undefined {
  if (isFirstSight(from, to)) return undefined;
  const found = to ?? state;
  return typeof found === 'string' && NODE_STATES.has(found) ? (found as NodeState) : undefined;
}

function messageOf({ message, pod, reason, blockers }: LogRecord): string {
  const about = typeof pod === 'string' && !message.includes(pod) ? `: ${pod}` : '';
  const why = typeof reason === 'string' ? ` (${reason})` : '';
  const blocked = Array.isArray(blockers) && blockers.length > 0 ? `: ${blockers.join('; ')}` : '';
  return `${message}${about}${why}${blocked}`;
}

/** Soaks begin with a line that counts nodes waiting for one, and end with the next line that does not, or when a node begins. */
function soaksOf(records: readonly LogRecord[]): UpgradeRecord['soaks'] {
  const soaks: { fromMs: number; toMs: number }[] = [];
  let fromMs: number | undefined;
  for (const { time, queue, from } of records) {
    const atMs = Date.parse(time);
    const isSoak = typeof queue === 'string' && / soak: \d/.test(queue);
    if (isSoak) fromMs ??= atMs;
    else if (fromMs !== undefined && (queue !== undefined || from === 'upgrade-required')) {
      soaks.push({ fromMs, toMs: atMs });
      fromMs = undefined;
    }
  }
  return soaks;
}
