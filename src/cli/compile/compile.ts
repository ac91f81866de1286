import { loadFolder } from '../../compile/load/load.js';
import { compileLoaded, type Compiled, type CompileOptions } from './loaded.js';
import type { Io } from '../io.js';
import { programsOf, type ProgramOptions } from '../programs.js';

/** Reads, resolves and builds one folder. */
export async function compileFolder(
  folder: string,
  io: Pick<Io, 'cwd' | 'env' | 'stderr' | 'readCompanionProgram' | 'version'>,
  options: CompileOptions & ProgramOptions,
): Promise<Compiled> {
  const { fleet } = options;
  // Reading waits for nothing: without a pause for the event loop a signal would be seen only after the last folder of a fleet.
  if (fleet) await new Promise((resume) => setImmediate(resume));
  const loaded = await loadFolder(folder, {
    workingDirectory: io.cwd,
    onOutput: io.stderr,
    programs: programsOf(options, io),
    ...(fleet && { texts: fleet.cache.texts }),
  });
  return compileLoaded(folder, loaded, io, options);
}
