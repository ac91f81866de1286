import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import ts from 'typescript';
import { filesBelow } from './kit/files.js';
import { isEveryCase, shareOf } from './kit/shares.js';

/**
 * No pattern needs more than linear time, whatever text it meets. `npm run check:lint` analyses the patterns in the sources. Here are those that
 * ESLint does not see because they are data, and hostile text for all of them.
 */

/** Regular expressions in the sources, and those that CustomResourceDefinitions have. */
function patterns(): readonly RegExp[] {
  const found = new Map<string, RegExp>();
  for (const path of filesBelow('src')) {
    if (/\.(?:test|table)\.ts$/.test(path)) continue;
    if (path.endsWith('.ts')) for (const pattern of literals(path)) found.set(String(pattern), pattern);
    if (path.endsWith('.json')) for (const pattern of ofCrds(path)) found.set(String(pattern), pattern);
  }
  return [...found.values()];
}

function literals(path: string): readonly RegExp[] {
  const tree = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: RegExp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function ofCrds(path: string): readonly RegExp[] {
  const texts = readFileSync(path, 'utf8').matchAll(/"pattern": ?("(?:[^"\\]|\\.)*")/g);
  return [...texts].map(([, text = '""']) => new RegExp(JSON.parse(text) as string));
}

/** Repetitions of the characters of a pattern, alone and with others, behind beginnings that it may match. The end matches nothing. */
function* hostileTexts({ source }: RegExp, length: number): Generator<string> {
  const ofPattern = Array.from(source.replace(/\\[a-zA-Z]/g, '')).filter((one) => !'^$?*+|{}\\'.includes(one));
  const characters = [...new Set([...ofPattern, 'a', '0', ' ', ':', '\n'])];
  const pieces = characters.flatMap((one) => [one, `a${one}`, `0${one}`, `${one} `, `\\${one}`]);
  const beginnings = isEveryCase ? ['', 'a', 'a:', '"', ' ', '[', '0', '- ', '/'] : ['', 'a'];
  for (const piece of pieces)
    for (const beginning of beginnings) yield `${beginning}${piece.repeat(length / piece.length)}\u0001`;
}

/** Milliseconds that a pattern takes for all matches in a text: the shortest of three, because other processes take time, too. */
function timeOf(pattern: RegExp, text: string): number {
  const all = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`);
  let shortest = Infinity;
  for (let attempt = 0; attempt < 3 && shortest > SUSPICIOUS_MS; attempt += 1) {
    const start = performance.now();
    text.replace(all, '');
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest;
}

/** So many characters take a quadratic pattern half a second or more, and a linear one less than a millisecond. */
const LENGTH = 20_000;
const SUSPICIOUS_MS = 100;

function isSlow(pattern: RegExp): boolean {
  for (const text of hostileTexts(pattern, LENGTH)) if (timeOf(pattern, text) > SUSPICIOUS_MS) return true;
  return false;
}

/** Lints text by the part of `eslint.config.mjs` that is about patterns; the plugin is an ES module. */
const LINT = `
  import { readFileSync } from 'node:fs';
  import { Linter } from 'eslint';
  import config from './eslint.config.mjs';
  const { plugins, rules } = config.find((one) => one.plugins?.regexp !== undefined);
  const code = readFileSync(0, 'utf8');
  const found = new Linter().verify(code, { plugins, rules });
  console.log(JSON.stringify(found.map(({ line }) => line - 1)));`;

function refusedByLint(all: readonly RegExp[]): ReadonlySet<RegExp | undefined> {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', LINT], {
    input: all.map(String).join(';\n'),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return new Set((JSON.parse(stdout) as readonly number[]).map((line) => all[line]));
}

const SLOW = [/([^/:@]*)(?::[^/@]*)?(?:@.*)?$/, /,(?![^()]*\))/, /^(?:\d+\.?\d*s)+$/, /\s+$/];

it('the rules of ESLint refuse slow patterns, and none that a CustomResourceDefinition has', () => {
  const ofDefinitions = filesBelow('src/compile/crds').flatMap((path) => (path.endsWith('.json') ? ofCrds(path) : []));
  expect(ofDefinitions.length).toBeGreaterThan(5);
  expect(refusedByLint([...SLOW, ...ofDefinitions])).toEqual(new Set(SLOW));
});

it('no pattern takes longer than linear time for hostile text', () => {
  const hyphens = /^(?:[a-z0-9]+-)*[0-9]*[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
  expect([/,(?![^()]*\))/, hyphens].map(isSlow)).toEqual([true, true]);
  const all = patterns();
  expect(all.length).toBeGreaterThan(200);
  expect(shareOf(all, 4).filter(isSlow).map(String)).toEqual([]);
});
