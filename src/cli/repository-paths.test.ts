import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Diagnostic } from '../shared/diagnostics/diagnostic.js';
import type { Io } from './io.js';
import { report } from './report.js';
import { fromRepository } from './repository-paths.js';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-paths-')));
  mkdirSync(join(root, 'mono/infra/net'), { recursive: true });
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const found: Diagnostic = {
  code: 'WEFT0102',
  severity: 'error',
  message: 'two',
  location: { file: 'clusters/e/a.yaml', line: 1 },
  related: { message: 'the other', location: { file: '../b.yaml', line: 2 } },
};

/** The paths in what `--format` prints from `mono/infra/net`. */
function paths(format: 'github' | 'sarif' | 'json', env: Io['env']): readonly string[] {
  let text = '';
  const io: Io = {
    stdout: () => undefined,
    stderr: (more) => (text += more),
    readStdin: () => Promise.resolve(''),
    cwd: join(root, 'mono/infra/net'),
    env,
    readCompanionProgram: () => 'the program of the companion\n',
    isStdinTerminal: false,
    isStderrTerminal: false,
  };
  report([found], format, io);
  return [...text.matchAll(/[\w./]+\.yaml/g)].map(([path]) => path);
}

describe('paths for GitHub', () => {
  const HERE = ['clusters/e/a.yaml', '../b.yaml'];
  const FROM_TOP = ['infra/net/clusters/e/a.yaml', 'infra/b.yaml'];
  const cases: { name: string; git: boolean; workspace?: string; expected: readonly string[] }[] = [
    { name: 'outside of a repository', git: false, expected: HERE },
    { name: 'in a folder of a repository', git: true, expected: FROM_TOP },
    {
      name: 'in the workspace',
      git: true,
      workspace: '',
      expected: FROM_TOP.map((path) => `mono/${path}`),
    },
    { name: 'in a workspace that holds one of them', git: false, workspace: 'mono/infra/net', expected: HERE },
    { name: 'with another workspace', git: true, workspace: 'elsewhere', expected: FROM_TOP },
  ];
  it.each(cases)('$name', ({ git, workspace, expected }) => {
    if (git) mkdirSync(join(root, 'mono/.git'));
    const env = workspace === undefined ? {} : { GITHUB_WORKSPACE: join(root, workspace) };
    expect(paths('github', env)).toEqual(expected);
    expect(paths('sarif', env)).toEqual(expected);
    expect(paths('json', env)).toEqual(HERE);
  });
});

it('has the places by which a base is inherited from the top, too', () => {
  mkdirSync(join(root, 'mono/.git'));
  const inheritedBy = [{ file: 'clusters/e/a.yaml', through: [{ file: 'base/b.yaml' }] }];
  const [placed] = fromRepository([{ ...found, location: { file: 'base/a.yaml', inheritedBy } }], {
    cwd: join(root, 'mono/infra/net'),
    env: {},
  } as unknown as Io);
  expect(placed?.location).toEqual({
    file: 'infra/net/base/a.yaml',
    inheritedBy: [{ file: 'infra/net/clusters/e/a.yaml', through: [{ file: 'infra/net/base/b.yaml' }] }],
  });
});
