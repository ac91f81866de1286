import type { ImpactClass } from '../review/impact.js';

/** Forms of the differences. */
export const diffFormats = ['text', 'markdown', 'json'] as const;
/** Classes that a gate can ask for. */
export const failOnClasses = ['drain', 'restart', 'remove'] as const satisfies readonly ImpactClass[];

export interface DiffOptions {
  readonly format: (typeof diffFormats)[number];
  /** Folders of clusters to render. Default: all of clusters/. */
  readonly folder?: readonly string[];
  /** Exit 1 only where one of these classes occurs. Default: where anything differs. */
  readonly failOn?: readonly (typeof failOnClasses)[number][];
  /** Where the output lies. Default: `dist` beside clusters/. */
  readonly outputDir?: string;
}
