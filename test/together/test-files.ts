import { readFileSync } from 'node:fs';

/** How `npm test` runs the files of tests; names are without `.test.ts`. */
interface TestFiles {
  /** Folders by group. The tests of a group run as one file, so that modules are loaded once for all of them. */
  readonly together: Readonly<Record<string, readonly string[]>>;
  /** Files that run beside the groups, because their snapshots are found by the name of the file. */
  readonly alone: readonly string[];
  /** Files that only `npm run check` runs. */
  readonly inCheck: readonly string[];
  /** Files that only `.ci/run` runs, with all cases. */
  readonly onlyInCi: readonly string[];
  /** Files of which `npm test` runs a share (`test/kit/shares.ts`), and `.ci/run` all cases. */
  readonly shares: readonly string[];
}

export const testFiles = () => JSON.parse(readFileSync('test/jest/files.json', 'utf8')) as TestFiles;
