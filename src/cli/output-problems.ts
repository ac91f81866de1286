import { join } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { TreeProblem } from '../render/write.js';
import { type FoundProject, strayDocuments } from './project.js';

/** What keeps a command from finding its input or writing its output, as diagnostics: every `--format` shows them. */
function problem(code: string, file: string | undefined, message: string, help: string): Diagnostic {
  return { code, severity: 'error', message, ...(file === undefined ? {} : { location: { file } }), help };
}

/** There is no `clusters/` in any of these folders. */
export function noClusters(looked: readonly string[]): Diagnostic {
  const [first = ''] = looked;
  const places = looked.length > 1 ? `; looked for ${looked.join(', ')}` : '';
  return problem(
    'WEFT0050',
    first,
    `there is no folder \`clusters\` here or above${places}`,
    'name a folder, or make one',
  );
}

/** `clusters/` has nothing in it. */
export function emptyClusters(path: string): Diagnostic {
  return problem('WEFT0051', path, 'the folder has no folders', 'give each cluster a folder of its own in it');
}

/** What keeps a command from taking every folder of `clusters/`. */
export function projectProblem(found: FoundProject, shown: (path: string) => string): Diagnostic | undefined {
  if ('looked' in found) return noClusters(found.looked);
  const { project } = found;
  if (project.folders.length === 0) return emptyClusters(shown(join(project.root, 'clusters')));
  const strays = strayDocuments(project).map(shown);
  return strays.length === 0 ? undefined : straysInClusters(strays);
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

/** Two clusters of one name would write into one folder. */
export function sameName(name: string, first: string, second: string): Diagnostic {
  const help = 'the name is the folder of the output: give each its own `metadata.name`';
  return problem('WEFT0052', second, `the Clusters of ${first} and ${second} are both named \`${name}\``, help);
}

/** A List is one cluster's: two of them share names. */
export function severalLists(folders: readonly string[]): Diagnostic {
  const message = `--output prints one cluster, and there are ${folders.length}: ${folders.join(', ')}`;
  return problem('WEFT0053', folders[1] ?? '', message, 'name one folder');
}

/** The output could not be written, or compared. */
export function treeProblem(target: string, found: TreeProblem): readonly Diagnostic[] {
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
    case 'locked': {
      const message = `another run is writing there: ${found.holder}`;
      return [problem('WEFT0055', target, message, `wait for it; if there is none, remove ${found.path}`)];
    }
    case 'broken-index': {
      const message = `line ${found.line} of the index is broken: ${found.reason}`;
      return [
        problem(
          'WEFT0056',
          join(target, found.path),
          message,
          'restore it from git: it says which files are ours to remove',
        ),
      ];
    }
    case 'failed': {
      const help = 'see that the folder can be written to and the disk has room';
      return [problem('WEFT0057', found.path, `the operating system refuses: ${found.message} (${found.code})`, help)];
    }
  }
}

/** The output on the disk is not what the input says. */
export function staleTree(target: string, counts: string): Diagnostic {
  return problem(
    'WEFT0070',
    target,
    `the folder is not what the input says: ${counts}`,
    'run `weft synth` and commit it',
  );
}

/** The old side of a comparison is not there, or not one. */
export function nothingToCompare(message: string, help: string): Diagnostic {
  return problem('WEFT0058', undefined, message, help);
}

/** The old side of a comparison is there, and git or the operating system does not give it. */
export function unreadableOld(message: string, help: string): Diagnostic {
  return problem('WEFT0059', undefined, message, help);
}
