import { Argument, Command, CommanderError, Option } from 'commander';
import { diagnosticFormats, type DiagnosticFormat } from '../shared/diagnostics/render/render.js';
import { releaseNames } from '../compile/releases/catalog.js';
import { bugReport } from './bug-report.js';
import { EXIT, type ExitCode, type Io } from './io.js';
import { layoutNames } from './compile/layout-names.js';
import type { Shell } from './completion.js';
import { addDiff } from './diff/command.js';
import { denyWarningsOption, kubectlOption, parseClusterName, withProgramOptions } from './shared-options.js';
import type { PoolsOptions } from './pools/pools.js';
import type { ExplainPoolsOptions } from './explain/pools.js';
import type { ExplainResolvedOptions } from './explain/resolved.js';
import type { SchemaOptions } from './schema.js';
import type { SynthOptions } from './synth/synth.js';
import { addImages } from './images/command.js';
import { addImport } from './import/command.js';
import { addLock } from './lock/command.js';
import { addInit } from './init/command.js';
import { addStatus } from './status/command.js';
import { addPlan } from './plan/command.js';
import { addTakeover } from './takeover/command.js';
import { addUpgrade } from './upgrade/command.js';
import { usageError } from './usage-error.js';

const HELP_WIDTH = 80;

const EXAMPLES = `
Examples:
  weft init fleet   a repository with a first cluster
  weft synth        every folder of clusters/ into dist/
  weft diff         what that changes, before it is committed
  weft explain 142  what the diagnostic WEFT0142 means
`;

const EXIT_CODES = `
Exit codes:
  0  done
  1  a check found differences
  2  the input or the call is wrong
  3  a bug of Weft`;

/** The commands that read folders of clusters, and whether they run programs unless told otherwise: those that only ask a cluster do not. */
const RUNS_PROGRAMS: ReadonlyMap<string, boolean> = new Map([
  ...(['synth', 'diff', 'images', 'import', 'lock', 'plan', 'takeover'] as const).map((name) => [name, true] as const),
  ...(['pools', 'status', 'explain'] as const).map((name) => [name, false] as const),
]);

interface ExplainOptions extends Partial<ExplainPoolsOptions>, ExplainResolvedOptions {
  readonly resolved?: boolean;
}

/** Runs a command: takes its arguments and an `Io`, returns the exit code. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  let exit: ExitCode = EXIT.ok;
  const program = commandLine(io, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync(knownCommand(args, program), { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.userError;
    io.stderr(bugReport(error));
    return EXIT.bug;
  }
}

/** For help about an unknown command, commander prints the general help without an error. */
function knownCommand(args: readonly string[], { commands }: Command): readonly string[] {
  const named = args[0] === 'help' ? args[1] : args[0];
  const isKnown = named === undefined || named.startsWith('-') || commands.some((command) => command.name() === named);
  return isKnown || named === 'help' ? args : [named];
}

function commandLine(io: Io, end: (code: ExitCode) => void): Command {
  const program = new Command('weft')
    .description('Compiles NVIDIA network policies into plain Kubernetes manifests.')
    .version(
      `weft ${io.version ?? 'development'} (releases: ${releaseNames.join(', ')})`,
      '-V, --version',
      'print the version and the releases it knows',
    )
    .addHelpText('after', `${EXAMPLES}${EXIT_CODES}`);
  addInit(program, io, end);
  addSynth(program, io, end);
  addDiff(program, io, end);
  addPools(program, io, end);
  addImages(program, io, end);
  addLock(program, io, end);
  addImport(program, io, end);
  addStatus(program, io, end);
  addPlan(program, io, end);
  addUpgrade(program, io, end);
  addTakeover(program, io, end);
  addSchema(program, io, end);
  addExplain(program, io, end);
  addCompletion(program, io);
  for (const command of program.commands) {
    const isDefault = RUNS_PROGRAMS.get(command.name());
    if (isDefault !== undefined) withProgramOptions(command, isDefault);
  }
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    command.exitOverride().configureOutput({
      writeOut: io.stdout,
      writeErr: io.stderr,
      outputError: (text) => io.stderr(usageError(text, callOf(command))),
      // The text does not depend on the width of the terminal, because the docs contain it.
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    });
  }
  return program;
}

/** The full name of a command, such as `weft upgrade status`. */
function callOf(command: Command): string {
  return command.parent ? `${callOf(command.parent)} ${command.name()}` : command.name();
}

function formatOption(): Option {
  return new Option('--format <format>', 'form of the diagnostics on standard error')
    .choices(diagnosticFormats)
    .default('text' satisfies DiagnosticFormat);
}

