import type { ClusterOptions } from '../connect.js';

export const reportFormats = ['text', 'markdown', 'json', 'html'] as const;

export interface ReportOptions extends ClusterOptions {
  readonly format: (typeof reportFormats)[number];
  /** File with the companion's log; `-`: standard input. Default: Events, annotations and the status of the live cluster. */
  readonly log?: string;
  /** File that `weft plan --format json` wrote. */
  readonly plan?: string;
}
