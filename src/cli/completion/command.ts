import { Argument, type Command } from 'commander';
import type { Io } from '../io.js';
import type { Shell } from './completion.js';

/** `weft completion`. It loads its code when it runs. */
export function addCompletion(program: Command, io: Io): void {
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
