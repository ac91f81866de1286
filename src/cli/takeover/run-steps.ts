import type { ApiClient } from '../../shared/kube-client/api-client.js';
import { listed } from '../../shared/lib/listed.js';
import type { FoundOperator } from '../../cluster/takeover/operator/find.js';
import { observe, type Observation, type ObserveInput } from '../../cluster/takeover/observe.js';
import { nextStep } from '../../cluster/takeover/next-step.js';
import type { Saved, Step, Write } from '../../cluster/takeover/state.js';
import { send } from '../../cluster/takeover/writes.js';
import { noAnswer, Refusal } from '../../cluster/reader/answers.js';
import { writeBackup } from './backup.js';

/** How the steps of a run end. */
export type RunEnd =
  | { readonly kind: 'done'; readonly last: Observation }
  /** Something unexpected: nothing more was done. */
  | { readonly kind: 'stopped'; readonly step: Step; readonly reason: string };

interface RunInput {
  readonly client: ApiClient;
  readonly observed: ObserveInput;
  readonly steps: readonly Step[];
  readonly saved: Saved;
  /** Folder of the backup. */
  readonly backup: string;
  /** How long one step may wait for the cluster. */
  readonly timeoutMs: number;
  /** Prints a line. */
  readonly tell: (line: string) => void;
}

const POLL_MS = 1000;
const READ_ATTEMPTS = 5;
/** How often a step writes before it counts as one that something undoes. Another writer in between is a conflict, and no error. */
const WRITES_MAX = 4;

/** What a run remembers between two looks. */
interface Memory {
  saved: Saved;
  looks: { readonly ms: number; readonly operator: FoundOperator }[];
  /** The output was compared and is applied. */
  isApplied: boolean;
  readonly writes: Map<string, number>;
  /** The step that is being done, since when, and what was said of it. */
  current: { readonly id: string; readonly sinceMs: number; said: string } | undefined;
}

/**
 * Looks at the cluster, does what the next step wants, and looks again, until all steps are done. Every step before the current one is
 * looked at again each time.
 */
export async function runSteps(input: RunInput): Promise<RunEnd> {
  const memory: Memory = { saved: input.saved, looks: [], isApplied: false, writes: new Map(), current: undefined };
  const compares = input.steps.some(({ id }) => id === 'apply');
  for (;;) {
    const nowMs = performance.now();
    const operator = operatorBefore(memory, nowMs);
    const last = await withAttempts(() =>
      observe(input.client, input.observed, {
        saved: memory.saved,
        operator,
        compares: compares && !memory.isApplied,
      }),
    );
    memory.looks.push({ ms: nowMs, operator: last.state.operator });
    const next = nextStep(input.steps, last.state);
    announce(input, memory, next?.step, nowMs);
    if (next === undefined) return { kind: 'done', last };
    const stopped = await takeStep(input, memory, next, nowMs);
    if (stopped !== undefined) return { kind: 'stopped', step: next.step, reason: stopped };
  }
}

/** A server that has just got or lost a CRD answers 429 or 503 for a moment. */
async function withAttempts<Value>(read: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Refusal) || attempt === READ_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

/** The newest look that is at least as old as the operator's Lease lasts. */
function operatorBefore({ looks }: Memory, nowMs: number): FoundOperator | undefined {
  const old = ({ ms, operator }: Memory['looks'][number]): boolean =>
    nowMs - ms >= Math.max(0, ...operator.leases.map(({ durationSeconds }) => durationSeconds * 1000));
  const newest = looks.filter(old).at(-1);
  if (newest !== undefined) looks.splice(0, looks.indexOf(newest));
  return newest?.operator;
}

/** Says which steps are done and which one begins. */
function announce({ steps, tell }: RunInput, memory: Memory, step: Step | undefined, nowMs: number): void {
  if (memory.current?.id === step?.id && memory.current !== undefined) return;
  const index = step === undefined ? steps.length : steps.indexOf(step);
  const before = steps.findIndex(({ id }) => id === memory.current?.id);
  for (const one of steps.slice(Math.max(0, before), index)) tell(`done: ${one.id}`);
  if (steps.findIndex(({ id }) => id === 'apply') < index) memory.isApplied = true;
  memory.current = step === undefined ? undefined : { id: step.id, sinceMs: nowMs, said: '' };
  if (step !== undefined) tell(`${step.id}: ${step.what}`);
}

type Next = NonNullable<ReturnType<typeof nextStep>>;

/** Does what a step wants. Returns why it cannot. */
async function takeStep(
  input: RunInput,
  memory: Memory,
  { step, look }: Next,
  nowMs: number,
): Promise<string | undefined> {
  const { tell, timeoutMs } = input;
  switch (look.kind) {
    case 'stop':
      return look.reason;
    case 'save':
      memory.saved = writeBackup(input.backup, memory.saved, look.objects);
      tell(`  ${look.objects.length} objects saved in ${input.backup}`);
      return undefined;
    case 'write': {
      const count = (memory.writes.get(step.id) ?? 0) + 1;
      memory.writes.set(step.id, count);
      if (count > WRITES_MAX) return `it was done ${WRITES_MAX} times, and something undoes it: ${shown(look.writes)}`;
      tell(`  ${writesText(look.writes)}`);
      return sendAll(input, look.writes);
    }
    case 'wait':
    case 'person': {
      const current = memory.current;
      if (current !== undefined && current.said !== look.reason) {
        current.said = look.reason;
        for (const line of [`waits: ${look.reason}`, ...(look.kind === 'person' ? look.lines : [])]) tell(`  ${line}`);
      }
      const sinceMs = current?.sinceMs ?? nowMs;
      if (look.kind === 'wait' && nowMs - sinceMs > timeoutMs) return `after ${timeoutMs / 1000} s: ${look.reason}`;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      return undefined;
    }
  }
}

function writesText(writes: readonly Write[]): string {
  const command = writes[0]?.command ?? '';
  return writes.length === 1 ? command : `${writes.length} writes, such as ${command}`;
}

const shown = (writes: readonly Write[]) =>
  listed(
    writes.map(({ command }) => command),
    3,
  );

/** Sends writes in their order. A conflict, and an object that is gone, are looked at again. */
async function sendAll(input: RunInput, writes: readonly Write[]): Promise<string | undefined> {
  for (const write of writes) {
    const { command } = write;
    const answer = await send(input.client, write);
    if (answer.kind === 'error') return `${command}: ${answer.message}`;
    if (answer.kind === 'forbidden') throw new Refusal(noAnswer(answer));
    // What is not done is found by the next look.
    if (answer.kind === 'retry') await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}
