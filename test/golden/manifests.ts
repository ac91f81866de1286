import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';
import { clusterText, compile, policyText, problemLines, UBUNTU_POOL, type CompiledFiles } from './compile.js';
import { expectGolden, manifestText } from './golden-file.js';

/** A section of a policy, with a Cluster that has one pool of nodes. */
interface SectionInput {
  /** Lines below `spec` of the Cluster, above its node pools. */
  readonly cluster?: string;
  /** Lines below `spec` of the NicClusterPolicy. */
  readonly spec: string;
}

type NamedInput = SectionInput & { readonly name: string };

interface SectionTable {
  /** The rendered objects are the golden of the name; `warnings` are all diagnostics. */
  readonly goldens: readonly (NamedInput & { readonly warnings?: readonly string[] })[];
  /** There are no diagnostics. */
  readonly accepted?: readonly NamedInput[];
  /** Nothing is rendered; `expected` are all diagnostics. */
  readonly rejected: readonly (NamedInput & { readonly expected: readonly string[] })[];
}

function documentsOf({ cluster = '', spec }: SectionInput) {
  return {
    cluster: clusterText(`${cluster}  nodePools:\n${UBUNTU_POOL}`),
    policy: policyText('NicClusterPolicy', 'nic-cluster-policy', `${spec}\n`),
  };
}

/** Compiles a section of a policy. */
export function compileSection(input: SectionInput): CompiledFiles {
  const { cluster, policy } = documentsOf(input);
  return compile({ 'cluster.yaml': cluster, 'policy.yaml': policy });
}

/** The objects in a folder of the output. */
export function objectsIn(folder: string, { placed }: CompiledFiles): readonly KubernetesObject[] {
  return placed.filter((one) => one.folder === folder).map(({ object }) => object);
}

/** The diagnostic where `driver.gate` is `label` and nothing in the input upgrades drivers. */
export const LABEL_WARNING =
  'cluster.yaml:6:18 WEFT0236 with `gate: label` device plugins wait for a label that nothing in this output keeps';

/** Documents whose rendered objects are the golden of the name; `warnings` are all diagnostics, unless they do not matter. */
export interface GoldenCase {
  readonly name: string;
  readonly cluster: string;
  readonly policy: string;
  readonly warnings?: readonly string[] | 'any';
}

/** Compares the rendered objects of the component in a directory with the goldens in its folder `golden`. */
export function testGoldens(directory: string, goldens: readonly GoldenCase[]): void {
  it.each(goldens)('$name', ({ name, cluster, policy, warnings = [] }) => {
    const compiled = compile({ 'cluster.yaml': cluster, 'policy.yaml': policy });
    if (warnings !== 'any') expect(problemLines(compiled.diagnostics)).toEqual(warnings);
    const objects = objectsIn(basename(directory), compiled);
    expect(objects).not.toEqual([]);
    expectGolden(join(directory, 'golden', `${name}.yaml`), manifestText(objects));
  });
}

/** Tests the section of the component in a directory, whose goldens are in its folder `golden`. */
export function testSection(directory: string, { goldens, accepted = [], rejected }: SectionTable): void {
  describe(`the manifests of ${basename(directory)}`, () => {
    testGoldens(
      directory,
      goldens.map((one) => ({ ...one, ...documentsOf(one) })),
    );

    if (accepted.length > 0) {
      it.each(accepted)('takes $name', (input) => {
        expect(compileSection(input).diagnostics).toEqual([]);
      });
    }

    it.each(rejected)('refuses $name', ({ expected, ...input }) => {
      const { placed, diagnostics } = compileSection(input);
      expect(problemLines(diagnostics)).toEqual(expected);
      expect(placed).toEqual([]);
    });
  });
}
