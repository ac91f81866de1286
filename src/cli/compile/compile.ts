import { compileLoaded, type Compiled, type CompileOptions } from './loaded.js';
import type { Io } from '../io.js';
import type { ProgramOptions } from '../programs.js';
import { loadDocuments } from './load.js';

/** Reads, resolves and builds one folder. */
export async function compileFolder(
  folder: string,
  io: Pick<Io, 'cwd' | 'env' | 'stderr' | 'readCompanionProgram' | 'version'>,
  options: CompileOptions & ProgramOptions,
): Promise<Compiled> {
  const { fleet } = options;
  // Reading waits for nothing: without a pause for the event loop a signal would be seen only after the last folder of a fleet.
  if (fleet) await new Promise((resume) => setImmediate(resume));
  const loaded = await loadDocuments(folder, options, io, fleet && { texts: fleet.cache.texts, bases: fleet.bases });
  return { ...(await compileLoaded(folder, loaded, io, options)), loaded };
}
