interface Outcome {
  readonly exitCode: number;
  /** Another pod of the Job would end in the same way, so none is started. */
  readonly isFinal?: true;
  /** For the reference page. */
  readonly meaning: string;
}

/** How a run of the companion ends. A Job starts another pod after all exit codes that are neither 0 nor final. */
export const OUTCOMES = {
  done: { exitCode: 0, meaning: 'every node is done or skipped' },
  waiting: { exitCode: 0, meaning: 'the remaining nodes wait for a window, a soak or the user' },
  refused: { exitCode: 0, meaning: 'a controller that owns the driver runs, so the companion changes nothing' },
  superseded: { exitCode: 0, meaning: 'the cluster has a newer policy, which has its own run' },
  'lease-held': { exitCode: 0, meaning: 'another companion holds the Lease' },
  failed: {
    exitCode: 10,
    isFinal: true,
    meaning: 'nodes failed in this run; for the Job of a policy: a node is failed when it ends',
  },
  unfinished: {
    exitCode: 10,
    isFinal: true,
    meaning: 'a node of its own is left in progress: a controller that owns the driver runs, or the user has to act',
  },
  'bad-policy': { exitCode: 2, isFinal: true, meaning: 'the policy cannot be read' },
  forbidden: { exitCode: 2, isFinal: true, meaning: 'a right is missing; the message names it' },
  bug: { exitCode: 3, meaning: 'a bug of the companion; the log has a stack trace' },
  stopped: { exitCode: 143, meaning: 'it was asked to stop; the next run continues' },
} as const satisfies Readonly<Record<string, Outcome>>;

export type OutcomeReason = keyof typeof OUTCOMES;

/** The exit codes after which the Job has failed, in ascending order. */
export const FINAL_EXIT_CODES: readonly number[] = [
  ...new Set(Object.values<Outcome>(OUTCOMES).flatMap(({ exitCode, isFinal }) => (isFinal === true ? [exitCode] : []))),
].sort((a, b) => a - b);
