import type { ProgramOptions } from '../programs.js';

/** Programs that tell the digest of a tag, in the order in which they are looked for. */
export const digestTools = ['crane', 'skopeo', 'regctl', 'docker'] as const;
export type DigestTool = (typeof digestTools)[number];

export interface LockOptions extends ProgramOptions {
  /** The tool that is asked for digests. Default: the first that is installed. */
  readonly with?: DigestTool;
  /** A file with lines of `image digest`, in the place of a tool. */
  readonly from?: string;
  /** Resolve images that are pinned, too. Default: they keep their pins. */
  readonly update?: boolean;
  /** Write nothing, and say what differs. */
  readonly check?: boolean;
}
