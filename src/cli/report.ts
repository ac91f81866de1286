import { codes } from '../shared/diagnostics/codes.js';
import { isError, type Diagnostic, type Inheritance } from '../shared/diagnostics/diagnostic.js';
import { renderDiagnostics, type DiagnosticFormat } from '../shared/diagnostics/render/render.js';
import { errorPage } from './error-pages.js';
import { EXIT, usesColour, type ExitCode, type Io } from './io.js';
import { fromRepository } from './repository-paths.js';

/** True if the input cannot be used. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(isError);
}

/**
 * Diagnostics of many folders. Those that are shown once in a run come from the first folder that has them, and one about a base
 * names all clusters that inherit it.
 */
interface Collected {
  readonly all: readonly Diagnostic[];
  readonly add: (found: readonly Diagnostic[]) => void;
  readonly hasErrors: () => boolean;
}

export function collectDiagnostics(): Collected {
  const all: Diagnostic[] = [];
  const shown = new Set<string>();
  const inBases = new Map<string, Inheritance[]>();
  let isBroken = false;
  const add = (one: Diagnostic): void => {
    const { location } = one;
    if (location?.inheritedBy === undefined) {
      all.push(one);
      return;
    }
    const { file, line, column, inheritedBy } = location;
    const key = JSON.stringify([file, line, column, one.severity, one.code, one.message, one.label, one.help]);
    const known = inBases.get(key);
    if (known !== undefined) {
      known.push(...inheritedBy);
      return;
    }
    const heirs = [...inheritedBy];
    inBases.set(key, heirs);
    all.push({ ...one, location: { ...location, inheritedBy: heirs } });
  };
  return {
    all,
    add: (found) => {
      for (const one of found) if (!shown.has(one.code)) add(one);
      for (const { code } of found) if (codes[code]?.isOncePerRun === true) shown.add(code);
      isBroken ||= hasErrors(found);
    },
    hasErrors: () => isBroken,
  };
}

/** Prints diagnostics on standard error, in the format of `--format`; text ends with a count. */
export function report(diagnostics: readonly Diagnostic[], format: DiagnosticFormat, io: Io, closing?: string): void {
  const isForMachines = format === 'json' || format === 'sarif';
  if (diagnostics.length === 0 && !isForMachines) return;
  const colour = !isForMachines && usesColour(io);
  const docs = { see: (code: string) => `weft explain ${code}`, page: errorPage };
  const isForGithub = format === 'github' || format === 'sarif';
  const shown = isForGithub ? fromRepository(diagnostics, io) : diagnostics;
  io.stderr(renderDiagnostics(format, shown, { colour, ...docs, ...(closing === undefined ? {} : { closing }) }));
}

/** Prints why a command does nothing. */
export function refused(
  diagnostics: readonly Diagnostic[],
  format: DiagnosticFormat,
  io: Io,
  closing?: string,
): ExitCode {
  report(diagnostics, format, io, closing);
  return EXIT.userError;
}
