import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ExitCode, Io } from '../io.js';
import { parseClusterName } from '../shared-options.js';
import { archChoices, ciChoices, operatingSystemOf, type InitOptions, type OperatingSystem } from './options.js';

/** `weft init`. */
export function addInit(program: Command, io: Io, end: (code: ExitCode) => void): void {
  program
    .command('init')
    .summary('a repository for clusters')
    .description(
      'Makes a repository in which `npm install` and `npx weft synth` work: package.json, a first cluster, settings of git and of ' +
        'editors, README.md, and AGENTS.md for programs that change it. On a terminal it asks for what no option says. Files that are ' +
        'there stay as they are; the exit code is 1 if one of them lacks what the repository needs. Where clusters/ has a folder, ' +
        'a cluster is made only if an option names it.',
    )
    .argument('[dir]', 'folder of the repository (default: the working directory)')
    .option('--cluster <name>', 'name of the first cluster (default: that of the context, else east)', parseClusterName)
    .option('--from-cluster', 'read the first cluster through kubectl: its node pools, and what the operator has there')
    .addOption(
      new Option('--context <name>', 'context of the kubeconfig (default: the current one)').implies({
        fromCluster: true,
      }),
    )
    .option('--kubectl <command>', 'with --from-cluster: the kubectl to use', 'kubectl')
    .addOption(
      nodeOption('--os <name:version>', 'operating system of the nodes (default: ubuntu:24.04)').argParser(parseOs),
    )
    .addOption(nodeOption('--kernel <version>', 'kernel of the nodes, as `uname -r` prints it (default: any)'))
    .addOption(nodeOption('--arch <arch>', 'architecture of the nodes (default: amd64)').choices(archChoices))
    .option('--fleet', 'what clusters share goes into base/common, and a second cluster is on it')
    .addOption(new Option('--no-fleet', 'no base (default)'))
    .addOption(new Option('--ci <host>', 'write the pipelines for this host (default: none)').choices(ciChoices))
    .option(
      '--weft <package>',
      'what npm installs: a version, a file or a URL of git (default: the package in vendor/, else the version of this command)',
    )
    .option('--yes', 'ask nothing: what no option says has its default')
    .option('--dry-run', 'print the names of the files and write nothing')
    .addHelpText(
      'after',
      `
Examples:
  weft init fleet                                  asks
  weft init fleet --yes                            an example of a cluster, with comments
  weft init fleet --context east --ci github       the cluster as it is
  weft init fleet --cluster east --os rhel:9.6 --kernel 5.14.0-570.12.1.el9_6.x86_64
  weft init fleet --fleet                          two clusters on one base
  weft init --ci gitlab                            pipelines for the repository that is here`,
    )
    .action(async (folder: string | undefined, options: InitOptions) => {
      const { init } = await import('./init.js');
      end(await init(folder, options, io));
    });
}

/** An option about nodes, which a live cluster tells. */
const nodeOption = (flags: string, description: string) =>
  new Option(flags, description).conflicts(['fromCluster', 'context']);

function parseOs(text: string): OperatingSystem {
  const parsed = operatingSystemOf(text);
  if (parsed === undefined) throw new InvalidArgumentError('It must be a name and a version, such as `ubuntu:24.04`.');
  return parsed;
}
