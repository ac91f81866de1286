import { describe, expect, it } from '@jest/globals';
import { networkKinds } from '../networks/all.js';
import { allComponents } from './all.js';

const provided = allComponents.flatMap(({ provides = [] }) => provides.map(({ id }) => id));

describe('allComponents', () => {
  it('is in the order of ids, each once', () => {
    const ids = allComponents.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(ids.length).toBeGreaterThan(10);
  });

  it('provides what the kinds of networks require, each by one component', () => {
    expect(provided).toEqual([...new Set(provided)]);
    expect(networkKinds.flatMap(({ requires }) => requires).filter((id) => !provided.includes(id))).toEqual([]);
  });
});
