import { Option, type Command } from 'commander';
import type { ExitCode, Io } from '../io.js';
import type { ExplainPoolsOptions } from './pools.js';
import type { ExplainResolvedOptions } from './resolved.js';

interface ExplainOptions extends Partial<ExplainPoolsOptions>, ExplainResolvedOptions {
  readonly resolved?: boolean;
}

/** `weft explain`. It loads its code when it runs. */
export function addExplain(program: Command, io: Io, end: (code: ExitCode) => void): void {
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
        const { explainResolved } = await import('./resolved.js');
        end(await explainResolved(given, options, io));
        return;
      }
      if (given !== undefined && pools === undefined) {
        const { explain } = await import('./explain.js');
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
      const { explainPools } = await import('./pools.js');
      end(await explainPools({ ...options, pools }, io));
    });
}
