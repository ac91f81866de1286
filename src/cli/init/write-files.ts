import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { linkNotFollowed, reasonOf } from '../../compile/load/load.js';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { linkOnTheWay } from '../../shared/files/links.js';
import { readRegularFile } from '../../shared/files/read-file.js';
import type { Io } from '../io.js';
import type { InitFile } from './repository-files.js';

/** What becomes of a file: it is new, it is there and will do, or it is there and lacks what the repository needs. */
export type PlannedFile = InitFile & { readonly state: 'new' | 'there' | 'lacking' };

const BYTES_MAX = 1024 * 1024;

/** What becomes of each file; files that are there stay as they are. */
export function planFiles(root: string, files: readonly InitFile[]): readonly PlannedFile[] {
  return files.map((file) => {
    const read = readRegularFile(resolve(root, file.path), { bytesMax: BYTES_MAX });
    if (read.kind === 'failed' && isAbsent(read.error)) return { ...file, state: 'new' };
    const text = read.kind === 'content' ? read.bytes.toString('utf8') : '';
    return { ...file, state: file.needs === undefined || text.includes(file.needs) ? 'there' : 'lacking' };
  });
}

/** A file in the place of a folder above is found when the file is written. */
const isAbsent = ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR';

/** A symbolic link on the way to a file that would be written. */
export function linkTo(root: string, files: readonly PlannedFile[], { cwd }: Io): Diagnostic | undefined {
  const [link] = files.flatMap(({ path }) => linkOnTheWay(cwd, resolve(root, path)) ?? []);
  return link === undefined ? undefined : linkNotFollowed(relative(cwd, link));
}

/** Writes the files that are new. */
export function writeFiles(root: string, files: readonly PlannedFile[]): Diagnostic | undefined {
  try {
    for (const { path, text } of files.filter(({ state }) => state === 'new')) {
      mkdirSync(dirname(resolve(root, path)), { recursive: true });
      writeFileSync(resolve(root, path), text, { flag: 'wx' });
    }
    return undefined;
  } catch (error) {
    const message = `the repository cannot be written: ${reasonOf(error).text}`;
    return diagnostic('WEFT0057', { message, location: { file: root }, help: 'name another folder' });
  }
}
