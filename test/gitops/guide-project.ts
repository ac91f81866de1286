import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runWeft } from '../kit/run-weft.js';

/** The guides whose files are rendered and applied. */
export const GUIDES = ['argocd', 'flux', 'helm'] as const;
export type Guide = (typeof GUIDES)[number];

const readGuide = (guide: Guide) => readFileSync(resolve('docs/guide', `${guide}.md`), 'utf8');

/** The files that a guide tells the user to write: a path, and below it a block. */
function guideFiles(guide: Guide): readonly (readonly [string, string])[] {
  const found = [...readGuide(guide).matchAll(/^`(clusters\/[\w./-]+)`:\n\n```yaml\n([^]*?)^```$/gm)];
  return found.map(([, path = '', text = '']) => [path, text]);
}

/** The paths of rendered files that a guide names. */
export function guidePaths(guide: Guide): readonly string[] {
  return [...readGuide(guide).matchAll(/^dist\/\S+$/gm)].map(([path]) => path);
}

/** Writes the files of a guide into a folder, and the output of `weft synth` for them. */
export async function writeGuide(guide: Guide, folder: string): Promise<void> {
  const files = guideFiles(guide);
  if (files.length < 2) throw new Error(`docs/guide/${guide}.md has no files`);
  for (const [path, text] of files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { stderr, exit } = await runWeft(['synth'], {
    readCompanionProgram: () => 'const text = `${one} {{ two }}`;\n',
    cwd: folder,
  });
  if (exit !== 0) throw new Error(stderr);
}
