import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { kustomization } from '../src/compile/render/kustomization.js';
import { layout, type Placed } from '../src/compile/render/layout.js';
import { compile, problemLines, type Files } from './golden/compile.js';
import { expectGolden, isUpdate } from './golden/golden-file.js';

/** A case is a folder: `input/` as in `clusters/<name>`, and `tree/`, which is what `weft synth` writes for it. */
const CASES = join(__dirname, 'golden');

function read(folder: string, prefix = ''): Files {
  if (!existsSync(folder)) return {};
  return Object.assign(
    {},
    ...readdirSync(folder)
      .sort()
      .map((name) => {
        const path = join(folder, name);
        return statSync(path).isDirectory()
          ? read(path, `${prefix}${name}/`)
          : { [`${prefix}${name}`]: readFileSync(path, 'utf8') };
      }),
  ) as Files;
}

describe('the tree of', () => {
  const names = readdirSync(CASES).filter((name) => statSync(join(CASES, name)).isDirectory());
  it.each(names)('%s', (name) => {
    const { placed, diagnostics } = compile(read(join(CASES, name, 'input')));
    expect(problemLines(diagnostics.filter(({ severity }) => severity === 'error'))).toEqual([]);
    const manifests = layout(placed as readonly Placed[]);
    const files = [...manifests, kustomization(manifests.map(({ path }) => path))];
    const tree = join(CASES, name, 'tree');
    if (isUpdate) {
      rmSync(tree, { recursive: true, force: true });
      for (const { path, text } of files) expectGolden(join(tree, path), text);
    } else {
      expect(Object.fromEntries(files.map(({ path, text }) => [path, text]))).toEqual(read(tree));
    }
  });
});
