import { packageFile } from './package-file.js';

/** The page about a code, as Markdown; undefined where there is none. */
export const errorPage = (code: string): string | undefined => packageFile(`docs/errors/${code}.md`);
