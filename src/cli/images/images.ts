import { resolve } from 'node:path';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { isImageReference } from '../../shared/kubernetes/image-reference.js';
import { imageUses } from '../../compile/image-list/list.js';
import { leftBehindText } from '../compile/left-behind.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import { isUnreadable } from '../old-output/git.js';
import { readManifests } from '../old-output/manifests.js';
import { openRevision } from '../old-output/revision.js';
import type { OldTree } from '../old-output/tree.js';
import { nothingToCompare, unreadableOld } from '../problems.js';
import { outputFolderOf } from '../project.js';
import { refused, report } from '../report.js';
import { eachCluster, foldersOf } from './each-cluster.js';
import { fleetImages, type ClusterImages } from './fleet-images.js';
import { imagesText } from './formats.js';
import { listedImages } from './listed.js';
import type { ImagesOptions } from './options.js';

const CLOSING = 'nothing listed';

/** `weft images`: every image that the objects of clusters name. */
export async function images(given: readonly string[], options: ImagesOptions, io: Io): Promise<ExitCode> {
  const folders = foldersOf(given, io);
  if ('code' in folders) return refused([folders], 'text', io, CLOSING);
  const before = imagesBefore(folders[0] ?? '.', options, io);
  if ('code' in before) return refused([before], 'text', io, CLOSING);
  const all = { ...options, takesLeftBehind: given.length === 0 };
  const { clusters, found, left } = await eachCluster(folders, all, io, async (result): Promise<ClusterImages> => {
    const listed = await listedImages(result, io);
    // A tool would take another text for an option, and a warning (WEFT0593) names it.
    const images = listed.filter(
      ({ image, pulledAs = image }) => isImageReference(image) && !before.images.has(pulledAs),
    );
    return { cluster: result.config.cluster.name, images };
  });
  if (found.hasErrors()) return refused(found.all, 'text', io, CLOSING);
  report(found.all, 'text', io);
  io.stderr(leftBehindText(left));
  io.stdout(imagesText(fleetImages(clusters), options.format));
  return EXIT.ok;
}

/** The images of the output in the revision of `--changed`; none without it. */
function imagesBefore(
  folder: string,
  { changed, outputDir }: ImagesOptions,
  io: Io,
): { readonly images: ReadonlySet<string> } | Diagnostic {
  if (changed === undefined) return { images: new Set() };
  const output = outputDir === undefined ? outputFolderOf(resolve(io.cwd, folder), io.cwd) : resolve(io.cwd, outputDir);
  try {
    const tree = openRevision(output, changed, io);
    if (tree === undefined) return nothingToCompare('nothing is committed', 'leave out `--changed`');
    return 'code' in tree ? tree : imagesOfTree(tree);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return unreadableOld(`${changed} cannot be read: ${error.message}`, 'see that it can be read, or name another');
  }
}

function imagesOfTree(tree: OldTree): { readonly images: ReadonlySet<string> } | Diagnostic {
  const found = new Set<string>();
  for (const name of tree.folders) {
    const cluster = tree.cluster(name);
    if (cluster?.hasIndex !== true) continue;
    const { objects, diagnostics } = readManifests(cluster);
    const [problem] = diagnostics;
    if (problem) return problem;
    for (const [image] of objects.flatMap(imageUses)) found.add(image);
  }
  return { images: found };
}
