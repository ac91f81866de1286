import { dirname, join, relative, sep } from 'node:path';
import { denyWarnings } from '../../shared/diagnostics/deny.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { linkOnTheWay } from '../../shared/files/links.js';
import { linkNotFollowed } from '../../compile/load/load.js';
import { isBaseFolder } from '../../compile/render/tree/base-path.js';
import { baseTree, NO_BASE } from '../../compile/render/tree/base.js';
import { checkTree, createTreeWriter } from '../../compile/render/tree/write.js';
import { minorVersion } from '../compile/left-behind.js';
import { createTrees } from '../compile/tree.js';
import { EXIT, type Io } from '../io.js';
import { foreignFile, leftFolder, noFolderThere, staleTree, treeProblem } from '../problems.js';
import { leftOutputProblems } from './left-output.js';
import { inputGuard, nonFolderAt, otherPaths, unusedBases } from './output-place.js';
import type { Output } from './output.js';
import { countsText, isStale, runText, type SummarizedTree } from './summary.js';

/** The input that the output folders are checked against. */
export interface Places {
  /** Absolute paths of the input folders. */
  readonly inputs: readonly string[];
  /** Whether these are all clusters of the project. */
  readonly isWhole: boolean;
}

/**
 * What takes the folders one by one: those that cannot be the output of a cluster are refused, and `add` gets the others.
 *
 * @param add returns the diagnostics about a folder
 */
function taking(
  { inputs, isWhole }: Places,
  io: Pick<Io, 'cwd' | 'version'>,
  add: Output['takeTree'],
): Pick<Output, 'take' | 'leave' | 'takeTree' | 'takeRest'> & { readonly others: () => ReturnType<typeof otherPaths> } {
  const { cwd } = io;
  const shown = shownFrom(cwd);
  const guard = inputGuard(inputs, shown);
  const treesOf = createTrees();
  const taken = new Set<string>();
  const refusal = (target: string): readonly Diagnostic[] => {
    const problem = guard(target);
    if (problem) return [problem];
    const link = linkOnTheWay(cwd, target);
    if (link !== undefined) return [linkNotFollowed(shown(link))];
    const inTheWay = nonFolderAt(target);
    return inTheWay === undefined ? [] : [noFolderThere(shown(target), shown(inTheWay))];
  };
  const takeTree: Output['takeTree'] = async (tree, target) => {
    taken.add(target);
    const refused = refusal(target);
    return refused.length > 0 ? refused : add(tree, target);
  };
  const bases = new Set<string>();
  const clusters = new Set<string>();
  const places = new Set<string>();
  return {
    take: async (result, { source, target }) => {
      const trees = treesOf(result, { source, weft: minorVersion(io) });
      clusters.add(target);
      places.add(dirname(target));
      const found: Diagnostic[] = [];
      // The bases first, so that a kustomization lists only what is there.
      for (const base of trees.bases) {
        const place = join(dirname(target), base.folder);
        if (!bases.has(place)) found.push(...(await takeTree(baseTree(base), place)));
        bases.add(place);
      }
      return [...found, ...(await takeTree(trees.cluster, target))];
    },
    leave: (behind, target) => {
      taken.add(target);
      places.add(dirname(target));
      const refused = refusal(target);
      return refused.length > 0 ? refused : leftOutputProblems(behind, target, shown(target));
    },
    takeTree,
    takeRest: async () => {
      const found: Diagnostic[] = [];
      for (const place of unusedBases(places, clusters, bases)) found.push(...(await takeTree(NO_BASE, place)));
      return found;
    },
    others: () => (isWhole ? otherPaths(places, taken) : { left: [], foreign: [] }),
  };
}

const isBase = (target: string) => isBaseFolder(relative(dirname(dirname(target)), target).replaceAll(sep, '/'));

const shownFrom = (cwd: string) => (path: string) => relative(cwd, path) || '.';

/** Compares the folders with the rendered files. */
export function checkOutput(places: Places, io: Io): Output {
  const { cwd } = io;
  const shownPath = shownFrom(cwd);
  const stale: Diagnostic[] = [];
  const trees: SummarizedTree[] = [];
  const check: Output['takeTree'] = async (tree, target) => {
    const shown = shownPath(target);
    const outcome = await checkTree(target, tree);
    if (outcome.kind !== 'done') return treeProblem(shown, outcome, shownPath);
    const { summary } = outcome;
    if (isStale(summary)) stale.push(staleTree(shown, countsText(summary, true)));
    trees.push({ shown, summary });
    return [];
  };
  const { others, ...take } = taking(places, io, check);
  return {
    ...take,
    warnings: () => {
      const { left, foreign } = others();
      const isLeft = denyWarnings(
        left.map((path) => leftFolder(shownPath(path))),
        'all',
      );
      return [...isLeft, ...foreign.map((path) => foreignFile(shownPath(path)))];
    },
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
export function writeOutput(places: Places, io: Io): Output {
  const { cwd } = io;
  const shownPath = shownFrom(cwd);
  const writer = createTreeWriter();
  const staged: string[] = [];
  const current: SummarizedTree[] = [];
  const stage: Output['takeTree'] = async (tree, target) => {
    const shown = shownPath(target);
    // Runs for other clusters may go on: a base that is as it should be is not locked.
    const found = isBase(target) ? await checkTree(target, tree) : undefined;
    if (found?.kind === 'done' && !isStale(found.summary)) {
      current.push({ shown, summary: found.summary });
      return [];
    }
    const outcome = await writer.stage(target, tree);
    if (outcome.kind !== 'done') return treeProblem(shown, outcome, shownPath);
    staged.push(shown);
    return [];
  };
  const { others, ...take } = taking(places, io, stage);
  return {
    ...take,
    warnings: () => others().left.map((path) => leftFolder(shownPath(path))),
    abandon: writer.abandon,
    finish: () => {
      const problems: Diagnostic[] = [];
      const trees = [...current];
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
