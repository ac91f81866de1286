import type { ThrownTexts } from '../../lib/thrown.js';
import type { PlainData } from './data.js';

/** What the worker needs to run a program. */
export interface ProgramTask {
  /** Absolute path of the program. */
  readonly path: string;
  /** Where the program finds packages by name. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Absolute path of the package that compiles TypeScript. */
  readonly jiti: string;
  /** What the folder may still hold: the worker copies at most one document more. */
  readonly left: { readonly documents: number; readonly characters: number };
}

/** What the worker says in the end; `waiting`: nothing is left that the program could wait for, and it did not end. */
export type ProgramMessage =
  | { readonly kind: 'documents'; readonly documents: readonly PlainData[] }
  | ({ readonly kind: 'failed' } & ThrownTexts)
  | { readonly kind: 'waiting' };
