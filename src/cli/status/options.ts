import type { ProgramOptions } from '../programs.js';

export interface StatusOptions extends ProgramOptions {
  readonly context?: string;
  readonly kubectl?: string;
  /** Of the components, where no documents say it. */
  readonly namespace?: string;
  readonly output?: 'json' | 'yaml';
  readonly watch?: boolean;
}
