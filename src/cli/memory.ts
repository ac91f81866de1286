import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Folders between two collections. A collection costs as much as half a folder. */
const FOLDERS_BETWEEN = 24;

/**
 * Keeps the memory of a long run at what one folder needs: V8 lets garbage grow to a multiple of what is alive before it
 * looks for it. Call the returned function after each folder.
 */
export function startCollecting(): () => void {
  let folders = 0;
  let collect: (() => void) | undefined;
  return () => {
    folders += 1;
    if (folders % FOLDERS_BETWEEN !== 0) return;
    collect ??= garbageCollector();
    collect();
  };
}

/** The function behind `--expose-gc`. The flag is taken back: V8 does not take compiled code that was kept with others. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return () => collect();
}
