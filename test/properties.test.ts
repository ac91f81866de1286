import { describe, expect, it } from '@jest/globals';
import { fc } from './kit/fast-check.js';
import { runsOf } from './kit/shares.js';
import { parse, stringify } from 'yaml';
import type { AnyComponent } from '../src/compile/components/component.js';
import { allAddOns } from '../src/compile/addons/all.js';
import { allComponents } from '../src/compile/components/all.js';
import { apiGroup } from '../src/shared/kubernetes/names.js';
import { networkKinds } from '../src/compile/networks/all.js';
import { findRelease, releaseNames } from '../src/compile/releases/catalog.js';
import { kustomization } from '../src/compile/render/kustomization.js';
import { toJson } from '../src/compile/render/json.js';
import { layout, type Placed } from '../src/compile/render/layout.js';
import { input, type Data } from './generate/input.js';
import { schemaProblems } from './generate/object-schemas.js';
import { text } from './generate/texts.js';
import { compile, type CompiledFiles, type Files } from './golden/compile.js';

/** On a failure fast-check prints the seed and the smallest input. `WEFT_RUNS=5000 npx jest test/properties` runs more. */
const RUNS = runsOf(4, 400);

/** The same data with the keys of every mapping in another order, from a list of numbers. */
function withKeysPermuted(value: unknown, numbers: readonly number[]): unknown {
  if (Array.isArray(value)) return value.map((inner) => withKeysPermuted(inner, numbers));
  if (value === null || typeof value !== 'object') return value;
  const weight = (index: number) => numbers[index % numbers.length] ?? 0;
  const entries = Object.entries(value as Data).map(([key, inner], index) => ({ key, inner, at: weight(index) }));
  entries.sort((a, b) => a.at - b.at);
  return Object.fromEntries(entries.map(({ key, inner }) => [key, withKeysPermuted(inner, numbers)]));
}

const yamlText = (value: unknown): string => stringify(value, { version: '1.1' });
const filesOf = (documents: readonly unknown[]): Files => ({ 'all.yaml': documents.map(yamlText).join('---\n') });

interface Rendered {
  readonly compiled: CompiledFiles;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly list: string;
}

/** The files and the output of a run; undefined if the input has errors. */
function render(files: Files): Rendered | undefined {
  const compiled = compile(files);
  if (!compiled.config || compiled.diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const placed = compiled.placed as readonly Placed[];
  const written = layout(placed);
  const list = toJson(placed.map(({ object }) => object));
  return { compiled, files: [...written, kustomization(written.map(({ path }) => path))], list };
}

/** Properties of every accepted input. */
describe('for all inputs', () => {
  it('most are accepted, with every component and network, on both platforms, with both gates, of every release', () => {
    const all = fc.sample(input, { numRuns: 60, seed: 7 }).map((documents) => render(filesOf(documents)));
    const accepted = all.flatMap((rendered) => rendered ?? []);
    expect(accepted.length).toBeGreaterThan(all.length / 2);
    const clusters = accepted.flatMap(({ compiled }) => compiled.config?.cluster ?? []);
    expect(new Set(clusters.map(({ isOpenshift }) => isOpenshift)).size).toBe(2);
    expect(new Set(clusters.map(({ spec }) => spec.driver.gate)).size).toBe(2);
    expect(new Set(clusters.map(({ spec }) => findRelease(spec.release ?? '')?.release))).toEqual(
      new Set(releaseNames),
    );
    const folders = new Set(accepted.flatMap(({ compiled }) => compiled.placed.map(({ folder }) => folder)));
    const ids = [...allComponents, ...networkKinds].map(({ id }) => id);
    expect(ids.filter((id) => !folders.has(id))).toEqual([]);
    const owners = accepted.flatMap(({ compiled }) => [...(compiled.config?.instances.values() ?? [])].flat());
    expect(new Set(owners.map(({ owner }) => owner.kind)).size).toBe(2);
  });

  it('the bytes do not depend on the order of documents, keys and files', () => {
    const order = fc.array(fc.nat(), { minLength: 5, maxLength: 9 });
    fc.assert(
      fc.property(input, order, (documents, numbers) => {
        const names = documents.map((_document, index) => `file-${numbers[index % numbers.length] ?? 0}-${index}.yaml`);
        const shuffled = documents
          .map((document, index) => [names[index] ?? '', yamlText(withKeysPermuted(document, numbers))] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1));
        const one = render(filesOf(documents));
        const other = render(Object.fromEntries(shuffled));
        expect(other?.files).toEqual(one?.files);
        expect(other?.list).toBe(one?.list);
      }),
      RUNS,
    );
  });

  it('objects pass their schemas, share no identity and no path, read back from YAML, and no two drivers share a node', () => {
    fc.assert(
      fc.property(input, (documents) => {
        const rendered = render(filesOf(documents));
        if (!rendered) return;
        expect(rendered.compiled.placed.flatMap(({ object }) => schemaProblems(object))).toEqual([]);
        expectApart(rendered);
        expectReadBack(rendered.compiled);
        expectOneDriver(rendered.compiled);
      }),
      RUNS,
    );
  });

  it('a section that is removed leaves no object behind, and no other object changes', () => {
    fc.assert(
      fc.property(input, fc.constantFrom(...allComponents), (documents, component) => {
        const after = render(filesOf(documents.map((document) => withoutSection(document, component))));
        const names = (rendered: Rendered | undefined) =>
          rendered?.compiled.placed.map(({ object }) => object.metadata.name) ?? [];
        expect(after?.compiled.placed.filter(({ folder }) => folder === component.id) ?? []).toEqual([]);
        const crds = component.crds.map(({ crd }) => crd.metadata.name);
        // An add-on may install one of them, too.
        const isAddOn = ({ folder }: Placed) => allAddOns.some(({ id }) => id === folder);
        if (!after?.compiled.placed.some((placed) => isAddOn(placed as Placed)))
          expect(names(after).filter((name) => crds.includes(name))).toEqual([]);
        const before = render(filesOf(documents));
        // Without a driver no pod waits for it, so the gated pods change.
        if (!before || !after || component.providesDriver) return;
        const isAnothers = (path: string) =>
          path.includes('/') &&
          !path.startsWith(`${component.id}/`) &&
          // The rule that labels nodes is rendered as long as an object selects by its label.
          !allAddOns.some(({ id }) => path.startsWith(`${id}/`)) &&
          !crds.some((name) => path.includes(`.${name}.`));
        const others = ({ files }: Rendered) => files.filter(({ path }) => isAnothers(path));
        expect(others(after)).toEqual(others(before));
      }),
      RUNS,
    );
  });

  it('what is accepted is built, and what is not has an error with a place', () => {
    const by = fc.oneof(text, fc.integer(), fc.constant(null), fc.constant([]), fc.constant({}));
    fc.assert(
      fc.property(input, fc.nat(), by, (documents, at, value) => {
        // One leaf of one document is replaced by something else.
        const index = at % documents.length;
        const damaged = documents.map((document, i) => (i === index ? replaceLeaf(document, at, value) : document));
        const { config, diagnostics } = compile(filesOf(damaged));
        const errors = diagnostics.filter(({ severity }) => severity === 'error');
        expect(config === undefined ? errors.length > 0 : true).toBe(true);
        for (const { location } of errors) expect(location?.line).toBeGreaterThan(0);
      }),
      { numRuns: 2 * RUNS.numRuns },
    );
  });
});

