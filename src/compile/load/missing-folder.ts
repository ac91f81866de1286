import { basename, dirname, join } from 'node:path';
import { askWhether, suggest } from '../../shared/diagnostics/suggest.js';
import { listedNames } from '../../shared/lib/listed.js';
import { isInput } from './file-names.js';
import { entriesOf, isLeftAlone } from './unread-files.js';

/** Help for a folder that may not be read. */
export const READ_HELP = 'see that you may read and enter it';

/** Maximum number of clusters in a help text. */
export const listedMax = 10;

/**
 * Help for a path that is not a folder: a folder with a similar name, a cluster in the folder `clusters` next to it, or
 * the folder of the file.
 *
 * @param show a path as messages call it
 */
export function folderMeant(path: string, show: (path: string) => string): string | undefined {
  const parent = dirname(path);
  const name = basename(path);
  if (isInput(name) && foldersOf(dirname(parent)).includes(basename(parent))) {
    return `give the folder that holds the documents of a cluster: \`${show(parent)}\``;
  }
  const inClusters = foldersOf(join(parent, 'clusters'));
  const siblings = foldersOf(parent);
  const meant = inClusters.includes(name) ? name : suggest(name, inClusters);
  if (meant !== undefined) return askWhether(show(join(parent, 'clusters', meant)));
  const near = suggest(name, siblings);
  if (near !== undefined) return askWhether(show(join(parent, near)));
  const [root, known] = basename(parent) === 'clusters' ? [parent, siblings] : [join(parent, 'clusters'), inClusters];
  return known.length === 0
    ? undefined
    : `there are ${listedNames(
        known.map((one) => show(join(root, one))),
        listedMax,
      )}`;
}

function foldersOf(path: string): readonly string[] {
  return entriesOf(path)
    .filter((entry) => entry.isDirectory() && !isLeftAlone(entry.name))
    .map(({ name }) => name);
}
