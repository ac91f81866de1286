import { Option, type Command } from 'commander';
import type { ExitCode, Io } from '../io.js';
import { digestTools, type LockOptions } from './options.js';

/** `weft lock`. It loads its code when it runs. */
export function addLock(program: Command, io: Io, end: (code: ExitCode) => void): void {
  program
    .command('lock')
    .summary('pin images to digests')
    .description(
      'Writes `weft.lock` beside each Cluster document: a line for each image, with the digest that it is pinned to, and its platforms where they are known. Digests come from the ' +
        'releases that Weft knows, for all other images from a tool that is installed, with its credentials, or from a file. Pins that are ' +
        'there stay. Exits 1 where a digest is not known.',
    )
    .argument('[cluster...]', 'folders of clusters, or their names in clusters/ (default: all of them)')
    .addOption(
      new Option('--with <tool>', 'the tool that is asked (default: the first of these that is installed)').choices(
        digestTools,
      ),
    )
    .option('--from <file>', 'take digests from lines of `image digest`, or - for standard input, and start no tool')
    .option('--update', 'resolve images that are pinned, too')
    .addOption(
      new Option(
        '--check',
        'write nothing; exit 1 for images without a pin, pins without an image, and tags that have another digest by the releases, ' +
          '--with or --from',
      ).conflicts('update'),
    )
    .addHelpText(
      'after',
      `
Examples:
  weft lock                       pin what is not pinned yet, in every cluster
  weft lock east --with skopeo
  weft lock --from digests.txt    where no registry can be reached
  weft lock --check               in CI, without a registry: is every image pinned?
  weft lock --check --with crane  have tags moved since?`,
    )
    .action(async (clusters: string[], options: LockOptions) => {
      const { lock } = await import('./lock.js');
      end(await lock(clusters, options, io));
    });
}
