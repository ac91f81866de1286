import type { LogRecord } from '../../upgrade/runtime/ports.js';

/** A log record as text, with the fields that identify the object: `12:04:31 ofed: node-1: pod evicted: work/web-1`. */
export function logLine({ time, level, message, driver, node, pod, holder, queue }: LogRecord): string {
  const text = [driver, node, message, pod, holder ?? queue].filter((part) => part !== undefined).join(': ');
  return `${time.slice(11, 19)} ${level === 'info' ? '' : `${level}: `}${text}`;
}
