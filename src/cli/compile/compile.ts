import { loadFolder } from '../../load/load.js';
import { compileLoaded, type Compiled } from './loaded.js';
import type { Io } from '../io.js';
import type { Reuse } from './reuse.js';

/** Reads, resolves and builds one folder. */
export async function compileFolder(folder: string, io: Io, reuse?: Reuse): Promise<Compiled> {
  // Reading waits for nothing: without a turn of the event loop a signal would be seen only after the last folder of a fleet.
  if (reuse) await new Promise((resume) => setImmediate(resume));
  const loaded = await loadFolder(folder, { workingDirectory: io.cwd, ...(reuse && { known: reuse.known.texts }) });
  return compileLoaded(folder, loaded, io, reuse);
}
