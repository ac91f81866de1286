import { Option, type Command } from 'commander';
import { diagnosticFormats, type DiagnosticFormat } from '../../shared/diagnostics/render/render.js';
import type { ExitCode, Io } from '../io.js';
import { parseClusterName } from '../shared-options.js';
import type { ImportOptions } from './options.js';

/** `weft import`. */
export function addImport(program: Command, io: Io, end: (code: ExitCode) => void): void {
  const collect = (value: string, values: readonly string[] = []) => [...values, value];
  program
    .command('import')
    .summary('a cluster folder from what the operator has')
    .description(
      'Writes the documents of a cluster from a live cluster with the operator, through kubectl, or from files. What cannot ' +
        'be carried over is named with the reason. Documents that are in the folder stay as they are; what differs in the ' +
        'cluster is printed, and the exit code is 1; so it is where most values of a chart are lost.',
    )
    .argument('[folder]', 'folder of the cluster (default: clusters/ and the name of the context)')
    .addOption(
      new Option(
        '--from <path>',
        'file or folder to read in place of the cluster, repeatable: kubectl get -o yaml or json, helm get values, ' +
          'values.yaml, a HelmRelease or an Application; - is standard input',
      ).argParser(collect),
    )
    .option('--live', 'with --from: read the cluster, too')
    .addOption(
      new Option('--context <name>', 'context of the kubeconfig (default: the current one)').implies({ live: true }),
    )
    .option('--kubectl <command>', 'the kubectl to use', 'kubectl')
    .option(
      '-n, --namespace <name>',
      'namespace of the operator, the only one whose settings are read (default: "nvidia-network-operator")',
    )
    .option('--helm', 'read the values of the chart from the Secret of its Helm release')
    .option('--name <name>', 'name of the cluster (default: that of the folder)', parseClusterName)
    .option('--dry-run', 'print the documents and write nothing')
    .addOption(
      new Option('--format <format>', 'form of the diagnostics; with json that of what is written, too')
        .choices(diagnosticFormats)
        .default('text' satisfies DiagnosticFormat),
    )
    .addHelpText(
      'after',
      `
Examples:
  weft import clusters/east --context east
  weft import clusters/east --context east --helm
  weft import clusters/east --from policies.yaml --from nodes.json --from values.yaml
  helm get values network-operator | weft import clusters/east --live --from -
  weft import clusters/east --dry-run`,
    )
    .action(async (folder: string | undefined, options: ImportOptions) => {
      const { importFolder } = await import('./import.js');
      end(await importFolder(folder, options, io));
    });
}
