/** Hosts of repositories whose CI Weft has examples for; `none` is the answer that writes none. */
export const ciChoices = ['github', 'gitlab', 'none'] as const;
export type CiChoice = (typeof ciChoices)[number];

export const archChoices = ['amd64', 'arm64'] as const;

/** An operating system of nodes: `ubuntu:24.04`. */
export interface OperatingSystem {
  readonly name: string;
  readonly version: string;
}

/** The options of `weft init`; those that are absent are asked for on a terminal. */
export interface InitOptions {
  /** Name of the first cluster, and of its folder. */
  readonly cluster?: string;
  /** Read the first cluster through kubectl. */
  readonly fromCluster?: boolean;
  readonly context?: string;
  readonly kubectl?: string;
  readonly os?: OperatingSystem;
  readonly kernel?: string;
  readonly arch?: (typeof archChoices)[number];
  /** A base for several clusters, and a second cluster. */
  readonly fleet?: boolean;
  readonly ci?: CiChoice;
  /** What npm installs: a version, the path of a package or a URL of git. */
  readonly weft?: string;
  /** Ask nothing. */
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** `ubuntu:24.04`, or `ubuntu 24.04` as people type it; undefined for another text. */
export function operatingSystemOf(text: string): OperatingSystem | undefined {
  const [, name, version] = /^([a-z]+)[ :]([\d.]+)$/.exec(text.trim()) ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}
