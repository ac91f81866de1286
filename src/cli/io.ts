/** The input and output of a command except its arguments. Data goes to `stdout`, everything else to `stderr`. */
export interface Io {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** The text of standard input; `undefined` if it has more characters than allowed, of which the rest is not read. */
  readonly readStdin: (charactersMax: number) => Promise<string | undefined>;
  /** Asks on the terminal and returns the line that the user types. Absent: nobody is asked. */
  readonly ask?: (question: string) => Promise<string>;
  /** Absolute path of the working directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Version of Weft. Absent: it was not built. */
  readonly version?: string;
  /** Text of the companion's program. */
  readonly readCompanionProgram: () => string;
  /** Whether standard input is a terminal, where the command must not wait for input. */
  readonly isStdinTerminal: boolean;
  readonly isStderrTerminal: boolean;
  /** Default: false. */
  readonly isStdoutTerminal?: boolean;
  /** Sets a handler for the first SIGINT or SIGTERM. Without one the signal ends the process. */
  readonly onStop?: (callback: () => void) => void;
}

/** Exit codes of every command. */
export const EXIT = {
  /** Success. */
  ok: 0,
  /** A check found differences. */
  differences: 1,
  /** The input or the call is wrong. */
  userError: 2,
  /** An internal error. Only these print a stack trace. */
  bug: 3,
  /** `weft upgrade`: nodes failed. */
  failedNodes: 10,
  /** `weft upgrade run`: a signal stopped it in the middle. */
  stopped: 143,
} as const;

/** The exit code of a command. */
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
