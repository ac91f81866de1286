import { describe, expect, it } from '@jest/globals';
import { loadYaml } from '../../load/yaml/yaml.js';
import type { Diagnostic } from '../../../shared/diagnostics/diagnostic.js';
import { resolve } from '../../config/resolve.js';
import { buildObjects } from '../../synth.js';

const POLICY = `
apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec:
  rdmaSharedDevicePlugin: {image: plugin, repository: registry.example.com/nic, version: v1}
`;

function build(patches: string, extra = '') {
  const cluster = `
apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: east}
spec:
  nodePools: []
  patches: ${patches}
  existingConfigMaps: [{name: rdma-devices, keys: [config.json]}]
`;
  const { config, diagnostics } = resolve(loadYaml('input.yaml', [cluster, POLICY, extra].filter(Boolean).join('---')));
  if (!config) return { objects: [], diagnostics };
  const built = buildObjects(config);
  return { objects: built.objects, diagnostics: built.diagnostics };
}

const POOL =
  '\napiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: IPPool\nmetadata: {name: pool}\nspec: {subnet: 10.0.0.0/8, perNodeBlockSize: 20}\n';

function said(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(
    ({ code, message, help }) =>
      `${code} ${message.replace('`spec.patches[0]` ', '')}${help === undefined ? '' : ` | ${help}`}`,
  );
}

/** The text of the input that a diagnostic underlines. */
function pointedAt(diagnostic: Diagnostic | undefined): string | undefined {
  const { sourceLine, column = 1, endColumn } = diagnostic?.location ?? {};
  return sourceLine?.slice(column - 1, endColumn === undefined ? undefined : endColumn - 1);
}

const daemonSet = (patches: string) => build(patches).objects.find(({ object }) => object.kind === 'DaemonSet')?.object;

