import { expect, it } from '@jest/globals';
import { customKinds } from '../compile/config/kinds/extra-object.js';
import { documentKinds } from '../compile/config/kinds/kinds.js';
import { schema } from './schema.js';

function run(kind: string | undefined) {
  const printed = { stdout: '', stderr: '' };
  const exit = schema(kind, {
    stdout: (text) => void (printed.stdout += text),
    stderr: (text) => void (printed.stderr += text),
    readStdin: () => Promise.resolve(''),
    cwd: '/',
    env: {},
    isStdinTerminal: true,
    isStderrTerminal: false,
    isStdoutTerminal: false,
    readCompanionProgram: () => '',
  });
  return { exit, ...printed };
}

const kinds = [...documentKinds, ...customKinds()];

it.each([...new Set(kinds.map(({ kind }) => kind))])('there is a schema of %s, in each of its versions', (kind) => {
  const { exit, stdout } = run(kind.toLowerCase());
  expect(exit).toBe(0);
  for (const one of kinds.filter((candidate) => candidate.kind === kind)) {
    expect(stdout).toContain(`"const": "${one.apiVersion}"`);
  }
});
