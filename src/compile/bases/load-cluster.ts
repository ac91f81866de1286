import { isAbsolute, relative, resolve, sep } from 'node:path';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import { isError, type Diagnostic, type Inheritance, type Location } from '../../shared/diagnostics/diagnostic.js';
import { suggest } from '../../shared/diagnostics/suggest.js';
import { isObject, valueAt } from '../../shared/lib/json.js';
import { loadFolder, type LoadOptions } from '../load/load.js';
import { folderMeant } from '../load/missing-folder.js';
import { folderMax, fullBudget, isSpent, type Budget } from '../load/yaml/budget.js';
import { failed, tooMuch, type LoadedDocuments } from '../load/yaml/yaml.js';
import { createBaseCache, type BaseCache, type ReadBase } from './base-cache.js';
import { folderContent, ownKind, type FolderContent, type ListedText } from './folder.js';
import { inherited, mergeDocuments, type Layer } from './merge-documents.js';
import { PATCH_KEY } from './merge.js';

interface ClusterLoadOptions extends LoadOptions {
  /** The absolute path of the folder that bases have to lie in: a change to a cluster reads no file outside of its project. */
  readonly projectFolder: () => string;
  /** Bases that the same run has read for other clusters. */
  readonly bases?: BaseCache;
}

/**
 * Reads the documents of a cluster: those of its folder, merged with those of the folders that its Cluster document extends. The
 * places of their values are in the files that they come from. If a base cannot be read there are no documents, because most
 * other problems would come from that.
 */
export async function loadCluster(folder: string, options: ClusterLoadOptions): Promise<LoadedDocuments> {
  const budget = fullBudget();
  const own = await loadFolder(folder, { ...options, budget });
  if (!own.documents.some(({ value }) => isMerged(value))) return own;
  const path = resolve(options.workingDirectory, folder);
  const content = folderContent(own, 'cluster');
  const reading: Reading = {
    options,
    cache: options.bases ?? createBaseCache(),
    budget,
    known: new Set(),
    layers: [],
    diagnostics: [...content.diagnostics],
  };
  await readBases({ path, content, above: [path] }, reading);
  const { layers, cache, diagnostics } = reading;
  const ignores = [...(own.ignores ?? []), ...layers.flatMap(({ base }) => base.ignores ?? [])];
  const found = (more: readonly Diagnostic[], documents: LoadedDocuments['documents'] = []): LoadedDocuments => ({
    documents,
    diagnostics: [...diagnostics, ...more],
    ...(ignores.length > 0 && { ignores }),
    bases: [...reading.known],
  });
  if (diagnostics.slice(own.diagnostics.length).some(isError)) return found([]);
  const merged = mergeDocuments([...layers.map(({ layer }) => layer), content], cache.mergeValues);
  const missing = layers.flatMap(({ base, place }) => missingKeys(base, place, merged));
  return found([...merged.diagnostics, ...missing], missing.length > 0 ? [] : merged.documents);
}

/** Whether a document asks for other folders, or removes one of theirs. */
function isMerged(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (Object.hasOwn(value, PATCH_KEY)) return true;
  return ownKind(value) === 'Cluster' && valueAt(value, ['spec', 'extends']) !== undefined;
}

interface ReadLayer {
  readonly layer: Layer;
  readonly base: FolderContent;
  /** The entry of the Cluster document that it comes by. */
  readonly place: () => Location;
}

interface Reading {
  readonly options: ClusterLoadOptions;
  readonly cache: BaseCache;
  /** What is left for the folders of one cluster together. */
  readonly budget: Budget;
  /** The bases that are among the layers or below one. */
  readonly known: Set<string>;
  readonly layers: ReadLayer[];
  readonly diagnostics: Diagnostic[];
}

/** A folder whose bases are read. */
interface Extending {
  readonly path: string;
  readonly content: FolderContent;
  /** The folders from that of the cluster to this one. */
  readonly above: readonly string[];
  readonly inheritance?: () => Inheritance;
  readonly place?: () => Location;
}

