import { expect, it } from '@jest/globals';
import { clusterText, policyText, type Files } from '../../../test/golden/compile.js';
import { diffOf } from '../../../test/review/sides.js';
import { renderDiffMarkdown } from '../diff/markdown.js';
import { renderDiffText } from '../diff/text.js';

const TOLERATE = '  tolerations: [{key: dedicated, operator: Exists}]\n';
const NFD = '{repository: r.example.com/nfd, tag: v0.18.3}';

interface Side {
  readonly networks?: string;
  readonly own?: string;
  readonly worker?: string;
  readonly policies?: readonly string[];
}

function side({
  networks = TOLERATE,
  own: tolerations = TOLERATE,
  worker = '',
  policies = ['h100', 'gb200'],
}: Side = {}): Files {
  const cluster = clusterText(`  release: v26.4
  nodeFeatureDiscovery: {deploy: true, image: ${NFD}, worker: {tolerations: [${worker}]}}
  nodePools:
    - {name: h100, osName: ubuntu, osVersion: "24.04", arch: amd64, labels: {pool: h100}}
    - {name: gb200, osName: ubuntu, osVersion: "22.04", arch: arm64, labels: {pool: gb200}, taints: [{key: dedicated, effect: NoSchedule}]}
`);
  const own = policies.map((name) =>
    policyText('NicNodePolicy', name, `  nodeSelector: {pool: ${name}}\n  ofedDriver: {}\n${tolerations}`),
  );
  const shared = policyText('NicClusterPolicy', 'nic-cluster-policy', `  secondaryNetwork: {multus: {}}\n${networks}`);
  return { 'cluster.yaml': cluster, 'policy.yaml': [shared, ...own].join('---\n') };
}

const REPELLED = 'NicClusterPolicy `nic-cluster-policy` does not tolerate `dedicated:NoSchedule`';
const group = (old: Side, next: Side) => {
  const { name, ...rest } = diffOf(side(old), side(next));
  return { names: [name], ...rest };
};

it('says that pods go and none come back where a toleration is lost', () => {
  const found = group({}, { networks: '' });
  expect(found.coverage).toEqual([
    {
      ...{ pool: 'gb200', program: 'multus-cni', after: [], why: REPELLED },
      before: ['nvidia-network-operator/kube-multus-ds'],
    },
  ]);
  expect(found.objects).toMatchObject([
    { impact: 'remove', name: 'kube-multus-ds', notes: [`pool \`gb200\`: pods go and none come back: ${REPELLED}`] },
  ]);
  const row = `pods of multus-cni: kube-multus-ds -> no pod: ${REPELLED}`;
  expect([...renderDiffText([found], { colour: false })].join('')).toContain(`    pool gb200, ${row}\n`);
  expect(renderDiffMarkdown([found])).toContain('| cluster | pools | pods of | before | after |');
});

it('says that pods come where a toleration is new', () => {
  const found = group({ networks: '' }, {});
  expect(found.coverage).toEqual([
    { pool: 'gb200', program: 'multus-cni', before: [], after: ['nvidia-network-operator/kube-multus-ds'] },
  ]);
  expect(found.objects).toMatchObject([{ impact: 'restart', notes: [] }]);
});

it('takes a loss of what labels nodes for a loss of drivers', () => {
  const found = group({ worker: '{key: dedicated, operator: Exists}' }, {});
  expect(found.objects).toMatchObject([{ impact: 'driver-loss', kind: 'DaemonSet', pools: ['gb200'] }]);
  expect(found.objects[0]?.notes).toEqual([
    expect.stringMatching(/^pool `gb200`: pods go and none come back: DaemonSet .*-worker does not tolerate the taint/),
    expect.stringContaining('driver pods depend on it'),
  ]);
});

it.each([
  {
    name: 'a policy that is not for it',
    next: { own: '' },
    why: 'NicNodePolicy `gb200` does not tolerate `dedicated:NoSchedule`',
  },
  { name: 'no policy', next: { policies: ['h100'] }, why: 'no policy with `ofedDriver` selects the pool' },
])('says of the nodes of a pool why no driver is for it any more: $name', ({ next, why }) => {
  const { nodes } = group({}, next);
  expect(nodes).toMatchObject([{ end: 'old', reason: 'no-driver', misfit: why, places: [{ pool: 'gb200' }] }]);
});

it('names a pool that no policy with a driver selects any more', () => {
  expect(group({}, { policies: ['h100'] }).notes).toEqual([
    'pool `gb200` has neither a driver nor a device plugin any more: no policy with `ofedDriver` selects the pool',
  ]);
  expect(group({ policies: ['h100'] }, { policies: ['h100'], networks: '' }).notes).toEqual([]);
});

it('says why a pool gets no driver any more', () => {
  const found = group({}, { own: '' });
  expect(found.notes).toEqual([
    'pool `gb200` gets no driver any more: NicNodePolicy `gb200` does not tolerate `dedicated:NoSchedule`',
  ]);
});

it('says nothing where every pool gets the same', () => {
  expect(group({}, {})).toMatchObject({ coverage: [], objects: [], notes: [] });
});
