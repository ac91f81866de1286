import { availableParallelism } from 'node:os';
import { pageAssets } from './scripts/page-assets.mjs';

/** Sources are ESM; tests run them as CommonJS through swc, which needs no flags of Node's. */
export default {
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/test/**/*.test.ts'],
  // `npm test` has a configuration of its own: `test/jest/npm-test.config.mjs`.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/cluster/', '<rootDir>/test/together/'],
  modulePathIgnorePatterns: ['<rootDir>/lib/', '<rootDir>/test/cluster/'],
  // Source maps are separate files: each test file compiles its modules again, and an inline map is longer than the code.
  transform: {
    '\\.(?:ts|mjs)$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' }, sourceMaps: true },
    ],
  },
  moduleNameMapper: {
    '^weft-gitops$': '<rootDir>/src/index.ts',
    // Each test file loads its modules again, so it loads one of zod's 60 languages, and one copy of `yaml` also for cdk8s.
    '^\\.\\./locales/index\\.cjs$': '<rootDir>/node_modules/zod/v4/locales/en.cjs',
    '^yaml$': '<rootDir>/node_modules/yaml',
  },
  resolver: '<rootDir>/test/jest/resolver.cjs',
  globals: { WEFT_PAGE_ASSETS: await pageAssets() },
  // Tests import jest's functions.
  injectGlobals: false,
  globalSetup: '<rootDir>/test/jest/seed.mjs',
  testSequencer: '<rootDir>/test/jest/longest-first.mjs',
  // Tests run in a V8 context whose globals are slow to look up; modules get these globals as arguments.
  sandboxInjectedGlobals: [
    'Array',
    'Date',
    'Error',
    'Infinity',
    'JSON',
    'Map',
    'Math',
    'Number',
    'Object',
    'Set',
    'String',
    'Symbol',
  ],
  // Many files wait for processes and timers: 1.5 workers per core keep all cores busy.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // A busy machine takes several times as long.
  // With all cases a test takes a minute or two on an idle machine, and a busy one must not fail it.
  testTimeout: process.env['WEFT_ALL_CASES'] === undefined ? 120_000 : 600_000,
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
};
