import { fileURLToPath } from 'node:url';
import base from '../../jest.config.mjs';

const transformer = fileURLToPath(new URL('transformer.mjs', import.meta.url));

/** Tests of one part of the companion, with a mutant of one of its files: see `scripts/mutate.ts`. */
export default {
  ...base,
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  transform: Object.fromEntries(
    Object.entries(base.transform).map(([pattern, [, options]]) => [pattern, [transformer, options]]),
  ),
};
