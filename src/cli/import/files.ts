import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { appliedChart } from '../../cluster/import/applied-charts.js';
import type { ChartRelease } from '../../cluster/import/chart.js';
import { HELM_SECRET_TYPE, newestRelease } from '../../cluster/import/helm-release.js';
import { mergeReleases, readSource } from '../../cluster/import/read-source.js';
import { isIn } from '../../cluster/import/source.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { compareText } from '../../shared/lib/json.js';
import { readGiven, STDIN } from '../given-file.js';
import type { Io } from '../io.js';
import type { ImportOptions } from './options.js';
import { DEFAULT_NAMESPACE } from '../../shared/contract/network-operator.js';

/** What files tell. */
interface FileSource {
  readonly objects: readonly NamedObject[];
  readonly chart?: ChartRelease;
  readonly findings: readonly Diagnostic[];
}

const HELP =
  'give what `kubectl get -o yaml`, `kubectl get -o json` or `helm get values` prints, or a values file of the operator’s chart';

/** Reads files, and the YAML and JSON files of folders, in order: of values, later ones win. */
export async function readFiles(
  paths: readonly string[],
  options: Pick<ImportOptions, 'helm' | 'namespace'>,
  io: Io,
): Promise<FileSource> {
  const objects: NamedObject[] = [];
  const findings: Diagnostic[] = [];
  const { namespace = DEFAULT_NAMESPACE } = options;
  let chart: ChartRelease | undefined;
  for (const path of paths.flatMap((given) => filesAt(given, io))) {
    const text = await readGiven(path, io);
    const read = typeof text === 'string' ? readSource(text) : text;
    if ('problem' in read) {
      findings.push(refused(path, read.problem));
      continue;
    }
    if (read.chart) chart = mergeReleases(chart, read.chart);
    for (const object of read.objects) {
      const applied = appliedChart(object, namespace);
      if (applied === undefined) objects.push(object);
      else findings.push(...applied.findings);
      if (applied?.release) chart = mergeReleases(chart, applied.release);
    }
  }
  if (options.helm && chart === undefined) {
    const secrets = objects.filter(({ kind, type }) => kind === 'Secret' && type === HELM_SECRET_TYPE);
    const ofOperator = secrets.filter(({ metadata }) => isIn(metadata.namespace, namespace));
    const release = secrets.length === 0 ? undefined : newestRelease(ofOperator);
    if (release && 'problem' in release)
      findings.push(diagnostic('WEFT0565', { message: release.problem, help: HELP }));
    else chart = release;
  }
  return { objects, findings, ...(chart && { chart }) };
}

function refused(path: string, problem: string): Diagnostic {
  const location = { file: path === STDIN ? 'standard input' : path };
  return diagnostic('WEFT0563', { message: `the file cannot be imported: ${problem}`, location, help: HELP });
}

function filesAt(path: string, { cwd }: Io): readonly string[] {
  try {
    if (path === STDIN || !statSync(resolve(cwd, path)).isDirectory()) return [path];
    const names = readdirSync(resolve(cwd, path)).filter((name) => /\.(?:ya?ml|json)$/.test(name));
    return names.sort(compareText).map((name) => join(path, name));
  } catch {
    // Reading it says why.
    return [path];
  }
}
