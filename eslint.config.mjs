import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'node_modules',
      'lib/**',
      'dist/**',
      '.site/**',
      'imports/**',
      'coverage/**',
      'docs/**',
      '**/*.mjs',
      'bin/**',
      'test/jest/resolver.cjs',
      'test/cluster/.cache',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // A method that does not read `this` can be taken from its object.
      '@typescript-eslint/no-invalid-void-type': ['error', { allowAsThisParameter: true }],
      // A construct registers itself with its parent: `new` for its effect is how cdk8s works.
      '@typescript-eslint/no-new': 'off',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // Patterns meet text of clusters and of strangers: none may need more than linear time.
    files: ['src/**/*.ts'],
    ignores: ['**/*.test.ts', '**/*.table.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      // A field has a line of its own: an object is not spread to save lines. Fixtures of tests may.
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ObjectExpression > SpreadElement > ObjectExpression[properties.length>0]',
          message: 'Write the fields out.',
        },
      ],
    },
  },
  {
    // Random input of a test has the seed of the run.
    files: ['**/*.test.ts', '**/*.table.ts'],
    rules: {
      'no-restricted-imports': ['error', { name: 'fast-check', message: 'Import fc from test/kit/fast-check.' }],
    },
  },
);
