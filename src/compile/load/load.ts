import { diagnostic } from '../../shared/diagnostics/codes.js';
import { isUtf8 } from 'node:buffer';
import { readdirSync, type Dirent } from 'node:fs';
import { dirname, join as joinPath, relative, resolve, sep } from 'node:path';
import { isError, type Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { leadsToFolder, linkOnTheWay } from '../../shared/files/links.js';
import { readRegularFile } from '../../shared/files/read-file.js';
import { shellWord } from '../../shared/lib/escape.js';
import { compareText, isObject } from '../../shared/lib/json.js';
import { listedNames } from '../../shared/lib/listed.js';
import { folderMeant, listedMax, READ_HELP } from './missing-folder.js';
import { isInput, isKustomization } from './file-names.js';
import { foldersWithInput, isLeftAlone, unreadInput, type InputFolder } from './unread-files.js';
import type { Budget } from './yaml/budget.js';
import { fullBudget, isSpent } from './yaml/budget.js';
import type { TextCache } from './yaml/text-cache.js';
import type { TextPlaces } from './yaml/text.js';
import { textPlaces } from './yaml/text.js';
import type { LoadedDocuments } from './yaml/yaml.js';
import { failed, join, loadYaml } from './yaml/yaml.js';

/** Whether programs are run, or the help for who wants them run. */
export type Programs = 'run' | { readonly help: string };

export interface LoadOptions {
  /** Absolute; paths in messages are relative to it. */
  readonly workingDirectory: string;
  /** A program has the rights of this process. Default: none is run, and each is an error. */
  readonly programs?: Programs;
  /** Output of a `cluster.ts`. Default: it is discarded. */
  readonly onOutput?: (text: string) => void;
  /** Texts that the same run has read in other folders. */
  readonly texts?: TextCache;
  /** Limits, which are counted down. Default: those of one folder. */
  readonly budget?: Budget;
}

/** A fleet's policies are kilobytes. The text of a file is in memory at least twice. */
export const fileBytesMax = 32 * 1024 * 1024;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'it is not a folder',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'too many files are open',
  EIO: 'the disk reports an error',
};

/** The error of the operating system, as its code and as text. */
export function reasonOf(error: unknown): { readonly code: string; readonly text: string } {
  const code = isObject(error) && typeof error['code'] === 'string' ? error['code'] : 'unknown error';
  return { code, text: reasons[code] ?? code };
}

function displayPath(path: string, options: LoadOptions): string {
  return relative(options.workingDirectory, path).split(sep).join('/') || '.';
}

type Content =
  { readonly type: 'bytes'; readonly bytes: Buffer } | { readonly type: 'failed'; readonly result: LoadedDocuments };

const readFile = (path: string) => readRegularFile(path, { bytesMax: fileBytesMax });

/** The bytes of a file that was read, or the diagnostic about why there are none. */
export function contentOf(read: ReturnType<typeof readRegularFile>, file: string): Content {
  const location = { file };
  switch (read.kind) {
    case 'content':
      return { type: 'bytes', bytes: read.bytes };
    case 'link':
      return { type: 'failed', result: { documents: [], diagnostics: [linkNotFollowed(file)] } };
    case 'not-a-file': {
      const message = 'the file cannot be read: it is not a regular file';
      const help = 'remove it from the folder or rename it';
      return { type: 'failed', result: failed('WEFT0023', { message, location, help }) };
    }
    case 'too-large': {
      const message = `the file has ${read.bytes} bytes; at most ${fileBytesMax} are read`;
      return { type: 'failed', result: failed('WEFT0024', { message, location, help: 'split it' }) };
    }
    case 'failed': {
      const message = `the file cannot be read: ${reasonOf(read.error).text}`;
      return { type: 'failed', result: failed('WEFT0023', { message, location }) };
    }
  }
}

/**
 * A symbolic link in what Weft reads or writes.
 *
 * @param file the link as messages call it
 */
