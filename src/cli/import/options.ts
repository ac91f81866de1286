import type { ProgramOptions } from '../programs.js';
import type { DiagnosticFormat } from '../../shared/diagnostics/render/render.js';

/** The options of `weft import`. */
export interface ImportOptions extends ProgramOptions {
  /** Files and folders to read; `-` is standard input. Default: the live cluster. */
  readonly from?: readonly string[];
  /** Read the live cluster beside the files. */
  readonly live?: boolean;
  readonly context?: string;
  readonly kubectl?: string;
  /** Read the values of the chart from the Secret of its Helm release. */
  readonly helm?: boolean;
  /** That of the operator. */
  readonly namespace?: string;
  /** Name of the Cluster document. Default: that of the folder. */
  readonly name?: string;
  readonly dryRun?: boolean;
  readonly format: DiagnosticFormat;
}
