/**
 * The processor time of programs with 10, 100 and 400 constructs. A construct takes as long in a large program as in a small
 * one; a node policy also reads the node pools of the cluster, of which there are as many as policies here.
 */
import { App, Chart } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-28';
import { Cluster, MacvlanNetwork, NicNodePolicy } from '../src/index.js';
import { median } from './measure.js';

const POOL = { osName: 'ubuntu', osVersion: '24.04', arch: 'amd64', kernel: '6.8.0-31-generic' } as const;

interface Program {
  readonly hasPoolEach?: boolean;
  readonly make: (chart: Chart, cluster: Cluster, id: string) => unknown;
}

const programs: Readonly<Record<string, Program>> = {
  networks: { make: (chart, cluster, id) => new MacvlanNetwork(chart, id, { cluster, master: 'ens1f0' }) },
  'networks with workloads': {
    make(chart, cluster, id) {
      const workload = new Deployment(chart, `job-${id}`, { containers: [{ image: 'trainer' }] });
      new MacvlanNetwork(chart, id, { cluster, master: 'ens1f0' }).attachTo(workload);
    },
  },
  'node policies': {
    hasPoolEach: true,
    make: (chart, cluster, id) =>
      new NicNodePolicy(chart, id, { cluster, spec: { nodeSelector: { pool: id }, ofedDriver: {} } }),
  },
};

function processorMilliseconds(action: () => unknown): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function run({ make, hasPoolEach = false }: Program, count: number) {
  const ids = Array.from({ length: count }, (_, index) => `p${index}`);
  const chart = new Chart(new App(), 'chart');
  const nodePools = ids.slice(0, hasPoolEach ? count : 1).map((name) => ({ ...POOL, name, labels: { pool: name } }));
  const cluster = new Cluster(chart, 'east', { spec: { release: 'v26.4', nodePools } });
  return {
    made: processorMilliseconds(() => ids.forEach((id) => make(chart, cluster, id))),
    checked: processorMilliseconds(() => cluster.node.validate()),
  };
}

for (const [name, program] of Object.entries(programs)) {
  run(program, 100);
  for (const count of [10, 100, 400]) {
    const runs = Array.from({ length: 5 }, () => run(program, count));
    const [made, checked] = [median(runs.map((one) => one.made)), median(runs.map((one) => one.checked))];
    const each = (milliseconds: number) => `${milliseconds.toFixed(0)} ms (${(milliseconds / count).toFixed(2)} each)`;
    process.stdout.write(`${String(count).padStart(4)} ${name}: made in ${each(made)}, checked in ${each(checked)}\n`);
  }
}
