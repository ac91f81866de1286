import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ExitCode, Io } from '../../io.js';
import { withChangeOptions, withClusterOptions } from '../cluster-options.js';
import type { NodeOptions } from './change-nodes.js';
import type { LogsOptions } from './logs.js';
import type { NodeVerb } from './node-changes.js';
import type { ManualOptions } from './driver.js';

const EXIT_CODES = `
Exit codes:
  0   done, or there was nothing to do
  1   something named could not be done; the output says what and why
  2   the call, the policy or a right is wrong, or the cluster does not answer
  3   a bug of Weft`;

type End = (code: ExitCode) => void;

/** Adds the commands that control the companion. Each loads its code when it runs. */
export function addManualCommands(upgrade: Command, io: Io, end: End): void {
  addPause(upgrade, io, end);
  for (const one of NODE_COMMANDS) addNodeCommand(upgrade, one, io, end);
  addExplain(upgrade, io, end);
  addLogs(upgrade, io, end);
}

function withOutput(command: Command): Command {
  return command.addOption(new Option('-o, --output <form>', 'print a document for programs').choices(['json']));
}

function addPause(upgrade: Command, io: Io, end: End): void {
  const run = async (isPaused: boolean, options: ManualOptions): Promise<void> => {
    const { setPaused } = await import('./pause.js');
    end(await setPaused(isPaused, options, io));
  };
  withOutput(withChangeOptions(upgrade.command('pause')))
    .summary('no node begins; those that have begun are finished')
    .description('Annotates the status ConfigMap of the companion: no node begins. Nodes that have begun are finished.')
    .addHelpText('after', `\nExamples:\n  weft upgrade pause\n  weft upgrade pause --context east\n${EXIT_CODES}`)
    .action((options: ManualOptions) => run(true, options));
  withOutput(withChangeOptions(upgrade.command('resume')))
    .summary('nodes begin again')
    .description(
      'Ends a pause by hand. A pause of the policy, `upgrade: {paused: true}`, ends in the Cluster document.',
    )
    .addHelpText('after', `\nExamples:\n  weft upgrade resume\n${EXIT_CODES}`)
    .action((options: ManualOptions) => run(false, options));
}

interface NodeCommand {
  readonly verb: NodeVerb;
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
}

const NODE_COMMANDS: readonly NodeCommand[] = [
  {
    verb: 'retry',
    summary: 'try failed nodes again',
    description:
      'Sets failed nodes back to the beginning of their upgrade. A Job of the companion that failed is deleted once no node is ' +
      'failed or in progress, so that GitOps makes it again and its health is that of the nodes. Without nodes only the Job is looked after.',
    examples: [
      'weft upgrade retry node-7           one node',
      "weft upgrade retry 'rack4-*' --wait  stay until they are done",
      'weft upgrade retry                  delete the failed Job when all nodes are done',
    ],
  },
  {
    verb: 'skip',
    summary: 'leave nodes out',
    description: 'Labels nodes so that no upgrade begins there. An upgrade in progress is finished.',
    examples: [
      'weft upgrade skip node-7 node-8',
      'weft upgrade skip -l pool=training',
      'weft upgrade skip node-7 --keep-cordoned  it is not uncordoned when its maintenance ends',
    ],
  },
  {
    verb: 'unskip',
    summary: 'end a skip',
    description: 'Removes the label that leaves nodes out, and the annotation of `skip --keep-cordoned`.',
    examples: ['weft upgrade unskip node-7', "weft upgrade unskip '*'"],
  },
  {
    verb: 'request',
    summary: 'send nodes through their upgrade although their driver is in sync',
    description:
      'Asks for an upgrade: the node is cordoned, drained, validated and uncordoned. Its driver pod is made anew where it is ' +
      'outdated or has no DaemonSet, and stays where it is in sync.',
    examples: ['weft upgrade request node-7'],
  },
];

function addNodeCommand(
  upgrade: Command,
  { verb, summary, description, examples }: NodeCommand,
  io: Io,
  end: End,
): void {
  const command = withOutput(withChangeOptions(upgrade.command(verb)))
    .summary(summary)
    .description(description)
    .argument('[node...]', 'names of nodes, or globs in quotes')
    .option('-l, --selector <labels>', 'only nodes with these labels, as kubectl takes them')
    .option('--driver <prefix>', 'label prefix of the driver (default: the only one of the policy)');
  if (verb === 'skip') command.option('--keep-cordoned', 'a node in maintenance stays cordoned when that ends');
  if (verb === 'retry')
    command.option('--wait', 'stay until the nodes are done or fail again; exit 10 where one fails');
  const exits = verb === 'retry' ? `${EXIT_CODES}\n  10  --wait: a node failed again` : EXIT_CODES;
  command
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}\n${exits}`)
    .action(async (nodes: string[], options: NodeOptions) => {
      const { changeNodes } = await import('./change-nodes.js');
      end(await changeNodes(verb, nodes, options, io));
    });
}

function addExplain(upgrade: Command, io: Io, end: End): void {
  withOutput(withClusterOptions(upgrade.command('explain')))
    .summary('what was decided about one node, and what it waits for')
    .description(
      'Tells what was decided about a node, when, and by which rule of the transition table; what comes next or what it waits ' +
        'for; and what you can do.',
    )
    .argument('<node>', 'name of a node')
    .option('--driver <prefix>', 'label prefix of the driver (default: the only one of the policy)')
    .addHelpText(
      'after',
      `\nExamples:\n  weft upgrade explain node-7\n  weft upgrade explain node-7 -o json | jq .waiting\n${EXIT_CODES}\n  10  the node failed`,
    )
    .action(async (node: string, options: ManualOptions) => {
      const { explainNode } = await import('./explain-node.js');
      end(await explainNode(node, options, io));
    });
}

function addLogs(upgrade: Command, io: Io, end: End): void {
  withClusterOptions(upgrade.command('logs'))
    .summary('the log of the companion')
    .description('Prints the log of the newest pod of the companion, one line for each action with its reason.')
    .argument('[node...]', 'only lines about these nodes')
    .option('-f, --follow', 'go on until the pod ends')
    .option('--tail <lines>', 'only so many lines from the end', lineCount)
    .addOption(new Option('-o, --output <form>', 'print the lines as they are').choices(['json']))
    .addHelpText(
      'after',
      `\nExamples:\n  weft upgrade logs --follow\n  weft upgrade logs node-7\n  weft upgrade logs -o json | jq 'select(.level == "error")'\n${EXIT_CODES}`,
    )
    .action(async (nodes: string[], options: LogsOptions) => {
      const { upgradeLogs } = await import('./logs.js');
      end(await upgradeLogs(nodes, options, io));
    });
}

function lineCount(text: string): string {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a number of lines.');
  return text;
}
