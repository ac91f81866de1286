/** Prints a measurement, or the progress of a run. */
export function report(line: string): void {
  process.stderr.write(`test:cluster: ${line}\n`);
}
