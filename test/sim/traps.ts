import type { TransitionRow } from '../../src/upgrade/flow/transition-row.js';
import { TRANSITIONS } from '../../src/upgrade/flow/transitions.js';
import { KEEPS_RUNNING } from '../../src/upgrade/model/node-states.js';
import type { Decision } from '../../src/upgrade/model/types.js';
import { driverKeys } from '../../src/contract/labels.js';
import { carryOut, changePod, isDriverPod } from '../kit/story-world.js';
import { policyOf } from '../kit/story-policy.js';
import { createStory, decideOn, tell, type Story } from '../scenario/commands.js';

/** How far an exploration went, and the states from which the companion alone comes to no end. */
export interface Exploration {
  readonly states: number;
  readonly traps: readonly Trap[];
}

export interface Trap {
  /** What happened: lines of a scenario, `decision` for one decision that was carried out. */
  readonly path: readonly string[];
  readonly fact: string;
}

interface Place {
  readonly story: Story;
  readonly path: readonly string[];
  readonly eventsLeft: number;
}

const LONGEST_MS = 7 * 24 * 3_600_000;
const MOST_DECISIONS = 500;

/**
 * Explores a small cluster as a graph. An edge is one decision that is carried out, or one event while some of `depth` are left.
 * From every state, the companion alone has to bring the cluster to an end: its decisions lead to the end of the next state, or in a
 * circle. With `most` the search ends after so many traps.
 */
export function explore(
  setup: readonly string[],
  events: readonly string[],
  depth: number,
  table: readonly TransitionRow[] = TRANSITIONS,
  most: number = Infinity,
): Exploration {
  const story = createStory();
  for (const line of setup) tell(story, line);
  const queue: Place[] = [{ story, path: [], eventsLeft: depth }];
  /** By state, the one that the next decision leads to. */
  const seen = new Map<string, { readonly place: Place; readonly next: string | undefined }>();
  const traps: Trap[] = [];
  for (let place = queue.pop(); place !== undefined && traps.length < most; place = queue.pop()) {
    const key = `${place.eventsLeft} ${keyOf(place.story)}`;
    if (seen.has(key)) continue;
    const next = copyOf(place.story);
    const moves = stepOn(next, table);
    seen.set(key, { place, next: moves ? `${place.eventsLeft} ${keyOf(next)}` : undefined });
    if (moves) queue.push({ ...place, story: next, path: [...place.path, 'decision'] });
    else {
      const fact = endOf(copyOf(place.story), table);
      if (fact !== undefined) traps.push({ path: place.path, fact });
    }
    if (place.eventsLeft === 0) continue;
    for (const event of events) {
      const after = copyOf(place.story);
      tell(after, event);
      queue.push({ story: after, path: [...place.path, event], eventsLeft: place.eventsLeft - 1 });
    }
  }
  return { states: seen.size, traps: [...traps, ...circlesIn(seen)] };
}

/** States whose decisions lead back to them. */
function circlesIn(seen: ReadonlyMap<string, { readonly place: Place; readonly next: string | undefined }>): Trap[] {
  const ends = new Set<string>();
  const traps: Trap[] = [];
  for (const start of seen.keys()) {
    const chain = new Set<string>();
    let key: string | undefined = start;
    while (key !== undefined && !ends.has(key) && !chain.has(key)) {
      chain.add(key);
      key = seen.get(key)?.next;
    }
    if (key !== undefined && chain.has(key))
      traps.push({ path: seen.get(key)?.place.path ?? [], fact: 'it never ends' });
    for (const one of chain) ends.add(one);
  }
  return traps;
}

const copyOf = (story: Story): Story => structuredClone(story);

/** What a state is, without the times and versions in it. */
function keyOf({ world, policy }: Story): string {
  const withoutTimes = (record: Readonly<Record<string, string>>) =>
    Object.entries(record).map(([name, value]) => [
      name,
      /^\d{6,}(\.\d+)?$/.test(value) ? 'time' : value.replace(/ \d+$/, ''),
    ]);
  const nodes = [...world.nodes.values()].map(({ labels, annotations, unschedulable, ready }) => [
    Object.entries(labels).sort(),
    withoutTimes(annotations).sort(),
    unschedulable,
    ready,
  ]);
  const pods = [...world.pods.values()].map(({ name, nodeName, ready, labels }) => [name, nodeName, ready, labels]);
  return JSON.stringify([nodes, pods.sort(), [...policy.daemonSets], [...world.daemonSets.keys()]]);
}

/** One decision and its effects; undefined when nothing is to be done, now or later. */
function step(story: Story, table: readonly TransitionRow[]): Decision | undefined {
  const { world } = story;
  const decision = decideOn(story, table);
  for (const action of decision.actions) carryOut(world, action);
  if (decision.actions.length > 0) {
    world.nowMs += 1000;
    return decision;
  }
  const loading = [...world.pods].find(
    ([, pod]) => isDriverPod(pod) && !pod.ready && world.nodes.get(pod.nodeName)?.ready === 'True',
  );
  if (loading !== undefined) {
    const [key, pod] = loading;
    const containers = pod.containers.map((one) => ({ ...one, ready: true, startedMs: world.nowMs }));
    changePod(world, key, { ready: true, readyChangedMs: world.nowMs, containers });
    world.nowMs += 1000;
    return decision;
  }
  if (decision.wakeMs === undefined || decision.wakeMs > world.nowMs + LONGEST_MS) return undefined;
  world.nowMs = Math.max(world.nowMs + 1, decision.wakeMs);
  return decision;
}

/** Decides until something has changed; false when nothing ever changes. */
function stepOn(story: Story, table: readonly TransitionRow[]): boolean {
  const before = keyOf(story);
  for (let decisions = 0; decisions < MOST_DECISIONS; decisions += 1) {
    if (step(story, table) === undefined) return false;
    if (keyOf(story) !== before) return true;
  }
  return false;
}

/** Lets the companion go on alone: undefined where every node comes to an end, else what it waits for without one. */
function endOf(story: Story, table: readonly TransitionRow[]): string | undefined {
  let decisions = 0;
  while (step(story, table) !== undefined) if (++decisions > MOST_DECISIONS) return 'it never ends';
  const { world } = story;
  const { waiting } = decideOn(story, table);
  for (const { labelPrefix } of policyOf(story.policy).drivers)
    for (const { name, labels } of world.nodes.values()) {
      const state = labels[driverKeys(labelPrefix).state] ?? '';
      const wait = waiting.find(({ node, driver }) => node === name && driver === labelPrefix);
      const about = `${labelPrefix}/${name}`;
      if (wait === undefined && state !== '' && state !== 'upgrade-done')
        return `${about} stays ${state} and waits for nothing`;
      if (wait !== undefined && KEEPS_RUNNING[wait.kind])
        return `${about} waits for ever (${wait.kind}): ${wait.message}`;
    }
  return undefined;
}
