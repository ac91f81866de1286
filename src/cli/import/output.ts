import { join } from 'node:path';
import { escapeLine, shellWord } from '../../shared/lib/escape.js';
import type { ComparedImport } from '../../cluster/import/compare.js';
import type { ImportedFile } from '../../cluster/import/files.js';
import { counted } from '../../shared/lib/listed.js';
import { fieldText } from '../../review/diff/text.js';
import type { Io } from '../io.js';
import { jsonText } from '../json-text.js';
import type { ImportOptions } from './options.js';

/** What an import did, or would do. */
interface ImportResult {
  readonly folder: string;
  /** Files of documents that the folder did not have. */
  readonly files: readonly ImportedFile[];
  readonly compared: ComparedImport;
  /** Whether all of a cluster was read: what is missing in it is gone. */
  readonly isWhole: boolean;
  /** Whether the folder does not compile. */
  readonly hasErrors: boolean;
}

/** Prints the files and the differences on standard output, and what to do next on standard error. */
export function printImport(result: ImportResult, options: ImportOptions, io: Io): void {
  if (options.format === 'json') return io.stdout(jsonText(jsonOf(result, options)));
  const { folder, files, compared, isWhole } = result;
  if (options.dryRun)
    io.stdout(files.map(({ name, text }) => `# ${escapeLine(join(folder, name))}\n${text}`).join('---\n'));
  else for (const { name } of files) io.stdout(`${escapeLine(join(folder, name))}\n`);
  const gone = isWhole ? compared.gone : [];
  // With --dry-run standard output is a stream of documents.
  const say = options.dryRun ? io.stderr : io.stdout;
  for (const { file, kind, name, changes } of compared.changed) {
    say(`${escapeLine(`${file}: ${kind} ${name}, from the folder to the cluster:`)}\n`);
    for (const change of changes) say(`  ${fieldText(change)}\n`);
  }
  for (const { file, kind, name } of gone) say(`${escapeLine(`${file}: ${kind} ${name} is not in the cluster`)}\n`);
  if (options.format === 'text') io.stderr(notes(result, gone.length, options));
}

function notes({ folder, files, compared, hasErrors }: ImportResult, gone: number, { dryRun }: ImportOptions): string {
  const differences = compared.changed.length + gone;
  const lines = [
    ...(files.length === 0 && differences === 0 ? [`${folder}: as the cluster is; nothing to write`] : []),
    ...(dryRun ? ['nothing written: --dry-run'] : []),
    ...(differences > 0
      ? [
          `${counted(differences, 'document differs', 'documents differ')} from the cluster, and ${differences === 1 ? 'was' : 'were'} left as in the folder`,
          'help: change them by hand, or delete a file: the next import writes its documents again',
        ]
      : []),
    ...(files.length > 0 && !dryRun && !hasErrors
      ? [`next: read the comments, then \`weft synth ${shellWord(folder)}\``]
      : []),
  ];
  return lines.map((line) => `${escapeLine(line)}\n`).join('');
}

function jsonOf({ folder, files, compared, isWhole }: ImportResult, { dryRun = false }: ImportOptions): object {
  return {
    folder,
    isDryRun: dryRun,
    files: files.map(({ name, text, documents }) => ({
      path: join(folder, name),
      documents: documents.map(({ kind, name: of, namespace }) => ({
        kind,
        name: of,
        ...(namespace && { namespace }),
      })),
      ...(dryRun && { text }),
    })),
    changed: compared.changed,
    gone: isWhole ? compared.gone : [],
  };
}
