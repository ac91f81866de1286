import { availableParallelism } from 'node:os';

/** Sources are ESM; tests run them as CommonJS through swc, which needs no flags of Node's. */
export default {
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/cluster/'],
  modulePathIgnorePatterns: ['<rootDir>/lib/', '<rootDir>/test/cluster/'],
  // Source maps stand in files of their own: each test file compiles its modules anew, and a comment with the map is longer than the code.
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' }, sourceMaps: true },
    ],
  },
  moduleNameMapper: {
    '^weft-gitops$': '<rootDir>/src/index.ts',
    // Each test file loads its modules anew: of zod's 60 languages one, and cdk8s' copy of `yaml` not beside ours.
    '^\\.\\./locales/index\\.cjs$': '<rootDir>/node_modules/zod/v4/locales/en.cjs',
    '^yaml$': '<rootDir>/node_modules/yaml',
  },
  resolver: '<rootDir>/test/jest/resolver.cjs',
  // Tests import what they use of jest.
  injectGlobals: false,
  globalSetup: '<rootDir>/test/jest/seed.mjs',
  testSequencer: '<rootDir>/test/jest/longest-first.mjs',
  // Tests run in a context of V8's whose globals are slow to look up; these the modules get as arguments.
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
  // Many files wait for processes and timers: half as many workers again as cores keep all cores at work.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // A busy machine takes several times as long.
  testTimeout: 120_000,
  moduleFileExtensions: ['ts', 'js', 'json', 'node'],
};
