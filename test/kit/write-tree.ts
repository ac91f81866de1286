import type { Tree } from '../../src/compile/render/tree/write-plan.js';
import { createTreeWriter } from '../../src/compile/render/tree/write.js';

/** Writes one output folder. */
export async function writeTree(folder: string, tree: Tree, options?: Parameters<typeof createTreeWriter>[0]) {
  const writer = createTreeWriter(options);
  try {
    const outcome = await writer.stage(folder, tree);
    return outcome.kind === 'done' ? (writer.commit()[0] ?? outcome) : outcome;
  } finally {
    writer.abandon();
  }
}
