import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { filesBelow } from '../test/kit/files.js';

/**
 * Shows what the tests of some code find: plants one mistake at a time into its files, and runs commands until one fails. The mistakes that
 * no command finds are listed at the end. `npx tsx scripts/mutate.ts --run 'npx jest test/scenarios' src/companion/core/decide`, with
 * `--all` to run each command on each mistake, `--only 3,17` for some of them, `--seed 1` and `--mutations 40` for the sample. It writes into
 * the sources and restores them: use a worktree of its own.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    run: { type: 'string', multiple: true, default: [] },
    all: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    mutations: { type: 'string', default: '40' },
  },
});
/** A command that does not end in this time, as with an endless loop, has failed. */
const TIMEOUT_MS = 300_000;

interface Mutation {
  readonly path: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

const OPERATORS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '>='],
  [ts.SyntaxKind.LessThanEqualsToken, '>'],
  [ts.SyntaxKind.GreaterThanToken, '<='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '<'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
]);

function mutationsOf(path: string): Mutation[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const add = (start: number, end: number, after: string) => {
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ path, line, start, end, before: source.text.slice(start, end), after });
  };
  const replace = (node: ts.Node, after: string) => add(node.getStart(), node.end, after);
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const operator = OPERATORS.get(node.operatorToken.kind);
      if (operator !== undefined) replace(node.operatorToken, operator);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      replace(node, node.operand.getText());
    } else if (ts.isArrayLiteralExpression(node)) {
      node.elements.forEach((element, at) => {
        const next = node.elements[at + 1];
        add(element.getStart(), next?.getStart() ?? element.end, '');
      });
    } else if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) replace(node, ';');
    else if (ts.isIfStatement(node)) replace(node.thenStatement, '{}');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Shuffles by a generator of Park and Miller. */
function sampleOf<Value>(list: readonly Value[], seed: number, count: number): Value[] {
  let state = seed;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return list
    .map((value) => ({ value, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ value }) => value);
}

/** The commands that fail with the mutation. */
function findersOf({ path, start, end, after }: Mutation): string[] {
  const text = readFileSync(path, 'utf8');
  const found: string[] = [];
  try {
    writeFileSync(path, text.slice(0, start) + after + text.slice(end));
    for (const command of values.run) {
      const { status } = spawnSync('bash', ['-c', command], { timeout: TIMEOUT_MS, stdio: 'ignore' });
      if (status !== 0) found.push(command);
      if (found.length > 0 && !values.all) break;
    }
  } finally {
    writeFileSync(path, text);
  }
  return found;
}

const paths = positionals.flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : [path]));
const all = paths.filter((path) => path.endsWith('.ts') && !/\.(?:test|table)\.ts$/.test(path)).flatMap(mutationsOf);
const only = values.only?.split(',').map(Number);
let survived = 0;
sampleOf(all, Number(values.seed), Number(values.mutations)).forEach((mutation, at) => {
  if (only?.includes(at) === false) return;
  const found = findersOf(mutation);
  if (found.length === 0) survived += 1;
  const what = `${mutation.path}:${mutation.line} ${JSON.stringify(mutation.before)} → ${JSON.stringify(mutation.after)}`;
  process.stdout.write(`${at}\t${found.length === 0 ? 'SURVIVED' : found.join(' + ')}\t${what}\n`);
});
process.stdout.write(`${survived} of the mistakes survived; ${all.length} can be planted\n`);
