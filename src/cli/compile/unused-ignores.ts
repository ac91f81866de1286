import { unusedIgnore, type Ignore } from '../../compile/load/ignore-comments.js';
import { denyWarnings, type DeniedWarnings } from '../../shared/diagnostics/deny.js';
import { isError, type Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { Compiled } from './loaded.js';

/** Collects the clusters of a run, which all inherit comments of bases: what is of no use in one cluster may be so in another. */
interface UnusedIgnores {
  readonly add: (compiled: Compiled) => void;
  /** The warnings about comments in bases that no cluster used, where no cluster that inherits one has errors or is left behind. */
  readonly all: () => readonly Diagnostic[];
}

/** @param denied warnings that count as errors, beside those that a cluster denies for itself */
export function collectUnusedIgnores(denied: DeniedWarnings): UnusedIgnores {
  const unused = new Map<string, Diagnostic>();
  const needed = new Set<string>();
  return {
    add: ({ loaded, unusedIgnores, result }) => {
      const inherited = loaded?.ignores?.filter(({ isInherited }) => isInherited) ?? [];
      const own = new Set(unusedIgnores);
      for (const ignore of inherited) {
        const key = keyOf(ignore);
        const denials = [denied, result?.config.cluster.spec.denyWarnings ?? []];
        const [found] = denials.reduce<readonly Diagnostic[]>(denyWarnings, [unusedIgnore(ignore)]);
        if (found === undefined || !own.has(ignore)) needed.add(key);
        else if (!unused.has(key) || isError(found)) unused.set(key, found);
      }
    },
    all: () => [...unused].flatMap(([key, found]) => (needed.has(key) ? [] : [found])),
  };
}

function keyOf({ code, location: { file, line, column } }: Ignore): string {
  return JSON.stringify([code, file, line, column]);
}
