import { COMPANION_ENV, COMPANION_MODES, LOG_LEVELS, type LogLevel } from '../../shared/contract/companion-env.js';
import type { RunMode } from './run-outcome.js';

/** Configuration from environment variables. */
export interface CompanionEnvironment {
  readonly podName: string;
  readonly namespace: string;
  readonly jobName: string;
  /** Absent: no Event is written about the Job. */
  readonly jobUid?: string;
  readonly mode: RunMode;
  /** Absent: any policy. */
  readonly policyHash?: string;
  readonly logLevel: LogLevel;
  readonly clientQps: number;
  readonly clientBurst: number;
  /** Absent: no port is opened. */
  readonly metricsPort?: number;
  /** Absent: the folder in which the kubelet mounts them. */
  readonly credentials?: string;
  readonly apiHost: string;
  readonly apiPort: number;
}

/** Reads the environment of the companion's container, or returns all errors as a list. */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): CompanionEnvironment | readonly string[] {
  const problems: string[] = [];
  const text = (key: keyof typeof COMPANION_ENV): string => env[COMPANION_ENV[key]] ?? '';
  const required = (key: keyof typeof COMPANION_ENV): string => {
    if (text(key) === '') problems.push(`${COMPANION_ENV[key]} is not set`);
    return text(key);
  };
  const oneOf = <Value extends string>(key: keyof typeof COMPANION_ENV, values: readonly Value[], value: string) => {
    const found = values.find((one) => one === value);
    if (found === undefined) problems.push(`${COMPANION_ENV[key]} must be one of ${values.join(', ')}, not "${value}"`);
    return found;
  };
  const number = (key: keyof typeof COMPANION_ENV, fallback: number | undefined, most: number): number => {
    if (text(key) === '' && fallback === undefined) return Number(required(key));
    const value = text(key) === '' ? (fallback ?? 0) : Number(text(key));
    if (!(value > 0 && value <= most)) {
      problems.push(`${COMPANION_ENV[key]} must be a number above 0 and at most ${most}, not "${text(key)}"`);
    }
    return value;
  };
  const podName = required('podName');
  const namespace = required('namespace');
  const mode = oneOf('mode', COMPANION_MODES, text('mode'));
  const logLevel = oneOf('logLevel', LOG_LEVELS, text('logLevel') || 'info');
  const clientQps = number('clientQps', 50, 10_000);
  const clientBurst = number('clientBurst', 100, 10_000);
  const apiHost = required('apiHost');
  const apiPort = number('apiPort', undefined, 65_535);
  const metricsPort = text('metricsPort') === '' ? undefined : number('metricsPort', undefined, 65_535);
  if (problems.length > 0 || mode === undefined || logLevel === undefined) return problems;
  return {
    podName,
    namespace,
    mode,
    logLevel,
    clientQps,
    clientBurst,
    apiHost,
    apiPort,
    jobName: text('jobName') || podName,
    ...(text('jobUid') !== '' && { jobUid: text('jobUid') }),
    ...(text('policyHash') !== '' && { policyHash: text('policyHash') }),
    ...(metricsPort !== undefined && { metricsPort }),
    ...(text('credentials') !== '' && { credentials: text('credentials') }),
  };
}
