import type { FailOn } from '../../review/impact/impact.js';
import type { ProgramOptions } from '../programs.js';

/** Forms of the differences. */
export const diffFormats = ['text', 'markdown', 'json', 'github', 'sarif'] as const;

export interface DiffOptions extends ProgramOptions {
  readonly format: (typeof diffFormats)[number];
  /** Folders of clusters to render. Default: all of clusters/. */
  readonly folder?: readonly string[];
  /** Exit 1 only if one of these occurs. Default: if anything differs. The results of `github` and `sarif` are these, too. */
  readonly failOn?: readonly FailOn[];
  /** File with the nodes of the one cluster that is compared, as `kubectl get nodes -o json` prints them; `live`: that cluster. */
  readonly nodes?: string;
  /** The old side is the live cluster. */
  readonly live?: boolean;
  /** Simulate the upgrade that the change starts, and add its short form. Only for people. */
  readonly plan?: boolean;
  /** With `plan`: file with the objects of the one cluster, or folder with a file `<cluster>.json` for each. Default: the live cluster. */
  readonly snapshot?: string;
  /** Name all objects in text. */
  readonly all?: boolean;
  /** Context of the kubeconfig. Default: the current one. */
  readonly context?: string;
  readonly kubectl?: string;
  /** Treat every warning as an error. */
  readonly denyWarnings?: boolean;
  /** The output folder. Default: `dist` next to clusters/. */
  readonly outputDir?: string;
}
