import { Option, type Command } from 'commander';
import { TAKEOVER_STEPS } from '../../cluster/takeover/steps.js';
import { UNDO_STEPS } from '../../cluster/takeover/undo-steps.js';
import type { ExitCode, Io } from '../io.js';
import type { TakeoverOptions } from './takeover.js';

const EXAMPLES = `
Examples:
  weft takeover clusters/east --dry-run
  weft takeover clusters/east --until stop
  weft takeover clusters/east --wait-for-gitops
  weft takeover clusters/east --undo

Each step checks that those before it are done. A run that ended anywhere goes on when it
is called again.

Exit codes:
  0   done, or done until the step that was named
  1   it stopped at something unexpected; --dry-run: steps are left
  2   the call, the input or a right is wrong, or the cluster does not answer
  3   a bug of Weft`;

/** Adds `weft takeover`. It loads its code when it runs. */
export function addTakeover(program: Command, io: Io, end: (code: ExitCode) => void): void {
  const steps = [...new Set([...TAKEOVER_STEPS, ...UNDO_STEPS].map(({ id }) => id))];
  program
    .command('takeover')
    .summary('from the operator to the output, and back')
    .description(
      'Takes a cluster over from the NVIDIA Network Operator, step by step: stops it, applies what the folder renders, and removes its ' +
        'custom resources and CRDs. --undo goes back.',
    )
    .argument('<folder>', 'folder of the cluster')
    .option('--dry-run', 'change nothing: print what would happen, with the commands')
    .addOption(new Option('--until <step>', 'end when this step is done').choices(steps))
    .option('--undo', 'go back: custom resources first, then the operator')
    .option('--wait-for-gitops', 'do not apply: wait until Argo CD or Flux has (default: by gitops of the document)')
    .option('--backup <folder>', 'where what is deleted is saved (default: takeover/<cluster> beside clusters/)')
    .option('--timeout <seconds>', 'how long to wait for the cluster in one step', '180')
    .option('-y, --yes', 'do not ask on a terminal whether this is the cluster')
    .option('--context <name>', 'context of the kubeconfig (default: the current one)')
    .option('--kubectl <command>', 'the kubectl to use', 'kubectl')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options: TakeoverOptions) => {
      const { takeover } = await import('./takeover.js');
      end(await takeover(folder, options, io));
    });
}
