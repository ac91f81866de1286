import { resolve } from 'node:path';
import type { BaseCache } from '../../compile/bases/base-cache.js';
import { loadCluster } from '../../compile/bases/load-cluster.js';
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

/** Reads the documents of a cluster, with those that it inherits. */
export function loadDocuments(
  folder: string,
  options: ProgramOptions,
  io: Pick<Io, 'cwd' | 'env' | 'stderr'>,
  before?: ReadBefore,
): Promise<LoadedDocuments> {
  return loadCluster(folder, {
    workingDirectory: io.cwd,
    onOutput: io.stderr,
    programs: programsOf(options, io),
    projectFolder: () => projectFolderOf(resolve(io.cwd, folder), io.cwd),
    ...before,
  });
}
