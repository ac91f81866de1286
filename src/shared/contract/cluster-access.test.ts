import { describe, expect, it } from '@jest/globals';
import { accessLines, readAccess } from './cluster-access.js';

describe('the line of the index about the live cluster', () => {
  it.each([{}, { context: 'east' }, { clusterUID: 'u' }, { context: 'east', clusterUID: 'u' }])('%j', (access) => {
    const lines = accessLines(access);
    expect(lines).toHaveLength(Object.keys(access).length === 0 ? 0 : 1);
    expect(readAccess(['driver {}', ...lines])).toEqual(access);
  });

  it.each(['access', 'access []', 'access {"context":1}'])('nothing is read from %j', (line) => {
    expect(readAccess([line])).toEqual({});
  });
});
