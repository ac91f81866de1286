import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** The content of a file, or why it is not read. */
type FileContent =
  | { readonly kind: 'content'; readonly bytes: Buffer }
  | { readonly kind: 'link' }
  /** A folder, a FIFO, a socket or a device. */
  | { readonly kind: 'not-a-file' }
  | { readonly kind: 'too-large'; readonly bytes: number }
  /** The operating system refuses; `error` is its own. */
  | { readonly kind: 'failed'; readonly error: NodeJS.ErrnoException };

interface ReadOptions {
  readonly bytesMax: number;
  /** For a path that a person has typed. Default: a symbolic link at the end of the path is refused. */
  readonly followsLinks?: boolean;
}

/**
 * Reads a regular file and nothing else. It looks at the file that is open, so that nothing can take its place, and opens it without
 * blocking, so that it never waits for the writer of a FIFO.
 */
export function readRegularFile(path: string, { bytesMax, followsLinks = false }: ReadOptions): FileContent {
  let handle: number | undefined;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (followsLinks ? 0 : constants.O_NOFOLLOW));
    const stat = fstatSync(handle);
    if (!stat.isFile()) return { kind: 'not-a-file' };
    if (stat.size > bytesMax) return { kind: 'too-large', bytes: stat.size };
    return { kind: 'content', bytes: readFileSync(handle) };
  } catch (error) {
    return withoutContent(error as NodeJS.ErrnoException, followsLinks);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function withoutContent(error: NodeJS.ErrnoException, followsLinks: boolean): FileContent {
  if (error.syscall === undefined) throw error;
  // Opening a socket fails with ENXIO, reading a folder with EISDIR.
  if (error.code === 'ENXIO' || error.code === 'EISDIR') return { kind: 'not-a-file' };
  return error.code === 'ELOOP' && !followsLinks ? { kind: 'link' } : { kind: 'failed', error };
}
