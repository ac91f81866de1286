import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runWeft } from '../../../test/kit/run-weft.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weft-resolved-'));
  put({
    'base/base.yaml':
      'apiVersion: weft.dev/v1alpha1\nkind: ClusterBase\nspec:\n  release: v26.4\n  upgrade:\n    pools:\n      - {name: a, maxUnavailable: 1}\n',
    'clusters/east/cluster.yaml':
      'apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: east}\nspec:\n  extends: [../../base]\n  upgrade:\n    pools:\n      - name: a\n        nodeSelector: {x: z}\n',
    'clusters/west/cluster.yaml':
      'apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: west}\nspec: {release: v26.7}\n',
  });
});
afterEach(() => rmSync(root, { recursive: true }));

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

const explain = (...args: readonly string[]) => runWeft(['explain', ...args], { cwd: root });

it('prints the merged documents, each line with the place that it comes from', async () => {
  const { exit, stdout, stderr } = await explain('--resolved', '--folder', 'clusters/east');
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(stdout).toBe(`# clusters/east
apiVersion: weft.dev/v1alpha1  # clusters/east/cluster.yaml:1
kind: Cluster                  # clusters/east/cluster.yaml:2
metadata:                      # clusters/east/cluster.yaml:3
  name: east                   # clusters/east/cluster.yaml:3
spec:                          # clusters/east/cluster.yaml:4
  release: v26.4               # base/base.yaml:4
  upgrade:                     # clusters/east/cluster.yaml:6
    pools:                     # clusters/east/cluster.yaml:7
      - name: a                # clusters/east/cluster.yaml:8
        maxUnavailable: 1      # base/base.yaml:7
        nodeSelector:          # clusters/east/cluster.yaml:9
          x: z                 # clusters/east/cluster.yaml:9
`);
});

it.each(['release', 'spec.release', 'cluster.spec.release', 'Cluster.release'])(
  'prints %s of all clusters',
  async (field) => {
    const { exit, stdout } = await explain('--resolved', field);
    expect(exit).toBe(0);
    expect(stdout).toBe(
      '# clusters/east\nspec.release: v26.4  # base/base.yaml:4\n# clusters/west\nspec.release: v26.7  # clusters/west/cluster.yaml:4\n',
    );
  },
);

it('prints a value in a list', async () => {
  const { stdout } = await explain('--resolved', 'upgrade.pools[0].maxUnavailable');
  expect(stdout).toBe('# clusters/east\nspec.upgrade.pools.0.maxUnavailable: 1  # base/base.yaml:7\n');
});

it('prints no line of a document with a Secret', async () => {
  put({
    'clusters/west/secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {token: s3cret}\n',
  });
  const { stdout } = await explain('--resolved', '--folder', 'clusters/west');
  expect(stdout).toContain('---\n# a document with a Secret, which is not shown\n');
  expect(stdout).not.toContain('s3cret');
});

it('prints what can be read, and what cannot be read as an error', async () => {
  put({ 'clusters/west/broken.yaml': 'a: [\n' });
  const { exit, stdout, stderr } = await explain('--resolved', 'release');
  expect(exit).toBe(2);
  expect(stdout).toContain('spec.release: v26.7');
  expect(stderr).toContain('clusters/west/broken.yaml:1:5');
});

it.each([
  [['--resolved', 'releese'], 'error: no document has a value at `releese`'],
  [['--resolved', '--pools'], '`--resolved` and `--pools` print different things'],
  [['--folder', 'clusters/east'], '`--folder` is for `--resolved`'],
  [['--resolved', '--folder', 'nowhere'], 'the folder cannot be read'],
])('%j is refused', async (args, message) => {
  const { exit, stdout, stderr } = await explain(...args);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr).toContain(message);
});
