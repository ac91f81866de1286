import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type * as z from 'zod';
import type * as addOns from '../src/compile/addons/registry.js';
import type * as components from '../src/compile/components/registry.js';
import type { cluster } from '../src/compile/config/kinds/cluster.js';
import type { nicClusterPolicy, nicNodePolicy } from '../src/compile/config/kinds/policies.js';
import type { configMap } from '../src/compile/model/config-map.js';
import type * as input from '../src/compile/model/input.js';
import type { NamedObject } from '../src/compile/model/named-object.js';
import type * as networks from '../src/compile/networks/registry.js';

/**
 * The types of input documents, which `npm run types` writes: they are those that TypeScript infers from the schemas, and editors
 * show the documentation of each field. The types are compared by the compiler, in `npm run check:types`. In place of the name of an
 * object they also allow the object, which constructs resolve before validation.
 */
type Readonlys<T> = T extends NamedObject
  ? never
  : T extends readonly (infer E)[]
    ? readonly Readonlys<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Readonlys<T[K]> }
      : T;
/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters -- the compiler compares such functions field by field */
type Identical<A, B> =
  (<T>() => T extends Readonlys<A> ? 1 : 2) extends <T>() => T extends Readonlys<B> ? 1 : 2 ? true : false;
/* eslint-enable @typescript-eslint/no-unnecessary-type-parameters */

/** The type below a path of keys. */
type At<T, Path extends readonly string[]> = Path extends readonly [infer K, ...infer Rest extends readonly string[]]
  ? K extends keyof T
    ? At<NonNullable<T[K]>, Rest>
    : never
  : T;
type Registered<Registry, Shape> = Extract<Registry[keyof Registry], Shape>;
interface Section {
  readonly schema: z.ZodType;
  readonly source: { readonly path: readonly string[] };
}
type AsInferred<Sections, Spec> = Sections extends Section
  ? Identical<NonNullable<z.input<Sections['schema']>>, At<Spec, Sections['source']['path']>>
  : never;
type InScope<Scope> =
  Extract<
    Registered<typeof components, Section>,
    { readonly source: { readonly scopes: readonly unknown[] } }
  > extends infer C
    ? C extends { readonly source: { readonly scopes: readonly (infer S)[] } }
      ? Scope extends S
        ? C
        : never
      : never
    : never;
type NetworkAsInferred<Kinds> = Kinds extends { readonly schema: z.ZodType<unknown, infer Document> }
  ? Identical<Document, Extract<input.NetworkDocument, Pick<Document & { readonly kind: string }, 'kind'>>>
  : never;
type Common = 'nodeAffinity' | 'tolerations';
type Spec<Document extends { readonly spec?: unknown }> = NonNullable<Document['spec']>;

/** Each is the type `true`, or this file does not compile. */
const identical: readonly [
  Identical<z.input<typeof cluster>, input.ClusterDocument>,
  Identical<z.input<typeof configMap>, input.ConfigMapDocument>,
  NetworkAsInferred<Registered<typeof networks, { readonly kind: string }>>,
  AsInferred<Registered<typeof addOns, Section>, input.ClusterSpecInput>,
  AsInferred<InScope<'cluster'>, input.NicClusterPolicySpecInput>,
  AsInferred<InScope<'node'>, input.NicNodePolicySpecInput>,
  Identical<
    Pick<Spec<z.input<typeof nicClusterPolicy>>, Common | 'global' | `deployment${Capitalize<Common>}`>,
    Pick<input.NicClusterPolicySpecInput, Common | 'global' | `deployment${Capitalize<Common>}`>
  >,
  Identical<
    Pick<Spec<z.input<typeof nicNodePolicy>>, 'nodeSelector' | 'tolerations' | 'labels' | 'annotations'>,
    Pick<input.NicNodePolicySpecInput, 'nodeSelector' | 'tolerations' | 'labels' | 'annotations'>
  >,
] = [true, true, true, true, true, true, true, true];

