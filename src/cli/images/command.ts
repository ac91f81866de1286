import { Option, type Command } from 'commander';
import type { ExitCode, Io } from '../io.js';
import { imageFormats, type ImagesOptions } from './options.js';

/** `weft images`. It loads its code when it runs. */
export function addImages(program: Command, io: Io, end: (code: ExitCode) => void): void {
  program
    .command('images')
    .summary('every image that clusters need')
    .description(
      'Lists every image that the objects of clusters name: containers, drivers for each system, and images that operators get in ' +
        'variables and arguments. json and markdown say for which platform, by which objects, and from which field or release, with the digest where ' +
        'NVIDIA publishes it. Images are those before `spec.mirrors` of the Cluster; json and markdown have both.',
    )
    .argument('[cluster...]', 'folders of clusters, or their names in clusters/ (default: all of them)')
    .addOption(
      new Option('--format <format>', 'list: one a line; skopeo: for `skopeo sync --src yaml`')
        .choices(imageFormats)
        .default('list'),
    )
    .option('--changed <revision>', 'only images that the output in a git revision does not have')
    .option('--output-dir <path>', 'with --changed: the output folder (default: dist beside clusters/)')
    .addHelpText(
      'after',
      `
Examples:
  weft images                          every image of every cluster, one a line
  weft images east --format markdown   who uses what, from which field
  weft images --changed origin/main    what a change adds: copy it before the merge
  weft images --format skopeo > images.yaml
  skopeo sync --all --scoped --src yaml --dest docker images.yaml harbor.corp`,
    )
    .action(async (clusters: string[], options: ImagesOptions) => {
      const { images } = await import('./images.js');
      end(await images(clusters, options, io));
    });
}
