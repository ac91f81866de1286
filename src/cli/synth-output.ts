import { relative } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { toJson } from '../render/json.js';
import { kustomization } from '../render/kustomization.js';
import { layout, type OutputFile, type Placed } from '../render/layout.js';
import { checkTree, stageTree, type StagedTree } from '../render/write.js';
import { toYaml, type JsonValue } from '../render/yaml.js';
import type { Rendered } from './compile.js';
import { EXIT, type ExitCode, type Io } from './io.js';
import { watchLength } from './long-run.js';
import { staleTree, treeProblem } from './output-problems.js';
import { countsText, isStale, runText, type SummarizedTree } from './synth-summary.js';

/** How a run ends. */
export interface Ending {
  readonly exit: ExitCode;
  readonly problems: readonly Diagnostic[];
  /** For people, beside the diagnostics. */
  readonly text: string;
}

/** Where what is rendered goes. */
export interface Output {
  /** Takes one cluster, whose output folder is `target`; changes nothing that is seen before `finish`. */
  readonly take: (result: Rendered, target: string) => Promise<readonly Diagnostic[]>;
  /** Forgets what it took: an input has an error. */
  readonly abandon: () => void;
  readonly finish: () => Ending;
}

/** All objects as a v1 List on standard output, in the order of the files. */
export function listOutput(form: 'json' | 'yaml', io: Io): Output {
  const items: unknown[] = [];
  return {
    take: ({ objects }) => {
      items.push(...objects.map(({ object }) => object));
      return Promise.resolve([]);
    },
    abandon: () => undefined,
    finish: () => {
      const list = { apiVersion: 'v1', kind: 'List', items } as JsonValue;
      io.stdout(form === 'json' ? toJson(list) : toYaml(list));
      return { exit: EXIT.ok, problems: [], text: '' };
    },
  };
}

/** Compares the folders with what they should be. */
export function checkOutput({ cwd }: Io): Output {
  const stale: Diagnostic[] = [];
  const trees: SummarizedTree[] = [];
  return {
    take: async (result, target) => {
      const shown = relative(cwd, target) || '.';
      const outcome = await checkTree(target, filesOf(result));
      if (outcome.kind !== 'done') return treeProblem(shown, outcome);
      const { summary } = outcome;
      if (isStale(summary)) stale.push(staleTree(shown, countsText(summary, true)));
      trees.push({ shown, summary });
      return [];
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

/** Writes the folders: each is prepared when it is taken, and all are put into place in the end. */
export function writeOutput({ cwd }: Io): Output {
  const staged: { readonly shown: string; readonly tree: StagedTree }[] = [];
  return {
    take: async (result, target) => {
      const shown = relative(cwd, target) || '.';
      const outcome = await stageTree(target, filesOf(result));
      if (outcome.kind !== 'staged') return treeProblem(shown, outcome);
      staged.push({ shown, tree: outcome.tree });
      return [];
    },
    abandon: () => {
      // The first may have made the folder that all are in.
      for (const { tree } of staged.splice(0).reverse()) tree.abandon();
    },
    finish: () => {
      const problems: Diagnostic[] = [];
      const next = watchLength();
      const trees: SummarizedTree[] = [];
      for (const { shown, tree } of staged) {
        const outcome = tree.commit();
        if (outcome.kind === 'done') trees.push({ shown, summary: outcome.summary });
        else problems.push(...treeProblem(shown, outcome));
        next();
      }
      return { exit: problems.length > 0 ? EXIT.userError : EXIT.ok, problems, text: runText(trees, false) };
    },
  };
}

/** The files of objects that several clusters have in common are made once. */
const madeFiles = new WeakMap<Rendered['objects'], readonly OutputFile[]>();

function filesOf({ objects }: Rendered): readonly OutputFile[] {
  const made = madeFiles.get(objects);
  if (made !== undefined) return made;
  const placed = layout(objects as readonly Placed[]);
  const files = [...placed, kustomization(placed.map(({ path }) => path))];
  madeFiles.set(objects, files);
  return files;
}
