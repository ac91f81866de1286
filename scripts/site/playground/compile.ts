import * as z from 'zod';
import { minorVersion } from '../../../src/cli/compile/left-behind.js';
import { compileLoaded } from '../../../src/cli/compile/loaded.js';
import { createTrees } from '../../../src/cli/compile/tree.js';
import { poolCoverage, type PoolCoverage } from '../../../src/compile/coverage/pool-coverage.js';
import { join, loadYaml } from '../../../src/compile/load/yaml/yaml.js';
import type { OutputFile } from '../../../src/compile/render/layout.js';
import { fromCluster } from '../../../src/compile/render/tree/base-path.js';
import { baseTree } from '../../../src/compile/render/tree/base.js';
import { INDEX_PATH } from '../../../src/compile/render/tree/manifest-index.js';
import { planWrite, type Tree } from '../../../src/compile/render/tree/write-plan.js';
import { isError } from '../../../src/shared/diagnostics/diagnostic.js';
import { renderText } from '../../../src/shared/diagnostics/render/text.js';
import { compareText } from '../../../src/shared/lib/json.js';

// As in the command, and because the page forbids `new Function`.
z.config({ jitless: true });

declare const WEFT_VERSION: string;
/** Text of the companion's program, which the bundle of the page holds. */
declare const WEFT_COMPANION_PROGRAM: string;

/** What the page of the playground shows. */
export interface Playground {
  /** All errors and warnings as `weft synth` prints them; empty without any. */
  readonly diagnostics: string;
  /** What `weft synth` writes to an empty folder, by the path from the folder of the cluster; empty with errors. */
  readonly files: readonly OutputFile[];
  readonly coverage: readonly PoolCoverage[];
}

/**
 * Compiles the files of a cluster as `weft synth` does, without a disk.
 *
 * @param inputs texts by the name of the file
 */
export async function compile(inputs: Readonly<Record<string, string>>): Promise<Playground> {
  const loaded = join(Object.entries(inputs).map(([name, text]) => loadYaml(name, text)));
  const io = { readCompanionProgram: () => WEFT_COMPANION_PROGRAM, version: WEFT_VERSION };
  const { diagnostics, result } = await compileLoaded('', loaded, io);
  const closing = diagnostics.some(isError) ? { closing: 'nothing written' } : {};
  const text = diagnostics.length === 0 ? '' : renderText(diagnostics, { colour: false, ...closing });
  if (result === undefined || diagnostics.some(isError)) return { diagnostics: text, files: [], coverage: [] };
  const { config, objects } = result;
  const source = `clusters/${config.cluster.name}`;
  const { cluster, bases } = createTrees()(result, { source, weft: minorVersion(io) });
  const ofBases = bases.flatMap((base) =>
    writtenFiles(baseTree(base)).map(({ path, text }) => ({ path: fromCluster(`${base.folder}/${path}`), text })),
  );
  return {
    diagnostics: text,
    files: [...writtenFiles(cluster), ...ofBases],
    coverage: poolCoverage(config, objects),
  };
}

/** The files of a folder that was empty, the index last. */
function writtenFiles(tree: Tree): readonly OutputFile[] {
  const empty = { recorded: new Set<string>(), observed: new Map<string, never>(), oldIndexText: undefined };
  const { write, indexText = '' } = planWrite({ tree, ...empty });
  const files = [...write].sort((one, other) => compareText(one.path, other.path));
  return [...files, { path: INDEX_PATH, text: indexText }];
}
