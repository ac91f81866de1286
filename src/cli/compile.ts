import type { Config } from '../model/config.js';
import { applyIgnores } from '../load/ignores.js';
import { loadFolder } from '../load/load.js';
import { resolve } from '../config/resolve.js';
import type { PlacedObject } from '../constructs/folder.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { buildObjects } from '../synth.js';
import type { Io } from './io.js';
import { hasErrors } from './report.js';
import type { Reuse } from './reuse.js';

/** What documents without errors became. */
export interface Rendered {
  readonly config: Config;
  readonly objects: readonly PlacedObject[];
}

/** What became of one input folder. */
export interface Compiled {
  /** As the user gave it. */
  readonly folder: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Absent where there are errors. */
  readonly result?: Rendered;
}

/** Reads, resolves and builds one folder. */
export async function compileFolder(folder: string, io: Io, reuse?: Reuse): Promise<Compiled> {
  // Reading waits for nothing: without a turn of the event loop nobody would see a signal between the folders of a fleet.
  if (reuse) await new Promise((resume) => setImmediate(resume));
  const loaded = await loadFolder(folder, { workingDirectory: io.cwd, ...(reuse && { known: reuse.known.texts }) });
  const { config, diagnostics } = resolve(loaded, reuse?.known);
  const silence = (found: readonly Diagnostic[]) => applyIgnores(loaded.ignores ?? [], found);
  if (config === undefined) return { folder, diagnostics: silence(diagnostics) };
  const built = reuse ? reuse.build(config) : buildObjects(config);
  return {
    folder,
    diagnostics: silence([...diagnostics, ...built.diagnostics]),
    ...(hasErrors(built.diagnostics) ? {} : { result: { config, objects: built.objects } }),
  };
}
