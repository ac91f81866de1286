import { backOffMs } from '../../../shared/lib/back-off.js';
import { sleep } from '../timing/wake.js';
import { createStore, KEY_OF, VIEW_OF, type Store, type WatchedViews } from './store.js';
import type { Ports, WatchedKind } from '../ports.js';
import type { Answer, Stop } from '../../../shared/kube-client/types.js';

/** A cache of one kind of object: one list, then watches. */
export interface Reflector<View> {
  /** Whether the answer to the last list is there. */
  readonly ready: () => boolean;
  /** All objects now. It returns the same value until something changes. */
  readonly view: () => View;
  /** Whether the cluster served the kind at the last list. */
  readonly isServed: () => boolean;
  /** Lists again. Until the answer is there, the view has the old items and `ready` is false. */
  readonly relist: () => void;
  readonly stop: () => void;
}

/** Callbacks of a reflector. */
export interface ReflectorEvents {
  readonly changed: () => void;
  /** A list or watch failed. `forbidden` is permanent. */
  readonly failed: (answer: Answer<unknown>, what: string) => void;
  /** A bug of the port or of this program. */
  readonly crashed: (error: unknown) => void;
}

/** Each watch is replaced after this time, in case it hangs. The next one continues from the last resourceVersion. */
const WATCH_LIFETIME_MS = 300_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
/** A watch that lived this long resets the delays between failures. */
const HEALTHY_MS = 10_000;

interface Reflection<Kind extends WatchedKind> {
  readonly ports: Ports;
  readonly kind: Kind;
  readonly namespace: string | undefined;
  readonly events: ReflectorEvents;
  readonly store: Store<Kind>;
  ready: boolean;
  stopped: boolean;
  listAgain: boolean;
  endWatch?: Stop | undefined;
}

/** Starts listing and watching one kind. Requests that fail in a row have a growing delay between them. */
export function startReflector<Kind extends WatchedKind>(
  ports: Ports,
  kind: Kind,
  namespace: string | undefined,
  events: ReflectorEvents,
): Reflector<WatchedViews[Kind]> {
  const store = createStore<Kind>(KEY_OF[kind], VIEW_OF[kind], events.changed);
  const states = { ready: false, stopped: false, listAgain: true };
  const reflection: Reflection<Kind> = { ports, kind, namespace, events, store, ...states };
  reflect(reflection).catch(events.crashed);
  return {
    ready: () => reflection.ready,
    view: store.view,
    isServed: () => store.resourceVersion() !== '',
    relist() {
      reflection.listAgain = true;
      reflection.ready = false;
      reflection.endWatch?.();
    },
    stop() {
      reflection.stopped = true;
      reflection.endWatch?.();
    },
  };
}

async function reflect<Kind extends WatchedKind>(reflection: Reflection<Kind>): Promise<void> {
  const { ports, kind, namespace, events } = reflection;
  const { clock } = ports;
  const what = namespace === undefined ? kind : `${kind} in ${namespace}`;
  let failures = 0;
  while (!reflection.stopped) {
    const startedMs = clock.monotonicMs();
    const listing = reflection.listAgain;
    const answer = listing ? await list(reflection) : await watch(reflection);
    if (isStopped(reflection)) return;
    if (answer.kind === 'expired') reflection.listAgain = true;
    else if (answer.kind !== 'ok') events.failed(answer, what);
    const livedMs = clock.monotonicMs() - startedMs;
    if (listing && answer.kind === 'ok') continue;
    if (answer.kind === 'ok' || livedMs >= HEALTHY_MS) failures = 0;
    else await sleep(clock, delayMs(ports, answer, ++failures));
    // Limits the requests to a server that closes each watch at once.
    if (answer.kind === 'ok' && livedMs < FIRST_DELAY_MS && !reflection.listAgain) await sleep(clock, FIRST_DELAY_MS);
  }
}

/** Functions, because the compiler assumes that a property does not change during an `await`. */
function isStopped({ stopped }: { readonly stopped: boolean }): boolean {
  return stopped;
}

function isListedAgain({ listAgain }: { readonly listAgain: boolean }): boolean {
  return listAgain;
}

async function list<Kind extends WatchedKind>(reflection: Reflection<Kind>): Promise<Answer<unknown>> {
  reflection.listAgain = false;
  const listed = await reflection.ports.cluster.list(reflection.kind, reflection.namespace);
  if (reflection.stopped) return listed;
  if (listed.kind === 'ok') {
    // A list that was requested meanwhile will be newer than this one.
    reflection.ready = !isListedAgain(reflection);
    reflection.store.replace(listed.value.items, listed.value.resourceVersion);
  } else {
    reflection.listAgain = true;
  }
  return listed;
}

async function watch<Kind extends WatchedKind>(reflection: Reflection<Kind>): Promise<Answer<unknown>> {
  const { ended, end } = watchOnce(reflection.ports, reflection.kind, reflection.namespace, reflection.store);
  reflection.endWatch = end;
  const answer = await ended;
  reflection.endWatch = undefined;
  return answer;
}

function delayMs({ random }: Ports, answer: Answer<unknown>, failures: number): number {
  const least = answer.kind === 'retry' ? (answer.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(least, backOffMs(failures, FIRST_DELAY_MS, LONGEST_DELAY_MS, random));
}

/** One watch until the server ends it, or `end`, or its age. */
function watchOnce<Kind extends WatchedKind>(
  { cluster, clock }: Ports,
  kind: Kind,
  namespace: string | undefined,
  store: Store<Kind>,
): { readonly ended: Promise<Answer<unknown>>; readonly end: Stop } {
  let endWith: (answer: Answer<unknown>) => void = () => undefined;
  const ended = new Promise<Answer<unknown>>((resolve) => {
    endWith = resolve;
  });
  const end = (): void => endWith({ kind: 'ok', value: undefined });
  const stopWatch = cluster.watch(kind, namespace, store.resourceVersion(), (event) => {
    if (event.kind === 'end') endWith(event.answer);
    else store.fold(event);
  });
  const stopTimer = clock.after(WATCH_LIFETIME_MS, end);
  void ended.then(() => {
    stopTimer();
    stopWatch();
  });
  return { ended, end };
}
