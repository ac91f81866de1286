import { backOffMs } from '../../../shared/lib/back-off.js';
import { beginsUpgrade } from '../../model/node-states.js';
import { sleep } from '../timing/wake.js';
import type { Ports } from '../ports.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import type { PatchNode, SnapshotNode } from '../../model/types.js';
import type { Limit } from '../timing/limit.js';

/** Whether a write may be sent: `suspended` while the Lease may have expired, `revoked` when it is lost or the run ends. */
export type WritePermission = () => 'granted' | 'suspended' | 'revoked';

/** Whether the upgrade of a node may begin now: false while the companion is paused by hand. */
export type BeginPermission = () => Promise<boolean>;

/** Dependencies of a patch. */
interface PatchContext {
  readonly ports: Ports;
  readonly permission: WritePermission;
  /** Asked before each request that begins the upgrade of a node, because a decision may be older than a pause. */
  readonly mayBegin: BeginPermission;
  /** Taken for each request, not for the delays between them. */
  readonly limit: Limit;
  /** The node that the decision was made from; undefined: not known. */
  readonly decidedFrom: () => SnapshotNode | undefined;
  /** The patch is sent again for the current version of the node. */
  readonly renewed: (current: SnapshotNode, patch: PatchNode) => void;
}

/** The result of a patch. */
type PatchResult =
  /** It took effect. The node is the version after it, or a later one. */
  | { readonly kind: 'done'; readonly node: SnapshotNode }
  /** It did not take effect, because the node had changed. The node is the current version. */
  | { readonly kind: 'stale'; readonly node: SnapshotNode }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'forbidden'; readonly message: string }
  /** Nothing was sent. */
  | { readonly kind: 'dropped' }
  /** It was sent, and permission was revoked before there was an answer. */
  | { readonly kind: 'unknown' };

const ATTEMPTS = 5;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;
const PERMISSION_POLL_MS = 1_000;

/**
 * Sends a patch until its result is certain. The next decision would count nodes wrongly if a patch that timed out had taken
 * effect. Its precondition is the resourceVersion, so it can be sent again, and after a 409 the current node shows whether it did.
 *
 * If others changed only what the decision does not depend on, it is sent again at once for the current version: programs that write to
 * the node many times a second would otherwise be faster than every decision.
 */
export async function patchUntilCertain(context: PatchContext, decided: PatchNode): Promise<PatchResult> {
  const { ports } = context;
  let action = decided;
  let sent = false;
  let message = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const answer = await send(context, () => patchUnlessPaused(context, action));
    switch (answer?.kind) {
      case undefined:
        return { kind: sent ? 'unknown' : 'dropped' };
      case 'paused':
        return sent ? readNode(context, action, sent) : { kind: 'dropped' };
      case 'ok':
        return { kind: 'done', node: answer.value };
      case 'gone':
        return { kind: 'gone' };
      case 'forbidden':
        return answer;
      case 'endless':
      case 'error':
        return { kind: 'failed', message: answer.message };
      case 'conflict': {
        const found = await readNode(context, action, sent);
        if (found.kind !== 'stale' || attempt === ATTEMPTS || !isAsDecided(context, action, found.node)) return found;
        action = { ...action, resourceVersion: found.node.resourceVersion };
        context.renewed(found.node, action);
        break;
      }
      case 'expired':
      case 'retry':
        sent = true;
        ({ message } = answer);
        await sleep(ports.clock, delayMs(ports, answer, attempt));
    }
  }
  const found = await readNode(context, action, true);
  const untouched = found.kind === 'stale' && found.node.resourceVersion === action.resourceVersion;
  return untouched ? { kind: 'failed', message } : found;
}

/** Undefined: permission ended while the pause was read, and nothing was sent. */
async function patchUnlessPaused(
  { ports, permission, mayBegin }: PatchContext,
  action: PatchNode,
): Promise<Answer<SnapshotNode> | { readonly kind: 'paused' } | undefined> {
  if (beginsUpgrade(action)) {
    if (!(await mayBegin())) return { kind: 'paused' };
    if (permission() !== 'granted') return undefined;
  }
  return ports.cluster.patchNode(action);
}

/** Reads the node until there is an answer. `sent`: one of the patches may have taken effect. */
async function readNode(context: PatchContext, action: PatchNode, sent: boolean): Promise<PatchResult> {
  const { ports } = context;
  for (let attempt = 1; ; attempt++) {
    const answer = await send(context, () => ports.cluster.getNode(action.node));
    if (answer === undefined) return { kind: sent ? 'unknown' : 'dropped' };
    if (answer.kind === 'ok') {
      if (answer.value.uid !== action.uid) return { kind: 'gone' };
      return { kind: sent && hasPatch(answer.value, action) ? 'done' : 'stale', node: answer.value };
    }
    if (answer.kind === 'gone') return { kind: 'gone' };
    if (answer.kind === 'forbidden') return answer;
    await sleep(ports.clock, delayMs(ports, answer, attempt));
  }
}

/** Keys of labels and annotations that belong to an upgrade flow, of any driver. */
const FLOW_KEY = /^weft\.dev\/|-driver-upgrade/;

/** Whether the node still is as the decision saw it, but for what others keep on it: its status, and their labels and annotations. */
function isAsDecided({ decidedFrom }: PatchContext, action: PatchNode, current: SnapshotNode): boolean {
  const before = decidedFrom();
  const isSame = (one: SnapshotNode['labels'], other: SnapshotNode['labels'], written: PatchNode['labels']): boolean =>
    [...Object.keys(one), ...Object.keys(other), ...Object.keys(written)].every(
      (key) => one[key] === other[key] || !(FLOW_KEY.test(key) || Object.hasOwn(written, key)),
    );
  return (
    before?.uid === current.uid &&
    before.unschedulable === current.unschedulable &&
    before.cordonTime === current.cordonTime &&
    isSame(before.labels, current.labels, action.labels) &&
    isSame(before.annotations, current.annotations, action.annotations)
  );
}

/** Whether the node has all changes of the patch. */
function hasPatch(node: SnapshotNode, action: PatchNode): boolean {
  const hasAll = (actual: Readonly<Record<string, string>>, desired: PatchNode['labels']): boolean =>
    Object.entries(desired).every(([key, value]) => (actual[key] ?? null) === value);
  return (
    node.resourceVersion !== action.resourceVersion &&
    hasAll(node.labels, action.labels) &&
    hasAll(node.annotations, action.annotations) &&
    (action.unschedulable ?? node.unschedulable) === node.unschedulable
  );
}

/**
 * Sends one request as soon as it may be sent. Undefined: permission was revoked, and nothing was sent. A request that returns
 * undefined sent nothing, and is called again.
 */
async function send<Value>(
  { ports, permission, limit }: PatchContext,
  request: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  for (;;) {
    const state = permission();
    if (state === 'revoked') return undefined;
    if (state === 'suspended') await sleep(ports.clock, PERMISSION_POLL_MS);
    else {
      // Permission may have ended while the request was queued.
      const answer = await limit(async () => (permission() === 'granted' ? request() : undefined));
      if (answer !== undefined) return answer;
    }
  }
}

function delayMs(ports: Ports, answer: Answer<unknown>, attempt: number): number {
  const least = answer.kind === 'retry' ? Math.min(LONGEST_DELAY_MS, (answer.retryAfterSeconds ?? 0) * 1000) : 0;
  return Math.max(least, backOffMs(attempt, FIRST_DELAY_MS, LONGEST_DELAY_MS, ports.random));
}
