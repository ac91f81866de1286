import { applyIgnores } from '../../src/compile/load/ignore-comments.js';
import { codes } from '../../src/shared/diagnostics/codes.js';
import { diagnosticFormats, renderDiagnostics } from '../../src/shared/diagnostics/render/render.js';
import { kustomization } from '../../src/compile/render/kustomization.js';
import { layout, type Placed } from '../../src/compile/render/layout.js';
import { compile, type Files } from '../golden/compile.js';
import type { Mutated } from './objects.js';
import type { Reader } from './reader.js';

/** No input of a few kilobytes takes nearly as long; an endless loop takes longer. */
const MILLISECONDS_MAX = 10_000;

const UNSAFE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

/**
 * Properties of every input: no stage throws; the run ends; each diagnostic is registered, has its place in one of the files,
 * and is printed without control characters; an input without errors can be laid out.
 *
 * @throws Error that says what does not hold
 */
export function checkInput(files: Files): 'accepted' | 'refused' {
  const begin = Date.now();
  const { config, placed, diagnostics } = compile(files);
  const left = applyIgnores([], diagnostics);
  for (const { code, severity, location, message } of left) {
    if (codes[code]?.severity !== severity) throw new Error(`${code} is not registered as ${severity}`);
    const lines = (location && files[location.file]?.split('\n').length) ?? 0;
    // The diagnostic about a folder without a Cluster has a place only if the folder has a document.
    if (location === undefined && code !== 'WEFT0103') throw new Error(`${code} has no place: ${message}`);
    if (location && !(location.line !== undefined && location.line >= 1 && location.line <= lines)) {
      throw new Error(`${code} is at line ${location.line} of ${lines} in ${location.file}`);
    }
  }
  for (const format of diagnosticFormats) {
    const text = renderDiagnostics(format, left, { colour: false });
    if (UNSAFE.test(text)) throw new Error(`${format} is not escaped`);
  }
  const isRefused = left.some(({ severity }) => severity === 'error');
  if (!isRefused && config === undefined) throw new Error('there is neither an error nor a configuration');
  kustomization(layout(placed as readonly Placed[]).map(({ path }) => path));
  if (Date.now() - begin > MILLISECONDS_MAX) throw new Error('it took too long');
  return isRefused ? 'refused' : 'accepted';
}

/**
 * Properties of each reader for any objects: it ends, accepts or refuses them without a stack trace, and prints no control characters.
 *
 * @throws Error that says what does not hold, and what was changed
 */
export async function checkReader(reader: Reader, { value, changes }: Mutated, number: number): Promise<void> {
  const begin = Date.now();
  const { exit, stdout, stderr } = await reader.read(value, number);
  const control = UNSAFE.exec(stdout + stderr);
  const problem =
    exit === 3
      ? stderr
      : control !== null
        ? `${JSON.stringify(control[0])} is printed`
        : Date.now() - begin > MILLISECONDS_MAX
          ? 'it took too long'
          : undefined;
  if (problem !== undefined) throw new Error(`weft ${reader.name}, where ${changes.join('; ')}: ${problem}`);
}
