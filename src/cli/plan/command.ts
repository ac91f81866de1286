import { Option, type Command } from 'commander';
import { DEFAULT_RUNS } from '../../forecast/plan/types.js';
import type { ExitCode, Io } from '../io.js';
import { planFormats, type PlanCommandOptions } from './options.js';
import { parseAt, parseCount, parseDuration, parseFailure, parseSetting } from './parse.js';

const EXAMPLES = `
Examples:
  weft plan east                              the upgrade that clusters/east would start now
  weft plan east --at "2026-12-04 22:00 Europe/Oslo" --duration driver=4m..9m
  weft plan east --at best                    when it costs least
  weft plan east --set upgrade.canary.nodes=2
  weft plan east --format html > plan.html    a timeline for the browser
  weft plan east --save east.json             and later, or elsewhere:
  weft plan east --snapshot east.json --from origin/main --format markdown
  weft plan east --snapshot east.json --fail-on stuck,duration=6h`;

/** `weft plan`. */
export function addPlan(program: Command, io: Io, end: (code: ExitCode) => void): void {
  program
    .command('plan')
    .summary('how an upgrade will go')
    .description(
      "Simulates the driver upgrade that the input starts, on the live cluster as it is now: the companion's own decisions, in " +
        'simulated time. Prints how long it takes, which node goes when, and what will be in the way.',
    )
    .argument('[cluster]', 'folder of the cluster, or its name in clusters/ (default: the only one)')
    .option('--from <revision>', 'plan what this git revision has in dist/, not what the input renders')
    .addOption(
      new Option(
        '--snapshot <file>',
        'objects of the cluster, from --save or kubectl get -o json; - is standard input',
      ).conflicts('context'),
    )
    .option('--save <file>', 'write what was read of the cluster, without images, environment and annotations of pods')
    .addOption(
      new Option(
        '--at <time>',
        'when the change is applied, for instance "2026-12-04 22:00 Europe/Oslo"; best: the cheapest start within two weeks',
      ).argParser((text) => (text === 'best' ? text : parseAt(text))),
    )
    .addOption(
      new Option(
        '--duration <name=from..to>',
        'how long driver, workload, termination or job take; repeatable',
      ).argParser(parseDuration),
    )
    .addOption(
      new Option('--set <path=value>', 'another value of a field of the documents; repeatable')
        .argParser(parseSetting)
        .conflicts('from'),
    )
    .addOption(
      new Option('--fail-on <what>', 'exit 1 for stuck, window or duration=6h; repeatable').argParser(parseFailure),
    )
    .addOption(
      new Option('--runs <number>', 'how often the upgrade is simulated').argParser(parseCount).default(DEFAULT_RUNS),
    )
    .addOption(new Option('--seed <number>', 'seed of the first run').argParser(parseCount).default(1))
    .addOption(new Option('--format <format>', 'form of the plan').choices(planFormats).default('text'))
    .option('--context <name>', 'context of the kubeconfig (default: that of the Cluster document, or the current one)')
    .option('--kubectl <command>', 'the kubectl to use', 'kubectl')
    .option(
      '--output-dir <path>',
      'with --from: where the folders of the clusters lie (default: dist beside clusters/)',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (cluster: string | undefined, options: PlanCommandOptions) => {
      const { plan } = await import('./plan.js');
      end(await plan(cluster, options, io));
    });
}
