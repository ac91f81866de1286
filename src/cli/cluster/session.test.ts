import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWeft, withCluster } from '../../../test/kit/run-weft.js';

const NODES = '/api/v1/nodes';
const POLICY = '/api/v1/namespaces/nvidia-network-operator/configmaps/weft-companion-policy';
const [EAST, WEST] = ['5d1a7c0e-0000-4000-8000-00000000ea57', '5d1a7c0e-0000-4000-8000-000000003e57'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-session-'));
  const policy = {
    ...{ apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy' },
    drivers: [
      {
        ...{ kind: 'ofed', namespace: 'nvidia-network-operator' },
        ...{ containerName: 'mofed-container', daemonSetSelector: 'driver', podSelector: 'driver' },
        policies: [{ name: 'p', upgradePolicy: {}, daemonSets: [{ name: 'mofed', digest: 'd' }] }],
      },
    ],
  };
  const node = { metadata: { name: 'a', uid: 'a', resourceVersion: '1', labels: {}, annotations: {} } };
  const cluster = {
    '/api/v1/namespaces/kube-system': { metadata: { name: 'kube-system', uid: EAST } },
    [POLICY]: { data: { 'policy.json': JSON.stringify(policy) } },
    [NODES]: { metadata: { resourceVersion: '1' }, items: [node] },
  };
  writeFileSync(join(folder, 'live.json'), JSON.stringify(cluster));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The folder of a cluster with that `access`. */
function documentWith(access: string): string {
  mkdirSync(join(folder, 'east'), { recursive: true });
  const text = `apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: east}\nspec: {nodePools: [], access: ${access}}\n`;
  writeFileSync(join(folder, 'east/cluster.yaml'), text);
  return 'east';
}

async function weft(args: readonly string[], answer?: string) {
  const questions: string[] = [];
  const printed = await runWeft(args, {
    cwd: folder,
    env: withCluster(join(folder, 'live.json')),
    isStdinTerminal: answer !== undefined,
    isStderrTerminal: answer !== undefined,
    ask: (question) => {
      questions.push(question);
      return Promise.resolve(answer ?? '');
    },
  });
  return { ...printed, questions };
}

const isSkipped = () => readFileSync(join(folder, 'live.json'), 'utf8').includes('driver-upgrade.skip":"true"');
const SKIP = ['upgrade', 'skip', 'a'];

describe('a command that changes a cluster', () => {
  it.each([
    { name: 'y', answer: 'y', exit: 0, asks: 1 },
    { name: 'an empty line', answer: '', exit: 2, asks: 1 },
    { name: '--yes', answer: 'n', args: ['--yes'], exit: 0, asks: 0 },
    { name: 'no terminal', exit: 0, asks: 0 },
  ])('says which one, and with $name exits $exit', async ({ answer, args = [], exit, asks }) => {
    const done = await weft([...SKIP, ...args], answer);
    expect(done.stderr).toContain('this leaves nodes out of upgrades: context east, https://east.example.com:6443\n');
    expect(done.questions).toHaveLength(asks);
    expect(done.exit).toBe(exit);
    expect(done.stderr.includes('WEFT0394')).toBe(exit === 2);
    expect(isSkipped()).toBe(exit === 0);
  });

  it('does not ask where it changes nothing', async () => {
    const { questions, stderr } = await weft(['upgrade', 'run', '--dry-run'], 'n');
    expect(questions).toEqual([]);
    expect(stderr).not.toContain('context east');
  });
});

describe('the cluster of the documents', () => {
  it.each([
    { name: 'the context', access: '{context: east}', exit: 0 },
    {
      name: 'the UID by another context than the one that is named',
      access: `{context: x, clusterUID: ${EAST}}`,
      exit: 0,
    },
    { name: 'another UID', access: `{context: east, clusterUID: ${WEST}}`, exit: 2, says: `has the UID ${EAST}` },
    { name: 'another context', access: '{context: west}', exit: 2, says: '`east` is not `west`' },
    { name: 'a key that is not known', access: '{contxt: west}', exit: 2, says: 'cannot be read' },
  ])('is checked by $name', async ({ access, exit, says = '(Cluster east)' }) => {
    const { stderr, exit: found } = await weft([...SKIP, '--folder', documentWith(access), '--context', 'east']);
    expect(found).toBe(exit);
    expect(stderr).toContain(says);
    expect(stderr.includes('error[WEFT0393]')).toBe(exit === 2);
    expect(isSkipped()).toBe(exit === 0);
  });

  it('has its companion in the namespace that they name', async () => {
    const folderOf = documentWith('{}, namespace: other');
    expect((await weft([...SKIP, '--folder', folderOf])).stderr).toContain('Its namespace is taken to be `other`');
    expect((await weft([...SKIP, '--folder', folderOf, '-n', 'nvidia-network-operator'])).exit).toBe(0);
  });

  it('is reached by the context that they name', async () => {
    const { stderr, exit } = await weft([...SKIP, '--folder', documentWith('{context: west}')]);
    expect(exit).toBe(2);
    expect(stderr).toContain('context "west" does not exist');
  });
});
