import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runBash } from '../kit/bash.js';
import { chartObjects } from '../conformance/recorded.js';
import { removalLines } from '../../src/cluster/takeover/preflight.js';
import { toYaml as yamlOf } from '../../src/compile/render/yaml/yaml.js';
import type { JsonValue } from '../../src/shared/lib/json.js';
import { clusterText, compile, policyText, UBUNTU_POOL } from '../golden/compile.js';
import { recordedCrds } from './bed/inputs.js';
import type { ApiClient, LiveObject } from './bed/api-client.js';
import { applyAll } from './bed/apply-set.js';
import type { ControlPlane } from './bed/control-plane.js';
import { NIC_LABEL, nodeFeature, startMaster } from './bed/discovery-master.js';
import { isDriver, isReady, nodeOf, ownerOf, podsOf, untilRolledOut } from './simulated/fleet.js';
import { until, type GuardedProcess } from './bed/guarded-process.js';
import { startKubelets, type SimulatedKubelets } from './simulated/kubelets.js';
import { binaries, folderOf, seed, startTestBed } from './bed/test-bed.js';

/**
 * Node Feature Discovery, with the rule that labels NIC nodes, is handed over from a Helm release, which Helm then forgets, by the
 * commands that `weft takeover` prints. The chart has the objects that the operator's chart renders, without its hooks, whose Jobs would have to run.
 * nfd-master runs and labels nodes, whose kubelets are simulated and run the pods of drivers and of the worker.
 */
const NAMESPACE = 'nvidia-network-operator';
const RELEASE = 'network-operator';
const NODES = ['worker-0', 'worker-1'];
const RULE: LiveObject = {
  apiVersion: 'nfd.k8s-sigs.io/v1alpha1',
  kind: 'NodeFeatureRule',
  metadata: { name: 'nvidia-nics-rules' },
};

const toYaml = (object: unknown) => yamlOf(object as JsonValue);
const isOfDiscovery = ({ metadata }: LiveObject) =>
  metadata.labels?.['app.kubernetes.io/name'] === 'node-feature-discovery';
const isHook = ({ metadata }: LiveObject) => metadata.annotations?.['helm.sh/hook'] !== undefined;

/** The commands that `weft takeover` prints at its end. */
const removal = removalLines(
  { kind: 'helm', namespace: NAMESPACE, name: RELEASE },
  { operator: { deployments: [{ metadata: { name: 'network-operator' } }] }, subscriptions: [] },
).filter((line) => line.startsWith('kubectl'));

const DEPLOYED = `  nodeFeatureDiscovery:
    deploy: true
    image: {repository: nvcr.io/nvstaging/mellanox/node-feature-discovery, tag: network-operator-v26.7.0-rc.1}
`;

function writeChart(folder: string): void {
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: network-operator\nversion: 1.0.0\n');
  writeFileSync(join(folder, 'values.yaml'), 'nfd: {enabled: true, deployNodeFeatureRules: true}\n');
  const objects = chartObjects('01-defaults').filter((object) => !isHook(object));
  for (const [index, object] of objects.entries()) {
    const text = toYaml(object);
    const [value] = object.kind === RULE.kind ? ['deployNodeFeatureRules'] : isOfDiscovery(object) ? ['enabled'] : [];
    const template = value === undefined ? text : `{{- if .Values.nfd.${value} }}\n${text}{{- end }}\n`;
    writeFileSync(join(folder, 'templates', `${index}.yaml`), template);
  }
}

