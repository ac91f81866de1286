import { readFileSync } from 'node:fs';

const { onlyInCi } = JSON.parse(readFileSync(new URL('files.json', import.meta.url), 'utf8'));

/** Says at the end of `npm test` which files it leaves out, and what it took. */
export default class Summary {
  onRunComplete() {
    // After jest's own summary.
    process.once('exit', () => this.print());
  }

  print() {
    const folders = [...new Set(onlyInCi.map((path) => path.replace(/(?<=^test\/[^/]+)\/.*$/, '')))];
    process.stderr.write(`\nNOT RUN BY npm test, BUT BY .ci/run: ${onlyInCi.length} FILES OF ${folders.join(', ')}\n`);
    const seconds = processorSeconds();
    if (seconds !== undefined) process.stderr.write(`Processor: ${seconds.toFixed(0)} s\n`);
  }
}

/** Seconds of a processor of this process, its workers and their children that have ended; undefined if this is not Linux. */
function processorSeconds() {
  let fields;
  try {
    fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  } catch {
    return undefined;
  }
  // utime, stime, cutime, cstime of proc(5), in hundredths of a second.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
