import { matchesSelector, parseSelector } from '../../../shared/kubernetes/selection/label-selector.js';
import { compareText } from '../../../shared/lib/json.js';
import type { SnapshotNode } from '../../../companion/model/types.js';

/** Which nodes a command is for: names and globs, narrowed by a label selector. */
interface TargetOptions {
  readonly patterns: readonly string[];
  /** In the syntax of `kubectl -l`. Without a pattern it selects the nodes alone. */
  readonly selector?: string;
}

type Targets =
  | { readonly kind: 'nodes'; readonly nodes: readonly SnapshotNode[] }
  | { readonly kind: 'error'; readonly message: string };

/** The nodes that match a pattern and the selector, sorted by name. A pattern that matches no node is an error. */
export function targetsOf(nodes: readonly SnapshotNode[], { patterns, selector = '' }: TargetOptions): Targets {
  const parsed = parseSelector(selector);
  if ('error' in parsed)
    return { kind: 'error', message: `the label selector \`${selector}\` is not valid: ${parsed.error}` };
  const selected = nodes.filter(({ labels }) => matchesSelector(parsed.selector, labels));
  const chosen = new Map<string, SnapshotNode>();
  for (const pattern of patterns.length === 0 ? ['*'] : patterns) {
    const matches = selected.filter(({ name }) => matchesGlob(name, pattern));
    if (matches.length === 0) {
      const labelled = selector === '' ? '' : ` with the labels \`${selector}\``;
      return {
        kind: 'error',
        message: patterns.length === 0 ? `no node${labelled}` : `no node${labelled} matches \`${pattern}\``,
      };
    }
    for (const node of matches) chosen.set(node.name, node);
  }
  return { kind: 'nodes', nodes: [...chosen.values()].sort((a, b) => compareText(a.name, b.name)) };
}

/** `*` stands for any text and `?` for any character. */
function matchesGlob(name: string, pattern: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(name);
}