/** No two objects have the same identity for the API server, and no two files the same path for a file system that ignores case. */
function expectApart({ compiled, files }: Rendered): void {
  const identities = compiled.placed.map(({ object: { apiVersion, kind, metadata } }) =>
    [apiGroup(apiVersion), kind, metadata.namespace ?? '', metadata.name].join(' '),
  );
  expect(new Set(identities).size).toBe(identities.length);
  const paths = files.map(({ path }) => path.toLowerCase());
  expect(new Set(paths).size).toBe(paths.length);
}

/** Programs of YAML 1.1 and of YAML 1.2 read what was built. CRDs are the same in every output. */
function expectReadBack({ placed }: CompiledFiles): void {
  for (const { object } of placed.filter(({ folder }) => folder !== 'crds')) {
    const [file] = layout([{ folder: 'x', object } as Placed]);
    const data = JSON.parse(JSON.stringify(object)) as unknown;
    expect(parse(file?.text ?? '', { version: '1.1' })).toEqual(data);
    expect(parse(file?.text ?? '', { version: '1.2' })).toEqual(data);
  }
}

/** At most one driver DaemonSet selects the nodes of a pool. */
function expectOneDriver({ config, placed }: CompiledFiles): void {
  const drivers = allComponents.filter(({ providesDriver }) => providesDriver).map(({ id }) => id);
  const selectors = placed
    .filter(({ folder, object }) => drivers.includes(folder) && object.kind === 'DaemonSet')
    .map(({ object }) => (object['spec'] as { template: { spec: { nodeSelector: Data } } }).template.spec.nodeSelector);
  for (const { labels } of config?.cluster.pools ?? []) {
    const matching = selectors.filter((selector) =>
      Object.entries(selector).every(([key, value]) => labels[key] === value),
    );
    expect(matching.length).toBeLessThan(2);
  }
}

/** A policy without the section of a component. */
function withoutSection(document: Data, { source }: AnyComponent): Data {
  const without = (value: unknown, [key = '', ...rest]: readonly string[]): unknown => {
    if (typeof value !== 'object' || value === null || !(key in value)) return value;
    const { [key]: inner, ...others } = value as Data;
    return rest.length === 0 ? others : { ...others, [key]: without(inner, rest) };
  };
  return without(document, ['spec', ...source.path]) as Data;
}

/** The `at`-th leaf or empty collection of some data, counted round and round, replaced. */
function replaceLeaf(data: unknown, at: number, by: unknown): unknown {
  let left = at % Math.max(1, leaves(data));
  const walk = (value: unknown): unknown => {
    if (value !== null && typeof value === 'object' && Object.keys(value).length > 0) {
      if (Array.isArray(value)) return value.map(walk);
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
    }
    left -= 1;
    return left === -1 ? by : value;
  };
  return walk(data);
}

function leaves(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + leaves(inner), 0);
}
