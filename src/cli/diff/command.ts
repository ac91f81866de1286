import { InvalidArgumentError, Option, type Command } from 'commander';
import { failOnChoices } from '../../review/impact/impact.js';
import type { ExitCode, Io } from '../io.js';
import { denyWarningsOption, kubectlOption } from '../shared-options.js';
import { diffFormats, type DiffOptions } from './options.js';

const EXAMPLES = `
Examples:
  weft diff                           what is not committed yet
  weft diff origin/main               what a branch does
  weft diff old/dist                  what differs from a folder
  weft diff --folder clusters/east    one cluster
  weft diff --live --folder clusters/east --context east
  weft diff --live --fail-on restart,drain,driver-loss
  kubectl get daemonsets,configmaps -A -o json | weft diff - --folder clusters/east
  weft diff origin/main --format markdown > comment.md
  weft diff origin/main --plan --snapshot east.json --folder clusters/east
  weft diff origin/main --fail-on driver-loss,policy,drain`;

/** `weft diff`. */
export function addDiff(program: Command, io: Io, end: (code: ExitCode) => void): void {
  const collect = (value: string, values: readonly string[] = []) => [...values, value];
  program
    .command('diff')
    .summary('what a change does')
    .description(
      'Compares what was rendered before, or a live cluster, with what the input renders now: objects, fields, and what they do to nodes. ' +
        'Exits 1 where anything differs.',
    )
    .argument(
      '[ref-or-folder]',
      'a git revision whose output is the old one, a folder, or - for objects on standard input (default: HEAD)',
    )
    .addOption(
      new Option('--folder <path>', 'folder of a cluster, repeatable (default: all of clusters/)').argParser(collect),
    )
    .addOption(
      new Option(
        '--format <format>',
        'form of the differences; with json, github and sarif that of the diagnostics, too',
      )
        .choices(diffFormats)
        .default('text'),
    )
    .addOption(
      new Option(
        '--fail-on <class>',
        'exit 1 only for these (repeatable, or with commas); github and sarif have these, without it all but metadata',
      )
        .choices(failOnChoices)
        .argParser(failOn),
    )
    .option(
      '--nodes <file>',
      'counts the nodes of one cluster: what `kubectl get nodes -o json` prints, or `live` to ask the cluster, for addresses in use, too',
    )
    .addOption(new Option('--live', 'compare with the live cluster, through kubectl').conflicts('nodes'))
    .option('--plan', 'simulate the upgrade that the change starts, and add how it goes; for text and markdown')
    .option(
      '--snapshot <path>',
      'with --plan: objects of the cluster, from `weft plan --save` or kubectl, or a folder with <cluster>.json of each (default: the live cluster)',
    )
    .option(
      '--context <name>',
      'context of the kubeconfig, with --plan or --nodes live; without them it means --live (default: the current one)',
    )
    .option(
      '--all',
      'in text: show all clusters and objects, also those that differ from a shown one in names, those in which only hashes differ, and those that only come to a live cluster',
    )
    .addOption(kubectlOption('with --live or --plan: the kubectl to use'))
    .addOption(denyWarningsOption())
    .option('--output-dir <path>', 'where the folders of the clusters lie (default: dist beside clusters/)')
    .addHelpText('after', EXAMPLES)
    .action(async (old: string | undefined, options: DiffOptions) => {
      const { diff } = await import('./diff.js');
      // A context is named for something that is asked.
      const isUsed = options.nodes !== undefined || options.plan === true;
      const isLive = options.live ?? (options.context !== undefined && !isUsed);
      end(await diff(old, { ...options, live: isLive }, io));
    });
}

function failOn(value: string, classes: DiffOptions['failOn'] = []): NonNullable<DiffOptions['failOn']> {
  const named = value.split(',').map((name) => failOnChoices.find((one) => one === name.trim()));
  const known = named.flatMap((name) => name ?? []);
  if (known.length < named.length) throw new InvalidArgumentError(`Allowed are ${failOnChoices.join(', ')}.`);
  return [...classes, ...known];
}
