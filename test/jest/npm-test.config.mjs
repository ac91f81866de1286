import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import config from '../../jest.config.mjs';

const root = join(import.meta.dirname, '../..');
const { alone } = JSON.parse(readFileSync(join(import.meta.dirname, 'files.json'), 'utf8'));

/** `npm test`: groups of folders whose tests run as one file each, and files that run beside them. */
export default {
  ...config,
  rootDir: root,
  reporters: ['default', '<rootDir>/test/jest/summary.mjs'],
  testPathIgnorePatterns: ['/node_modules/'],
  testMatch: ['<rootDir>/test/together/*.test.ts', ...alone.map((name) => `<rootDir>/${name}.test.ts`)],
};
