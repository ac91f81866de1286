import { resolve } from '../../config/resolve.js';
import type { PlacedObject } from '../../constructs/folder.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { applyIgnores } from '../../load/ignores.js';
import type { LoadedDocuments } from '../../load/yaml/yaml.js';
import type { Config } from '../../model/config.js';
import { buildObjects } from '../../synth.js';
import { hasErrors } from '../report.js';
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

/** Resolves and builds what was read of one folder. */
export function compileLoaded(folder: string, loaded: LoadedDocuments, reuse?: Reuse): Compiled {
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
