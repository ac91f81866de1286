/** One place in the input. Lines and columns count from 1; columns count UTF-16 units. */
export interface Location {
  /** Path as the user would type it, relative to the working directory. */
  readonly file: string;
  /** Absent if the input has no text, as in a `cluster.ts`. */
  readonly line?: number;
  readonly column?: number;
  /** Column after the last character of the place, on the same line. */
  readonly endColumn?: number;
  /** The text of the line, without its line break. */
  readonly sourceLine?: string;
  /** For a place in a base: by which clusters it is inherited. One of a run over several clusters names each. */
  readonly inheritedBy?: readonly Inheritance[];
}

/** The place of an entry of `extends`. */
export type ExtendsPlace = Pick<Location, 'file' | 'line' | 'column'>;

/** How a cluster comes to a base. */
export interface Inheritance extends ExtendsPlace {
  /** The entries of the bases between the cluster and this one; absent if there are none. */
  readonly through?: readonly ExtendsPlace[];
}

export type Severity = 'error' | 'warning';

/** Title and severity of a code. */
export interface CodeInfo {
  readonly title: string;
  readonly severity: Severity;
  /** Whether a run over several clusters shows it once, because it is about Weft's output and not about one input. */
  readonly isOncePerRun?: boolean;
}

/** A step into a document: a key of a mapping or an index of a sequence. */
export type PathStep = string | number;

/** A part of a text: the offset of its first character, and the offset after its last one. */
export type TextRange = readonly [start: number, end: number];

/**
 * An error or a warning about the input. `message` is a lower-case fact in terms of the configuration; only `help`
 * proposes changes.
 */
export interface Diagnostic {
  /** `WEFT` and four digits, as registered in `codes.ts`. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly location?: Location;
  /** Where in the document, for instance `['spec', 'ofedDriver', 'version']`. */
  readonly path?: readonly PathStep[];
  /** A short text about the place, printed after the caret. */
  readonly label?: string;
  readonly help?: string;
  /** A second place that the message is about, for two documents in conflict. */
  readonly related?: { readonly location: Location; readonly message: string };
}

/** True if the input cannot be used. */
export function isError({ severity }: Pick<Diagnostic, 'severity'>): boolean {
  return severity === 'error';
}

/** The same without the text of its line, which must not be printed. */
export function withoutSourceLine({ location, ...diagnostic }: Diagnostic): Diagnostic {
  if (location === undefined) return diagnostic;
  const place = Object.entries(location).filter(([key]) => key !== 'sourceLine');
  return { ...diagnostic, location: Object.fromEntries(place) as unknown as Location };
}
