/** Tests against a real control plane; `run.ts` starts them. One after the other: each file starts a control plane. */
export default {
  rootDir: '../..',
  testMatch: ['<rootDir>/test/cluster/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/lib/', '<rootDir>/test/cluster/.cache/'],
  transform: {
    '\\.(?:ts|mjs)$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1', '^weft-gitops$': '<rootDir>/src/index.ts' },
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  maxWorkers: 1,
  testTimeout: 600_000,
  // A test that fails can leave a timer behind, and jest would wait for it without end. The processes have ended by then.
  forceExit: true,
};
