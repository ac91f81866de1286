import { loadFolder } from '../../load/load.js';
import { NeedsZod } from '../../quick/schema.js';
import { compileLoaded, type Compiled } from './loaded.js';
import type { Io } from '../io.js';
import type { Reuse } from './reuse.js';

/** Reads, resolves and builds one folder. */
export async function compileFolder(folder: string, io: Io, reuse?: Reuse): Promise<Compiled> {
  // Reading waits for nothing: without a turn of the event loop nobody would see a signal between the folders of a fleet.
  if (reuse) await new Promise((resume) => setImmediate(resume));
  const loaded = await loadFolder(folder, { workingDirectory: io.cwd, ...(reuse && { known: reuse.known.texts }) });
  try {
    return compileLoaded(folder, loaded, reuse);
  } catch (error) {
    if (!(error instanceof NeedsZod)) throw error;
    const { compileThoroughly } = await import('./thoroughly.js');
    return compileThoroughly(folder, loaded, reuse);
  }
}
