import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, type ClusterSettings } from '../../shared/contract/cluster-settings.js';
import { DEFAULT_NAMESPACE } from '../../shared/contract/network-operator.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { readRegularFile } from '../../shared/files/read-file.js';
import { canonicalJson } from '../../shared/lib/json.js';
import { listed } from '../../shared/lib/listed.js';
import { fileBytesMax } from '../../compile/load/load.js';
import { within } from '../../compile/model/config.js';
import { found } from '../../compile/model/found.js';
import { fromCluster } from '../../compile/render/tree/base-path.js';
import { INDEX_PATH, parseIndex } from '../../compile/render/tree/manifest-index.js';
import { allPaths } from '../../compile/render/tree/survey.js';
import type { LeftBehind } from '../compile/left-behind.js';
import { foreignFile } from '../problems.js';
import { structureProblem } from './left-structure.js';

/**
 * What is wrong with the output of a cluster that is left behind. Its objects are not compared with the documents: only the version that wrote them
 * can do that, and `weft diff` shows where they changed.
 *
 * @param shown the name of the folder for messages
 */
export function leftOutputProblems(behind: LeftBehind, target: string, shown: string): readonly Diagnostic[] {
  const problem = (message: string) => [
    found('WEFT0073', {
      message: `\`${shown}\` ${message}`,
      origin: within(behind.origin, 'spec', 'weft'),
      help: `restore it from git: \`git checkout <revision> -- ${shown}\`; or raise \`weft\` to "${behind.running}", and this version renders it`,
    }),
  ];
  const path = join(target, INDEX_PATH);
  if (!existsSync(path)) return problem('has no output');
  const read = readRegularFile(path, { bytesMax: fileBytesMax });
  const index = parseIndex(read.kind === 'content' ? read.bytes.toString('utf8') : '');
  if (index.kind === 'broken') return problem(`has an index that cannot be read: ${index.reason}`);
  if (!index.isWhole) return problem('has an index with lines that no version of Weft writes so');
  if (index.weft !== undefined && index.weft !== behind.weft) {
    return problem(`was written by Weft ${index.weft}, and the cluster is for Weft ${behind.weft}`);
  }
  const other = otherThan(readSettings(index.facts), behind.followed);
  if (other !== undefined) return problem(`has another \`${other}\` than the document, which commands follow`);
  const isFile = (inner: string) => lstatSync(join(target, inner), { throwIfNoEntry: false })?.isFile() ?? false;
  const bases = index.bases.map((base) => fromCluster(`${base}/kustomization.yaml`));
  const missing = [...index.paths, ...bases].filter((inner) => !isFile(inner));
  if (missing.length > 0) return problem(`lacks files: ${listed(missing, 3)}`);
  const textOf = (inner: string) => {
    const file = readRegularFile(join(target, inner), { bytesMax: fileBytesMax });
    return file.kind === 'content' ? file.bytes.toString('utf8') : '';
  };
  const structure = structureProblem(index, textOf);
  if (structure !== undefined) return problem(`was changed by hand: ${structure}`);
  const own = new Set([INDEX_PATH, ...index.paths]);
  return allPaths(target)
    .filter((inner) => !own.has(inner))
    .map((inner) => foreignFile(join(shown, inner)));
}

/** The section of the document that commands follow, and that has changed since the output was written; undefined if none has. */
function otherThan(settings: ClusterSettings, { access, namespace }: LeftBehind['followed']): string | undefined {
  if (canonicalJson(access ?? {}) !== canonicalJson(settings.access ?? {})) return 'access';
  return (namespace ?? DEFAULT_NAMESPACE) === (settings.namespace ?? DEFAULT_NAMESPACE) ? undefined : 'namespace';
}
