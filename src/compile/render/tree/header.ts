import type { OutputFile } from '../layout.js';

/** The content of a generated file's first line: the input folder that it comes from, and its own path. */
interface Header {
  readonly source: string;
  readonly path: string;
}

const HEADER = /^# Made by weft synth from (\S+), do not edit: (\S+)$/;

/** Maximum number of lines of a merge conflict that are searched for a first line. */
const CONFLICT_LINES_MAX = 40;

/** The first lines of a file that are enough for `headersOf`, in bytes. */
export const HEAD_BYTES = 8192;

/**
 * The file with a first line that names Weft, the folder of the input and the file's path. The path distinguishes the
 * file from a copy, which Weft does not own. There is no version, because it would change every file.
 *
 * @param source without white space
 */
export function withHeader({ path, text }: OutputFile, source: string): OutputFile {
  return { path, text: `# Made by weft synth from ${source}, do not edit: ${path}\n${text}` };
}

/** The text after the first line that `withHeader` writes; the whole text if there is none. */
export function withoutHeader(text: string): string {
  const end = text.indexOf('\n');
  return end !== -1 && headerOf(text.slice(0, end)) ? text.slice(end + 1) : text;
}

/** The content of the first line; after a merge with a conflict in it, the first line of each side. */
export function headersOf(text: string): readonly Header[] {
  const lines = text.split('\n', CONFLICT_LINES_MAX);
  const isConflict = lines[0]?.startsWith('<<<<<<<') ?? false;
  return (isConflict ? lines : lines.slice(0, 1)).flatMap((line) => headerOf(line) ?? []);
}

function headerOf(line: string): Header | undefined {
  const [, source, path] = HEADER.exec(line.replace(/\r$/, '')) ?? [];
  return source === undefined || path === undefined ? undefined : { source, path };
}
