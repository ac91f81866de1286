import type { ImpactClass } from '../../review/impact/impact.js';

/** Forms of the differences. */
export const diffFormats = ['text', 'markdown', 'json'] as const;
/** What a gate can ask for: classes, and changes of any class that the API server refuses. */
export const failOnChoices = ['drain', 'restart', 'remove', 'refused'] as const satisfies readonly (
  ImpactClass | 'refused'
)[];

export interface DiffOptions {
  readonly format: (typeof diffFormats)[number];
  /** Folders of clusters to render. Default: all of clusters/. */
  readonly folder?: readonly string[];
  /** Exit 1 only where one of these occurs. Default: where anything differs. */
  readonly failOn?: readonly (typeof failOnChoices)[number][];
  /** Where the output lies. Default: `dist` beside clusters/. */
  readonly outputDir?: string;
}
