import ts from 'typescript';

/** A source file with one guard or one step changed. */
export interface CodeMutant {
  /** `<path> <function>: <what is changed>`. */
  readonly id: string;
  readonly path: string;
  readonly text: string;
}

interface Edit {
  readonly what: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Each guard of a file made always true and always false, each part of a condition taken away, each step taken away, and each
 * two steps that follow each other swapped.
 */
export function codeMutantsOf(path: string, text: string): readonly CodeMutant[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const ids = new Map<string, number>();
  const mutants: CodeMutant[] = [];
  const visit = (node: ts.Node, owner: string): void => {
    const name = nameOf(node) ?? owner;
    for (const { what, from, to, text: replacement } of editsOf(node, tree)) {
      const base = `${path} ${name}: ${what}`;
      const number = (ids.get(base) ?? 0) + 1;
      ids.set(base, number);
      const id = number === 1 ? base : `${base} (${number})`;
      mutants.push({ id, path, text: text.slice(0, from) + replacement + text.slice(to) });
    }
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(tree, '');
  return mutants;
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText();
  return ts.isPropertyAssignment(node) && ts.isArrowFunction(node.initializer) ? node.name.getText() : undefined;
}

function editsOf(node: ts.Node, tree: ts.SourceFile): readonly Edit[] {
  const place = (of: ts.Node) => ({ from: of.getStart(tree), to: of.getEnd() });
  const short = (of: ts.Node) => of.getText(tree).replace(/\s+/g, ' ').slice(0, 90);
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition;
    return ['true', 'false'].map((value) => ({
      what: `\`${short(condition)}\` is ${value}`,
      ...place(condition),
      // The compiler narrows by the condition, so it stays there.
      text: value === 'true' ? `((${condition.getText(tree)}) || true)` : `((${condition.getText(tree)}) && false)`,
    }));
  }
  if (ts.isBinaryExpression(node) && isLogical(node.operatorToken.kind)) {
    return [node.left, node.right].map((side) => ({
      what: `without \`${short(side)}\` in \`${short(node)}\``,
      ...place(node),
      text: (side === node.left ? node.right : node.left).getText(tree),
    }));
  }
  if (ts.isBlock(node)) return stepEdits(node, tree, short);
  return [];
}

function isLogical(kind: ts.SyntaxKind): boolean {
  return kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;
}

/** Steps of a block: calls and assignments, awaited or not; what only logs is none. */
function stepEdits(block: ts.Block, tree: ts.SourceFile, short: (of: ts.Node) => string): readonly Edit[] {
  const isStep = (one: ts.Statement | undefined): one is ts.ExpressionStatement =>
    one !== undefined && ts.isExpressionStatement(one) && !/\blog\(/.test(one.getText(tree));
  return block.statements.flatMap((one, index): Edit[] => {
    if (!isStep(one)) return [];
    const next = block.statements[index + 1];
    const [from, to] = [one.getStart(tree), one.getEnd()];
    const gone: Edit = { what: `without \`${short(one)}\``, from, to, text: ';' };
    if (!isStep(next)) return [gone];
    const text = `${next.getText(tree)}\n${one.getText(tree)}`;
    return [gone, { what: `\`${short(one)}\` after \`${short(next)}\``, from, to: next.getEnd(), text }];
  });
}
