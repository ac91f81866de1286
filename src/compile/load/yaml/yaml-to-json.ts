import { type Code, diagnostic } from '../../../shared/diagnostics/codes.js';
import type { ParsedNode, Scalar as ScalarNode, YAMLMap } from 'yaml';
import { isAlias, isScalar, isSeq, Scalar as YamlScalar } from 'yaml';
import type { Diagnostic } from '../../../shared/diagnostics/diagnostic.js';
import { isWellFormed } from '../../../shared/lib/well-formed.js';
import type { Resolved, Scalar } from './scalars.js';
import { resolvePlain, resolveTagged, scalarToJson, scalarToKey } from './scalars.js';
import { mergeSources, type AliasTargets } from './aliases.js';
import { nestingMax } from '../../../shared/lib/nesting.js';

/** The position of a node in the file. */
type LocateNode = (node: ParsedNode) => NonNullable<Diagnostic['location']>;

interface Conversion {
  readonly targets: AliasTargets;
  readonly locate: LocateNode;
  readonly diagnostics: Diagnostic[];
  /** The enclosing anchored nodes, to detect one that contains itself. */
  readonly open: Set<ParsedNode>;
  nodes: number;
  aliasedNodes: number;
  aliasedCharacters: number;
  /** Number of enclosing aliases; problems below an alias were reported at its anchor. */
  aliasDepth: number;
  depth: number;
  isExhausted: boolean;
}

/** Refuses a document whose aliases add more than this to it, or 100 times its own size (as goyaml does). */
const aliasedNodesMax = 400_000;
const aliasedNodesFree = 1_000;
const aliasRatioMax = 100;
/** Characters of text that aliases may add to a document. */
const aliasedCharactersMax = 4 * 1024 * 1024;

function report(state: Conversion, code: Code, node: ParsedNode, message: string, extra: Partial<Diagnostic> = {}) {
  if (state.aliasDepth === 0) {
    const location = state.locate(node);
    state.diagnostics.push(diagnostic(code, { message, location, ...extra }));
  }
}

/** Reads the scalar by the rules of `scalars.ts`. */
export function readScalar(node: ScalarNode): Resolved<Scalar> {
  const text = node.source ?? '';
  // The parser concatenates the lines of a block. Reading a character makes V8 flatten the text, whose parts take four
  // times the memory.
  text.charCodeAt(0);
  if (node.tag !== undefined) {
    return resolveTagged(text, node.tag);
  }
  const isPlain = node.type === undefined || node.type === YamlScalar.PLAIN;
  return { ok: true, value: isPlain ? resolvePlain(text) : { type: 'str', value: text } };
}

export function isMergeKey(node: unknown): boolean {
  return isScalar(node) && node.source === '<<' && node.tag === undefined && node.type === YamlScalar.PLAIN;
}

/** The parser reads an escape such as `"\ud800"` as half of a surrogate pair. */
function checkText(state: Conversion, node: ParsedNode, text: unknown, what: 'key' | 'text'): void {
  if (typeof text === 'string' && !isWellFormed(text)) {
    report(state, 'WEFT0007', node, `the ${what} holds half of a surrogate pair, which is no character`, {
      help: 'write the character itself, or remove the escape',
    });
  }
}

function convertScalar(state: Conversion, node: ScalarNode.Parsed): unknown {
  const scalar = readScalar(node);
  if (!scalar.ok) {
    report(state, 'WEFT0003', node, scalar.problem, { help: 'remove the tag; put text in quotes' });
    return node.source;
  }
  const value = scalarToJson(scalar.value);
  if (!value.ok) {
    report(state, 'WEFT0008', node, value.problem, { help: 'put it in quotes if it is meant as text' });
    return node.source;
  }
  checkText(state, node, value.value, 'text');
  return value.value;
}

/** The text of a key; undefined, with a diagnostic, if it has none. */
function convertKey(state: Conversion, node: ParsedNode): string | undefined {
  const target = isAlias(node) ? state.targets.get(node) : node;
  if (target === undefined) {
    convert(state, node);
    return undefined;
  }
  if (!isScalar(target)) {
    report(state, 'WEFT0009', node, 'a key is a collection', { help: 'use text for keys' });
    return undefined;
  }
  const scalar = readScalar(target);
  const key: Resolved<string> = scalar.ok ? scalarToKey(scalar.value) : scalar;
  if (!key.ok) {
    report(state, scalar.ok ? 'WEFT0009' : 'WEFT0003', node, key.problem, { help: 'put the key in quotes' });
    return undefined;
  }
  checkText(state, node, key.value, 'key');
  return key.value;
}

/**
 * goyaml applies a merge key where it stands: it overrides keys above it, and keys below override it. (The YAML 1.1 merge
 * specification would have keys of the mapping itself win everywhere.)
 */
function convertMerge(state: Conversion, key: ParsedNode, node: ParsedNode | null, into: Map<string, unknown>): void {
  if (isAlias(node) && state.targets.get(node) === undefined) {
    convert(state, node);
    return;
  }
  const sources = mergeSources(node, state.targets);
  if (sources === undefined) {
    report(state, 'WEFT0010', node ?? key, 'the merge key `<<` needs a mapping or a list of mappings', {
      help: 'refer to the anchor of a mapping, as in "<<: *name"',
    });
    return;
  }
  for (const source of sources) {
    const merged = convert(state, source);
    for (const [name, value] of Object.entries((merged ?? {}) as Record<string, unknown>)) {
      into.set(name, value);
    }
  }
}

