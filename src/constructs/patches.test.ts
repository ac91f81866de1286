import { describe, expect, it } from '@jest/globals';
import { loadYaml } from '../config/yaml.js';
import { resolve } from '../config/resolve.js';
import { buildObjects } from '../synth.js';

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
`;
  const { config, diagnostics } = resolve(loadYaml('input.yaml', [cluster, POLICY, extra].filter(Boolean).join('---')));
  if (!config) return { objects: [], diagnostics };
  const built = buildObjects(config);
  return { objects: built.objects, diagnostics: built.diagnostics };
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

  const rejected = [
    {
      name: 'matches nothing',
      patches: '[{target: {kind: Deployment}, patch: {spec: {}}}]',
      message: /^`spec\.patches\[0\]` matches no object$/,
    },
    {
      name: 'does not fit',
      patches: '[{target: {kind: DaemonSet}, patch: [{op: remove, path: /spec/nothing}]}]',
      message: /^`spec\.patches\[0\]` does not fit DaemonSet rdma-shared-dp-ds: /,
    },
    {
      name: 'renames',
      patches: '[{target: {kind: DaemonSet}, patch: {metadata: {name: other}}}]',
      message: /changes apiVersion, kind, name or namespace of DaemonSet/,
    },
  ];
  it.each(rejected)('refuses a patch that $name', ({ patches, message }) => {
    const { objects, diagnostics } = build(patches);
    expect(objects).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: 'WEFT0244', message: expect.stringMatching(message), location: { file: 'input.yaml', line: 7 } },
    ]);
  });

  it('refuses a target that means everything, and a selector that is none', () => {
    expect(build('[{target: {}, patch: {spec: {}}}]').diagnostics).toMatchObject([{ code: 'WEFT0143' }]);
    expect(build('[{target: {labelSelector: "a in b"}, patch: {spec: {}}}]').diagnostics).toMatchObject([
      { code: 'WEFT0143' },
    ]);
  });
});

describe('extra objects', () => {
  const pool =
    'apiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: IPPool\nmetadata: {name: pool, namespace: x, uid: u}\nspec: {subnet: 10.0.0.0/8}\nstatus: {}\n';

  it('are laid out as they are, without what the API server wrote', () => {
    const { objects } = build('[]', `\n${pool}`);
    expect(objects.filter(({ folder }) => folder === 'objects')).toEqual([
      {
        folder: 'objects',
        object: {
          apiVersion: 'nv-ipam.nvidia.com/v1alpha1',
          kind: 'IPPool',
          metadata: { name: 'pool', namespace: 'x' },
          spec: { subnet: '10.0.0.0/8' },
        },
      },
    ]);
  });

  it('are not Secrets', () => {
    const { diagnostics } = build('[]', '\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\n');
    expect(diagnostics).toMatchObject([{ code: 'WEFT0105', location: { line: 16 } }]);
  });

  it('have no keys that JavaScript takes for its own', () => {
    const { diagnostics } = build(
      '[]',
      '\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {constructor: x}\n',
    );
    expect(diagnostics).toMatchObject([{ code: 'WEFT0106', message: '`constructor` cannot be used as a key' }]);
  });

  it('of our own API groups must be kinds that there are', () => {
    const { diagnostics } = build(
      '[]',
      '\napiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwerk\nmetadata: {name: n}\n',
    );
    expect(diagnostics).toMatchObject([{ code: 'WEFT0101', help: 'did you mean `MacvlanNetwork`?' }]);
  });

  it('may share a kind with one of ours', () => {
    const { objects } = build('[]', '\napiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: other}\n');
    expect(objects.map(({ object }) => object.apiVersion)).toContain('cluster.x-k8s.io/v1beta1');
  });
});
