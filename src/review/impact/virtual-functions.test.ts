import { describe, expect, it } from '@jest/globals';
import { clusterText, policyText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { diffOf, sideOf } from '../../../test/review/sides.js';
import type { ClusterNode } from '../../cluster/pools/nodes.js';
import { policyNotes } from './policy-change.js';

const STAYS = 'a node that is in progress stays cordoned: let the companion finish it first';
const OLD = 'doca3.3.0-26.04-0.5.3.0-0';
const NEW = 'doca3.4.0-26.07-0.6.3.0-0';
const EXTERNAL = 'externalDrainer: {enabled: true}';

interface Input {
  /** Settings of `sriovNetworkOperator.operator`. */
  readonly operator?: string;
  readonly deploy?: boolean;
  /** The settings of a pool beside its selector; absent: there is no pool. */
  readonly pool?: string;
  readonly numVfs?: number;
  readonly ofed?: string;
  /** The label `network-sriov.capable` of the node pool. */
  readonly capable?: string;
}

function filesOf({ operator = EXTERNAL, deploy = true, pool, numVfs = 4, ofed, capable }: Input) {
  const object = (kind: string, name: string, spec: string): string =>
    `apiVersion: sriovnetwork.openshift.io/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
  const settings = `  sriovNetworkOperator: {deploy: ${deploy}, operator: {${operator}}}\n`;
  const driver =
    ofed === undefined ? 'nvIpam: {}' : `ofedDriver: {version: ${ofed}, upgradePolicy: {autoUpgrade: true, drain: {}}}`;
  const label = `, labels: {feature.node.kubernetes.io/network-sriov.capable: "${capable}"}}`;
  const pools = capable === undefined ? UBUNTU_POOL : UBUNTU_POOL.replace('}', label);
  return {
    'cluster.yaml': clusterText(`  release: v26.7\n  nodePools:\n${pools}${settings}`),
    'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', `  ${driver}\n`),
    'functions.yaml': object(
      'SriovNetworkNodePolicy',
      'storage',
      `{resourceName: vf, nodeSelector: {feature.node.kubernetes.io/network-sriov.capable: "true"}, nicSelector: {vendor: "15b3"}, numVfs: ${numVfs}}`,
    ),
    ...(pool !== undefined && { 'pool.yaml': object('SriovNetworkPoolConfig', 'training', `{${pool}}`) }),
  };
}

const notes = (before: Input, after: Input) =>
  policyNotes(sideOf(filesOf(before)).policy, sideOf(filesOf(after)).policy);
const IN_A = 'nodeSelector: {matchLabels: {pool: a}}';

describe('the drains for virtual functions', () => {
  it('come and go with the external drainer', () => {
    const [internal, external] = [{ operator: '', ofed: OLD }, { ofed: OLD }];
    expect(notes(internal, external)).toEqual([
      'the companion drains the nodes whose virtual functions change, for the SR-IOV network operator',
    ]);
    expect(notes(external, internal)).toEqual([
      `the companion drains no node for the SR-IOV network operator any more, which drains by itself; ${STAYS}`,
    ]);
    expect(notes(external, external)).toEqual([]);
  });

  it('end with the operator', () => {
    const gone = 'the companion drains no node for the SR-IOV network operator any more';
    expect(notes({ ofed: OLD }, { ofed: OLD, deploy: false })).toContain(`${gone}, which leaves the output; ${STAYS}`);
    expect(notes({}, { deploy: false })).toContain(`${gone}; ${STAYS}`);
  });

  it.each([
    {
      name: 'a new pool',
      before: {},
      after: { pool: `maxUnavailable: 10%, ${IN_A}` },
      expected: ['SriovNetworkPoolConfig `training` is new: 10% of its nodes are out at once'],
    },
    {
      name: 'a pool that is gone',
      before: { pool: IN_A },
      after: {},
      expected: ['SriovNetworkPoolConfig `training` is gone: its nodes are out one at a time'],
    },
    {
      name: 'another limit',
      before: { pool: `maxUnavailable: 2, ${IN_A}` },
      after: { pool: IN_A },
      expected: ['nodes of SriovNetworkPoolConfig `training` that are out at once: any number; before: 2'],
    },
    {
      name: 'another selector',
      before: { pool: IN_A },
      after: { pool: 'nodeSelector: {matchLabels: {pool: b}}' },
      expected: ['SriovNetworkPoolConfig `training` selects other nodes'],
    },
  ])('say $name', ({ before, after, expected }) => {
    expect(notes(before, after)).toEqual(expected);
  });

  it('say which pods another prefix evicts', () => {
    const prefix = (name: string) => ({ operator: `resourcePrefix: ${name}, ${EXTERNAL}` });
    const note = 'for `Drain_Required`, pods that request `nvidia.com/…` are evicted; before: `example.com/…`';
    expect(notes(prefix('example.com'), prefix('nvidia.com'))).toEqual([note]);
    const [before, after] = [prefix('example.com'), prefix('nvidia.com')].map(filesOf);
    const changes = diffOf(before ?? {}, after ?? {}).objects.filter(({ notes: said }) => said.includes(note));
    expect(changes).toMatchObject([{ kind: 'ConfigMap', impact: 'policy' }]);
  });

  it('say another drain', () => {
    const operator = 'externalDrainer: {enabled: true, drain: {timeoutSeconds: 60}}';
    const note = 'a drain fails after 60 s; before: 300 s';
    expect(notes({}, { operator })).toEqual([note]);
    expect(notes({ ofed: OLD }, { operator, ofed: OLD })).toEqual([`SR-IOV: ${note}`]);
  });
});

describe('virtual functions after a restart of OFED', () => {
  const restart = (operator: string, deploy = true) => ({ operator, deploy, ofed: OLD });
  it.each([
    {
      name: 'are waited for',
      before: restart('', false),
      after: restart(''),
      expected: 'after a restart of OFED, a node takes pods again when its virtual functions are back',
    },
    {
      name: 'are not waited for any more',
      before: restart(''),
      after: restart('', false),
      expected: 'after a restart of OFED, no node waits for its virtual functions any more',
    },
    {
      name: 'are of another prefix',
      before: restart('resourcePrefix: example.com'),
      after: restart(''),
      expected: 'resources that must be back after a restart of OFED: `nvidia.com/…`; before: `example.com/…`',
    },
  ])('$name', ({ before, after, expected }) => {
    expect(notes(before, after)).toEqual([expected]);
  });
});

const node = (name: string, capable = 'true'): ClusterNode => ({
  name,
  labels: new Map(
    Object.entries({
      'feature.node.kubernetes.io/network-sriov.capable': capable,
      ...{ 'kubernetes.io/arch': 'amd64', 'feature.node.kubernetes.io/pci-15b3.present': 'true' },
      ...{ 'feature.node.kubernetes.io/system-os_release.ID': 'ubuntu' },
      ...{ 'feature.node.kubernetes.io/system-os_release.VERSION_ID': '24.04' },
      ...{ 'feature.node.kubernetes.io/kernel-version.full': '6.8.0-31-generic' },
    }),
  ),
  taints: [],
});

function policyImpact(before: Input, after: Input, nodes?: readonly ClusterNode[]) {
  const { objects } = diffOf(filesOf(before), filesOf(after), nodes);
  return objects.find(({ kind }) => kind === 'SriovNetworkNodePolicy');
}

describe('another SriovNetworkPoolConfig', () => {
  it.each([
    { name: 'a limit of the companion', before: 'maxUnavailable: 10%', after: 'maxUnavailable: 20%', impact: 'policy' },
    { name: 'no limit any more', before: `maxUnavailable: 1, ${IN_A}`, after: IN_A, impact: 'policy' },
    {
      name: 'a limit of the operator',
      operator: '',
      before: IN_A,
      after: `maxUnavailable: 1, ${IN_A}`,
      impact: 'drain',
    },
    { name: 'another setting', before: IN_A, after: `rdmaMode: shared, maxUnavailable: 1, ${IN_A}`, impact: 'drain' },
  ])('$name: $impact', ({ operator, before, after, impact }) => {
    const [from, to] = [before, after].map((pool) => filesOf({ pool, ...(operator !== undefined && { operator }) }));
    const { objects } = diffOf(from ?? {}, to ?? {});
    expect(objects.find(({ kind }) => kind === 'SriovNetworkPoolConfig')).toMatchObject({ impact });
  });
});

describe('another number of virtual functions', () => {
  const CONFIGURED =
    'the SR-IOV network operator sets up the nodes that it selects anew; the companion drains those that need it';

  it('makes the companion drain nodes', () => {
    expect(policyImpact({}, { numVfs: 8 })).toMatchObject({ impact: 'drain', notes: [CONFIGURED] });
  });

  it('says what fewer of them take from pods', () => {
    expect(policyImpact({}, { numVfs: 2 })?.notes).toEqual([
      CONFIGURED,
      'a NIC has 2 virtual functions, 4 before: all are removed, and these made, so pods that hold one lose it, and fewer find one again',
    ]);
  });

  it('is the business of the operator with its own drainer', () => {
    expect(policyImpact({ operator: '' }, { operator: '', numVfs: 8 })?.notes).not.toContain(CONFIGURED);
  });

  it.each([
    { name: 'of unknown nodes', nodes: undefined, once: 'the nodes of pool `workers` that it selects are' },
    { name: 'of one node', nodes: [node('a')], once: '1 node is' },
    { name: 'of two nodes', nodes: [node('a'), node('b'), node('c', 'false')], once: '2 nodes are' },
  ])('takes nodes out once with another driver: $name', ({ nodes, once }) => {
    const impact = policyImpact({ ofed: OLD }, { ofed: NEW, numVfs: 8 }, nodes);
    expect(impact?.notes).toEqual([CONFIGURED, `${once} taken out once for OFED and SR-IOV`]);
  });

  it('says nothing of nodes that it does not select', () => {
    const [before, after] = [{ ofed: OLD }, { ofed: NEW, numVfs: 8 }].map((input) => ({ ...input, capable: 'false' }));
    expect(policyImpact(before ?? {}, after ?? {})?.notes).toEqual([CONFIGURED]);
    expect(policyImpact({ ofed: OLD }, { ofed: NEW, numVfs: 8 }, [node('a', 'false')])?.notes).toEqual([CONFIGURED]);
  });
});
