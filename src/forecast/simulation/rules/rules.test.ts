import { describe, expect, it } from '@jest/globals';
import { budgetStatus, disruptionOf, type BudgetSpec } from './budgets.js';
import { hostPortsOf, portInTheWay } from './host-ports.js';
import { isSelected, nodeMisfit, reachesVolumes, type SchedulableNode } from './node-fit.js';
import { repellingKeys, repels, type AntiAffinityTerm } from './pod-affinity.js';
import { REQUIREMENTS_MAX, schedulingOf } from './read-scheduling.js';
import { lackingResource, requestsOf } from './resources.js';
import { countsFor, exceedsSkew } from './topology-spread.js';

const node: SchedulableNode = { name: 'a', labels: { zone: 'x', size: '4' }, taints: [], unschedulable: false };
const anywhere = { nodeSelector: {}, tolerations: [] };

describe('requests of a pod', () => {
  // https://kubernetes.io/docs/concepts/workloads/pods/init-containers/#resource-sharing-within-containers
  const cpu = (amount: string, restartPolicy?: string) => ({
    resources: { requests: { cpu: amount } },
    ...(restartPolicy !== undefined && { restartPolicy }),
  });
  it.each([
    ['the sum of the containers', { containers: [cpu('1'), cpu('500m')] }, 1.5],
    ['the largest init container', { containers: [cpu('1')], initContainers: [cpu('2'), cpu('3')] }, 3],
    ['sidecars run on', { containers: [cpu('1')], initContainers: [cpu('2', 'Always')] }, 3],
    [
      'a sidecar runs beside the init containers after it',
      { containers: [cpu('1')], initContainers: [cpu('1', 'Always'), cpu('4')] },
      5,
    ],
    ['the overhead of its runtime class', { containers: [cpu('1')], overhead: { cpu: '250m' } }, 1.25],
  ])('%s', (_name, spec, expected) => expect(requestsOf(spec)['cpu']).toBe(expected));

  it('a limit without a request is a request', () => {
    const resources = { limits: { memory: '1Ki', 'rdma/a': '1' }, requests: { memory: '512' } };
    expect(requestsOf({ containers: [{ resources }] })).toEqual({ memory: 512, 'rdma/a': 1 });
  });
});

describe('resources of a node', () => {
  it.each([
    ['fits exactly', { cpu: 0.3 }, { cpu: 0.7, pods: 1 }, undefined],
    ['too little of a processor', { cpu: 0.4 }, { cpu: 0.7, pods: 1 }, 'cpu'],
    ['an extended resource that the node lacks', { 'rdma/a': 1 }, { pods: 1 }, 'rdma/a'],
    ['as many pods as the node takes', {}, { pods: 2 }, 'pods'],
    ['a request of zero on a full node', { cpu: 0 }, { cpu: 1, pods: 1 }, undefined],
  ])('%s', (_name, requests, used, expected) =>
    expect(lackingResource(requests, used, { cpu: 1, pods: 2 })).toBe(expected),
  );
});

describe('the node itself', () => {
  const toleration = { key: 'gpu', operator: 'Exists' };
  it.each([
    ['takes any pod', anywhere, {}, undefined],
    ['is cordoned', anywhere, { unschedulable: true }, 'cordoned'],
    [
      'is cordoned, which the pod tolerates',
      { ...anywhere, tolerations: [{ operator: 'Exists' }] },
      { unschedulable: true },
      undefined,
    ],
    ['has a taint', anywhere, { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }, 'with the taint gpu:NoSchedule'],
    ['prefers no pods', anywhere, { taints: [{ key: 'gpu', effect: 'PreferNoSchedule' }] }, undefined],
    [
      'has a taint that is tolerated',
      { ...anywhere, tolerations: [toleration] },
      { taints: [{ key: 'gpu', effect: 'NoExecute' }] },
      undefined,
    ],
    [
      'is in another zone',
      { ...anywhere, nodeSelector: { zone: 'y' } },
      {},
      'that its node selector or affinity does not allow',
    ],
  ])('%s', (_name, constraints, change, expected) =>
    expect(nodeMisfit(constraints, { ...node, ...change })).toBe(expected),
  );

  it('one term of the node affinity must match', () => {
    const term = (key: string, operator: string, ...values: string[]) => ({
      matchExpressions: [{ key, operator, values }],
      matchFields: [],
    });
    const affinity = (...nodeAffinity: ReturnType<typeof term>[]) => isSelected({ ...anywhere, nodeAffinity }, node);
    expect(affinity(term('zone', 'In', 'y'), term('size', 'Gt', '3'))).toBe(true);
    expect(affinity(term('zone', 'NotIn', 'x'), term('disk', 'Exists'))).toBe(false);
  });

  it('a local volume is on its node only', () => {
    const on = (name: string) => [
      { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [name] }], matchFields: [] },
    ];
    const labels = { 'kubernetes.io/hostname': 'a' };
    expect(reachesVolumes([on('a')], { labels })).toBe(true);
    expect(reachesVolumes([on('a'), on('b')], { labels })).toBe(false);
  });
});

