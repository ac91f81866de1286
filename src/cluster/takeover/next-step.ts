import type { Look, Step, TakeoverState } from './state.js';

/** The first step that is not done, with what it says; undefined: all are done. */
interface NextStep {
  readonly step: Step;
  readonly look: Exclude<Look, { readonly kind: 'done' }>;
}

/**
 * Looks at each step in its order. A step that was done before may not be done any more, for instance because something started the
 * operator again: then it is the next one, and no later one does anything.
 */
export function nextStep(steps: readonly Step[], state: TakeoverState): NextStep | undefined {
  for (const step of steps) {
    const look = step.look(state);
    if (look.kind !== 'done') return { step, look };
  }
  return undefined;
}

/** A line about each step for `--dry-run`: whether it is done, and the commands of those that are not. */
export interface PlannedStep {
  readonly step: Step;
  readonly isDone: boolean;
  readonly lines: readonly string[];
}

/** The plan for a state. */
export function planOf(steps: readonly Step[], state: TakeoverState): readonly PlannedStep[] {
  let assumed = state;
  return steps.map((step) => {
    const look = step.look(assumed);
    assumed = step.after?.(assumed) ?? assumed;
    return { step, isDone: look.kind === 'done', lines: linesOf(step, look) };
  });
}

function linesOf({ by }: Step, look: Look): readonly string[] {
  switch (look.kind) {
    case 'done':
      return [];
    case 'write':
      return by === undefined ? look.writes.map(({ command }) => command) : [by];
    case 'save':
      return look.objects.map(({ reference }) => `kubectl get ${reference} -o yaml`);
    case 'person':
      return [look.reason, ...look.lines];
    case 'wait':
    case 'stop':
      return [look.reason];
  }
}
