import { NODE_STATES } from '../../../shared/contract/node-states.js';
import { describe, expect, it } from '@jest/globals';
import { EFFECTS } from './effects.js';
import { GUARDS } from './guards.js';
import { IN_PROGRESS } from '../../model/node-states.js';
import { renderStateDiagram, renderStateTable } from '../../../../scripts/docs/state-diagram.js';
import { TRANSITIONS } from './transitions.js';

describe('the transition table', () => {
  it('has different ids for its rows', () => {
    expect(new Set(TRANSITIONS.map(({ id }) => id)).size).toBe(TRANSITIONS.length);
  });

  it('only writes states that upstream knows', () => {
    const written = new Set(TRANSITIONS.map(({ to }) => to).filter((to) => to !== 'keep'));
    for (const state of written) expect(NODE_STATES.has(state)).toBe(true);
  });

  it('uses every guard and every effect', () => {
    const asked = new Set(TRANSITIONS.flatMap(({ when, unless = [] }) => [...when, ...unless]));
    const used = new Set(TRANSITIONS.flatMap(({ then }) => then));
    expect(Object.keys(GUARDS).filter((name) => !asked.has(name as keyof typeof GUARDS))).toEqual([]);
    expect(Object.keys(EFFECTS).filter((name) => !used.has(name as keyof typeof EFFECTS))).toEqual([]);
  });

  it('has a row out of every state of a node in progress', () => {
    const left = new Set(TRANSITIONS.filter(({ to }) => to !== 'keep').flatMap(({ from }) => from));
    expect([...IN_PROGRESS].filter((state) => !left.has(state as never))).toEqual([]);
  });
});

describe('the generated diagram and table', () => {
  it('show every row that changes the state', () => {
    const diagram = renderStateDiagram(TRANSITIONS);
    expect(diagram).toContain('  state "(empty)" as empty\n');
    expect(diagram).toContain('  empty --> upgrade_done: its driver is up to date\n');
    const arrows = TRANSITIONS.flatMap(({ from, to }) => (to === 'keep' ? [] : from.filter((state) => state !== to)));
    expect(diagram.match(/ --> /g)).toHaveLength(arrows.length);
    expect(diagram).not.toMatch(/ --> \w+: .*[;:]/);
  });

  it('have one line for each row', () => {
    expect(renderStateTable(TRANSITIONS).trim().split('\n')).toHaveLength(TRANSITIONS.length + 2);
  });
});
