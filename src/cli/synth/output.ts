import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { toJson } from '../../compile/render/json.js';
import type { Tree } from '../../compile/render/tree/write-plan.js';
import type { JsonValue } from '../../shared/lib/json.js';
import { toYaml } from '../../compile/render/yaml/yaml.js';
import { notRendered, type LeftBehind } from '../compile/left-behind.js';
import type { Rendered } from '../compile/loaded.js';
import { EXIT, type ExitCode, type Io } from '../io.js';

/** The result of a run. */
interface Ending {
  readonly exit: ExitCode;
  readonly problems: readonly Diagnostic[];
  /** Text for users, in addition to the diagnostics. */
  readonly text: string;
}

/** The input folder of a cluster, as the first line of its files has it, and its output folder as an absolute path. */
interface Place {
  readonly source: string;
  readonly target: string;
}

/** A target for the rendered clusters: files, a stream, or a check. */
export interface Output {
  /** Adds one cluster; the output changes only in `finish`. */
  readonly take: (result: Rendered, place: Place) => Promise<readonly Diagnostic[]>;
  /** Leaves the folder of a cluster that another version of Weft renders as it is. */
  readonly leave: (behind: LeftBehind, target: string) => readonly Diagnostic[];
  /** Adds a folder that belongs to no single cluster. */
  readonly takeTree: (tree: Tree, target: string) => Promise<readonly Diagnostic[]>;
  /** Adds what follows from all clusters that were added. */
  readonly takeRest: () => Promise<readonly Diagnostic[]>;
  /** Problems with what else lies in the output. */
  readonly warnings: () => readonly Diagnostic[];
  /** Discards the clusters that were added, because there is an error. */
  readonly abandon: () => void;
  readonly finish: () => Ending;
}

/** All objects as a v1 List on standard output, in the order of the files. */
export function listOutput(form: 'json' | 'yaml', io: Io): Output {
  const items: unknown[] = [];
  return {
    take: ({ objects }) => {
      for (const { object } of objects) items.push(object);
      return Promise.resolve([]);
    },
    leave: (behind) => [notRendered(behind)],
    takeTree: () => Promise.resolve([]),
    takeRest: () => Promise.resolve([]),
    warnings: () => [],
    abandon: () => undefined,
    finish: () => {
      const list = { apiVersion: 'v1', kind: 'List', items } as JsonValue;
      io.stdout(form === 'json' ? toJson(list) : toYaml(list));
      return { exit: EXIT.ok, problems: [], text: '' };
    },
  };
}
