import { dirname, relative } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { createDelivery } from '../../gitops/delivery.js';
import { checkTree, createTreeWriter } from '../../render/tree/write.js';
import { treeOf } from '../compile/tree.js';
import { EXIT, type Io } from '../io.js';
import { leftFolder, noFolderThere, staleTree, treeProblem } from '../problems.js';
import { inputGuard, isLink, leftFolders, nonFolderAt } from './output-place.js';
import type { Output } from './output.js';
import { countsText, isStale, runText, type SummarizedTree } from './summary.js';

/** The input that the output folders are checked against. */
export interface Places {
  /** Absolute paths of the input folders. */
  readonly inputs: readonly string[];
  /** Whether these are all clusters of the project. */
  readonly isWhole: boolean;
}

interface Targets {
  /** Diagnostics about a folder that cannot be the output of a cluster. */
  readonly take: (target: string) => readonly Diagnostic[];
  /** Warnings about folders of clusters that were removed. */
  readonly warnings: () => readonly Diagnostic[];
}

function watchTargets({ inputs, isWhole }: Places, shown: (path: string) => string): Targets {
  const guard = inputGuard(inputs, shown);
  const taken = new Set<string>();
  return {
    take: (target) => {
      taken.add(target);
      const problem = guard(target);
      if (problem) return [problem];
      if (isLink(target)) return treeProblem(shown(target), { kind: 'conflict', paths: ['.'] }, shown);
      const inTheWay = nonFolderAt(target);
      return inTheWay === undefined ? [] : [noFolderThere(shown(target), shown(inTheWay))];
    },
    warnings: () => (isWhole ? leftFolders([...taken].map(dirname), taken).map((path) => leftFolder(shown(path))) : []),
  };
}

const shownFrom = (cwd: string) => (path: string) => relative(cwd, path) || '.';

/** Compares the folders with the rendered files. */
export function checkOutput(places: Places, { cwd }: Io): Output {
  const shownPath = shownFrom(cwd);
  const targets = watchTargets(places, shownPath);
  const deliver = createDelivery();
  const stale: Diagnostic[] = [];
  const trees: SummarizedTree[] = [];
  const takeTree: Output['takeTree'] = async (tree, target) => {
    const refused = targets.take(target);
    if (refused.length > 0) return refused;
    const shown = shownPath(target);
    const outcome = await checkTree(target, tree);
    if (outcome.kind !== 'done') return treeProblem(shown, outcome, shownPath);
    const { summary } = outcome;
    if (isStale(summary)) stale.push(staleTree(shown, countsText(summary, true)));
    trees.push({ shown, summary });
    return [];
  };
  return {
    take: (result, { source, target }) => takeTree(treeOf(result, source, deliver), target),
    takeTree,
    warnings: targets.warnings,
    abandon: () => undefined,
    finish: () => {
      const text = runText(trees, true);
      if (stale.length === 0) return { exit: EXIT.ok, problems: [], text };
      return {
        exit: EXIT.differences,
        problems: stale,
        text: `${text}help: run \`weft synth\` and commit the result\n`,
      };
    },
  };
}

/** Writes the folders: each is staged when it is added, and all are moved into place at the end. */
export function writeOutput(places: Places, { cwd }: Io): Output {
  const shownPath = shownFrom(cwd);
  const targets = watchTargets(places, shownPath);
  const deliver = createDelivery();
  const writer = createTreeWriter();
  const staged: string[] = [];
  const takeTree: Output['takeTree'] = async (tree, target) => {
    const refused = targets.take(target);
    if (refused.length > 0) return refused;
    const shown = shownPath(target);
    const outcome = await writer.stage(target, tree);
    if (outcome.kind !== 'done') return treeProblem(shown, outcome, shownPath);
    staged.push(shown);
    return [];
  };
  return {
    take: (result, { source, target }) => takeTree(treeOf(result, source, deliver), target),
    takeTree,
    warnings: targets.warnings,
    abandon: writer.abandon,
    finish: () => {
      const problems: Diagnostic[] = [];
      const trees: SummarizedTree[] = [];
      for (const [index, outcome] of writer.commit().entries()) {
        const shown = staged[index] ?? '';
        if (outcome.kind === 'done') trees.push({ shown, summary: outcome.summary });
        else problems.push(...treeProblem(shown, outcome, shownPath));
      }
      const exit = problems.length > 0 ? EXIT.userError : EXIT.ok;
      return { exit, problems, text: runText(trees, false) };
    },
  };
}
