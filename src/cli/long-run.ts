import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Folders after which a run is long. */
const FOLDERS_OF_A_SHORT_RUN = 3;

/** Folders between two collections. A collection costs as much as half a folder. */
const FOLDERS_BETWEEN = 24;

/**
 * Makes V8 fit for a run over many folders; call the returned function after each. bin/weft.mjs starts it for a short one,
 * without optimized code and with little room for new objects. And garbage may grow to a multiple of what is alive before V8 looks for it: here it is collected
 * now and then, so that the memory stays at what one folder needs.
 */
export function watchLength(): () => void {
  let folders = 0;
  let collect: (() => void) | undefined;
  return () => {
    folders += 1;
    if (folders === FOLDERS_OF_A_SHORT_RUN) preferLongRuns();
    if (folders % FOLDERS_BETWEEN !== 0) return;
    collect ??= garbageCollector();
    collect();
  };
}

/** V8's own choice. */
function preferLongRuns(): void {
  setFlagsFromString('--opt');
  setFlagsFromString('--semi-space-growth-factor=2');
}

/** The function behind `--expose-gc`. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return () => collect();
}
