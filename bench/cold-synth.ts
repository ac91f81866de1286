import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeFleet } from './fleet-input.js';
import { writeHelmChart } from './helm-chart.js';
import { buildModule, findGo } from '../test/cluster/bed/binaries.js';
import {
  emptyNode,
  compareWithGoal,
  isInstalled,
  measure,
  measureInRounds,
  NODE,
  table,
  type Contender,
} from './measure.js';

/**
 * Compares a cold run for one cluster of 103 objects with other programs, as whole processes, one after the other in each round. This
 * is no test: figures depend on the machine, ratios less so. `npm run bench:cold -- [rounds]`
 */
const ROUNDS = Number(process.argv[2] ?? 9);
const HELM = 'helm template, the same objects';
const KUSTOMIZE = 'kustomize, the same objects';
/** Multiples of programs in Go that read the same objects and print them. */
const GOALS = [
  [HELM, { multiple: 3, mebibytes: 100 }],
  [KUSTOMIZE, { multiple: 2, mebibytes: 100 }],
] as const;
const WITH_COMPANION = 'weft synth -o json, the same with the companion';
const COLD = 'weft synth -o json, about 100 objects';

const root = mkdtempSync(join(tmpdir(), 'weft-cold-'));
writeFleet(root, 1);
const withCompanion = mkdtempSync(join(tmpdir(), 'weft-cold-companion-'));
writeFleet(withCompanion, 1, { hasCompanion: true });
const weft = [NODE, resolve('bin/weft.cjs')] as const;
const quickstart = resolve('clusters/quickstart');
const app = `${NODE} --import ${resolve('node_modules/tsx/dist/esm/index.mjs')} ${resolve('src/main.ts')}`;
const cdk8s = [NODE, resolve('node_modules/.bin/cdk8s'), 'synth', '--no-check-upgrade', '--app', app] as const;
const named = (name: string, ...command: [string, ...string[]]): Contender => ({ name, command, cwd: root });

const contenders = [
  emptyNode(root),
  named('weft --version', ...weft, '--version'),
  named('weft synth -o json, 26 objects', ...weft, 'synth', quickstart, '-o', 'json'),
  named(COLD, ...weft, 'synth', 'clusters/c0', '-o', 'json'),
  { ...named(WITH_COMPANION, ...weft, 'synth', 'clusters/c0', '-o', 'json'), cwd: withCompanion },
  named('weft synth, 103 objects as files, nothing changed', ...weft, 'synth'),
  named('weft synth --check, 103 objects', ...weft, 'synth', '--check'),
  named('cdk8s synth, the same constructs', ...cdk8s, '--output', join(root, '.cdk8s')),
  named(KUSTOMIZE, await programOf('kustomize'), 'build', 'dist/c0'),
  named('kubectl kustomize, the same objects', 'kubectl', 'kustomize', 'dist/c0'),
  named(HELM, await programOf('helm'), 'template', 'c0', '.helm'),
];

// Writes V8's compiled code, and the output folder that other programs read.
measure(named('warm up', ...weft, 'synth'));
measure(named('warm up', ...weft, 'synth', 'clusters/c0', '-o', 'json'));
writeHelmChart(join(root, '.helm'), join(root, 'dist/c0'));
const present = contenders.filter(({ command: [program] }) => isInstalled(program));
const figures = measureInRounds(present, ROUNDS);
process.stdout.write(table(figures));
for (const [name, goal] of GOALS) {
  const other = figures.get(name);
  if (other)
    process.stdout.write(`${COLD}: ${compareWithGoal(figures.get(COLD) ?? [], { name, figures: other }, goal)}`);
}
for (const { name } of contenders.filter((one) => !present.includes(one)))
  process.stdout.write(`NOT INSTALLED, SO NOT COMPARED: ${name}\n`);
for (const folder of [root, withCompanion]) rmSync(folder, { recursive: true });

/** A program that the tests against a control plane build, where Go is; else the one in the path. */
async function programOf(name: 'helm' | 'kustomize'): Promise<string> {
  const go = findGo();
  return go === undefined ? name : join(await buildModule(go, resolve('test/cluster'), name), name);
}
