import type { Programs } from '../compile/load/load.js';
import type { Io } from './io.js';

/** Options of every command that reads the folder of a cluster. */
export interface ProgramOptions {
  /** Run the programs of clusters. Default: none is run. */
  readonly programs?: boolean;
}

/** Whether programs are run. The environment variable is for CI: nothing in the project or on the command line undoes it. */
export function programsOf({ programs = false }: ProgramOptions, { env }: Pick<Io, 'env'>): Programs {
  if (env['WEFT_NO_PROGRAMS']) {
    return { help: 'write its documents as YAML; where you trust who wrote the file, unset `WEFT_NO_PROGRAMS`' };
  }
  return programs ? 'run' : { help: 'if you trust who wrote the file, `--programs` runs it' };
}
