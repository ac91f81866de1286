/** Everything that a command reads and writes besides its arguments. Data goes to `stdout`, everything else to `stderr`. */
export interface Io {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Everything that is on standard input; `undefined` where that has more characters than wanted: then the rest is not read. */
  readonly readStdin: (charactersMax: number) => Promise<string | undefined>;
  /** Absolute path of the working directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Text of the companion's program. */
  readonly readCompanionProgram: () => string;
  /** Whether standard input is a terminal, where waiting for data would look like hanging. */
  readonly isStdinTerminal: boolean;
  readonly isStderrTerminal: boolean;
  /** Default: false. */
  readonly isStdoutTerminal?: boolean;
  /** The first SIGINT or SIGTERM calls back instead of ending the process. Absent: they end it. */
  readonly onStop?: (callback: () => void) => void;
}

/** Exit codes of every command. */
export const EXIT = {
  /** All is well. */
  ok: 0,
  /** A check found differences. */
  differences: 1,
  /** The input or the call is wrong. */
  userError: 2,
  /** Our bug; only then there is a stack trace. */
  bug: 3,
  /** `weft upgrade`: nodes failed. */
  failedNodes: 10,
  /** `weft upgrade run`: a signal stopped it in the middle. */
  stopped: 143,
} as const;

/** What a command ends with. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Colour only on a terminal, unless NO_COLOR or FORCE_COLOR say otherwise (no-color.org, force-color.org). */
export function usesColour(
  { env, isStderrTerminal, isStdoutTerminal = false }: Io,
  stream: 'stdout' | 'stderr' = 'stderr',
): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return !['0', 'false'].includes(env['FORCE_COLOR']);
  return (stream === 'stdout' ? isStdoutTerminal : isStderrTerminal) && env['TERM'] !== 'dumb';
}
