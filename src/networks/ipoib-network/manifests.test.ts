import { describe, expect, it } from '@jest/globals';
import { App, Chart } from 'cdk8s';
import { describeIssue } from '../../model/issues.js';
import { ipoibNetwork } from './index.js';
import type { IPoIBNetworkDocument } from '../../model/input.js';
import { schema } from './schema.js';

type Spec = NonNullable<IPoIBNetworkDocument['spec']>;

function document(spec: unknown): unknown {
  return {
    apiVersion: 'mellanox.com/v1alpha1',
    kind: 'IPoIBNetwork',
    metadata: { name: 'ipoib' },
    ...(spec === undefined ? {} : { spec }),
  };
}

interface Attachment {
  readonly metadata: unknown;
  readonly spec: { readonly config: string };
}

function build(spec: Spec | undefined): Attachment {
  const parsed = schema.parse(document(spec)).spec;
  const chart = new Chart(new App(), 'test');
  const origin = { document: { file: 'policy.yaml' } as never, path: [] };
  ipoibNetwork.build(chart, { kind: 'IPoIBNetwork', name: 'ipoib', spec: parsed, origin });
  const objects = chart.toJson() as readonly Attachment[];
  expect(objects).toHaveLength(1);
  return objects[0] as Attachment;
}

function problems(spec: unknown): readonly string[] {
  const input = document(spec);
  return (schema.safeParse(input).error?.issues ?? []).map((issue) => describeIssue(issue, input).message);
}

const head = { cniVersion: '0.3.1', name: 'ipoib', type: 'ipoib' };

describe('IPoIBNetwork', () => {
  it('becomes a NetworkAttachmentDefinition', () => {
    expect(build({ networkNamespace: 'apps', master: 'ibs1', ipam: { type: 'nv-ipam', poolName: 'p' } })).toEqual({
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: {
        name: 'ipoib',
        namespace: 'apps',
        labels: { 'nvidia.network-operator.state': 'state-IPoIB-Network' },
      },
      spec: {
        config: `{
  "cniVersion": "0.3.1",
  "name": "ipoib",
  "type": "ipoib",
  "master": "ibs1",
  "ipam": {
    "poolName": "p",
    "type": "nv-ipam"
  }
}`,
      },
    });
  });

  const configs: readonly { name: string; spec: Spec | undefined; expected: unknown }[] = [
    { name: 'no spec', spec: undefined, expected: { ...head, master: '', ipam: {} } },
    { name: 'no master', spec: {}, expected: { ...head, master: '', ipam: {} } },
    {
      name: 'empty values',
      spec: { networkNamespace: '', master: '', ipam: '' },
      expected: { ...head, master: '', ipam: {} },
    },
    {
      name: 'a master and an IPAM that would break a template',
      spec: { master: `i"b'}`, ipam: '{"type":"x","y":"a  b\\n\'}"}' },
      expected: { ...head, master: `i"b'}`, ipam: { type: 'x', y: "a  b\n'}" } },
    },
  ];
  it.each(configs)('keeps the data of $name', ({ spec, expected }) => {
    const { metadata, spec: built } = build(spec);
    expect(metadata).toMatchObject({ namespace: 'default' });
    expect(JSON.parse(built.config)).toEqual(expected);
  });

  const rejected: readonly { name: string; spec: unknown; expected: string }[] = [
    {
      name: 'metaPlugins, which it has not',
      spec: { metaPlugins: '' },
      expected: '`spec` has unknown keys: `metaPlugins`',
    },
    {
      name: 'a master with white space',
      spec: { master: 'ib 0' },
      expected: '`spec.master` must be the name of an interface: no white space, `/` or `:`, at most 127 characters',
    },
    { name: 'a list as IPAM', spec: { ipam: [] }, expected: '`spec.ipam` must be a string or a mapping' },
  ];
  it.each(rejected)('refuses $name', ({ spec, expected }) => {
    expect(problems(spec)).toEqual([expected]);
  });
});
