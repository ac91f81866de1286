import { diagnostic } from '../../shared/diagnostics/codes.js';
import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { compareText } from '../../shared/lib/json.js';
import { isInput, isInputBelow, isProgram, nameToRead } from './file-names.js';

/** A folder of the input, and its name in messages. */
export interface InputFolder {
  readonly path: string;
  readonly file: string;
  readonly entries: readonly Dirent[];
}

/** A limit, so that a folder with very many files does not slow down a run. */
const entriesMax = 10_000;

const DOCUMENT_NAMES = 'names of input end with `.yaml`, `.yml`, `.json` or `.ts`';

/** Files and folders that look like input and are not read: files by their names, folders by their files. */
export function unreadInput(folder: InputFolder): readonly Diagnostic[] {
  const names = folder.entries.map(({ name }) => name);
  const below = foldersWithInput(folder);
  return [
    ...names.flatMap((name) => unreadFile(folder, name, names)),
    ...below.map((one) => unreadFolder(folder, one)),
  ];
}

function unreadFile({ file }: InputFolder, name: string, names: readonly string[]): readonly Diagnostic[] {
  const wanted = nameToRead(name, names);
  if (wanted === undefined) return [];
  const isModule = !/\.(yaml|yml|json)$/.test(wanted);
  const help =
    `rename it to \`${wanted}\`` +
    (isModule ? '; a module that a `cluster.ts` imports belongs in a folder inside' : '');
  return [
    diagnostic('WEFT0036', {
      message: `the file is not read: ${DOCUMENT_NAMES}`,
      location: { file: below(file, name) },
      help,
    }),
  ];
}

interface FolderInside {
  readonly name: string;
  /** Relative path of the first file that would be input. */
  readonly first: string;
}

function unreadFolder({ file }: InputFolder, { name, first }: FolderInside): Diagnostic {
  return diagnostic('WEFT0035', {
    message: `the folder is not read, and holds input: \`${first}\``,
    location: { file: below(file, name) },
    help: `move its files up into \`${file}\`; what is no input belongs elsewhere, or in a folder whose name begins with a dot`,
  });
}

const below = (file: string, name: string): string => (file === '.' ? name : `${file}/${name}`);

/** Subfolders with files that would be input in this folder, sorted by name. */
export function foldersWithInput({ path, entries }: InputFolder): readonly FolderInside[] {
  const hasProgram = entries.some(({ name }) => isProgram(name));
  const found: FolderInside[] = [];
  for (const entry of entries) {
    // A folder with the name of an input file is reported when it is read as a file.
    if (isLeftAlone(entry.name) || isInput(entry.name) || !entry.isDirectory()) continue;
    const first = firstInput(join(path, entry.name), hasProgram);
    if (first !== undefined) found.push({ name: entry.name, first });
  }
  return found;
}

/** Folders without input: hidden ones and installed packages. */
export function isLeftAlone(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/** Breadth first; symbolic links to folders are not followed, so that it terminates. */
function firstInput(path: string, hasProgram: boolean): string | undefined {
  const prefixes = [''];
  let left = entriesMax;
  for (const prefix of prefixes) {
    const entries = entriesOf(join(path, prefix));
    left -= entries.length;
    const first = entries.find((entry) => !entry.isDirectory() && isInputBelow(entry.name, { hasProgram }));
    if (first) return `${prefix}${first.name}`;
    if (left < 0) return undefined;
    const inner = entries.filter((entry) => entry.isDirectory() && !isLeftAlone(entry.name));
    prefixes.push(...inner.map(({ name }) => `${prefix}${name}/`));
  }
  return undefined;
}

/** Sorted by name; empty if the folder cannot be read. */
export function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
  } catch {
    return [];
  }
}
