import type { ProgramOptions } from '../programs.js';

/** Forms of the list. A tool has one only if a test feeds it to that tool. */
export const imageFormats = ['list', 'json', 'markdown', 'skopeo'] as const;

export interface ImagesOptions extends ProgramOptions {
  readonly format: (typeof imageFormats)[number];
  /** Only images that this revision of the output does not have. */
  readonly changed?: string;
  /** The output folder of `changed`. Default: `dist` next to clusters/. */
  readonly outputDir?: string;
}