/** Types that the comparison must distinguish. */
const different: readonly [
  Identical<{ a?: string }, object>,
  Identical<{ a?: string }, { a: string }>,
  Identical<{ a: 'x' | 'y' }, { a: 'x' }>,
] = [false, false, false];

const PATH = join(__dirname, '../src/compile/model/input.ts');

const registry = ts.createDocumentRegistry();

/** The documentation that an editor shows at `|` in a user's own program. */
function hoverIn(program: string): string {
  const file = join(__dirname, 'program-of-a-user.ts');
  const text = `import type { InputDocument } from '../src/compile/model/input.js';\nconst one: InputDocument = {\n${program}\n};`;
  const at = text.indexOf('|');
  const known = new Map([[file, text.replace('|', '')]]);
  const read = (path: string) => known.get(path) ?? ts.sys.readFile(path);
  const service = ts.createLanguageService(
    {
      getCompilationSettings: () => ({ strict: true, module: ts.ModuleKind.NodeNext, lib: ['lib.es5.d.ts'] }),
      getScriptFileNames: () => [file],
      getScriptVersion: (path) => known.get(path) ?? '1',
      getScriptSnapshot: (path) => {
        const content = read(path);
        return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
      },
      getCurrentDirectory: () => __dirname,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (path) => read(path) !== undefined,
      readFile: read,
    },
    registry,
  );
  const { documentation = [], tags = [] } = service.getQuickInfoAtPosition(file, at) ?? {};
  const tagLines = tags.map(({ name, text: parts = [] }) => `@${name} ${ts.displayPartsToString([...parts])}`);
  return [ts.displayPartsToString([...documentation]), ...tagLines].join('\n');
}

describe('types of input documents', () => {
  it('are those of the schemas', () => {
    expect([...new Set(identical)]).toEqual([true]);
    expect([...new Set(different)]).toEqual([false]);
  });

  it('document every field', () => {
    const tree = ts.createSourceFile(PATH, readFileSync(PATH, 'utf8'), ts.ScriptTarget.Latest, true);
    const fields: ts.PropertySignature[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isPropertySignature(node)) fields.push(node);
      ts.forEachChild(node, visit);
    };
    visit(tree);
    expect(fields.length).toBeGreaterThan(500);
    const silent = fields.filter((field) => (ts.getJSDocCommentsAndTags(field)[0]?.comment ?? '').length === 0);
    expect(silent.map((field) => field.getText())).toEqual([]);
  });

  const policy = "apiVersion: 'mellanox.com/v1alpha1', kind: 'NicClusterPolicy', metadata: { name: 'a' },";
  const cluster = "apiVersion: 'weft.dev/v1alpha1', kind: 'Cluster', metadata: { name: 'a' },";
  const pool = "apiVersion: 'nv-ipam.nvidia.com/v1alpha1', kind: 'IPPool', metadata: { name: 'a' },";
  it.each([
    {
      name: 'a section',
      program: `${policy} spec: { |ofedDriver: {} }`,
      expected: 'The DOCA-OFED driver container.',
    },
    {
      name: 'a field with a default',
      program: `${policy} spec: { ofedDriver: { upgradePolicy: { |maxParallelUpgrades: 2 } } }`,
      expected: 'Nodes that are upgraded at once; 0 for no limit.\n@default 1',
    },
    {
      name: 'a field in a list',
      program: `${cluster} spec: { nodePools: [{ |name: 'gpu', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64' }] }`,
      expected: 'Name of the pool.',
    },
    {
      name: 'a field of a custom resource',
      program: `${pool} spec: { subnet: '10.0.0.0/8', |perNodeBlockSize: 4 }`,
      expected: 'How many addresses each node has.',
    },
    {
      name: 'a default in words',
      program: `${cluster} spec: { nodePools: [], |release: 'v26.4' }`,
      expected: 'Release, or one version of it, that fills image, repository and version.\n@default - none',
    },
  ])('show it in an editor: $name', ({ program, expected }) => {
    expect(hoverIn(program)).toBe(expected);
  });
});
