import { describe, expect, it } from '@jest/globals';
import type { ClusterPort, ObjectEvent } from '../ports.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import { createEventWriter } from './event-writer.js';
import type { Occurrence } from './events.js';

function bed(answer: Answer<undefined> = { kind: 'ok', value: undefined }) {
  const events: ObjectEvent[] = [];
  const forbidden: string[] = [];
  const timers = new Set<() => void>();
  const cluster = {
    writeEvent(event: ObjectEvent) {
      events.push(event);
      return Promise.resolve(answer);
    },
  } as Partial<ClusterPort> as ClusterPort;
  const clock = {
    now: () => 1_000,
    monotonicMs: () => 1_000,
    processorMs: () => 0,
    after(_ms: number, callback: () => void) {
      timers.add(callback);
      return () => void timers.delete(callback);
    },
  };
  const writer = createEventWriter({ cluster, clock }, 'job', {
    forbidden: (message) => void forbidden.push(message),
    crashed: (error) => {
      throw error;
    },
  });
  const pass = (): void => {
    for (const timer of [...timers]) timer();
  };
  return { writer, pass, timers, forbidden, messages: () => events.map(({ message }) => message), events };
}

const step = (node: string, message: string, type: Occurrence['type'] = 'Normal'): Occurrence => ({
  ...{ driver: 'ofed', node, nodeUid: `uid-${node}`, type, message, sameAs: message },
});

describe('Events of the steps of a node', () => {
  it('are one, when they follow each other within seconds', () => {
    const { writer, pass, messages } = bed();
    for (const [node, message] of [['a', 'cordoned'] as const, ['b', 'cordoned'] as const, ['a', 'drained'] as const]) {
      writer.write(step(node, message));
    }
    expect(messages()).toEqual([]);
    pass();
    expect(messages()).toEqual(['cordoned; drained', 'cordoned']);
    writer.write(step('a', 'uncordoned'));
    pass();
    expect(messages()).toEqual(['cordoned; drained', 'cordoned', 'uncordoned']);
  });

  it('are written before a warning, which does not wait', () => {
    const { writer, events } = bed();
    writer.write(step('a', 'cordoned'));
    writer.write(step('a', 'it failed', 'Warning'));
    expect(events.map(({ type, message }) => [type, message])).toEqual([
      ['Normal', 'cordoned'],
      ['Warning', 'it failed'],
    ]);
  });

  it('are written at the end of the run, and leave no timer', async () => {
    const { writer, messages, timers } = bed();
    writer.write(step('a', 'cordoned'));
    await writer.flushed();
    expect(messages()).toEqual(['cordoned']);
    expect(timers.size).toBe(0);
  });

  it('name the missing right', async () => {
    const { writer, forbidden } = bed({ kind: 'forbidden', message: 'may not' });
    writer.write(step('a', 'cordoned'));
    await writer.flushed();
    expect(forbidden).toEqual(['may not']);
  });
});
