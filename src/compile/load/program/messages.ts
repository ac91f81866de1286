import type { ThrownTexts } from '../../../shared/lib/thrown.js';
import type { PlainData } from './data.js';

/** What the worker needs to run a program. */
export interface ProgramTask {
  /** Absolute path of the program. */
  readonly path: string;
  /** Absolute path of the package that compiles TypeScript. */
  readonly jiti: string;
  /** The rest of the folder's budget: the worker copies at most one document more. */
  readonly left: { readonly documents: number; readonly characters: number };
}

/** The last message of the worker; `waiting`: the event loop is empty, but the program has not finished. */
export type ProgramMessage =
  | { readonly kind: 'documents'; readonly documents: readonly PlainData[] }
  | ({ readonly kind: 'failed' } & ThrownTexts)
  | { readonly kind: 'waiting' };
