import { resolve } from '../../config/resolve.js';
import type { PlacedObject } from '../../constructs/folder.js';
import { denyWarnings } from '../../diagnostics/deny.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { applyIgnores } from '../../load/ignores.js';
import type { LoadedDocuments } from '../../load/yaml/yaml.js';
import type { Config } from '../../model/config.js';
import { buildObjects } from '../../synth.js';
import type { Io } from '../io.js';
import { hasErrors } from '../report.js';
import { companionFor } from './companion.js';
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

/** Resolves and builds the documents of one folder. */
export async function compileLoaded(folder: string, loaded: LoadedDocuments, io: Io, reuse?: Reuse): Promise<Compiled> {
  const { config, diagnostics } = resolve(loaded, reuse?.known);
  const silence = (found: readonly Diagnostic[]) => applyIgnores(loaded.ignores ?? [], found);
  if (config === undefined) return { folder, diagnostics: silence(diagnostics) };
  const denied = config.cluster.spec.denyWarnings;
  const companion = await companionFor(config, io);
  const built = reuse ? reuse.build(config, companion) : buildObjects(config, companion);
  return {
    folder,
    diagnostics: denyWarnings(silence([...diagnostics, ...built.diagnostics]), denied),
    ...(hasErrors(built.diagnostics) ? {} : { result: { config, objects: built.objects } }),
  };
}
