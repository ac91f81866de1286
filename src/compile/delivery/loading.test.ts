import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const src = join(__dirname, '../..');
const files = (readdirSync(src, { recursive: true }) as string[])
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(src, path), 'utf8') }));
const importersOf = (pattern: RegExp): readonly string[] =>
  files.flatMap(({ path, text }) => (pattern.test(text) ? [path] : [])).sort();

// Most runs render no companion, and would wait for a library of 2 MB.
it('cdk8s-plus-28 is loaded by what renders the companion alone', () => {
  expect(importersOf(/^import (?!type)[^;]*from 'cdk8s-plus-28'/m)).toEqual([
    'compile/delivery/access.ts',
    'compile/delivery/companion.ts',
  ]);
});

it('what renders the companion is loaded when it is needed', () => {
  expect(importersOf(/^import (?!type)[^;]*from '[^']*delivery\/(?:access|companion|workloads)\.js'/m)).toEqual([]);
  expect(importersOf(/await import\('[^']*delivery\/companion\.js'\)/)).toEqual(['cli/compile/companion.ts']);
});
