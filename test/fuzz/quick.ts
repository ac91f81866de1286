import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { quickly } from '../../scripts/build.js';
import { compile, type CompiledFiles, type Files } from '../golden/compile.js';

/** What the quick bundle of the command makes of some files: the same as zod does, or nothing. */
export type QuickCheck = (files: Files) => 'left to zod' | 'the same';

/**
 * Builds the compiler with the schemas of src/quick, and compares it with the one of zod.
 *
 * @param root of the repository
 * @param folder for the bundle
 */
export async function quickCheck(root: string, folder: string): Promise<QuickCheck> {
  const outfile = join(folder, 'quick-compile.cjs');
  await build({
    entryPoints: [join(root, 'test/golden/compile.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    plugins: [quickly('unused.cjs')],
  });
  const quick = createRequire(outfile)(outfile) as { readonly compile: typeof compile };
  return (files) => {
    const found = unlessLeft(() => quick.compile(files));
    if (found === undefined) return 'left to zod';
    const expected = compile(files);
    const texts = [found, expected].map(plain);
    if (texts[0] !== texts[1]) throw new Error(difference(texts));
    return 'the same';
  };
}

function unlessLeft<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Error && error.message === 'only zod itself can tell') return undefined;
    throw error;
  }
}

/** As the outputs write it: the order of keys included. */
const plain = ({ placed, diagnostics }: CompiledFiles): string => JSON.stringify({ placed, diagnostics });

function difference([found = '', expected = '']: readonly string[]): string {
  let at = 0;
  while (found.charAt(at) === expected.charAt(at)) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 200), at + 100);
  return `with src/quick: …${around(found)}\nwith zod: …${around(expected)}`;
}
