import { closeSync, constants, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { linkOnTheWay } from '../shared/files/links.js';
import { readRegularFile } from '../shared/files/read-file.js';
import { decodeUtf8, reasonOf } from '../compile/load/load.js';
import type { Io } from './io.js';

/** Standard input, in the place of a file. */
export const STDIN = '-';

/** A little less than the longest text of Node. */
const BYTES_MAX = 500 * 1024 * 1024;

const OWNER_ALONE = 0o600;

/** Why a file that an argument names has no text, or takes none. */
interface GivenProblem {
  readonly problem: string;
}

/**
 * The text of a file that an argument names, or of standard input. The file may be anywhere, but no symbolic link in the working directory
 * may lead to it. Reading never waits for another program, but for standard input.
 */
export async function readGiven(path: string, io: Io): Promise<string | GivenProblem> {
  if (path === STDIN) {
    if (io.isStdinTerminal) return { problem: 'standard input is a terminal' };
    return (await io.readStdin(BYTES_MAX)) ?? { problem: `it has more than ${BYTES_MAX} characters` };
  }
  const target = resolve(io.cwd, path);
  const link = linkOnTheWay(io.cwd, target);
  if (link !== undefined) return linkProblem(link, io);
  const read = readRegularFile(target, { bytesMax: BYTES_MAX, followsLinks: true });
  switch (read.kind) {
    case 'content': {
      const text = decodeUtf8(path, read.bytes);
      return typeof text === 'string' ? text : { problem: text.message };
    }
    case 'link':
      return linkProblem(target, io);
    case 'not-a-file':
      return { problem: 'it is not a regular file; `-` is standard input' };
    case 'too-large':
      return { problem: `it has ${read.bytes} bytes; at most ${BYTES_MAX} are read` };
    case 'failed':
      return { problem: reasonOf(read.error).text };
  }
}

/** Writes a regular file that an argument names, with the same rules. Only its owner may read it, also where it was there before. */
export function writeGiven(path: string, text: string, io: Io): GivenProblem | undefined {
  const target = resolve(io.cwd, path);
  const link = linkOnTheWay(io.cwd, target);
  if (link !== undefined) return linkProblem(link, io);
  let handle: number | undefined;
  try {
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NONBLOCK } = constants;
    handle = openSync(target, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, OWNER_ALONE);
    if (!fstatSync(handle).isFile()) return { problem: 'it is not a regular file' };
    fchmodSync(handle, OWNER_ALONE);
    writeFileSync(handle, text);
    return undefined;
  } catch (error) {
    const { code, text: reason } = reasonOf(error);
    // Opening a FIFO that nobody reads fails with ENXIO.
    return { problem: code === 'ENXIO' ? 'it is not a regular file' : reason };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

const linkProblem = (link: string, { cwd }: Io): GivenProblem => ({
  problem: `\`${relative(cwd, link)}\` is a symbolic link, and Weft follows none in the working directory`,
});
