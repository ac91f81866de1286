import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { thrownTexts } from './thrown.js';

const fails = (): never => {
  throw new Error('never looked at');
};
const hostile = Object.defineProperties(new Error('m'), { stack: { get: fails } });
const mute = new Proxy({}, { get: fails, has: fails, getPrototypeOf: fails });
const NOTHING = 'a value without text was thrown';

/** `Object.create` and `runInNewContext` promise anything. */
const bare: unknown = Object.create(null);
const foreign: unknown = runInNewContext('new Error("m")');

describe('the texts of what was thrown', () => {
  it.each([
    { name: 'an error', thrown: Object.assign(new Error('m'), { stack: 's' }), expected: { message: 'm', stack: 's' } },
    { name: 'an error of another realm', thrown: foreign, expected: { message: 'm' } },
    { name: 'an error whose stack throws', thrown: hostile, expected: { message: 'm', stack: '' } },
    { name: 'text', thrown: 'text', expected: { message: 'text', stack: '' } },
    { name: 'nothing', thrown: undefined, expected: { message: 'undefined', stack: '' } },
    { name: 'a symbol', thrown: Symbol('s'), expected: { message: 'Symbol(s)', stack: '' } },
    { name: 'an object without a prototype', thrown: bare, expected: { message: NOTHING, stack: '' } },
    {
      name: 'a message without text',
      thrown: { message: bare },
      expected: { message: '[object Object]' },
    },
    { name: 'a text that is none', thrown: { toString: 'x', valueOf: 1 }, expected: { message: NOTHING, stack: '' } },
    { name: 'a proxy that refuses everything', thrown: mute, expected: { message: NOTHING, stack: '' } },
  ])('$name', ({ thrown, expected }: { readonly thrown: unknown; readonly expected: object }) => {
    expect(thrownTexts(thrown)).toMatchObject(expected);
  });
});
