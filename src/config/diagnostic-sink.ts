import type { Diagnostic, Severity } from '../diagnostics/diagnostic.js';
import { folderMax } from '../load/yaml/budget.js';

/** Collects what is to be said of one folder, up to what somebody reads. */
export interface Enough {
  readonly all: readonly Diagnostic[];
  /** The second argument is asked only for what is said: to look up a place takes time. */
  readonly say: (severity: Severity, diagnostic: () => Diagnostic) => void;
}

/** Of each severity, so that no number of warnings hides an error. */
const saidMax = folderMax.errors;

const CODE = 'WEFT0040';

/** So many errors and so many warnings, and then once that there are more. */
export function collectEnough(): Enough {
  const all: Diagnostic[] = [];
  const left: Record<Severity, number> = { error: saidMax, warning: saidMax };
  let isCut = false;
  const say: Enough['say'] = (severity, diagnostic) => {
    const isFull = left[severity] === 0;
    if (isFull && isCut) return;
    const found = diagnostic();
    if (!isFull && found.code !== CODE) {
      left[severity] -= 1;
      all.push(found);
      return;
    }
    // What was collected of one document may end like this too.
    if (!isCut) all.push(found.code === CODE ? found : more(found));
    isCut = true;
  };
  return { all, say };
}

/** Says all of them. */
export function sayAll({ say }: Enough, found: readonly Diagnostic[]): void {
  for (const diagnostic of found) say(diagnostic.severity, () => diagnostic);
}

function more({ severity, location }: Diagnostic): Diagnostic {
  return {
    code: CODE,
    severity: 'warning',
    message: `there are more than ${saidMax} ${severity}s; what is left begins here and is not shown`,
    ...(location && { location }),
    help: 'fix what is shown, and run it again',
  };
}
