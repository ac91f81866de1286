import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { compareText } from '../../shared/lib/json.js';
import { counted, listed } from '../../shared/lib/listed.js';
import type { Causes } from './causes.js';

/** What a diff says beside the differences. */
export interface DiffContext {
  /** What changed in bases. Default: nothing is said about it. */
  readonly causes?: Causes | undefined;
  /** Default: none. */
  readonly failed?: readonly FailedCluster[] | undefined;
  /** Default: none. */
  readonly left?: readonly LeftCluster[] | undefined;
}

/** A cluster with errors: it is not compared, so whether it differs is not known. */
export interface FailedCluster {
  readonly name: string;
  /** The codes of its errors. Sorted. */
  readonly codes: readonly string[];
  /** The place of its first error. */
  readonly location?: Diagnostic['location'];
}

/** A cluster that another version of Weft renders: its output as it lies on the disk was compared. */
export interface LeftCluster {
  readonly name: string;
  /** The minor version that its document names. */
  readonly weft: string;
}

/** Clusters of a line. */
const SHOWN_CLUSTERS = 5;

/** A line for the clusters with the same codes: `22 clusters with errors, not compared: WEFT0268: lyon, oslo`. */
export function failedLines(
  failed: readonly FailedCluster[],
  quote: { readonly name: (text: string) => string },
): readonly string[] {
  return [...groupBy(failed, ({ codes }) => codes.join(', '))]
    .sort(([a], [b]) => compareText(a, b))
    .map(([codes, clusters]) => {
      const names = clusters.map(({ name }) => quote.name(name));
      const count = counted(names.length, 'cluster');
      return `${count} with errors, not compared: ${codes}: ${listed(names, SHOWN_CLUSTERS)}`;
    });
}
