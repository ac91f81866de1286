import { expect, it } from '@jest/globals';
import { loadYaml } from '../../compile/load/yaml/yaml.js';
import { undoNotices } from './undo-notices.js';

const DOCUMENTS = loadYaml(
  'clusters/east/policy.yaml',
  `apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec: {nicFeatureDiscovery: {image: i, repository: r, version: v2}}
---
apiVersion: mellanox.com/v1alpha1
kind: MacvlanNetwork
metadata: {name: new}
spec: {master: eth0}
---
apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: east}
spec: {nodePools: []}
`,
).documents;
const policy = (version: string) => ({
  ...{ apiVersion: 'mellanox.com/v1alpha1', kind: 'NicClusterPolicy', metadata: { name: 'nic-cluster-policy' } },
  spec: { nicFeatureDiscovery: { image: 'i', repository: 'r', version } },
});
const network = (name: string) => ({
  ...{ apiVersion: 'mellanox.com/v1alpha1', kind: 'MacvlanNetwork', metadata: { name } },
  spec: { master: 'eth0' },
});
const linesOf = (saved: readonly object[], live: readonly object[] = []) => {
  const state = {
    saved: new Map(saved.map((object) => [JSON.stringify((object as { metadata: object }).metadata), object])),
    customResources: live.map((object) => ({
      ...{ path: '', owners: [], live: object },
      reference: JSON.stringify((object as { metadata: object }).metadata),
    })),
  };
  const found = undoNotices(state as never, DOCUMENTS, 'clusters/east');
  return found.find(({ message }) => message.includes('custom resources'))?.lines ?? [];
};

it('the way back names custom resources that are not as the documents say', () => {
  expect(linesOf([policy('v1'), network('old')])).toEqual([
    'clusters/east/policy.yaml: NicClusterPolicy nic-cluster-policy, from the folder to the custom resource:',
    '  ~ spec.nicFeatureDiscovery.version: "v2" -> "v1"',
    'clusters/east/policy.yaml: MacvlanNetwork new has no custom resource',
    'MacvlanNetwork old is in no document',
    expect.stringContaining('weft takeover clusters/east --undo --until custom-resources'),
  ]);
});

it('those in the cluster count, not older ones in the backup', () => {
  expect(linesOf([policy('v1')], [policy('v2'), network('new')])).toEqual([]);
});
