import { Option, type Command } from 'commander';
import type { ExitCode, Io } from '../../io.js';
import { withClusterOptions } from '../cluster-options.js';
import { reportFormats, type ReportOptions } from './options.js';

const EXAMPLES = `
Examples:
  weft upgrade report                                   what the live cluster remembers
  weft upgrade logs -o json > upgrade.log               and while its pod is there:
  weft upgrade report --log upgrade.log --format html > report.html
  weft upgrade report --log upgrade.log --plan plan.json
  kubectl logs job/weft-companion-5d1f0a7c3e | weft upgrade report --log -

Exit codes:
  0   the report is printed
  2   the call or a file is wrong, or the cluster does not answer
  3   a bug of Weft
  10  the report is printed, and nodes failed`;

/** `weft upgrade report`. */
export function addReport(upgrade: Command, io: Io, end: (code: ExitCode) => void): void {
  withClusterOptions(upgrade.command('report'))
    .summary('how an upgrade went')
    .description(
      "Reports an upgrade that has happened: how long it took, which node went when, what failed. From the companion's log, which has " +
        'everything, or from the Events, annotations and status in the live cluster: the API server keeps Events for an hour.',
    )
    .addOption(
      new Option('--log <file>', 'the log of the companion, of one or more runs; - is standard input').conflicts([
        'folder',
        'context',
      ]),
    )
    .option('--plan <file>', 'what `weft plan --format json` printed before: shown beside what happened')
    .addOption(new Option('--format <format>', 'form of the report').choices(reportFormats).default('text'))
    .addHelpText('after', EXAMPLES)
    .action(async (options: ReportOptions) => {
      const { upgradeReport } = await import('./report.js');
      end(await upgradeReport(options, io));
    });
}
