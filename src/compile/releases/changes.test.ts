import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { newestRelease, releaseNames } from './catalog.js';
import { changes, type ChangeName, since } from './changes.js';

const compile = join(__dirname, '..');
const texts = readdirSync(compile, { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('.ts') && !/\.(?:test|table)\.ts$/.test(path) && path !== 'releases/changes.ts')
  .map((path) => readFileSync(join(compile, path), 'utf8'));

const names = Object.keys(changes) as ChangeName[];

describe('the changes between releases', () => {
  it.each(names)('%s: code asks for it', (name) => {
    // `since(context, 'name')`, or a row `change: 'name'` of a table that is asked for as a whole.
    const asks = new RegExp(`since\\([^;]*?, '${name}'|change: '${name}'`);
    expect(texts.filter((text) => asks.test(text))).not.toEqual([]);
  });

  it.each(names)('%s: a release has it, and an older one does not', (name) => {
    const first = releaseNames.indexOf(changes[name].since);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(first).toBeLessThan(releaseNames.length - 1);
    expect(changes[name].commits.filter((commit) => !/^[0-9a-f]{8}$/.test(commit))).toEqual([]);
  });

  it('are sorted, newest release first', () => {
    const firsts = Object.values(changes).map((change) => releaseNames.indexOf(change.since));
    expect([...firsts].sort((a, b) => a - b)).toEqual(firsts);
  });

  it('count from their release on, and without a release as in the newest final one', () => {
    const chosen = (release?: string) => names.filter((name) => since({ spec: { release } }, name));
    expect(chosen('v26.4')).toEqual([]);
    expect(chosen('v26.7')).toEqual(names.filter((name) => changes[name].since === 'v26.7'));
    expect(chosen('v26.10')).toEqual(names);
    expect(chosen()).toEqual(chosen(newestRelease.release));
    expect(chosen('no release')).toEqual(chosen());
  });
});