export function linkNotFollowed(file: string): Diagnostic {
  return diagnostic('WEFT0044', {
    message: 'this is a symbolic link, and Weft follows none in its input and output',
    location: { file },
    help: 'put the files themselves there; for what clusters share there is `extends` of the Cluster document',
  });
}

function encodingFailure(places: TextPlaces, at: number, byte: number): Diagnostic {
  return diagnostic('WEFT0025', {
    message: `the byte 0x${byte.toString(16).padStart(2, '0')} is not UTF-8 text`,
    location: places.locate(at, at + 1),
    help: 'save the file as UTF-8',
  });
}

/** Decodes strictly; the place of a failure is that of the first byte which is not UTF-8. */
export function decodeUtf8(file: string, bytes: Buffer): string | Diagnostic {
  if (isUtf8(bytes)) {
    return bytes.toString('utf8');
  }
  const text = bytes.toString('utf8');
  let offset = 0;
  let from = 0;
  for (let at = text.indexOf('\uFFFD'); at !== -1; at = text.indexOf('\uFFFD', from)) {
    offset += Buffer.byteLength(text.slice(from, at));
    // A replacement character that is in the file itself is no failure.
    if (!bytes.subarray(offset, offset + 3).equals(replacementCharacter)) {
      return encodingFailure(textPlaces(file, text), at, bytes.readUInt8(offset));
    }
    offset += 3;
    from = at + 1;
  }
  throw new Error('text that is not UTF-8 decoded without a failure');
}

const replacementCharacter = Buffer.from('\uFFFD');

async function loadFile(path: string, options: LoadOptions, budget: Budget): Promise<LoadedDocuments> {
  const file = displayPath(path, options);
  const content = contentOf(readFile(path), file);
  if (content.type === 'failed') {
    return content.result;
  }
  const text = decodeUtf8(file, content.bytes);
  if (typeof text !== 'string') {
    return { documents: [], diagnostics: [text] };
  }
  if (path.endsWith('.ts')) {
    if (options.programs !== 'run') return programRefused(file, options.programs);
    const { loadModule } = await import('./program/program.js');
    return loadModule(path, file, text, { budget, onOutput: options.onOutput });
  }
  const loaded = loadYaml(file, text, budget, options.texts);
  const isEmpty = loaded.documents.length + loaded.diagnostics.length === 0;
  return isEmpty ? { ...loaded, diagnostics: [withoutDocuments(file)] } : loaded;
}

function programRefused(file: string, programs: Exclude<Programs, 'run'> | undefined): LoadedDocuments {
  const message = 'the file is a program, and none is run here';
  return failed('WEFT0064', { message, location: { file }, ...programs });
}

/** An empty file, or a file with only comments. */
function withoutDocuments(file: string): Diagnostic {
  return diagnostic('WEFT0316', {
    message: 'the file has no documents',
    location: { file, line: 1, column: 1, endColumn: 1, sourceLine: '' },
    help: 'remove it, or write its documents',
  });
}

/**
 * Weft does not read kustomization files and warns about them. The place of the warning is the key without effect, so
 * that a comment in the file can suppress it.
 */
function kustomization(path: string, options: LoadOptions): LoadedDocuments {
  const file = displayPath(path, options);
  const content = contentOf(readFile(path), file);
  if (content.type === 'failed') return content.result;
  const text = decodeUtf8(file, content.bytes);
  const { documents, ignores } = loadYaml(file, typeof text === 'string' ? text : '');
  const [first] = documents;
  const keys = isObject(first?.value) ? Object.keys(first.value) : [];
  const effect = keys.find((key) => !['apiVersion', 'kind', 'metadata'].includes(key));
  const unread = diagnostic('WEFT0037', {
    message: 'a kustomization is not read: what it lists and patches has no effect here',
    location: first?.locate(effect === undefined ? [] : [effect], 'key') ?? { file },
    help: 'put the output of `kubectl kustomize` there instead; if it has no patches and generators, remove it: the files beside it are read',
  });
  return { documents: [], diagnostics: [unread], ...(ignores && { ignores }) };
}

