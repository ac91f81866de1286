import type { DurationName } from '../../forecast/plan/types.js';
import type { ClusterChoice } from '../cluster/session.js';

export const planFormats = ['text', 'markdown', 'json', 'html'] as const;

/** What makes `weft plan` exit 1. */
export type PlanFailure =
  { readonly kind: 'stuck' } | { readonly kind: 'window' } | { readonly kind: 'duration'; readonly seconds: number };

/** A value of one field of the documents: `upgrade.canary.nodes=2`. */
export interface Setting {
  /** Kind of the document. */
  readonly kind: string;
  /** Below `spec`. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** As the user wrote it. */
  readonly text: string;
}

export interface PlanCommandOptions extends ClusterChoice {
  readonly format: (typeof planFormats)[number];
  /** A git revision whose output is planned. Default: what the input renders now. */
  readonly from?: string;
  /** File with the objects of the cluster. Default: the live cluster. */
  readonly snapshot?: string;
  /** File that gets the objects. */
  readonly save?: string;
  /** When the change is applied; `best`: when that costs least. Default: now. */
  readonly at?: Date | 'best';
  readonly duration?: Readonly<Partial<Record<DurationName, { readonly from: number; readonly to: number }>>>;
  readonly set?: readonly Setting[];
  readonly failOn?: readonly PlanFailure[];
  readonly runs: number;
  readonly seed: number;
  /** The output folder, with `from`. Default: `dist` next to clusters/. */
  readonly outputDir?: string;
}
