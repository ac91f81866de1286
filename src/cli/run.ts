import { Command, CommanderError } from 'commander';
import { releaseNames } from '../compile/releases/catalog.js';
import { bugReport } from './bug-report.js';
import { EXIT, type ExitCode, type Io } from './io.js';
import { addCompletion } from './completion/command.js';
import { addDiff } from './diff/command.js';
import { addExplain } from './explain/command.js';
import { withProgramOptions } from './shared-options.js';
import { addImages } from './images/command.js';
import { addImport } from './import/command.js';
import { addLock } from './lock/command.js';
import { addInit } from './init/command.js';
import { addStatus } from './status/command.js';
import { addPlan } from './plan/command.js';
import { addPools } from './pools/command.js';
import { addSchema } from './schema/command.js';
import { addSynth } from './synth/command.js';
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
