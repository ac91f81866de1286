import { fileURLToPath } from 'node:url';
import base from '../../jest.config.mjs';

/** The tests of the transition table, with a mutant in its place: see `scripts/mutate.ts`. */
export default {
  ...base,
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  roots: ['<rootDir>/src/upgrade', '<rootDir>/test'],
  testMatch: ['<rootDir>/src/upgrade/decide*.test.ts', '<rootDir>/test/scenarios.test.ts'],
  setupFiles: ['<rootDir>/test/mutate/put-mutant.ts'],
};
