/**
 * Replaces `@jest/globals` while mutants are tested: it records the tests of a file, which are then run many times in one
 * process. It has the functions that the tests of the companion use.
 */
export { expect } from 'expect';

type Body = (...args: never[]) => unknown;

export interface RegisteredTest {
  readonly file: string;
  /** With the names of its groups. */
  readonly name: string;
  readonly run: () => unknown;
}

export const registered: RegisteredTest[] = [];
let file = '';
let groups: readonly string[] = [];

/** Loads a test file, and records all tests that it defines. */
export async function register(path: string, load: () => Promise<unknown>): Promise<void> {
  file = path;
  await load();
}

function addGroup(name: string, body: Body): void {
  const outer = groups;
  groups = [...groups, name];
  body();
  groups = outer;
}

function addTest(name: string, body: Body): void {
  registered.push({ file, name: [...groups, name].join(' '), run: body });
}

type Add = (name: string, body: Body, timeoutMs?: number) => void;

/** `it` or `describe`, and the same for each row of a table. */
function withEach(add: Add) {
  const each =
    (rows: readonly unknown[]): Add =>
    (name, body) => {
      for (const row of rows) {
        const args: readonly unknown[] = Array.isArray(row) ? row : [row];
        add(titleOf(name, row), () => (body as (...args: unknown[]) => unknown)(...args));
      }
    };
  return Object.assign(add, { each });
}

/** The title of a row: `$key` is a field of the row, `%s` the row itself. */
function titleOf(name: string, row: unknown): string {
  const fields = typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : {};
  return name.replace(/\$(\w+)|%s/g, (whole, key?: string) => String(key === undefined ? row : (fields[key] ?? whole)));
}

export const describe = withEach(addGroup);
export const it = withEach(addTest);
