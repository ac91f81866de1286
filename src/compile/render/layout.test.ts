import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/kit/fast-check.js';

import { kustomization } from './kustomization.js';
import { layout } from './layout.js';
import type { ApiObject, Placed } from './layout.js';
import { isSafePath } from './tree/safe-path.js';

function placed(folder: string, apiVersion: string, kind: string, name: string, namespace?: string): Placed {
  const object: ApiObject = { apiVersion, kind, metadata: namespace === undefined ? { name } : { name, namespace } };
  return { folder, object };
}

const LONG = 'x'.repeat(253);

describe('layout', () => {
  const cases: { name: string; input: readonly Placed[]; expected: readonly (string | RegExp)[] }[] = [
    {
      name: 'one object per file, sorted by path',
      input: [
        placed('ofed-driver', 'apps/v1', 'DaemonSet', 'mofed-ubuntu24.04-d57dd4984-ds', 'nvidia-network-operator'),
        placed('multus-cni', 'v1', 'ServiceAccount', 'multus', 'nvidia-network-operator'),
        placed('ofed-driver', 'v1', 'ConfigMap', 'init', 'nvidia-network-operator'),
      ],
      expected: [
        'multus-cni/serviceaccount.multus.yaml',
        'ofed-driver/configmap.init.yaml',
        'ofed-driver/daemonset.mofed-ubuntu24.04-d57dd4984-ds.yaml',
      ],
    },
    {
      name: 'the namespace for all that would collide, and only for them',
      input: [
        placed('networks', 'k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', 'rdma', 'a'),
        placed('networks', 'k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', 'rdma', 'b'),
        placed('networks', 'k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', 'other', 'b'),
        placed('elsewhere', 'k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', 'rdma', 'c'),
      ],
      expected: [
        'elsewhere/networkattachmentdefinition.rdma.yaml',
        'networks/networkattachmentdefinition.a.rdma.yaml',
        'networks/networkattachmentdefinition.b.rdma.yaml',
        'networks/networkattachmentdefinition.other.yaml',
      ],
    },
    {
      name: 'the group where the namespace does not help',
      input: [placed('x', 'v1', 'Service', 'a', 'n'), placed('x', 'serving.knative.dev/v1', 'Service', 'a', 'n')],
      expected: ['x/service.n.a.yaml', 'x/service.serving.knative.dev.n.a.yaml'],
    },
    {
      name: 'a path that the namespace makes equal to another',
      input: [
        placed('x', 'v1', 'ConfigMap', 'b', 'a'),
        placed('x', 'v1', 'ConfigMap', 'b', 'c'),
        placed('x', 'v1', 'ConfigMap', 'a.b', 'd'),
      ],
      expected: ['x/configmap.a.b.yaml', 'x/configmap.c.b.yaml', 'x/configmap.d.a.b.yaml'],
    },
    {
      name: 'a hash for names that differ in case only',
      input: [
        placed('x', 'rbac.authorization.k8s.io/v1', 'ClusterRole', 'a'),
        placed('x', 'rbac.authorization.k8s.io/v1', 'ClusterRole', 'A'),
      ],
      expected: [
        /^x\/clusterrole\.rbac\.authorization\.k8s\.io\.A\.[0-9a-f]{12}\.yaml$/,
        /^x\/clusterrole\.rbac\.authorization\.k8s\.io\.a\.[0-9a-f]{12}\.yaml$/,
      ],
    },
    {
      name: 'characters that are no part of a file name',
      input: [
        placed('x', 'v1', 'Role', 'system:a/../b c%\u00e9'),
        placed('x', 'v1', 'Con', 'a'),
        placed('x', 'v1', 'Role', '..'),
      ],
      expected: ['x/%63on.a.yaml', 'x/role....yaml', 'x/role.system%3Aa%2F..%2Fb%20c%25%C3%A9.yaml'],
    },
    {
      name: 'names that are too long',
      input: [placed('x', 'v1', 'ConfigMap', `${LONG}a`), placed('x', 'v1', 'ConfigMap', `${LONG}b`)],
      expected: [/^x\/configmap\.x{227}-[0-9a-f]{12}\.yaml$/, /^x\/configmap\.x{227}-[0-9a-f]{12}\.yaml$/],
    },
  ];
  it.each(cases)('writes $name', ({ input, expected }) => {
    const paths = layout(input).map(({ path }) => path);
    expect(paths).toHaveLength(expected.length);
    for (const [index, path] of paths.entries()) {
      const wanted = expected[index];
      if (typeof wanted === 'string') expect(path).toBe(wanted);
      else expect(path).toMatch(wanted ?? /never/);
    }
    expect(layout([...input].reverse())).toEqual(layout(input));
  });

  it('gives every object a path of its own that is safe everywhere, whatever the names', () => {
    const name = fc.oneof(fc.constantFrom('a', 'A', 'a.b', 'b', '..', 'x:y', 'é', LONG, `${LONG}z`), fc.string());
    const object = fc.tuple(
      fc.constantFrom('x', 'y'),
      fc.constantFrom('v1', 'g/v1', 'A/v1'),
      fc.constantFrom('Kind', 'kind', 'Nul'),
      name,
      name,
    );
    const objects = fc.uniqueArray(object, { maxLength: 30, selector: ([, ...identity]) => JSON.stringify(identity) });
    fc.assert(
      fc.property(objects, (rows) => {
        const paths = layout(rows.map((row) => placed(...row))).map(({ path }) => path);
        expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(rows.length);
        expect(paths.filter((path) => !isSafePath(path))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('refuses two objects with one identity and names both', () => {
    const twice = [placed('a', 'apps/v1', 'DaemonSet', 'd', 'n'), placed('b', 'apps/v1beta1', 'DaemonSet', 'd', 'n')];
    expect(() => layout(twice)).toThrow(
      'two objects with one identity: apps/v1 DaemonSet n/d in a and apps/v1beta1 DaemonSet n/d in b',
    );
  });

  it.each(['', '..', '../x', '/x', 'a//b', 'a/../b', 'con', '.git', 'a\\b', 'C:', '.weft.tmp'])(
    'refuses the folder %j',
    (folder) => {
      expect(() => layout([placed(folder, 'v1', 'ConfigMap', 'a')])).toThrow('unsafe folder');
    },
  );
});

describe('kustomization', () => {
  it('lists the files in order', () => {
    expect(kustomization(['b/x.yaml', 'a/y.yaml'])).toMatchObject({
      path: 'kustomization.yaml',
      text: 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n  - a/y.yaml\n  - b/x.yaml\n',
    });
  });
});
