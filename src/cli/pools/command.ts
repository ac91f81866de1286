import { Option, type Command } from 'commander';
import type { ExitCode, Io } from '../io.js';
import { denyWarningsOption, formatOption, kubectlOption, parseClusterName } from '../shared-options.js';
import type { PoolsOptions } from './pools.js';

/** `weft pools`. It loads its code when it runs. */
export function addPools(program: Command, io: Io, end: (code: ExitCode) => void): void {
  program
    .command('pools')
    .summary('node pools of a live cluster')
    .description(
      'Reads the nodes from standard input, as `kubectl get nodes -o json` prints them, or with --live through kubectl, and ' +
        'prints the nodePools of a Cluster document.',
    )
    .argument(
      '[folder]',
      'folder of the cluster: adds the labels that its NicNodePolicies select by; what --check compares with',
    )
    .option('--check', 'exit 1 and name each NIC node that no pool matches, and each pool without a node')
    .addOption(
      new Option('-o, --output <form>', 'form of the pools; with --check: `json` for programs, else text')
        .choices(['yaml', 'json'])
        .default('yaml'),
    )
    .addOption(
      new Option('--cluster <name>', 'print a whole Cluster document of this name')
        .conflicts('check')
        .argParser(parseClusterName),
    )
    .option('--live', 'read the nodes from the cluster, through kubectl')
    .addOption(contextOption())
    .addOption(kubectlOption())
    .addOption(denyWarningsOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  kubectl get nodes -o json | weft pools
  weft pools --live --cluster east > clusters/east/cluster.yaml
  weft pools --context east --check clusters/east
  weft pools < nodes.json`,
    )
    .action(async (folder: string | undefined, options: PoolsOptions) => {
      const { pools } = await import('./pools.js');
      end(await pools(folder, options, io));
    });
}

function contextOption(): Option {
  const description = 'with --live: context of the kubeconfig (default: the current one)';
  return new Option('--context <name>', description).implies({ live: true });
}