/** Adds the layers of the folders that this one extends, each after those that it extends itself, and each once. */
async function readBases({ path, content, above, inheritance, place }: Extending, reading: Reading): Promise<void> {
  const { options, known, layers, diagnostics, budget } = reading;
  for (const entry of content.extended) {
    const locate = () => (inheritance ? inherited(entry.locate(), inheritance) : entry.locate());
    const target = resolve(path, entry.text);
    const problem = placeProblem(entry, target, above, options);
    if (problem !== undefined) diagnostics.push({ ...problem, location: locate() });
    if (problem !== undefined || known.has(target)) continue;
    known.add(target);
    const { content: base, used } = await readBase(target, reading);
    const by = () => inheritedThrough(entry.locate(), inheritance?.());
    diagnostics.push(...base.diagnostics.map((one) => aboutBase(one, entry, { path, target, locate, by })));
    for (const limit of Object.keys(folderMax) as (keyof Budget)[]) budget[limit] -= used[limit];
    if (isSpent(budget)) {
      diagnostics.push(tooMuch(budget, locate()));
      return;
    }
    const through = {
      path: target,
      content: base,
      above: [...above, target],
      inheritance: by,
      place: place ?? locate,
    };
    await readBases(through, reading);
    if (isSpent(budget)) return;
    layers.push({ layer: { documents: base.documents, inheritance: by }, base, place: through.place });
  }
}

function inheritedThrough({ file, line, column }: Location, by: Inheritance | undefined): Inheritance {
  const place = { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  return by === undefined ? place : { ...by, through: [...(by.through ?? []), place] };
}

async function readBase(path: string, { options, cache }: Reading): Promise<ReadBase> {
  const before = cache.find(path);
  if (before !== undefined) return before;
  const budget = fullBudget();
  const loaded = await loadFolder(path, { ...options, budget });
  const content = folderContent(loaded, 'base');
  const ignores = content.ignores?.map((ignore) => ({ ...ignore, isInherited: true }));
  const used = Object.fromEntries(
    Object.entries(folderMax).map(([limit, max]) => [limit, max - budget[limit as keyof Budget]]),
  ) as unknown as Budget;
  const read = { content: { ...content, ignores }, used };
  cache.add(path, read);
  return read;
}

/** Why a folder cannot be a base, from its path alone. */
function placeProblem(
  { text }: ListedText,
  target: string,
  above: readonly string[],
  { projectFolder, workingDirectory }: ClusterLoadOptions,
): Diagnostic | undefined {
  const shown = (path: string) => `\`${relative(workingDirectory, path).split(sep).join('/') || '.'}\``;
  const project = projectFolder();
  const inside = relative(project, target);
  if (isAbsolute(text) || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    return diagnostic('WEFT0046', {
      message: isAbsolute(text)
        ? `the base \`${text}\` is an absolute path`
        : `the base \`${text}\` lies outside of the project ${shown(project)}`,
      help: 'put it beside `clusters/`, and name it by its path from this folder: `../../base/common`',
    });
  }
  const begin = above.indexOf(target);
  if (begin === -1) return undefined;
  const circle = [...above.slice(begin), target].map(shown).join(' extends ');
  return diagnostic('WEFT0047', {
    message: `bases extend each other in a circle: ${circle}`,
    help: 'remove this entry',
  });
}

interface BasePlace {
  /** The folder that extends the base. */
  readonly path: string;
  readonly target: string;
  readonly locate: () => Location;
  readonly by: () => Inheritance;
}

/** A diagnostic of reading a base; that of a folder without documents points at the entry that names it. */
function aboutBase(one: Diagnostic, { text }: ListedText, { path, target, locate, by }: BasePlace): Diagnostic {
  if (one.code !== 'WEFT0020' && one.code !== 'WEFT0021') {
    return { ...one, ...(one.location && { location: inherited(one.location, by) }) };
  }
  const message = one.message.replace('the folder', `the base \`${text}\``);
  const meant = one.code === 'WEFT0020' ? folderMeant(target, (folder) => relative(path, folder)) : undefined;
  const help = meant ?? 'the path is relative to this folder; put documents there that clusters share';
  return diagnostic('WEFT0020', { message, location: locate(), help });
}

function missingKeys(
  { required }: FolderContent,
  place: () => Location,
  { documents }: LoadedDocuments,
): readonly Diagnostic[] {
  const merged = documents.find(({ value }) => isObject(value) && ownKind(value) === 'Cluster');
  const isMissing = ({ text }: ListedText) => (valueAt(merged?.value, ['spec', text]) ?? null) === null;
  return required.filter(isMissing).flatMap(
    ({ text, locate }) =>
      failed('WEFT0109', {
        message: `\`spec.${text}\` is missing, which a base requires of each cluster`,
        location: place(),
        help: meantBy(text, valueAt(merged?.value, ['spec'])) ?? `give \`${text}\` in the Cluster document`,
        related: { location: locate(), message: 'required here' },
      }).diagnostics,
  );
}

/** A misspelt key, which is reported as unknown only where none is missing. */
function meantBy(key: string, spec: unknown): string | undefined {
  const near = suggest(key, isObject(spec) ? Object.keys(spec) : []);
  return near === undefined ? undefined : `write \`${key}\` in the place of \`${near}\``;
}
