import { expect } from '@jest/globals';
import { App, Chart } from 'cdk8s';
import { buildResolved } from '../../src/compile/model/cluster-scope.js';
import { describeIssue } from '../../src/compile/model/issues.js';
import type { AnyNetworkKind } from '../../src/compile/networks/network.js';

/** A NetworkAttachmentDefinition. */
interface Attachment {
  readonly metadata: unknown;
  readonly spec: { readonly config: string };
}

/** Documents of one kind of network, by their `spec`. */
export function networksOf({ kind, schema, construct }: AnyNetworkKind, name: string) {
  const document = (spec: unknown) => ({
    apiVersion: 'mellanox.com/v1alpha1',
    kind,
    metadata: { name },
    ...(spec === undefined ? {} : { spec }),
  });
  return {
    /** The rendered object of a valid `spec`. */
    build: (spec: unknown): Attachment => {
      const parsed = schema.parse(document(spec)) as { readonly spec: unknown };
      const chart = new Chart(new App(), 'test');
      buildResolved({ kind: 'network', construct, props: { kind, name, spec: parsed.spec } }, chart, name);
      const objects = chart.toJson() as readonly Attachment[];
      expect(objects).toHaveLength(1);
      return objects[0] as Attachment;
    },
    /** The messages about a `spec`. */
    problems: (spec: unknown): readonly string[] => {
      const input = document(spec);
      return (schema.safeParse(input).error?.issues ?? []).map((issue) => describeIssue(issue, input).message);
    },
  };
}