describe('helm: the rule of Node Feature Discovery', () => {
  let controlPlane: ControlPlane;
  let folder: string;
  let chart: string;
  let kubelets: SimulatedKubelets;
  let master: GuardedProcess | undefined;

  async function shell(text: string): Promise<string> {
    const { helm, controlplane } = binaries();
    const path = `${helm}:${controlplane}:${process.env['PATH'] ?? ''}`;
    const env = { ...process.env, PATH: path, KUBECONFIG: controlPlane.kubeconfig, HOME: folder };
    const { stdout } = await runBash(text, { cwd: folder, env });
    return stdout;
  }

  /** The objects of Node Feature Discovery that exist, with the rule. */
  const discovery = chartObjects('01-defaults').filter((one) => one.kind === RULE.kind || isOfDiscovery(one));
  const uids = () => Promise.all(discovery.map(async (one) => (await controlPlane.client.get(one))?.metadata.uid));
  const ruleUid = async () => (await controlPlane.client.get(RULE))?.metadata.uid;

  beforeAll(async () => {
    controlPlane = await startTestBed('helm');
    kubelets = startKubelets(controlPlane.client, { seed: seed() });
    for (const name of NODES) await kubelets.addNode({ name });
    folder = folderOf('helm-work');
    chart = join(folder, 'chart');
    writeChart(chart);
    const labels = { 'pod-security.kubernetes.io/enforce': 'privileged' };
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels } };
    const { problems } = await applyAll(controlPlane.client, [...recordedCrds(), namespace]);
    expect(problems).toEqual([]);
  });
  afterAll(async () => {
    kubelets.stop();
    await master?.stop();
    await controlPlane.stop();
  });

  it('goes with the release where it was not applied before', async () => {
    await shell(`helm install ${RELEASE} ${chart} -n ${NAMESPACE}`);
    expect(await ruleUid()).toBeDefined();
    await shell(
      `helm upgrade ${RELEASE} ${chart} -n ${NAMESPACE} --reuse-values --set nfd.deployNodeFeatureRules=false`,
    );
    expect(await ruleUid()).toBeUndefined();
    await shell(`helm upgrade ${RELEASE} ${chart} -n ${NAMESPACE} --set nfd.deployNodeFeatureRules=true`);
    expect(await ruleUid()).toBeDefined();
  });

  /** Waits until the worker has found the NICs, the rule has set the label, and a driver runs on every node. */
  async function runDrivers(driver: readonly LiveObject[]): Promise<readonly LiveObject[]> {
    const { client } = controlPlane;
    const pods = await untilRolledOut(client, isReady);
    const worker = discovery.find(({ kind, metadata }) => kind === 'DaemonSet' && /-worker$/.test(metadata.name));
    const daemonSet = await client.get(worker as LiveObject);
    for (const node of NODES) {
      const pod = pods.find((one) => nodeOf(one) === node && ownerOf(one) === daemonSet?.metadata.name);
      if (!daemonSet || !pod) throw new Error(`there is no worker on ${node}`);
      const owners = [daemonSet, { ...pod, apiVersion: 'v1', kind: 'Pod' }];
      await client.create(nodeFeature(node, [{ vendor: '15b3', class: '0200' }], owners));
    }
    master = await startMaster(controlPlane, discovery, NODES[0] ?? '');
    const { problems } = await applyAll(client, driver);
    expect(problems).toEqual([]);
    return until('a driver is ready on every node', async () => {
      const drivers = (await podsOf(client)).filter((pod) => isDriver(pod) && isReady(pod));
      return drivers.length === NODES.length ? drivers : undefined;
    });
  }

  it('stays, with Node Feature Discovery, every label and every driver, when Helm forgets the release', async () => {
    const before = await uids();
    expect(before).toHaveLength(13);
    expect(before).not.toContain(undefined);
    const target = join(folder, 'dist/east/node-feature-discovery');
    mkdirSync(target, { recursive: true });
    const { placed } = compile({
      'cluster.yaml': clusterText(`  release: v26.7\n${DEPLOYED}  nodePools:\n${UBUNTU_POOL}`),
      'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', '  ofedDriver: {}\n'),
    });
    const inFolder = (name: string) => placed.filter((one) => one.folder === name).map(({ object }) => object);
    const ours = inFolder('node-feature-discovery');
    expect(ours).toHaveLength(before.length);
    for (const [index, object] of ours.entries()) writeFileSync(join(target, `${index}.yaml`), toYaml(object));
    const drivers = await runDrivers(inFolder('ofed-driver'));
    const losses = watchLosses(controlPlane.client);

    await shell('kubectl apply --server-side --force-conflicts -f dist/east/node-feature-discovery');
    expect(removal).toHaveLength(3);
    for (const line of removal) await shell(line);
    expect(await shell(`helm list -n ${NAMESPACE} --short`)).toBe('');
    const operator = chartObjects('01-defaults').find(({ metadata }) => metadata.name === 'network-operator');
    expect(await controlPlane.client.get(operator as LiveObject)).toBeUndefined();

    expect(await uids()).toEqual(before);
    const uidsOf = (pods: readonly LiveObject[]) => pods.map(({ metadata }) => metadata.uid).sort();
    const left = await untilRolledOut(controlPlane.client, isReady);
    expect(uidsOf(left.filter(isDriver))).toEqual(uidsOf(drivers));
    expect(losses.all()).toEqual([]);

    // Checks the watches: without the rule the labels are removed, and with them the drivers.
    await controlPlane.client.delete(RULE);
    const expected = NODES.flatMap((node) => [`${node} has no label`, `the driver on ${node} ends`]).sort();
    await until('all labels and drivers are lost', () => (losses.all().join() === expected.join() ? true : undefined));
    losses.stop();
  });
});

/** Nodes that lose the label of the rule or their driver pod from now on, each once. */
function watchLosses(client: ApiClient): { readonly all: () => readonly string[]; readonly stop: () => void } {
  const lost = new Set<string>();
  const stops = [
    client.watch('/api/v1/nodes', (type, { metadata }) => {
      if (type === 'DELETED' || metadata.labels?.[NIC_LABEL] !== 'true') lost.add(`${metadata.name} has no label`);
    }),
    client.watch('/api/v1/pods', (type, pod) => {
      const isEnding = type === 'DELETED' || pod.metadata.deletionTimestamp !== undefined;
      if (isDriver(pod) && isEnding) lost.add(`the driver on ${nodeOf(pod)} ends`);
    }),
  ];
  return { all: () => [...lost].sort(), stop: () => stops.forEach((stop) => stop()) };
}
