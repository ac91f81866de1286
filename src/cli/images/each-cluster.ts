import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { compileFolder } from '../compile/compile.js';
import type { LeftBehind } from '../compile/left-behind.js';
import type { Compiled, CompileOptions, Rendered } from '../compile/loaded.js';
import type { Io } from '../io.js';
import { everyCluster } from '../problems.js';
import type { ProgramOptions } from '../programs.js';
import { clusterFolders, findProject } from '../project.js';
import { collectDiagnostics } from '../report.js';

/** The folders of the clusters that a command names, of all without any; or why there is none. */
export function foldersOf(given: readonly string[], { cwd }: Io): readonly string[] | Diagnostic {
  const project = given.length > 0 ? undefined : everyCluster(findProject(cwd), (path) => path);
  return project !== undefined && 'code' in project ? project : clusterFolders(given, cwd);
}

/** What is taken of each cluster, and the diagnostics of all. Nothing is taken of one with an error. */
interface Taken<Value> {
  readonly clusters: readonly Value[];
  readonly found: ReturnType<typeof collectDiagnostics>;
  /** Clusters that another version of Weft renders. */
  readonly left: readonly LeftBehind[];
}

/** Renders each cluster in memory, one at a time, and keeps what is taken of it. */
export async function eachCluster<Value>(
  folders: readonly string[],
  options: ProgramOptions & CompileOptions,
  io: Io,
  take: (result: Rendered, compiled: Compiled) => Promise<Value>,
): Promise<Taken<Value>> {
  const found = collectDiagnostics();
  const clusters: Value[] = [];
  const left: LeftBehind[] = [];
  for (const folder of folders) {
    const compiled = await compileFolder(folder, io, options);
    found.add(compiled.diagnostics);
    if (compiled.behind) left.push(compiled.behind);
    if (compiled.result) clusters.push(await take(compiled.result, compiled));
  }
  return { clusters, found, left };
}