function addSynth(program: Command, io: Io, end: (code: ExitCode) => void): void {
  program
    .command('synth')
    .summary('render manifests')
    .description('Renders the manifests of clusters. Default: every folder of clusters/ into dist/<cluster>/.')
    .argument('[folder...]', 'folders that hold a Cluster document and its policies')
    .addOption(
      new Option('-o, --output <form>', 'print a v1 List of all objects instead of writing files').choices([
        'json',
        'yaml',
      ]),
    )
    .option('--output-dir <path>', 'where the folders of the clusters go (default: dist beside clusters/)')
    .addOption(
      new Option('--check', 'write nothing; exit 1 and say what differs when the output is stale').conflicts('output'),
    )
    .addOption(
      new Option('--layout <layout>', 'layout of the files in place of that of the Cluster documents').choices(
        layoutNames,
      ),
    )
    .option('--locked', 'refuse images that neither weft.lock nor their reference pins to a digest')
    .addOption(denyWarningsOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  weft synth                          every folder of clusters/ into dist/
  weft synth clusters/east            one cluster
  weft synth --check                  in CI: is dist/ what clusters/ says?
  weft synth --layout helm            charts, whatever the documents say
  weft synth clusters/east -o json | jq '.items[].kind'`,
    )
    .action(async (folders: string[], options: SynthOptions) => {
      const { synth } = await import('./synth/synth.js');
      end(await synth(folders, options, io));
    });
}

function contextOption(): Option {
  const description = 'with --live: context of the kubeconfig (default: the current one)';
  return new Option('--context <name>', description).implies({ live: true });
}

function addPools(program: Command, io: Io, end: (code: ExitCode) => void): void {
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
      const { pools } = await import('./pools/pools.js');
      end(await pools(folder, options, io));
    });
}

function addSchema(program: Command, io: Io, end: (code: ExitCode) => void): void {
  program
    .command('schema')
    .summary('JSON Schema of the input documents')
    .description('Prints the JSON Schema of a kind, or of all kinds, for editors.')
    .argument('[kind]', 'for instance NicClusterPolicy (default: all kinds in one schema)')
    .option('--partial', 'of documents that are merged with others: those of bases, and of clusters that extend them')
    .addHelpText(
      'after',
      `
Examples:
  weft schema > weft.schema.json
  weft schema Cluster

In a YAML file, for editors with yaml-language-server:
  # yaml-language-server: $schema=weft.schema.json`,
    )
    .action(async (kind: string | undefined, options: SchemaOptions) => {
      const { schema } = await import('./schema.js');
      end(schema(kind, options, io));
    });
}

function addExplain(program: Command, io: Io, end: (code: ExitCode) => void): void {
  program
    .command('explain')
    .summary('what a diagnostic or a field means')
    .description(
      'Prints the page about a diagnostic, or what a field of a document is for, as kubectl explain does; or what each node pool of ' +
        'a cluster gets of each component, and why not; or the documents of clusters with those that they inherit.',
    )
    .argument('[code-or-field]', 'for instance WEFT0142, 142, nodePools.kernels, or a word that fields have: drain')
    .option('--pools [folder]', 'what each node pool gets, by which policy, and why not (default: every cluster)')
    .option(
      '--resolved',
      'documents merged with those that `extends` names, or one field of them, with the place of each line',
    )
    .option('--folder <folder...>', 'with --resolved: folders of clusters (default: every folder of clusters/)')
    .addOption(new Option('-o, --output <form>', 'with --pools: print a document for programs').choices(['json']))
    .addHelpText(
      'after',
      '\nExamples:\n  weft explain WEFT0142\n  weft explain nodePools.kernels\n  weft explain NicClusterPolicy.spec\n  weft explain drain\n' +
        '  weft explain --pools clusters/east\n  weft explain --resolved release',
    )
    .action(async (given: string | undefined, options: ExplainOptions, command: Command) => {
      const { pools, resolved = false, folder } = options;
      if (folder !== undefined && !resolved) command.error('error: `--folder` is for `--resolved`');
      if (resolved && pools !== undefined) command.error('error: `--resolved` and `--pools` print different things');
      if (resolved) {
        const { explainResolved } = await import('./explain/resolved.js');
        end(await explainResolved(given, options, io));
        return;
      }
      if (given !== undefined && pools === undefined) {
        const { explain } = await import('./explain/explain.js');
        end(explain(given, io));
        return;
      }
      if (pools === undefined || given !== undefined) {
        command.error(
          given === undefined
            ? "error: missing required argument 'code-or-field'"
            : `error: \`--pools\` takes a folder, and \`${given}\` is something else to explain`,
        );
      }
      const { explainPools } = await import('./explain/pools.js');
      end(await explainPools({ ...options, pools }, io));
    });
}

function addCompletion(program: Command, io: Io): void {
  program
    .command('completion')
    .summary('completion script for a shell')
    .description('Prints the script that makes a shell complete weft.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'] satisfies Shell[]))
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  source <(weft completion bash)',
        '  weft completion zsh > "${fpath[1]}/_weft"',
        '  weft completion fish > ~/.config/fish/conf.d/weft.fish',
      ].join('\n'),
    )
    .action(async (shell: Shell) => {
      const { completionScript } = await import('./completion.js');
      io.stdout(completionScript(program, shell));
    });
}
