import { backOffMs } from '../../../lib/back-off.js';
import { sleep } from '../loop/wake.js';
import type { Answer, Ports } from '../ports.js';
import type { PatchNode, SnapshotNode } from '../../model/types.js';

/** Whether a request may be sent: `wait` while the Lease is doubtful, `stop` when it is lost or the run ends. */
export type Gate = () => 'go' | 'wait' | 'stop';

/** What became of a patch, for certain unless it says so. */
export type PatchResult =
  /** It is done; the node is as it was right after, or later. */
  | { readonly kind: 'done'; readonly node: SnapshotNode }
  /** The node was another one than the snapshot's; this is how it is. */
  | { readonly kind: 'stale'; readonly node: SnapshotNode }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'forbidden'; readonly message: string }
  /** Nothing was sent. */
  | { readonly kind: 'dropped' }
  /** It was sent, and we had to stop before an answer was there. */
  | { readonly kind: 'unknown' };

const ATTEMPTS = 5;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;
const GATE_DELAY_MS = 1_000;

/**
 * Sends a patch until it is certain what became of it. The next decision would count nodes wrongly if a patch that timed out
 * had taken effect after all: with the resourceVersion as precondition it can be sent again, and a 409 followed by a GET
 * tells the rest.
 */
export async function patchSurely(ports: Ports, action: PatchNode, gate: Gate): Promise<PatchResult> {
  let sent = false;
  let message = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (!(await pass(ports, gate))) return { kind: sent ? 'unknown' : 'dropped' };
    const answer = await ports.cluster.patchNode(action);
    switch (answer.kind) {
      case 'ok':
        return { kind: 'done', node: answer.value };
      case 'gone':
        return { kind: 'gone' };
      case 'forbidden':
        return answer;
      case 'error':
        return { kind: 'failed', message: answer.message };
      case 'conflict':
        return lookAtNode(ports, action, gate, sent);
      case 'expired':
      case 'retry':
        sent = true;
        ({ message } = answer);
        await sleep(ports.clock, delayMs(ports, answer, attempt));
    }
  }
  const found = await lookAtNode(ports, action, gate, true);
  const untouched = found.kind === 'stale' && found.node.resourceVersion === action.resourceVersion;
  return untouched ? { kind: 'failed', message } : found;
}

/** Asks for the node until there is an answer. `sent`: one of the patches may have taken effect. */
async function lookAtNode(ports: Ports, action: PatchNode, gate: Gate, sent: boolean): Promise<PatchResult> {
  for (let attempt = 1; ; attempt++) {
    if (!(await pass(ports, gate))) return { kind: sent ? 'unknown' : 'dropped' };
    const answer = await ports.cluster.getNode(action.node);
    if (answer.kind === 'ok') {
      if (answer.value.uid !== action.uid) return { kind: 'gone' };
      return { kind: sent && shows(answer.value, action) ? 'done' : 'stale', node: answer.value };
    }
    if (answer.kind === 'gone') return { kind: 'gone' };
    if (answer.kind === 'forbidden') return answer;
    await sleep(ports.clock, delayMs(ports, answer, attempt));
  }
}

/** Whether a node looks as the patch would have left it. */
function shows(node: SnapshotNode, action: PatchNode): boolean {
  const hasAll = (actual: Readonly<Record<string, string>>, wanted: PatchNode['labels']): boolean =>
    Object.entries(wanted).every(([key, value]) => (actual[key] ?? null) === value);
  return (
    node.resourceVersion !== action.resourceVersion &&
    hasAll(node.labels, action.labels) &&
    hasAll(node.annotations, action.annotations) &&
    (action.unschedulable ?? node.unschedulable) === node.unschedulable
  );
}

/** Waits until a request may be sent; false: never again. */
async function pass(ports: Ports, gate: Gate): Promise<boolean> {
  for (;;) {
    const state = gate();
    if (state !== 'wait') return state === 'go';
    await sleep(ports.clock, GATE_DELAY_MS);
  }
}

function delayMs(ports: Ports, answer: Answer<unknown>, attempt: number): number {
  const least = answer.kind === 'retry' ? Math.min(LONGEST_DELAY_MS, (answer.retryAfterSeconds ?? 0) * 1000) : 0;
  return Math.max(least, backOffMs(attempt, FIRST_DELAY_MS, LONGEST_DELAY_MS, ports.random));
}
