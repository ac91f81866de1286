import { describe, expect, it } from '@jest/globals';
import { doneText, readDone } from './done-record.js';

describe('the record of a node that is done', () => {
  it('is read as it was written, in whole seconds', () => {
    expect(readDone(doneText('a1b2', 1_764_000_000_999))).toEqual({ rollout: 'a1b2', doneMs: 1_764_000_000_000 });
  });

  it.each([undefined, '', 'a1b2', 'a1b2 ', 'a1b2 soon', 'a1b2 1764000000 more'])('is none in %j', (text) => {
    expect(readDone(text)).toBeUndefined();
  });
});
