import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { codes } from '../../diagnostics/codes.js';
import { rules } from './rules.js';

const ROOT = join(__dirname, '../../..');

function testFiles(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return testFiles(path);
    return path.endsWith('.test.ts') ? [path] : [];
  });
}

describe('the rules', () => {
  it('have a code each, which is registered', () => {
    expect(rules.length).toBeGreaterThan(20);
    expect(rules.map(({ code }) => code).filter((code) => !codes[code])).toEqual([]);
    expect(new Set(rules).size).toBe(rules.length);
  });

  it('and all else that can be said about documents, are in a test', () => {
    const text = ['src', 'test']
      .flatMap((folder) => testFiles(join(ROOT, folder)))
      .map((path) => readFileSync(path, 'utf8'));
    const tested = new Set(text.join('\n').match(/WEFT\d{4}/g));
    // Codes below 100 are about text and files; the tests of the loader name them by key.
    const untested = Object.keys(codes).filter((code) => Number(code.slice(4)) >= 100 && !tested.has(code));
    expect(untested).toEqual([]);
  });

  it('and their tests name no code that is not registered', () => {
    const text = testFiles(__dirname).map((path) => readFileSync(path, 'utf8'));
    const unknown = [...new Set(text.join('\n').match(/WEFT\d{4}/g))].filter((code) => !codes[code]);
    expect(unknown).toEqual([]);
  });
});
