import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import swc from '@swc/jest';

/** The transformer of the tests, with another text for the one file that `WEFT_MUTANT_PATH` names. */
const path = process.env['WEFT_MUTANT_PATH'];
const text = path === undefined ? '' : readFileSync(process.env['WEFT_MUTANT_TEXT'] ?? '', 'utf8');

function createTransformer(options) {
  const base = swc.default?.createTransformer?.(options) ?? swc.createTransformer(options);
  const mutated = (source, file) => (path !== undefined && file.endsWith(join('/', path)) ? text : source);
  return {
    ...base,
    process: (source, file, rest) => base.process(mutated(source, file), file, rest),
    getCacheKey: (source, file, ...rest) => base.getCacheKey(mutated(source, file), file, ...rest),
  };
}

export default { createTransformer };
