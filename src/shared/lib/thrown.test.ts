import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { thrownTexts } from './thrown.js';

/** `runInNewContext` promises anything. */
const foreign: unknown = runInNewContext('new Error("m")');

describe('the texts of what was thrown', () => {
  it.each([
    { name: 'an error', thrown: Object.assign(new Error('m'), { stack: 's' }), expected: { message: 'm', stack: 's' } },
    { name: 'an error of another realm', thrown: foreign, expected: { message: 'm' } },
    { name: 'text', thrown: 'text', expected: { message: 'text', stack: '' } },
    { name: 'nothing', thrown: undefined, expected: { message: 'undefined', stack: '' } },
    { name: 'a symbol', thrown: Symbol('s'), expected: { message: 'Symbol(s)', stack: '' } },
  ])('$name', ({ thrown, expected }: { readonly thrown: unknown; readonly expected: object }) => {
    expect(thrownTexts(thrown)).toMatchObject(expected);
  });
});
