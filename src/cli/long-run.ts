import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Folders after which a run is long. */
const FOLDERS_OF_A_SHORT_RUN = 3;

const MEBIBYTE = 1024 * 1024;

/** What the heap may hold after a folder, garbage included; a collection takes as long as ten folders of a fleet. */
const HEAP_BYTES = 40 * MEBIBYTE;

/** Room for garbage where more than that is alive. */
const ROOM_BYTES = 16 * MEBIBYTE;

/**
 * Makes V8 fit for a run over many folders; call the returned function after each. bin/weft.cjs starts it for a short one,
 * without optimized code and with little room for objects. And garbage may grow to a multiple of what is alive before V8
 * looks for it: here it is collected earlier, so that the memory stays near what one folder needs.
 */
export function watchLength(): () => void {
  let folders = 0;
  let limitBytes = HEAP_BYTES;
  let collect: (() => void) | undefined;
  return () => {
    folders += 1;
    if (folders === FOLDERS_OF_A_SHORT_RUN) preferLongRuns();
    if (folders < FOLDERS_OF_A_SHORT_RUN || usedBytes() < limitBytes) return;
    collect ??= garbageCollector();
    collect();
    limitBytes = Math.max(HEAP_BYTES, usedBytes() + ROOM_BYTES);
  };
}

function usedBytes(): number {
  return getHeapStatistics().used_heap_size;
}

/** V8's own choice. */
function preferLongRuns(): void {
  setFlagsFromString('--opt');
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--heap-growing-percent=0');
}

/** The function behind `--expose-gc`. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return () => collect();
}
