import * as z from 'zod';
import { parsedJson } from '../../shared/lib/json.js';
import type { LogRecord } from '../../companion/runtime/ports.js';

const logRecord: z.ZodType<LogRecord> = z
  .object({ time: z.string(), level: z.enum(['info', 'warning', 'error']), message: z.string() })
  .catchall(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

/** A line of the companion's log; undefined: it is of another program. Node itself writes lines, for instance when it runs out of memory. */
export function logRecordOf(line: string): LogRecord | undefined {
  return logRecord.safeParse(parsedJson(line)).data;
}

/** A log record as text, with the fields that identify the object: `12:04:31 ofed: node-1: pod evicted: work/web-1`. */
export function logLine({ time, level, message, driver, node, pod, holder, queue }: LogRecord): string {
  const text = [driver, node, message, pod, holder ?? queue].filter((part) => part !== undefined).join(': ');
  return `${time.slice(11, 19)} ${level === 'info' ? '' : `${level}: `}${text}`;
}
