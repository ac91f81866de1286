import { InvalidArgumentError, Option, type Command } from 'commander';
import { durationSeconds } from '../../shared/contract/duration.js';
import type { ExitCode, Io } from '../io.js';
import type { ClusterOptions } from './connect.js';
import { addManualCommands } from './manual/commands.js';
import { withChangeOptions, withClusterOptions as cluster } from './cluster-options.js';
import type { RunOptions } from './run.js';
import type { StatusOptions } from './status.js';

const EXIT_CODES = `
Exit codes:
  0    every node is done or skipped; run: or waits for a window or a person
  1    status: a node is not done, whatever it waits for; run --dry-run: there
       is something to do
  2    the call, the policy or a right is wrong, or the cluster does not answer
  3    a bug of Weft
  10   nodes failed
  143  run: stopped by a signal; the Lease is released`;

/** `weft upgrade`: runs the companion from a terminal. Each command loads its code when it runs. */
export function addUpgrade(program: Command, io: Io, end: (code: ExitCode) => void): void {
  const upgrade = program
    .command('upgrade')
    .summary('driver upgrades of a live cluster')
    .description('Upgrades drivers by hand, and shows how far an upgrade is. The cluster is reached through kubectl.');
  withChangeOptions(upgrade.command('run'))
    .summary('do what the companion does, from here')
    .description(
      'Does what the Job of the companion does, by the policy that is in the cluster and with the same Lease: ' +
        'while another companion holds it, this one waits.',
    )
    .option('--dry-run', 'print the next actions and change nothing; exit 1 when there are any')
    .option('--now [duration]', 'ignore maintenance windows for so long, also in the cluster (default: 4h)', span)
    .addHelpText(
      'after',
      `
Examples:
  weft upgrade run --dry-run           what would be done now
  weft upgrade run --context east      do it in another cluster
  weft upgrade run --now 2h            begin nodes outside of the windows
${EXIT_CODES}`,
    )
    .action(async (options: RunOptions) => {
      const { upgradeRun } = await import('./run.js');
      end(await upgradeRun(options, io));
    });
  cluster(upgrade.command('status'))
    .summary('where each node is, and what it waits for')
    .description('Prints each node with its driver, its state, and what it waits for.')
    .option('--watch', 'print it again every five seconds until every node is done')
    .addOption(new Option('-o, --output <form>', 'print a document for programs').choices(['json']))
    .addHelpText(
      'after',
      `
Examples:
  weft upgrade status
  weft upgrade status --watch
  weft upgrade status -o json | jq '.nodes[] | select(.state == "upgrade-failed")'
${EXIT_CODES}`,
    )
    .action(async (options: StatusOptions) => {
      const { upgradeStatus } = await import('./status.js');
      end(await upgradeStatus(options, io));
    });
  addManualCommands(upgrade, io, end);
  upgrade.hook('preAction', (_, command) => useNamespaceOf(command, io));
}

function span(text: string): string {
  if ((durationSeconds(text) ?? 0) > 0) return text;
  throw new InvalidArgumentError('It is a duration such as `30m` or `4h`.');
}

/** The namespace of the documents, where the call names none. */
async function useNamespaceOf(command: Command, io: Io): Promise<void> {
  const { folder } = command.opts<ClusterOptions>();
  if (folder === undefined || command.getOptionValueSource('namespace') !== 'default') return;
  const { expectedCluster } = await import('../cluster/expected.js');
  const expected = await expectedCluster(folder, command.opts<ClusterOptions>(), io);
  // Connecting reports what is wrong with the documents.
  if ('name' in expected) command.setOptionValue('namespace', expected.namespace);
}
