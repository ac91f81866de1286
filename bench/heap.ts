import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of live objects on the heap. */
export function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
