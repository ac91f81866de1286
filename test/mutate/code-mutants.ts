import ts from 'typescript';

/** A guard or a step of a source file, changed. */
export interface CodeMutant {
  /** `<path> <function>: <what is changed>`. */
  readonly id: string;
  readonly number: number;
}

/** A source file that contains all its mutants; `isMutant` of its first line says which of them it is. */
export interface InstrumentedFile {
  readonly text: string;
  readonly mutants: readonly CodeMutant[];
}

/** Text that is put around the code between two positions. */
interface Wrapping {
  readonly from: number;
  readonly to: number;
  readonly before: string;
  readonly after: string;
}

/** Adds a mutant and returns its number. */
type AddMutant = (what: string) => number;

/**
 * Makes each guard of a file always true and always false, removes each part of a condition and each step, and swaps each
 * two steps that follow each other. A guard is a condition, or the predicate of a filter or a search. The mutants are
 * numbered from `firstNumber`.
 */
export function instrument(path: string, text: string, firstNumber: number): InstrumentedFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const counts = new Map<string, number>();
  const mutants: CodeMutant[] = [];
  const wrappings: Wrapping[] = [];
  const visit = (node: ts.Node, owner: string): void => {
    const name = nameOf(node) ?? owner;
    wrappings.push(
      ...wrappingsOf(node, tree, (what) => {
        const base = `${path} ${name}: ${what}`;
        const count = (counts.get(base) ?? 0) + 1;
        counts.set(base, count);
        const number = firstNumber + mutants.length;
        mutants.push({ id: count === 1 ? base : `${base} (${count})`, number });
        return number;
      }),
    );
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(tree, '');
  return { text: `const isMutant = globalThis.weftIsMutant; ${wrapped(text, wrappings)}`, mutants };
}

/** Outer code comes first in the list, so at one position its text is farther out. */
function wrapped(text: string, wrappings: readonly Wrapping[]): string {
  const inserts = wrappings.flatMap(({ from, to, before, after }, index) => [
    { position: from, order: index, text: before },
    { position: to, order: -index - 1, text: after },
  ]);
  inserts.sort((a, b) => a.position - b.position || a.order - b.order);
  let position = 0;
  let result = '';
  for (const insert of inserts) {
    result += text.slice(position, insert.position) + insert.text;
    position = insert.position;
  }
  return result + text.slice(position);
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText();
  return ts.isPropertyAssignment(node) && ts.isArrowFunction(node.initializer) ? node.name.getText() : undefined;
}

function wrappingsOf(node: ts.Node, tree: ts.SourceFile, add: AddMutant): readonly Wrapping[] {
  if (ts.isIfStatement(node)) return [conditionWrapping(node.expression, tree, add)];
  if (ts.isConditionalExpression(node)) return [conditionWrapping(node.condition, tree, add)];
  if (ts.isBinaryExpression(node)) return operandWrappings(node, tree, add);
  if (ts.isCallExpression(node)) return predicateWrappings(node, tree, add);
  if (ts.isBlock(node)) return stepWrappings(node, tree, add);
  return [];
}

function shortText(node: ts.Node, tree: ts.SourceFile): string {
  return node.getText(tree).replace(/\s+/g, ' ').slice(0, 90);
}

function conditionWrapping(condition: ts.Expression, tree: ts.SourceFile, add: AddMutant): Wrapping {
  const [yes, no] = ['true', 'false'].map((value) => add(`\`${shortText(condition, tree)}\` is ${value}`));
  const [from, to] = [condition.getStart(tree), condition.getEnd()];
  return { from, to, before: `((`, after: `) || isMutant(${yes})) && !isMutant(${no})` };
}

function operandWrappings(node: ts.BinaryExpression, tree: ts.SourceFile, add: AddMutant): readonly Wrapping[] {
  const isAnd = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
  if (!isAnd && node.operatorToken.kind !== ts.SyntaxKind.BarBarToken) return [];
  return [node.left, node.right].map((side) => {
    const number = add(`without \`${shortText(side, tree)}\` in \`${shortText(node, tree)}\``);
    const before = isAnd ? `(isMutant(${number}) || (` : `(!isMutant(${number}) && (`;
    return { from: side.getStart(tree), to: side.getEnd(), before, after: '))' };
  });
}

const SEARCHES: ReadonlySet<string> = new Set(['filter', 'some', 'every', 'find', 'findIndex']);

/** The predicate of a filter or a search, if it is a comparison. Conditions of several parts have their own mutants. */
function predicateWrappings(node: ts.CallExpression, tree: ts.SourceFile, add: AddMutant): readonly Wrapping[] {
  const [predicate] = node.arguments;
  if (!ts.isPropertyAccessExpression(node.expression) || !SEARCHES.has(node.expression.name.text)) return [];
  if (predicate === undefined || !ts.isArrowFunction(predicate) || ts.isBlock(predicate.body)) return [];
  return [conditionWrapping(predicate.body, tree, add)].map((one) => ({
    ...one,
    before: `(${one.before}`,
    after: `${one.after})`,
  }));
}

/** Steps of a block: calls and assignments, awaited or not, except log calls. */
function stepWrappings(block: ts.Block, tree: ts.SourceFile, add: AddMutant): readonly Wrapping[] {
  const isStep = (one: ts.Statement | undefined): one is ts.ExpressionStatement =>
    one !== undefined && ts.isExpressionStatement(one) && !/\blog\(/.test(one.getText(tree));
  const short = (one: ts.Statement) => shortText(one, tree);
  let before: { readonly step: ts.Statement; readonly swap: number } | undefined;
  return block.statements.flatMap((one, index): Wrapping[] => {
    if (!isStep(one)) {
      before = undefined;
      return [];
    }
    const next = block.statements[index + 1];
    const gone = [add(`without \`${short(one)}\``)];
    const late = before === undefined ? '' : ` if (isMutant(${before.swap})) { ${before.step.getText(tree)} }`;
    before = isStep(next) ? { step: one, swap: add(`\`${short(one)}\` after \`${short(next)}\``) } : undefined;
    if (before !== undefined) gone.push(before.swap);
    const condition = gone.map((number) => `!isMutant(${number})`).join(' && ');
    return [{ from: one.getStart(tree), to: one.getEnd(), before: `if (${condition}) { `, after: ` }${late}` }];
  });
}
