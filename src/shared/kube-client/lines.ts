import { StringDecoder } from 'node:string_decoder';

/** Cuts a stream of bytes into lines. */
interface LineSplitter {
  readonly write: (chunk: Buffer) => void;
  /** Passes on the last line if no line break ends it. */
  readonly end: () => void;
}

export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return {
    write(chunk) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(onLine);
    },
    end() {
      if (rest !== '') onLine(rest);
    },
  };
}
