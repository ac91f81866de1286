import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { compileFolder } from '../src/cli/compile/compile.js';
import { fleetRunFor } from '../src/cli/compile/fleet-run.js';
import { filesBelow } from './kit/files.js';
import type { Io } from '../src/cli/io.js';

/** The example of the guide about many clusters. */
const EXAMPLE = join(__dirname, '../examples/many-clusters');
const clusters = readdirSync(join(EXAMPLE, 'clusters'));
const io = { cwd: EXAMPLE, env: {}, stderr: () => undefined, readCompanionProgram: () => '' } as Partial<Io> as Io;

async function compileAll() {
  const fleet = fleetRunFor(clusters);
  const compiled = new Map<string, Awaited<ReturnType<typeof compileFolder>>>();
  for (const name of clusters) {
    compiled.set(name, await compileFolder(join('clusters', name), io, { programs: true, fleet }));
  }
  return compiled;
}

it('compiles, in YAML and as a program, with what each cluster inherits', async () => {
  const compiled = await compileAll();
  expect([...compiled.values()].flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  const masters = (name: string) =>
    compiled
      .get(name)
      ?.result?.config.networks.map(({ spec }) => [(spec as { master: string }).master, (spec as { mtu: number }).mtu]);
  expect(masters('bergen')).toEqual([['ens1f0np0', 9000]]);
  expect(masters('lyon')).toEqual([['ens1f0np0', 1500]]);
  expect(compiled.get('bergen')?.result?.config.cluster.spec.upgrade.pools).toMatchObject([
    { name: 'training', nodeSelector: { pool: 'h100' }, maxUnavailable: 2 },
  ]);
  const drivers = (name: string) => compiled.get(name)?.result?.config.instances.has('ofed-driver');
  expect(clusters.map((name) => [name, drivers(name)])).toEqual([
    ['bergen', true],
    ['lyon', false],
    ['oslo', true],
  ]);
});

it('is what the guide shows', () => {
  const guide = readFileSync('docs/guide/many-clusters.md', 'utf8');
  const shown = [...guide.matchAll(/^```(?:ts|yaml) fragment\n(?:(?:\/\/|#) \S+\n)?([^]*?)^```$/gm)];
  const files = filesBelow(EXAMPLE).map((path) => readFileSync(path, 'utf8'));
  expect(shown.length).toBeGreaterThan(3);
  expect(shown.map(([, text = '']) => text).filter((text) => !files.includes(text))).toEqual([]);
});
