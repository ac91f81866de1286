import * as z from 'zod';
import { compileLoaded } from '../../../src/cli/compile/loaded.js';
import { treeOf } from '../../../src/cli/compile/tree.js';
import { poolCoverage, type PoolCoverage } from '../../../src/compile/coverage/pool-coverage.js';
import { createDelivery } from '../../../src/compile/gitops/delivery.js';
import { join, loadYaml } from '../../../src/compile/load/yaml/yaml.js';
import type { OutputFile } from '../../../src/compile/render/layout.js';
import { planWrite } from '../../../src/compile/render/tree/write-plan.js';
import { INDEX_PATH } from '../../../src/compile/render/tree/manifest-index.js';
import { isError } from '../../../src/shared/diagnostics/diagnostic.js';
import { renderText } from '../../../src/shared/diagnostics/render/text.js';

// As in the command, and because the page forbids `new Function`.
z.config({ jitless: true });

/** Text of the companion's program, which the bundle of the page holds. */
declare const WEFT_COMPANION_PROGRAM: string;

/** What the page of the playground shows. */
export interface Playground {
  /** All errors and warnings as `weft synth` prints them; empty without any. */
  readonly diagnostics: string;
  /** What `weft synth` writes to an empty folder; empty with errors. */
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
  const io = { readCompanionProgram: () => WEFT_COMPANION_PROGRAM };
  const { diagnostics, result } = await compileLoaded('', loaded, io);
  const closing = diagnostics.some(isError) ? { closing: 'nothing written' } : {};
  const text = diagnostics.length === 0 ? '' : renderText(diagnostics, { colour: false, ...closing });
  if (result === undefined || diagnostics.some(isError)) return { diagnostics: text, files: [], coverage: [] };
  const { config, objects } = result;
  const tree = treeOf(result, `clusters/${config.cluster.name}`, createDelivery());
  const { write, indexText = '' } = planWrite({
    tree,
    recorded: new Set(),
    observed: new Map(),
    oldIndexText: undefined,
  });
  const files = [...write].sort((one, other) => (one.path < other.path ? -1 : 1));
  return {
    diagnostics: text,
    files: [...files, { path: INDEX_PATH, text: indexText }],
    coverage: poolCoverage(config, objects),
  };
}
