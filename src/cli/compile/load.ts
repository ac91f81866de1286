import { join, relative, resolve, sep } from 'node:path';
import type { BaseCache } from '../../compile/bases/base-cache.js';
import { loadCluster } from '../../compile/bases/load-cluster.js';
import { LOCK_FILE, readLock } from '../../compile/load/lock-file.js';
import type { TextCache } from '../../compile/load/yaml/text-cache.js';
import type { LoadedDocuments } from '../../compile/load/yaml/yaml.js';
import type { Io } from '../io.js';
import { programsOf, type ProgramOptions } from '../programs.js';
import { projectFolderOf } from '../project.js';

/** What a run has read for other clusters. */
interface ReadBefore {
  readonly texts: TextCache;
  readonly bases: BaseCache;
}

/** Reads the documents of a cluster, with those that it inherits, and the pins of its images. */
export async function loadDocuments(
  folder: string,
  options: ProgramOptions,
  io: Pick<Io, 'cwd' | 'env' | 'stderr'>,
  before?: ReadBefore,
): Promise<LoadedDocuments> {
  const loaded = await loadCluster(folder, {
    workingDirectory: io.cwd,
    onOutput: io.stderr,
    programs: programsOf(options, io),
    projectFolder: () => projectFolderOf(resolve(io.cwd, folder), io.cwd),
    ...before,
  });
  const path = resolve(io.cwd, folder);
  const lock = readLock(path, relative(io.cwd, join(path, LOCK_FILE)).split(sep).join('/'));
  return lock === undefined
    ? loaded
    : { ...loaded, diagnostics: [...loaded.diagnostics, ...lock.diagnostics], pins: lock.pins };
}
