import { Option, type Command } from 'commander';
import { layoutNames } from '../compile/layout-names.js';
import type { ExitCode, Io } from '../io.js';
import { denyWarningsOption, formatOption } from '../shared-options.js';
import type { SynthOptions } from './synth.js';

/** `weft synth`. It loads its code when it runs. */
export function addSynth(program: Command, io: Io, end: (code: ExitCode) => void): void {
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
      const { synth } = await import('./synth.js');
      end(await synth(folders, options, io));
    });
}
