import { Option, type Command } from 'commander';
import type { ExitCode, Io } from '../io.js';
import type { StatusOptions } from './options.js';

/** `weft status`. It loads its code when it runs. */
export function addStatus(program: Command, io: Io, end: (code: ExitCode) => void): void {
  program
    .command('status')
    .summary('how live clusters are')
    .description(
      'Asks live clusters through kubectl: components in the words of the operator, their pods by node pool, nodes with driver and ' +
        'upgrade, what differs from the documents, and nodes that nothing covers. Exits 1 where something is not ready.',
    )
    .argument('[cluster...]', 'folders of clusters, or their names in clusters/ (default: all of them)')
    .option(
      '--context <name>',
      'context of the kubeconfig (default: what the Cluster document names, or the current one)',
    )
    .option('--kubectl <command>', 'the kubectl to use', 'kubectl')
    .option('-n, --namespace <name>', 'namespace of the components where no documents say it')
    .addOption(
      new Option(
        '-o, --output <form>',
        'print a document for programs; yaml: policies with the status of the operator',
      ).choices(['json', 'yaml']),
    )
    .option('--watch', 'print it again every ten seconds')
    .addHelpText(
      'after',
      `
Examples:
  weft status                          every cluster of clusters/
  weft status east --watch
  weft status --context east           a cluster without documents, too
  weft status east -o yaml | yq .status.state
  weft status -o json | jq '.clusters[] | select(.isReady | not)'

Exit codes:
  0  everything is ready
  1  something is not ready, or one of several clusters cannot be reached
  2  the call or the documents are wrong, or the cluster does not answer
  3  a bug of Weft`,
    )
    .action(async (clusters: string[], options: StatusOptions) => {
      const { status } = await import('./status.js');
      end(await status(clusters, options, io));
    });
}
