import { isBaseFolder } from './base-path.js';
import { isSafePath } from './safe-path.js';

/** The name does not end with `.yaml` or `.json`, because Argo CD in directory mode would read it as a manifest. */
export const INDEX_PATH = 'weft.index';

const FORMAT = 2;
const FIRST_LINE = /^(?:# )?weft index (\d+)(?:$|,(?: made by weft synth (\d+\.\d+) )?)/;
/** A file; the first format had its SHA-256 before the path. */
const FILE_LINE = /^(?:file |[0-9a-f]{64} {2})(.+)$/;
const FACT_LINE = /^(?:driver|settings) \{/;
const BASE_LINE = /^base (\S+)$/;
/** Conflict markers of git; longer if both branches renamed a file. */
const CONFLICT_LINE = /^(?:<{7,}|\|{7,}|={7,}|>{7,})(?: |$)/;

/** The content of an index. */
interface IndexContent {
  /** The folder of the input that the output was made from, such as `clusters/east`; without white space. */
  readonly source: string;
  /** Minor version of Weft, for the output of a cluster. */
  readonly weft?: string | undefined;
  /** Lines about the configuration, as `src/shared/contract` writes them. */
  readonly facts: readonly string[];
  /** The bases that the output lists, relative to the folder that the output folder is in. */
  readonly bases: readonly string[];
  /** The files of the output. */
  readonly paths: readonly string[];
}

type ParsedIndex =
  | {
      readonly kind: 'index';
      /** Minor version of Weft that wrote it; absent in the output of no cluster, and of older versions. */
      readonly weft?: string;
      readonly facts: readonly string[];
      readonly bases: readonly string[];
      readonly paths: readonly string[];
      /** Whether all lines are valid and in order: false after a merge that left conflicts or duplicate lines. */
      readonly isWhole: boolean;
    }
  | { readonly kind: 'broken'; readonly reason: string };

/** The index as text. Each line depends only on one file, on one base, on one pool of one driver, or on `spec.access`. */
export function formatIndex({ source, weft, facts, bases, paths }: IndexContent): string {
  const lines = [
    ...[...facts].sort(),
    ...[...bases].sort().map((path) => `base ${path}`),
    ...[...paths].sort().map((path) => `file ${path}`),
  ];
  const synth = ['weft synth', ...(weft === undefined ? [] : [weft])].join(' ');
  return [`# weft index ${FORMAT}, made by ${synth} from ${source}, do not edit`, ...lines, ''].join('\n');
}

/**
 * Reads an index, also with merge conflicts, duplicate lines or in another order; it then has the entries of both
 * sides. Other lines are left out. That is safe because the index alone never causes the removal of a file. Line breaks
 * may be those of git for Windows.
 */
export function parseIndex(text: string): ParsedIndex {
  const all = text.split(/\r?\n/);
  const lines = all.filter((line) => !CONFLICT_LINE.test(line));
  const [, format, weft] = FIRST_LINE.exec(lines[0] ?? '') ?? [];
  if (format === undefined) return { kind: 'broken', reason: 'its first line is not that of an index of Weft' };
  if (Number(format) > FORMAT) return { kind: 'broken', reason: `a newer version of Weft wrote it (format ${format})` };
  const facts = lines.filter((line) => FACT_LINE.test(line));
  const bases = lines.flatMap((line) => BASE_LINE.exec(line)?.[1] ?? []).filter(isBaseFolder);
  const paths = lines.flatMap((line) => FILE_LINE.exec(line)?.[1] ?? []).filter(isSafePath);
  const isComplete = all.length === facts.length + bases.length + paths.length + 2 && all.at(-1) === '';
  const isWhole = Number(format) === FORMAT && isComplete && [facts, bases, paths].every(isSorted);
  const once = (of: readonly string[]) => [...new Set(of)];
  const read = { facts: once(facts), bases: once(bases), paths: once(paths), isWhole };
  return { kind: 'index', ...(weft !== undefined && { weft }), ...read };
}

function isSorted(lines: readonly string[]): boolean {
  return lines.every((line, index) => index === 0 || (lines[index - 1] ?? '') < line);
}