function checkTag(state: Conversion, node: ParsedNode, own: string): void {
  if (node.tag !== undefined && node.tag !== '!' && node.tag !== own) {
    const shown = node.tag.replace('tag:yaml.org,2002:', '!!');
    report(state, 'WEFT0003', node, `the tag \`${shown}\` has no meaning here`, { help: 'remove the tag' });
  }
}

function convertMap(state: Conversion, map: YAMLMap.Parsed): unknown {
  checkTag(state, map, 'tag:yaml.org,2002:map');
  const entries = new Map<string, unknown>();
  const written = new Map<string, ParsedNode>();
  const repeated: Repeated[] = [];
  for (const { key, value } of map.items) {
    if (isMergeKey(key)) {
      convertMerge(state, key, value, entries);
      continue;
    }
    const name = convertKey(state, key);
    const first = name === undefined ? undefined : written.get(name);
    if (name !== undefined && first !== undefined) repeated.push({ name, key, first });
    const converted = value === null ? null : convert(state, value);
    if (name !== undefined) {
      written.set(name, key);
      entries.set(name, converted);
    }
  }
  reportRepeated(state, repeated);
  // Object.fromEntries defines properties, so that even `__proto__` becomes an ordinary one.
  return Object.fromEntries(entries);
}

/** A key that is in a mapping already. */
interface Repeated {
  readonly name: string;
  readonly key: ParsedNode;
  readonly first: ParsedNode;
}

/** Where both keys of a document are there again, two documents have no separator between them. */
function reportRepeated(state: Conversion, repeated: readonly Repeated[]): void {
  const begin = repeated.find(({ name }) => name === 'apiVersion' || name === 'kind');
  const isSecondDocument = ['apiVersion', 'kind'].every((key) => repeated.some(({ name }) => name === key));
  if (begin !== undefined && isSecondDocument) {
    report(
      state,
      'WEFT0002',
      begin.key,
      'a second document begins in this mapping: it has `apiVersion` and `kind` twice',
      {
        label: 'the second',
        help: 'write `---` on a line of its own before the second document',
        related: { location: state.locate(begin.first), message: 'the first' },
      },
    );
    return;
  }
  for (const { name, key, first } of repeated) {
    report(state, 'WEFT0002', key, `the key \`${name}\` appears twice in this mapping`, {
      label: 'again here',
      help: 'remove one of them, or merge the two',
      related: { location: state.locate(first), message: 'first here' },
    });
  }
}

function convertAlias(
  state: Conversion,
  node: ParsedNode & { source: string },
  target: ParsedNode | undefined,
): unknown {
  if (target === undefined) {
    report(state, 'WEFT0004', node, `no anchor \`&${node.source}\` is above this alias in the document`, {
      help: 'anchors hold within one document only; put text that begins with * in quotes',
    });
    return null;
  }
  if (state.open.has(target)) {
    report(state, 'WEFT0005', node, `the value of the anchor \`&${node.source}\` contains itself`);
    return null;
  }
  state.aliasDepth++;
  const value = convert(state, target);
  state.aliasDepth--;
  return value;
}

function isOverLimit(state: Conversion): boolean {
  const written = state.nodes - state.aliasedNodes;
  return (
    state.aliasedNodes > aliasedNodesMax ||
    state.aliasedCharacters > aliasedCharactersMax ||
    (state.aliasedNodes > aliasedNodesFree && state.aliasedNodes > aliasRatioMax * written)
  );
}

function convert(state: Conversion, node: ParsedNode): unknown {
  state.nodes++;
  if (state.aliasDepth > 0) {
    state.aliasedNodes++;
    if (isScalar(node)) state.aliasedCharacters += node.source.length;
  }
  state.isExhausted ||= isOverLimit(state) || state.depth > nestingMax;
  if (state.isExhausted) {
    return null;
  }
  if (isAlias(node)) {
    return convertAlias(state, node, state.targets.get(node));
  }
  if (isScalar(node)) {
    return convertScalar(state, node);
  }
  state.depth++;
  state.open.add(node);
  let value: unknown;
  if (isSeq(node)) {
    checkTag(state, node, 'tag:yaml.org,2002:seq');
    value = node.items.map((item) => convert(state, item));
  } else {
    value = convertMap(state, node);
  }
  state.open.delete(node);
  state.depth--;
  return value;
}

/**
 * Plain data with ordinary own properties, and everything that is wrong with it. What cannot be converted is in the
 * data as its text, so that the rest can still be checked; there is no value if aliases expand to too much.
 */
export function convertDocument(
  root: ParsedNode,
  targets: AliasTargets,
  locate: LocateNode,
): { readonly value: unknown; readonly diagnostics: readonly Diagnostic[] } {
  const state: Conversion = {
    targets,
    locate,
    diagnostics: [],
    open: new Set(),
    nodes: 0,
    aliasedNodes: 0,
    aliasedCharacters: 0,
    aliasDepth: 0,
    depth: 0,
    isExhausted: false,
  };
  const value = convert(state, root);
  if (state.isExhausted) {
    state.aliasDepth = 0;
    report(state, 'WEFT0005', root, 'the aliases of this document expand to more than is sensible', {
      help: 'write the values out, or use fewer nested aliases',
    });
  }
  return { value: state.isExhausted ? undefined : value, diagnostics: state.diagnostics };
}
