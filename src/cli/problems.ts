import { type Code, diagnostic } from '../shared/diagnostics/codes.js';
import { join } from 'node:path';
import type { Diagnostic } from '../shared/diagnostics/diagnostic.js';
import type { TreeProblem } from '../compile/render/tree/write.js';
import { isLink } from '../shared/files/links.js';
import { linkNotFollowed } from '../compile/load/load.js';
import { READ_HELP } from '../compile/load/missing-folder.js';
import { CLUSTERS, type FoundProject, type Project, strayDocuments } from './project.js';

/** Diagnostics about input that is not found and output that cannot be written. */
function problem(code: Code, file: string | undefined, message: string, help: string): Diagnostic {
  return diagnostic(code, { message, location: file === undefined ? undefined : { file }, help });
}

/** There is no `clusters/` in any of these folders. */
function noClusters(looked: readonly string[]): Diagnostic {
  const [first = ''] = looked;
  const places = looked.length > 1 ? `; looked for ${looked.join(', ')}` : '';
  return problem(
    'WEFT0050',
    first,
    `there is no folder \`clusters\` here or above${places}`,
    'name a folder, or make one',
  );
}

/** `clusters/` is empty. */
export function emptyClusters({ root }: Project, shown: (path: string) => string): Diagnostic {
  const path = shown(join(root, CLUSTERS));
  return problem('WEFT0051', path, 'the folder has no folders', 'give each cluster a folder of its own in it');
}

/** The project, or the diagnostics about a `clusters/` that is missing, cannot be read or is a link. */
export function openProject(found: FoundProject, shown: (path: string) => string): Project | Diagnostic {
  if ('project' in found) {
    const clusters = join(found.project.root, CLUSTERS);
    return isLink(clusters) ? linkNotFollowed(shown(clusters)) : found.project;
  }
  if ('looked' in found) return noClusters(found.looked);
  const message = `the folder of the clusters cannot be read: ${found.reason}`;
  return problem('WEFT0020', shown(found.unreadable), message, READ_HELP);
}

/** The project, or the diagnostics about folders of its `clusters/` that cannot be used. */
export function everyCluster(found: FoundProject, shown: (path: string) => string): Project | Diagnostic {
  const project = openProject(found, shown);
  if ('code' in project) return project;
  if (project.folders.length === 0) return emptyClusters(project, shown);
  const strays = strayDocuments(project).map(shown);
  return strays.length === 0 ? project : straysInClusters(strays);
}

/** Documents in `clusters/` itself. */
function straysInClusters(paths: readonly string[]): Diagnostic {
  const [first = '', ...others] = paths;
  const also = others.length === 0 ? '' : `; nor is ${others.join(', ')}`;
  return problem(
    'WEFT0039',
    first,
    `the document is not read: it is in no folder of a cluster${also}`,
    others.length === 0 ? 'move it into the folder of its cluster' : 'move each into the folder of its cluster',
  );
}

/** Two clusters of the same name would write into the same folder. */
export function sameName(name: string, first: string, second: string): Diagnostic {
  const help = 'the name is the folder of the output: give each its own `metadata.name`';
  return problem('WEFT0052', second, `the Clusters of ${first} and ${second} are both named \`${name}\``, help);
}

/** A List can hold only one cluster, because objects of two clusters have the same names. */
export function severalLists(folders: readonly string[]): Diagnostic {
  const message = `--output prints one cluster, and there are ${folders.length}: ${folders.join(', ')}`;
  return problem('WEFT0053', folders[1] ?? '', message, 'name one folder');
}

/** `--output-dir` is given and empty. */
export function emptyOutputDir(): Diagnostic {
  const help = 'is a variable of the script not set? Without the option it is `dist` beside clusters/';
  return problem('WEFT0057', undefined, '`--output-dir` is empty', help);
}

/** The output would become input. */
export function outputInInput(target: string, how: string): Diagnostic {
  return problem('WEFT0057', target, `the output folder ${how}`, 'name a folder beside the input with `--output-dir`');
}

/** Output of a cluster that was renamed or removed. Weft does not delete it. */
export function leftFolder(path: string): Diagnostic {
  const message = 'Weft wrote the folder, and no cluster of `clusters` has it any more';
  const help = 'remove it once nothing applies it: Argo CD and Flux go on with what they find there';
  return diagnostic('WEFT0071', { message, location: { file: path }, help });
}

/** Something in the output that is not of Weft. */
export function foreignFile(path: string): Diagnostic {
  const help =
    'remove it: documents of your own go into the folder of the cluster in `clusters`, other files beside `dist`';
  return problem('WEFT0045', path, 'the output holds something that Weft did not write', help);
}

/**
 * The output could not be written or compared.
 *
 * @param target the output folder as messages name it
 * @param shown names any other path
 */
export function treeProblem(
  target: string,
  found: TreeProblem,
  shown: (path: string) => string,
): readonly Diagnostic[] {
  switch (found.kind) {
    case 'conflict':
      return found.paths.map((path) =>
        problem(
          'WEFT0054',
          join(target, path),
          'something that Weft did not write is in the way',
          'move it away, then run again',
        ),
      );
    case 'foreign':
      return found.paths.map((path) => foreignFile(join(target, path)));
    case 'locked':
      return [problem('WEFT0055', target, 'another run is writing there', 'wait for it, then run again')];
    case 'broken-index': {
      const message = `the index cannot be read: ${found.reason}`;
      return [problem('WEFT0056', join(target, found.path), message, 'restore it from git, or delete it')];
    }
    case 'failed': {
      // Errors from an open file have no path.
      const path = found.path === '' ? target : shown(found.path);
      const help = 'see that the folder can be written to and the disk has room';
      return [problem('WEFT0057', path, `the operating system refuses: ${found.message} (${found.code})`, help)];
    }
  }
}

/** The path of the output folder, or of a folder above it, is not a folder. */
export function noFolderThere(target: string, path: string): Diagnostic {
  const where = path === target ? '' : `, and the output goes to \`${target}\``;
  const message = `\`${path}\` is not a folder${where}`;
  return problem('WEFT0057', path, message, 'move it away, or name another folder with `--output-dir`');
}

/** The output on the disk differs from what the input renders. */
export function staleTree(target: string, counts: string): Diagnostic {
  return problem(
    'WEFT0070',
    target,
    `the folder is not what the input says: ${counts}`,
    'run `weft synth` and commit it',
  );
}

/** The old side of a comparison does not exist, or is not a folder or revision. */
export function nothingToCompare(message: string, help: string): Diagnostic {
  return problem('WEFT0058', undefined, message, help);
}

/** Git or the operating system failed to read the old side of a comparison. */
export function unreadableOld(message: string, help: string): Diagnostic {
  return problem('WEFT0059', undefined, message, help);
}

/** @param file the `weft.lock`, for messages */
export function unusedPin(image: string, file: string): Diagnostic {
  const message = `nothing uses the image \`${image}\``;
  return diagnostic('WEFT0077', { message, location: { file }, help: 'run `weft lock`' });
}
