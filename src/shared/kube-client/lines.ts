/** Cuts a stream of bytes into lines. */
interface LineSplitter {
  /** @throws Error when a line is longer than any object of the API server */
  readonly write: (chunk: Buffer) => void;
  /** Passes on the last line if no line break ends it. */
  readonly end: () => void;
}

const LINE_BREAK = 0x0a;

/** In bytes. The API server takes objects of up to 1.5 MiB; JSON may escape each character of one. */
const LINE_MAX = 16 * 1024 * 1024;

/** Linear in the length of the lines, however small the chunks are. */
export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  /** The line that is not complete. */
  let parts: Buffer[] = [];
  let bytes = 0;
  const keep = (part: Buffer): void => {
    parts.push(part);
    bytes += part.length;
    if (bytes > LINE_MAX) throw new Error(`a line is longer than ${LINE_MAX} bytes`);
  };
  const passOn = (): void => {
    const line = Buffer.concat(parts).toString('utf8');
    parts = [];
    bytes = 0;
    onLine(line);
  };
  return {
    write(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, from)) {
        keep(chunk.subarray(from, at));
        passOn();
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
    end() {
      if (bytes > 0) passOn();
    },
  };
}