describe('pod anti-affinity', () => {
  const term: AntiAffinityTerm = { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'zone' };
  const owner = { namespace: 'one', labels: {} };
  const db = (namespace: string) => ({ namespace, labels: { app: 'db' } });
  it.each([
    ['a matching pod of the namespace', term, db('one'), true],
    ['a matching pod of another namespace', term, db('two'), false],
    ['a namespace that the term names', { ...term, namespaces: new Set(['two']) }, db('two'), true],
    ['every namespace', { ...term, namespaces: new Set<string>() }, db('two'), true],
    ['another pod', term, owner, false],
    ['no selector matches no pod', { topologyKey: 'zone' }, db('one'), false],
  ])('%s', (_name, given, other, expected) => expect(repels(given, owner, other)).toBe(expected));

  it('thousands of values and namespaces of a tenant are read once, whatever the number of pods', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `v${at}`);
    const labelSelector = { matchExpressions: [{ key: 'app', operator: 'NotIn', values: many }] };
    const spec = {
      ...{ containers: [] },
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector, namespaces: [...many, 'two'], topologyKey: 'zone' },
          ],
        },
      },
      topologySpreadConstraints: [{ labelSelector, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
    };
    const { antiAffinity, spread } = schedulingOf(spec, {}, []);
    const start = performance.now();
    const hits = many
      .slice(0, 1_000)
      .filter(
        () => antiAffinity.some((one) => repels(one, owner, db('two'))) && spread.some((one) => countsFor(one, {})),
      );
    expect(hits).toHaveLength(1_000);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('a tenant writes as much as an object holds', () => {
  const many = Array.from({ length: REQUIREMENTS_MAX }, (_, at) => `k${at}`);
  const selector = { matchExpressions: many.map((key) => ({ key, operator: 'Exists', values: [] })) };
  const terms = many.map(() => ({ topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }));
  const required = <Part>(part: Part) => ({ requiredDuringSchedulingIgnoredDuringExecution: part });
  const node = [{ matchExpressions: selector.matchExpressions, matchFields: [] }];
  const selected = { nodeSelector: Object.fromEntries(many.map((key) => [key, ''])) };
  const ports = [{ ports: many.map((_, at) => ({ hostPort: at + 1 })) }];
  const resources = [{ resources: { requests: Object.fromEntries(many.map((key) => [key, '1'])) } }];
  it.each<[string, object, Parameters<typeof schedulingOf>[2]]>([
    ['tolerations', { tolerations: many.map((key) => ({ key })) }, []],
    ['a node selector', selected, []],
    ['terms for nodes', { affinity: { nodeAffinity: required({ nodeSelectorTerms: node }) } }, []],
    ['terms for pods', { affinity: { podAntiAffinity: required(terms) } }, []],
    [
      'a selector of pods',
      { topologySpreadConstraints: [{ labelSelector: selector, whenUnsatisfiable: 'DoNotSchedule' }] },
      [],
    ],
    ['constraints', { topologySpreadConstraints: terms }, []],
    ['host ports', { containers: ports }, []],
    ['resources', { containers: resources }, []],
    ['volumes', {}, many.map(() => node)],
  ])('%s: the pod counts as one without requirements, and says so', (_name, given, volumes) => {
    const spec: Parameters<typeof schedulingOf>[0] = given;
    const tolerations = [...(spec.tolerations ?? []), { operator: 'Exists' }];
    const none = { nodeSelector: {}, tolerations: [] };
    expect(schedulingOf({ ...spec, tolerations }, {}, volumes)).toEqual({
      ...{ requests: {}, constraints: none, antiAffinity: [], spread: [], hostPorts: [], volumes: [] },
      hasTooMany: true,
    });
  });

  it('what is just not too much counts', () => {
    expect(schedulingOf({ tolerations: many.map((key) => ({ key })) }, {}, [])).not.toHaveProperty('hasTooMany');
  });
});

describe('topology spread', () => {
  // https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/
  const constraint = { topologyKey: 'zone', maxSkew: 1, labelSelector: { matchLabels: { foo: 'bar' } } };
  const zones = (a: number, b: number) =>
    new Map([
      ['a', a],
      ['b', b],
    ]);
  it.each([
    ['the emptier zone', zones(2, 1), 'b', false],
    ['the fuller zone', zones(2, 1), 'a', true],
    ['even zones', zones(1, 1), 'a', false],
    ['a node without the label', zones(1, 1), undefined, true],
  ])('%s', (_name, counts, domain, expected) => expect(exceedsSkew(constraint, counts, domain, true)).toBe(expected));

  it('fewer domains than minDomains count as an empty one', () => {
    const counts = zones(1, 1);
    expect(exceedsSkew({ ...constraint, minDomains: 3 }, counts, 'a', true)).toBe(true);
    expect(exceedsSkew({ ...constraint, minDomains: 2 }, counts, 'a', true)).toBe(false);
  });

  it('a constraint without a selector counts no pod', () => {
    expect(countsFor(constraint, { foo: 'bar' })).toBe(true);
    expect(countsFor({ topologyKey: 'zone', maxSkew: 1 }, { foo: 'bar' })).toBe(false);
  });
});

describe('host ports', () => {
  const on = (port: number, protocol = 'TCP', address = '') => ({ port, protocol, address });
  it.each([
    ['the same port', on(80), on(80), true],
    ['another protocol', on(80), on(80, 'UDP'), false],
    ['one address and every address', on(80, 'TCP', '10.0.0.1'), on(80), true],
    ['two addresses', on(80, 'TCP', '10.0.0.1'), on(80, 'TCP', '10.0.0.2'), false],
  ])('%s', (_name, wanted, taken, expected) => expect(portInTheWay([wanted], [taken]) !== undefined).toBe(expected));

  it('a pod in the network of its node takes the ports of its containers', () => {
    const containers = [{ ports: [{ containerPort: 9100 }] }];
    expect(hostPortsOf({ hostNetwork: true, containers })).toEqual([on(9100)]);
    expect(hostPortsOf({ containers })).toEqual([]);
  });
});

describe('disruption budgets', () => {
  // https://kubernetes.io/docs/tasks/run-application/configure-pdb/
  it.each<[string, BudgetSpec, [number, number, number], number]>([
    ['minAvailable', { minAvailable: 2 }, [3, 3, 3], 1],
    ['minAvailable that is more than there are', { minAvailable: 5 }, [3, 3, 3], 0],
    ['a percentage is rounded up: 7 pods, 50%: 4 stay', { minAvailable: '50%' }, [7, 7, 7], 3],
    ['maxUnavailable', { maxUnavailable: 1 }, [3, 3, 3], 1],
    ['one that is unavailable already', { maxUnavailable: 1 }, [3, 2, 3], 0],
    ['maxUnavailable of 30% of 7: 3', { maxUnavailable: '30%' }, [7, 7, 7], 3],
    ['maxUnavailable counts the pods that are wanted', { maxUnavailable: 1 }, [2, 2, 3], 0],
    ['maxUnavailable 0', { maxUnavailable: 0 }, [3, 3, 3], 0],
    ['no pods', { maxUnavailable: 1 }, [0, 0, 0], 0],
  ])('%s', (_name, spec, [pods, healthy, scale], allowed) =>
    expect(budgetStatus(spec, pods, healthy, scale).disruptionsAllowed).toBe(allowed),
  );

  // https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy
  const status = { currentHealthy: 2, desiredHealthy: 2, disruptionsAllowed: 0 };
  it.each([
    ['a healthy pod', {}, status, true, 'refused'],
    ['a healthy pod that may go', {}, { ...status, disruptionsAllowed: 1 }, true, 'takes-one'],
    ['an unhealthy pod of a healthy application', {}, status, false, 'free'],
    ['an unhealthy pod of a disrupted application', {}, { ...status, currentHealthy: 1 }, false, 'refused'],
    ['AlwaysAllow', { unhealthyPodEvictionPolicy: 'AlwaysAllow' }, { ...status, currentHealthy: 1 }, false, 'free'],
  ])('%s', (_name, spec, given, isReady, expected) => expect(disruptionOf(spec, given, isReady)).toBe(expected));
});

it('terms are compared once with the labels of a pod, for each pair of namespaces', () => {
  let reads = 0;
  const term = (topologyKey: string, app: string): AntiAffinityTerm => ({
    topologyKey,
    get labelSelector() {
      reads += 1;
      return { matchLabels: { app } };
    },
  });
  const terms = [term('zone', 'db'), term('rack', 'db'), term('zone', 'db'), term('host', 'web')];
  const labels = { app: 'db' };
  const keys = (namespace: string) => repellingKeys(terms, { namespace: 'a', labels: {} }, { namespace, labels });
  expect([keys('a'), keys('b')]).toEqual([['zone', 'rack'], []]);
  const before = reads;
  expect([keys('a'), keys('b')]).toEqual([['zone', 'rack'], []]);
  expect(reads).toBe(before);
  expect(repellingKeys(terms, { namespace: 'a', labels: {} }, { namespace: 'a', labels: { app: 'web' } })).toEqual([
    'host',
  ]);
});
