import { impactClasses } from '../../review/impact/impact.js';

/** Forms of the differences. */
export const diffFormats = ['text', 'markdown', 'json'] as const;
/** Values of `--fail-on`: classes, and changes of any class that the API server refuses. */
export const failOnChoices = [...impactClasses, 'refused'] as const;

export interface DiffOptions {
  readonly format: (typeof diffFormats)[number];
  /** Folders of clusters to render. Default: all of clusters/. */
  readonly folder?: readonly string[];
  /** Exit 1 only if one of these occurs. Default: if anything differs. */
  readonly failOn?: readonly (typeof failOnChoices)[number][];
  /** File with the nodes of the one cluster that is compared, as `kubectl get nodes -o json` prints them. */
  readonly nodes?: string;
  /** Read nodes and addresses in use from the live cluster. */
  readonly live?: boolean;
  /** Context of the kubeconfig. Default: the current one. */
  readonly context?: string;
  readonly kubectl?: string;
  /** Treat every warning as an error. */
  readonly denyWarnings?: boolean;
  /** The output folder. Default: `dist` next to clusters/. */
  readonly outputDir?: string;
}