/** The folder has no documents: it may be the folder of all clusters, or the documents are in subfolders. */
function emptyFolder(folder: InputFolder, options: LoadOptions): LoadedDocuments {
  const { file } = folder;
  const kustomized = folder.entries.find(({ name }) => isKustomization(name))?.name;
  if (kustomized !== undefined) {
    const message = `the folder holds \`${kustomized}\` and no documents: Weft builds no kustomization`;
    const help = `put the output of \`kubectl kustomize ${shellWord(file)}\` there, in place of the kustomization`;
    return failed('WEFT0021', { message, location: { file }, help });
  }
  const inside = foldersWithInput(folder);
  const [first] = inside;
  if (first === undefined) {
    const help = 'put a Cluster document and your policies there, as *.yaml files or as cluster.ts';
    return failed('WEFT0021', { message: 'the folder holds no documents', location: { file }, help });
  }
  const names = listedNames(
    inside.map(({ name }) => name),
    listedMax,
  );
  const example = displayPath(dirname(joinPath(folder.path, first.name, first.first)), options);
  const message = `the folder holds no documents, but folders inside do: ${names}`;
  const help =
    `give the folder of one cluster, for instance \`${example}\`, or none for all of \`clusters\`; ` +
    'all documents of a cluster lie directly in its folder';
  return failed('WEFT0021', { message, location: { file }, help });
}

/** Names of symbolic links to folders. A link with the name of input is one that is read. */
function linkedFolders(path: string, entries: readonly Dirent[]): readonly string[] {
  return entries
    .filter((entry) => entry.isSymbolicLink() && !isLeftAlone(entry.name) && !isInput(entry.name))
    .map(({ name }) => name)
    .filter((name) => leadsToFolder(joinPath(path, name)));
}

/**
 * Reads the documents of a folder: `*.yaml`, `*.yml`, `*.json`, and `*.ts` files that export them. Hidden files, tests
 * and type declarations are ignored. Files that look like input but are not read (in subfolders, with other names, a
 * kustomization) are reported. Symbolic links are errors. Documents are in the order of file names, then of the text. All problems with files are
 * diagnostics; none is thrown.
 */
export async function loadFolder(folder: string, options: LoadOptions): Promise<LoadedDocuments> {
  const path = resolve(options.workingDirectory, folder);
  const file = displayPath(path, options);
  const link = linkOnTheWay(options.workingDirectory, path);
  if (link !== undefined) return { documents: [], diagnostics: [linkNotFollowed(displayPath(link, options))] };
  let entries: Dirent[];
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    const { code, text } = reasonOf(error);
    const mayNot = code === 'EACCES' || code === 'EPERM';
    const help = mayNot ? READ_HELP : folderMeant(path, (meant) => displayPath(meant, options));
    return failed('WEFT0020', { message: `the folder cannot be read: ${text}`, location: { file }, help });
  }
  entries.sort((a, b) => compareText(a.name, b.name));
  const names = entries.map(({ name }) => name);
  // One after the other: each file's text is released before the next one is read.
  const parts: LoadedDocuments[] = [];
  const { budget = fullBudget() } = options;
  for (const name of names.filter(isInput)) {
    parts.push(await loadFile(joinPath(path, name), options, budget));
    if (isSpent(budget)) {
      return { documents: [], diagnostics: join(parts).diagnostics };
    }
  }
  for (const name of names.filter(isKustomization)) parts.push(kustomization(joinPath(path, name), options));
  parts.push(
    ...linkedFolders(path, entries).map((name) => ({
      documents: [],
      diagnostics: [linkNotFollowed(displayPath(joinPath(path, name), options))],
    })),
  );
  const loaded = join(parts);
  const inFolder: InputFolder = { path, file, entries };
  const unread = unreadInput(inFolder);
  const isEmpty = loaded.documents.length === 0 && !loaded.diagnostics.some(isError);
  return isEmpty && unread.every(({ code }) => code === 'WEFT0035')
    ? emptyFolder(inFolder, options)
    : join([loaded, { documents: [], diagnostics: unread }]);
}
