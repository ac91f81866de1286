import type { Alias, ParsedNode, YAMLSeq } from 'yaml';
import { isAlias, isCollection, isMap, isPair, isSeq } from 'yaml';

/** The node that each alias refers to; undefined if there is no such anchor before it. */
export type AliasTargets = ReadonlyMap<Alias, ParsedNode | undefined>;

/**
 * Finds all targets in one pass. (`Alias.resolve` of the library visits the document from its start for every alias.)
 * An anchor is valid from its node on, until another anchor has the same name.
 */
export function resolveAliases(root: ParsedNode | null): AliasTargets {
  const anchors = new Map<string, ParsedNode>();
  const targets = new Map<Alias, ParsedNode | undefined>();
  const visit = (node: ParsedNode | null | undefined): void => {
    if (node === null || node === undefined) {
      return;
    }
    if (isAlias(node)) {
      targets.set(node, anchors.get(node.source));
      return;
    }
    if (node.anchor !== undefined) {
      anchors.set(node.anchor, node);
    }
    if (isCollection(node)) {
      for (const item of node.items) {
        if (isPair(item)) {
          visit(item.key);
          visit(item.value);
        } else {
          visit(item);
        }
      }
    }
  };
  visit(root);
  return targets;
}

/**
 * The mappings of a merge key or aliases of them; the last one takes precedence. Undefined if the value is anything but
 * a mapping or a list of mappings.
 */
export function mergeSources(value: ParsedNode | null, targets: AliasTargets): readonly ParsedNode[] | undefined {
  const isMapping = (node: unknown): node is ParsedNode =>
    isMap(node) || (isAlias(node) && isMap(targets.get(node as Alias.Parsed)));
  if (isMapping(value)) return [value];
  const items: readonly unknown[] = isSeq(value) ? [...(value as YAMLSeq.Parsed).items].reverse() : [];
  return items.length > 0 && items.every(isMapping) ? items : undefined;
}
