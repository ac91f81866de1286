import { relative, resolve } from 'node:path';
import { isSecret, secretsWithin } from '../../compile/config/kinds/secrets.js';
import { loadYaml, type SourceDocument } from '../../compile/load/yaml/yaml.js';
import { toInputYaml } from '../../compile/render/yaml/input-document.js';
import type { PathStep } from '../../shared/diagnostics/diagnostic.js';
import { escapeLine } from '../../shared/lib/escape.js';
import { isObject, valueAt, type JsonValue } from '../../shared/lib/json.js';
import { loadDocuments } from '../compile/load.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import { everyCluster } from '../problems.js';
import type { ProgramOptions } from '../programs.js';
import { eachOnce, findProject } from '../project.js';
import { collectDiagnostics, refused, report } from '../report.js';

export interface ExplainResolvedOptions extends ProgramOptions {
  /** Folders of clusters. Default: all of clusters/. */
  readonly folder?: readonly string[];
}

/**
 * `weft explain --resolved`: the documents of clusters as they are merged, each line with the place that it comes from. They are not
 * validated, so that this helps to find a mistake.
 */
export async function explainResolved(
  field: string | undefined,
  { folder = [], ...options }: ExplainResolvedOptions,
  io: Io,
): Promise<ExitCode> {
  const shown = (path: string) => relative(io.cwd, resolve(io.cwd, path)) || '.';
  const project = folder.length > 0 ? { folders: eachOnce(folder, io.cwd) } : everyCluster(findProject(io.cwd), shown);
  if ('code' in project) return refused([project], 'text', io);
  const found = collectDiagnostics();
  let isFound = false;
  for (const one of project.folders) {
    const { documents, diagnostics } = await loadDocuments(one, options, io);
    found.add(diagnostics);
    const parts = documents.flatMap((document) => partOf(document, field));
    if (parts.length > 0) io.stdout(`# ${escapeLine(shown(one))}\n${parts.map(partText).join('---\n')}`);
    isFound ||= parts.length > 0;
  }
  report(found.all, 'text', io);
  if (!isFound && field !== undefined && !found.hasErrors()) {
    io.stderr(`error: no document has a value at \`${escapeLine(field)}\`\n`);
    io.stderr('help: name a path such as `release`, `nodePools[0].kernel` or `NicClusterPolicy.spec.global`\n');
  }
  return found.hasErrors() || !isFound ? EXIT.userError : EXIT.ok;
}

/** A document, or a value in it. */
interface Part {
  readonly document: SourceDocument;
  readonly path: readonly PathStep[];
}

/** The part of a document that a path names: `Cluster.spec.release` or `release`; without one all of it. */
function partOf(document: SourceDocument, field: string | undefined): readonly Part[] {
  if (field === undefined) return [{ document, path: [] }];
  const steps = [...field.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([text, index]) =>
    index === undefined ? text : Number(index),
  );
  const kind = isObject(document.value) ? document.value['kind'] : undefined;
  const isNamed = typeof kind === 'string' && String(steps[0]).toLowerCase() === kind.toLowerCase();
  const path = isNamed ? steps.slice(1) : steps;
  const isThere = (one: readonly PathStep[]) => valueAt(document.value, one) !== undefined;
  const there = [path, ['spec', ...path]].find(isThere);
  return there === undefined ? [] : [{ document, path: there }];
}

/** The text of a value as YAML, whose comments are the places. */
function partText({ document, path }: Part): string {
  if (holdsSecret(document)) return '# a document with a Secret, which is not shown\n';
  const isWhole = path.length === 0;
  const value = isWhole ? inOrder(document.value) : { [path.join('.')]: valueAt(document.value, path) };
  const text = toInputYaml(value as JsonValue);
  const places = placesOfLines(text, value, (own) =>
    document.locate(isWhole ? own : [...path, ...own.slice(1)], 'key'),
  );
  const lines = text.trimEnd().split('\n');
  const width = Math.min(WIDTH_MAX, Math.max(...lines.map(({ length }) => length)));
  const shown = lines.map((line, index) => {
    const place = places.get(index + 1);
    return place === undefined ? line : `${line.padEnd(width)}  # ${place}`;
  });
  return `${shown.join('\n')}\n`;
}

/** A base may have no metadata, and so the document of the cluster has them after what is merged before. */
function inOrder(document: unknown): unknown {
  const { apiVersion, kind, metadata, ...rest } = document as Readonly<Record<string, unknown>>;
  return { apiVersion, kind, metadata, ...rest };
}

/** Columns of a document after which its places are not aligned any more. */
const WIDTH_MAX = 80;

function holdsSecret({ value }: SourceDocument): boolean {
  if (!isObject(value)) return false;
  const { apiVersion, kind } = value;
  const isOne = typeof apiVersion === 'string' && typeof kind === 'string' && isSecret(apiVersion, kind);
  return isOne || secretsWithin(value).length > 0;
}

/** The places of the values that begin on each line of a text. */
function placesOfLines(
  text: string,
  value: unknown,
  locate: SourceDocument['locate'],
): ReadonlyMap<number | undefined, string> {
  const [rendered] = loadYaml('', text).documents;
  const places = new Map<number | undefined, string>();
  for (const path of pathsIn(value, [])) {
    const { file, line } = locate(path);
    places.set(rendered?.locate(path, 'key').line, escapeLine(line === undefined ? file : `${file}:${line}`));
  }
  return places;
}

/** The paths of all values below one, from the top down. */
function* pathsIn(value: unknown, path: readonly PathStep[]): Iterable<readonly PathStep[]> {
  if (path.length > 0) yield path;
  if (Array.isArray(value)) for (const [index, inner] of value.entries()) yield* pathsIn(inner, [...path, index]);
  else if (isObject(value)) for (const [key, inner] of Object.entries(value)) yield* pathsIn(inner, [...path, key]);
}