describe('patches', () => {
  it('merges a strategic patch into the objects that match', () => {
    const patched = daemonSet(
      '[{target: {kind: DaemonSet}, patch: {spec: {template: {spec: {containers: [{name: rdma-shared-dp, env: [{name: A, value: b}]}]}}}}}]',
    );
    expect(patched).toMatchObject({
      spec: {
        template: {
          spec: { containers: [{ name: 'rdma-shared-dp', image: expect.any(String), env: [{ name: 'A' }] }] },
        },
      },
    });
  });

  it('applies the operations of a JSON patch', () => {
    const patched = daemonSet(
      '[{target: {labelSelector: ds-owner=NicClusterPolicy}, patch: [{op: replace, path: /spec/template/spec/hostNetwork, value: false}]}]',
    );
    expect(patched).toMatchObject({ spec: { template: { spec: { hostNetwork: false } } } });
  });

  it('applies one after the other', () => {
    const patched = daemonSet(
      '[{target: {kind: DaemonSet}, patch: {metadata: {labels: {a: b}}}}, {target: {labelSelector: a=b}, patch: {metadata: {labels: {c: d}}}}]',
    );
    expect(patched?.metadata.labels).toMatchObject({ a: 'b', c: 'd' });
  });

  const SET = '/spec/template/spec';
  const rejected = [
    {
      name: 'parts a selector from its template',
      patch: '{target: {kind: DaemonSet}, patch: {spec: {template: {metadata: {labels: {app: other}}}}}}',
      expected: [
        'WEFT0487 leaves DaemonSet rdma-shared-dp-ds with a selector that does not select the pods of its template | change `spec.selector` and `spec.template.metadata.labels` alike; a selector cannot be changed in a cluster',
      ],
    },
    {
      name: 'names a kind in another case',
      patch: '{target: {kind: Daemonset}, patch: {spec: {}}}',
      expected: ['WEFT0244 matches no object: none is a `Daemonset` | did you mean `DaemonSet`?'],
      at: 'Daemonset',
    },
    {
      name: 'names a kind that is not there',
      patch: '{target: {kind: Job}, patch: {spec: {}}}',
      expected: [
        'WEFT0244 matches no object: none is a `Job` | kinds in the output: DaemonSet, Namespace, NodeFeatureRule',
      ],
    },
    {
      name: 'names an object that is not there',
      patch: '{target: {kind: DaemonSet, name: rdma-ds}, patch: {spec: {}}}',
      expected: [
        'WEFT0244 matches no object: no DaemonSet is named `rdma-ds` | names of each DaemonSet in the output: rdma-shared-dp-ds',
      ],
      at: 'rdma-ds',
    },
    {
      name: 'misspells a name',
      patch: '{target: {name: rdma-shared-dp-sd}, patch: {spec: {}}}',
      expected: ['WEFT0244 matches no object: none is named `rdma-shared-dp-sd` | did you mean `rdma-shared-dp-ds`?'],
    },
    {
      name: 'looks in another namespace',
      patch: '{target: {kind: DaemonSet, namespace: default}, patch: {spec: {}}}',
      expected: [
        'WEFT0244 matches no object: no DaemonSet is in namespace `default` | namespaces in the output: nvidia-network-operator',
      ],
    },
    {
      name: 'selects labels that nothing has',
      patch: '{target: {kind: DaemonSet, labelSelector: a=b}, patch: {spec: {}}}',
      expected: ['WEFT0244 matches no object: no DaemonSet has the labels `a=b`'],
      at: 'a=b',
    },
    ...(['remove', 'replace', 'test'] as const).map((op) => ({
      name: `has ${op} for what is not there`,
      patch: `{target: {kind: DaemonSet}, patch: [{op: ${op}, path: /spec/templat/spec/hostNetwork, value: 1}]}`,
      expected: [
        'WEFT0244 does not fit DaemonSet rdma-shared-dp-ds: there is nothing at `/spec/templat/spec/hostNetwork` | did you mean `/spec/template/spec/hostNetwork`?',
      ],
      at: '/spec/templat/spec/hostNetwork',
    })),
    {
      name: 'names a key like none that is there',
      patch: '{target: {kind: DaemonSet}, patch: [{op: remove, path: /spec/zzz}]}',
      expected: [
        'WEFT0244 does not fit DaemonSet rdma-shared-dp-ds: there is nothing at `/spec/zzz` | `/spec` has `selector`, `template`',
      ],
    },
    {
      name: 'names an entry beyond the list',
      patch: `{target: {kind: DaemonSet}, patch: [{op: replace, path: ${SET}/containers/3/image, value: x}]}`,
      expected: [
        `WEFT0244 does not fit DaemonSet rdma-shared-dp-ds: there is nothing at \`${SET}/containers/3/image\` | \`${SET}/containers\` has 1 entry`,
      ],
    },
    {
      name: 'adds below what is not there, and below what has nothing below it',
      patch: `{target: {kind: DaemonSet}, patch: [{op: add, path: ${SET}/hostNetwork/x, value: 1}]}`,
      expected: [
        `WEFT0244 does not fit DaemonSet rdma-shared-dp-ds: there is nothing at \`${SET}/hostNetwork/x\` | \`${SET}/hostNetwork\` is \`true\``,
      ],
    },
    {
      name: 'moves what is not there',
      patch: `{target: {kind: DaemonSet}, patch: [{op: move, from: ${SET}/x, path: ${SET}/volumes}]}`,
      expected: [
        expect.stringMatching(/there is nothing at `\/spec\/template\/spec\/x` \| `\/spec\/template\/spec` has/),
      ],
      at: `${SET}/x`,
    },
    {
      name: 'moves something into itself',
      patch: `{target: {kind: DaemonSet}, patch: [{op: move, from: /spec/template, path: ${SET}/volumes}]}`,
      expected: ['WEFT0244 does not fit DaemonSet rdma-shared-dp-ds: `/spec/template` cannot go into itself'],
    },
    {
      name: 'expects another value',
      patch: `{target: {kind: DaemonSet}, patch: [{op: test, path: ${SET}/hostNetwork, value: false}]}`,
      expected: [
        `WEFT0244 does not fit DaemonSet rdma-shared-dp-ds: \`${SET}/hostNetwork\` is \`true\`, not \`false\``,
      ],
      at: 'false',
    },
    {
      name: 'renames',
      patch: '{target: {kind: DaemonSet}, patch: {metadata: {name: other}}}',
      expected: ['WEFT0244 changes apiVersion, kind, name or namespace of DaemonSet rdma-shared-dp-ds'],
    },
    {
      name: 'writes a value of another type',
      patch: '{target: {kind: DaemonSet}, patch: {spec: {minReadySeconds: "5", template: {spec: {containers: {}}}}}}',
      expected: [
        'WEFT0244 does not fit DaemonSet rdma-shared-dp-ds: `spec.minReadySeconds` must be a whole number',
        'WEFT0244 does not fit DaemonSet rdma-shared-dp-ds: `spec.template.spec.containers` must be a list',
      ],
      at: '"5"',
    },
    {
      name: 'writes a value of another type by an operation',
      patch: `{target: {kind: DaemonSet}, patch: [{op: replace, path: ${SET}/hostNetwork, value: "no"}]}`,
      expected: [
        'WEFT0244 does not fit DaemonSet rdma-shared-dp-ds: `spec.template.spec.hostNetwork` must be `true` or `false`',
      ],
      at: '"no"',
    },
    {
      name: 'names a container that is not there',
      patch:
        '{target: {kind: DaemonSet}, patch: {spec: {template: {spec: {containers: [{name: rdma-shared-pd, env: []}]}}}}}',
      expected: [
        'WEFT0244 adds a container `rdma-shared-pd` without an image to DaemonSet rdma-shared-dp-ds | did you mean `rdma-shared-dp`?',
      ],
      at: 'rdma-shared-pd',
    },
    {
      name: 'names a container like none that is there',
      patch: '{target: {kind: DaemonSet}, patch: {spec: {template: {spec: {containers: [{name: x, env: []}]}}}}}',
      expected: [
        'WEFT0244 adds a container `x` without an image to DaemonSet rdma-shared-dp-ds | containers that are there: `rdma-shared-dp`',
      ],
    },
    {
      name: 'adds half a container by an operation',
      patch: `{target: {kind: DaemonSet}, patch: [{op: add, path: ${SET}/containers/-, value: {image: x}}]}`,
      expected: [
        'WEFT0244 adds a container without a name to DaemonSet rdma-shared-dp-ds | containers that are there: `rdma-shared-dp`',
      ],
    },
    {
      name: 'copies a value to where one of another type belongs',
      patch: `{target: {kind: DaemonSet}, patch: [{op: copy, from: /metadata/name, path: ${SET}/containers}]}`,
      expected: ['WEFT0244 does not fit DaemonSet rdma-shared-dp-ds: `spec.template.spec.containers` must be a list'],
      at: `${SET}/containers`,
    },
    {
      name: 'doubles the object again and again',
      patch: `{target: {kind: DaemonSet}, patch: [${Array.from({ length: 40 }, (_, at) => `{op: copy, from: /spec, path: /spec/x${at}}`).join(', ')}]}`,
      expected: [expect.stringContaining('longer than 2097152 characters')],
    },
    {
      name: 'takes the containers away',
      patch: `{target: {kind: DaemonSet}, patch: [{op: remove, path: ${SET}/containers}]}`,
      expected: ['WEFT0244 leaves DaemonSet rdma-shared-dp-ds without `spec.template.spec.containers`'],
    },
    ...[`{op: add, path: ${SET}/volumes/-, value: null}`, `{op: replace, path: ${SET}/containers/0, value: null}`].map(
      (operation) => ({
        name: `writes null: ${operation}`,
        patch: `{target: {kind: DaemonSet}, patch: [${operation}]}`,
        expected: [expect.stringContaining('must have a value')],
      }),
    ),
    {
      name: 'merges null into a list',
      patch: '{target: {kind: DaemonSet}, patch: {spec: {template: {spec: {tolerations: [null]}}}}}',
      expected: [expect.stringContaining('`spec.template.spec.tolerations[0]` must have a value')],
    },
    {
      name: 'takes the metadata away',
      patch: '{target: {kind: DaemonSet}, patch: {metadata: null}}',
      expected: ['WEFT0244 changes apiVersion, kind, name or namespace of DaemonSet rdma-shared-dp-ds'],
    },
    ...[
      ['merges what is there', '{spec: {template: {spec: {hostNetwork: true}}}}'],
      ['is empty', '{}'],
      ['removes what is not there', '{metadata: {labels: {a: null}}}'],
      ['removes an entry that is not there', '{spec: {template: {spec: {volumes: [{name: x, $patch: delete}]}}}}'],
      ['replaces a value by itself', `[{op: replace, path: ${SET}/hostNetwork, value: true}]`],
    ].map(([name, patch]) => ({
      name: `changes nothing: ${name}`,
      patch: `{target: {kind: DaemonSet}, patch: ${patch}}`,
      expected: [
        'WEFT0244 changes nothing in DaemonSet rdma-shared-dp-ds | what it writes is there already, or what it removes is not: correct it, or leave it out',
      ],
    })),
    {
      name: 'takes away a field that is misspelt',
      patch: '{target: {kind: DaemonSet}, patch: {spec: {template: {spec: {toleration: null}}}}}',
      expected: [
        expect.stringContaining('did you mean `tolerations`?'),
        expect.stringContaining('WEFT0244 changes nothing'),
      ],
    },
    {
      name: 'has an entry without the key by which a list is merged',
      patch: '{target: {kind: DaemonSet}, patch: {spec: {template: {spec: {containers: [{image: x}]}}}}}',
      expected: [
        'WEFT0244 has an entry without `name` for `spec.template.spec.containers` of DaemonSet rdma-shared-dp-ds | the list is merged by `name`; `- $patch: replace` as another entry replaces it as a whole',
      ],
    },
    {
      name: 'has directives that kubectl computes',
      patch:
        '{target: {kind: DaemonSet}, patch: {metadata: {$deleteFromPrimitiveList/finalizers: [a]}, spec: {template: {spec: {$retainKeys: [containers], $setElementOrder/containers: [{name: a}], $Patch: delete}}}}}',
      expected: [
        'WEFT0278 has a directive for DaemonSet rdma-shared-dp-ds that it cannot have: `metadata["$deleteFromPrimitiveList/finalizers"]` | write a JSON patch: `op: remove`, `path: /metadata/finalizers/0`',
        'WEFT0278 has a directive for DaemonSet rdma-shared-dp-ds that it cannot have: `spec.template.spec["$retainKeys"]` | write `null` behind each key that must go',
        'WEFT0278 has a directive for DaemonSet rdma-shared-dp-ds that it cannot have: `spec.template.spec["$setElementOrder/containers"]` | leave it out: entries keep their order and new ones come last; a JSON patch puts one first: `op: add`, `path: /spec/template/spec/containers/0`',
        'WEFT0278 has a directive for DaemonSet rdma-shared-dp-ds that it cannot have: `spec.template.spec["$Patch"]` | did you mean `$patch`?',
      ],
      at: '$deleteFromPrimitiveList/finalizers',
    },
    {
      name: 'has a `$patch` that says nothing or is in no place for one',
      patch:
        '{target: {kind: DaemonSet}, patch: {$patch: delete, spec: {$patch: merge, template: {spec: {tolerations: [{key: a, $patch: delete}], volumes: [{name: x, $patch: replace}]}}}}}',
      expected: [
        'WEFT0278 has `$patch: delete` for the whole of DaemonSet rdma-shared-dp-ds | write it into the part that it is about; objects as a whole come from the policies',
        'WEFT0278 has a `$patch` that is neither `delete` nor `replace`',
        'WEFT0278 removes an entry of `spec.template.spec.tolerations` from DaemonSet rdma-shared-dp-ds: the list is replaced as a whole | list the entries that are to stay, or write a JSON patch with `op: remove`',
        'WEFT0278 has `$patch: replace` in an entry of `spec.template.spec.volumes` of DaemonSet rdma-shared-dp-ds | it replaces the list, and must be an entry of its own: `- $patch: replace`',
      ],
    },
    {
      name: 'has a directive in the value of an operation',
      patch: `{target: {kind: DaemonSet}, patch: [{op: replace, path: ${SET}/volumes, value: [{name: x, $patch: delete}]}]}`,
      expected: [
        'WEFT0278 has a directive for DaemonSet rdma-shared-dp-ds that it cannot have: `spec.template.spec.volumes[0]["$patch"]` | only a merge patch has directives: leave it out, or take `op: remove` or `op: replace`',
      ],
      at: '$patch',
    },
    {
      name: 'removes a container that is not there',
      patch:
        '{target: {kind: DaemonSet}, patch: {spec: {template: {spec: {containers: [{name: rdma-shared-pd, $patch: delete}]}}}}}',
      expected: [
        'WEFT0244 removes a container `rdma-shared-pd` that is not there from DaemonSet rdma-shared-dp-ds | did you mean `rdma-shared-dp`?',
      ],
    },
  ];
  it.each(rejected)('refuses a patch that $name', ({ patch, expected, at }) => {
    const { objects, diagnostics } = build(`[${patch}]`);
    expect(objects).toEqual([]);
    expect(said(diagnostics)).toEqual(expected);
    if (at !== undefined) expect(pointedAt(diagnostics[0])).toBe(at);
  });

  const doubtful = [
    {
      name: 'writes a field that is misspelt',
      patch: '{target: {kind: DaemonSet}, patch: {spec: {template: {spec: {container: [{name: a}]}}}}}',
      expected: [
        'WEFT0245 writes `spec.template.spec.container` into DaemonSet rdma-shared-dp-ds: there is no such field | did you mean `containers`?',
      ],
      at: 'container',
    },
    {
      name: 'writes a field that is misspelt in an entry of a list',
      patch:
        '{target: {kind: DaemonSet}, patch: {spec: {template: {spec: {containers: [{name: rdma-shared-dp, imagePullPolice: Never}]}}}}}',
      expected: [
        'WEFT0245 writes `spec.template.spec.containers[0].imagePullPolice` into DaemonSet rdma-shared-dp-ds: there is no such field | did you mean `imagePullPolicy`?',
      ],
      at: 'imagePullPolice',
    },
    {
      name: 'writes a field like none that there is',
      patch: '{target: {kind: DaemonSet}, patch: {zzz: 1}}',
      expected: [
        expect.stringMatching(
          /^WEFT0245 writes `zzz` into .* \| the fields are those of Kubernetes v1\.\d+\.\d+; an older/,
        ),
      ],
    },
    {
      name: 'writes a field that is misspelt by an operation',
      patch: `{target: {kind: DaemonSet}, patch: [{op: add, path: ${SET}/toleration, value: []}]}`,
      expected: [
        'WEFT0245 writes `spec.template.spec.toleration` into DaemonSet rdma-shared-dp-ds: there is no such field | did you mean `tolerations`?',
      ],
      at: `${SET}/toleration`,
    },
    {
      name: 'writes a field that is misspelt in the value of an operation',
      patch: `{target: {kind: DaemonSet}, patch: [{op: add, path: ${SET}/tolerations/-, value: {efect: NoExecute}}]}`,
      expected: [expect.stringContaining('did you mean `effect`?')],
      at: 'efect',
    },
    {
      name: 'writes a field that is misspelt into an object of a kind that a component brings',
      patch: '{target: {kind: IPPool}, patch: {spec: {gatway: 10.0.0.1}}}',
      expected: ['WEFT0245 writes `spec.gatway` into IPPool pool: there is no such field | did you mean `gateway`?'],
    },
    {
      name: 'adds a container whose name is almost that of another',
      patch:
        '{target: {kind: DaemonSet}, patch: {spec: {template: {spec: {containers: [{name: rdma-shared-pd, image: x}]}}}}}',
      expected: [
        'WEFT0246 adds a container `rdma-shared-pd` to DaemonSet rdma-shared-dp-ds, which has `rdma-shared-dp` | did you mean `rdma-shared-dp`?',
      ],
      at: 'rdma-shared-pd',
    },
  ];
  it.each(doubtful)('warns of a patch that $name', ({ patch, expected, at }) => {
    const { objects, diagnostics } = build(`[${patch}]`, POOL);
    expect(objects).not.toEqual([]);
    expect(said(diagnostics)).toEqual(expected);
    if (at !== undefined) expect(pointedAt(diagnostics[0])).toBe(at);
  });

  it.each([
    {
      name: 'adds a container with a name of its own',
      patch:
        '{target: {kind: DaemonSet}, patch: {spec: {template: {spec: {containers: [{name: exporter, image: x}], initContainers: [{name: a, image: busybox}]}}}}}',
    },
    {
      name: 'says that it adds a container',
      patch: `{target: {kind: DaemonSet}, patch: [{op: add, path: ${SET}/containers/-, value: {name: rdma-shared-pd, image: x}}]}`,
    },
    {
      name: 'takes away, moves, copies and adds',
      patch: `{target: {kind: DaemonSet}, patch: [{op: remove, path: ${SET}/tolerations}, {op: add, path: ${SET}/nodeSelector/a~1b, value: c}, {op: copy, from: ${SET}/nodeSelector/a~1b, path: /metadata/labels/c}, {op: move, from: /metadata/labels/c, path: /metadata/labels/d}, {op: test, path: /metadata/labels/d, value: c}, {op: add, path: /spec/minReadySeconds, value: 1}]}`,
    },
    {
      name: 'has amounts in both forms, ports by name, directives and what it takes away',
      patch:
        '{target: {kind: DaemonSet}, patch: {spec: {template: {metadata: {annotations: {a: b}}, spec: {tolerations: null, volumes: [{name: devs, $patch: delete}], containers: [{name: rdma-shared-dp, resources: {limits: {cpu: 1, memory: 1Gi}}, livenessProbe: {httpGet: {port: health}}}]}}}}}',
    },
    {
      name: 'is for an object of a kind without a schema',
      patch: '{target: {kind: Issuer}, patch: {metadata: {labels: {a: b}}, spec: {any: {thing: [1]}}}}',
      extra: '\napiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: {name: i}\nspec: {selfSigned: {}}\n',
    },
    {
      name: 'changes only one of the objects that it is for',
      patch: '{target: {namespace: nvidia-network-operator}, patch: {metadata: {labels: {a: b}}}}',
      extra: POOL.replace('name: pool', 'name: pool, labels: {a: b}'),
    },
    {
      name: 'only tests',
      patch: `{target: {kind: DaemonSet}, patch: [{op: test, path: ${SET}/hostNetwork, value: true}]}`,
    },
  ])('has nothing to say about a patch that $name', ({ patch, extra = '' }) => {
    const { objects, diagnostics } = build(`[${patch}]`, extra);
    expect(said(diagnostics)).toEqual([]);
    expect(objects).not.toEqual([]);
  });

  it('merges lists of kinds of Kubernetes itself by their keys, and replaces those of others', () => {
    const list = 'env: [{name: A, value: x}]';
    const { objects } = build(
      `[{target: {kind: Issuer}, patch: {spec: {env: [{name: B}], volumes: [{b: c}]}}}]`,
      `\napiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: {name: i}\nspec: {${list}, volumes: [{name: v}]}\n`,
    );
    expect(objects.find(({ object }) => object.kind === 'Issuer')?.object).toMatchObject({
      spec: { env: [{ name: 'B' }], volumes: [{ b: 'c' }] },
    });
  });

  it('reports at most 1000 problems', () => {
    const fields = Array.from({ length: 1100 }, (_, index) => `unknown${index}: 1`).join(', ');
    const { diagnostics } = build(`[{target: {kind: DaemonSet}, patch: {spec: {${fields}}}}]`);
    expect(diagnostics.filter(({ code }) => code !== 'WEFT0040')).toHaveLength(1000);
    expect(diagnostics.at(-1)?.code).toBe('WEFT0040');
  });

  it('says once what several objects have in common', () => {
    const { diagnostics } = build(
      '[{target: {namespace: nvidia-network-operator}, patch: [{op: remove, path: /spec/nothing}]}]',
      ['a', 'b', 'c', 'd', 'e'].map((name) => `\n${POOL.replace('name: pool', `name: ${name}`)}`).join('---'),
    );
    expect(diagnostics.map(({ message }) => message)).toEqual([
      '`spec.patches[0]` does not fit DaemonSet rdma-shared-dp-ds, IPPool a, IPPool b and 3 more: there is nothing at `/spec/nothing`',
    ]);
  });

  it.each([
    ['{op: add, path: spec/x, value: 1}', 'WEFT0143'],
    ['{op: add, path: "", value: 1}', 'WEFT0143'],
    ['{op: add, path: /spec/~2, value: 1}', 'WEFT0143'],
    ['{op: add, path: /spec/x}', 'WEFT0141'],
    ['{op: move, path: /spec/x}', 'WEFT0141'],
  ])('refuses the operation %s', (operation, code) => {
    expect(build(`[{target: {kind: DaemonSet}, patch: [${operation}]}]`).diagnostics).toMatchObject([{ code }]);
  });

  it('refuses a target that means everything, and a selector that is none', () => {
    expect(build('[{target: {}, patch: {spec: {}}}]').diagnostics).toMatchObject([{ code: 'WEFT0143' }]);
    expect(build('[{target: {labelSelector: "a in b"}, patch: {spec: {}}}]').diagnostics).toMatchObject([
      { code: 'WEFT0143' },
    ]);
  });
});
