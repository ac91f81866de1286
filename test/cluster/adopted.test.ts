import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMPONENT_LABEL } from '../../src/shared/contract/labels.js';
import { findOperator, runningReason, type FoundOperator } from '../../src/cluster/takeover/operator/find.js';
import { parseAllDocuments } from 'yaml';
import type { LiveObject } from './bed/api-client.js';
import { applyOrder } from './bed/apply-order.js';
import { applyAll, deleteAll, label } from './bed/apply-set.js';
import type { ControlPlane } from './bed/control-plane.js';
import {
  daemonSetsOf,
  driverFiles,
  isDriver,
  NAMESPACE,
  nodeOf,
  nodesOf,
  ownerOf,
  podsOf,
  untilRolledOut,
} from './simulated/fleet.js';
import { FOREIGN_CRDS } from './bed/foreign-crds.js';
import { until } from './bed/guarded-process.js';
import { acceptedCases, caseObjects, recordedCase, recordedCrds, type Gate } from './bed/inputs.js';
import { createAsOperator, createOwners, OPERATOR, operatorDeployment } from './bed/operator-made.js';
import { startKubelets, type SimulatedKubelets } from './simulated/kubelets.js';
import { seed, startTestBed } from './bed/test-bed.js';
import { weftIn } from './bed/weft-command.js';
import { readCase } from '../conformance/recorded.js';

/** The label that opens the driver gate for the pods of the conformance cases. */
const GATE_LABELS = { 'network.nvidia.com/operator.mofed.wait': 'false' };

const namespaceObject = (name: string): LiveObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const daemonSets = (objects: Iterable<LiveObject>) => [...objects].filter(({ kind }) => kind === 'DaemonSet');

async function prepare(controlPlane: ControlPlane): Promise<void> {
  const { problems } = await applyAll(controlPlane.client, [...FOREIGN_CRDS, ...recordedCrds()], 'helm');
  expect(problems).toEqual([]);
}

async function makeNamespaces(controlPlane: ControlPlane, objects: readonly LiveObject[]): Promise<void> {
  const names = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  await applyAll(controlPlane.client, [...names].map(namespaceObject), 'helm');
}

/** A driver whose policy has a nodeAffinity: the operator drops its anti-affinity, and Weft keeps it. */
function hasNodeAffinity(object: LiveObject): boolean {
  const { template } = object['spec'] as { template: { spec: { affinity?: { nodeAffinity?: object } } } };
  return isDriver(object) && template.spec.affinity?.nodeAffinity !== undefined;
}

/** A driver of node pools with several architectures: each selects its own. The operator's selects none. */
function selectsArchitecture(object: LiveObject, architectures: number): boolean {
  return isDriver(object) && architectures > 1;
}

function isGated(object: LiveObject): boolean {
  const { template } = object['spec'] as { template: { spec: { nodeSelector?: Record<string, string> } } };
  return template.spec.nodeSelector?.['network.nvidia.com/operator.mofed.wait'] !== undefined;
}

describe('adopted: every case, made as the operator makes it and taken over by forced server-side apply', () => {
  let controlPlane: ControlPlane;
  beforeAll(async () => {
    // No controllers: only this test changes a generation.
    controlPlane = await startTestBed('adopted', { hasControllers: false });
    await prepare(controlPlane);
  });
  afterAll(() => controlPlane.stop());

  /** Objects that changed, as `<case>: <object>`. */
  async function takeOver(
    gate: Gate,
  ): Promise<{ moved: string[]; expected: string[]; problems: string[]; count: number }> {
    const result = { moved: [] as string[], expected: [] as string[], problems: [] as string[], count: 0 };
    const { client } = controlPlane;
    for (const name of acceptedCases()) {
      const ours = caseObjects(name, gate);
      if (ours.length === 0) continue;
      const recorded = recordedCase(name);
      await makeNamespaces(controlPlane, [...ours, ...recorded.objects]);
      const owners = await createOwners(client, recorded.owners);
      const { live, refused } = await createAsOperator(client, recorded.objects, owners);
      result.problems.push(...refused.map((text) => `${name}: the operator's ${text}`));
      const taken = await applyAll(client, applyOrder('Argo CD', ours));
      result.problems.push(
        ...taken.problems.filter((text) => !text.includes(': warning: ')).map((text) => `${name}: ${text}`),
      );
      for (const before of daemonSets(live.values())) {
        const after = taken.live.get(label(before));
        result.count += 1;
        const line = `${name}: ${label(before)}`;
        if (after?.metadata.uid !== before.metadata.uid) result.problems.push(`${line} is not adopted`);
        else if (after?.metadata.generation !== before.metadata.generation) result.moved.push(line);
        const isDriverMoved = hasNodeAffinity(before) || selectsArchitecture(before, recorded.architectures);
        if (isDriverMoved || (gate === 'ready-file' && isGated(before))) result.expected.push(line);
      }
      await deleteAll(client, [...ours, ...recorded.objects.map((object) => taken.live.get(label(object)) ?? object)]);
      for (const owner of owners) await client.delete(owner);
    }
    return result;
  }

  it('gate label: no generation moves, but that of drivers with a nodeAffinity or of several architectures', async () => {
    const { moved, expected, problems, count } = await takeOver('label');
    console.log(`${count} DaemonSets adopted, ${moved.length} with a new generation`);
    expect(problems).toEqual([]);
    expect(moved).toEqual(expected);
    expect(count).toBeGreaterThan(100);
  });

  it('gate ready-file: the gated ones move, and drivers only with a nodeAffinity or of several architectures', async () => {
    const { moved, expected, problems } = await takeOver('ready-file');
    expect(problems).toEqual([]);
    expect(moved).toEqual(expected);
    expect(moved.length).toBeGreaterThan(10);
  });
});

interface DiffDocument {
  readonly clusters: readonly {
    readonly objects: readonly { readonly impact: string; readonly name: string }[];
    readonly restarts: readonly object[];
    readonly notes: readonly string[];
  }[];
}

/** Folder with the documents of the case. */
const DOCUMENTS = 'documents/east';

/** The companion is in no recorded case. */
const isOurs = ({ name }: { readonly name: string }) => !name.includes('weft-companion');

interface PolicyDocument {
  readonly status: { readonly appliedStates: readonly { readonly name: string; readonly state: string }[] };
}

describe('adopted: the takeover by the command', () => {
  const CASE = 'everything';
  let controlPlane: ControlPlane;
  let kubelets: SimulatedKubelets;

  beforeAll(async () => {
    controlPlane = await startTestBed('takeover');
    kubelets = startKubelets(controlPlane.client, { seed: seed(), filesOf: driverFiles });
    await prepare(controlPlane);
    const pool = { name: 'worker', count: 3, os: 'ubuntu', osVersion: '24.04', kernel: '6.8.0-31-generic' };
    for (const node of nodesOf({ ...pool, labels: GATE_LABELS })) await kubelets.addNode(node);
  });
  afterAll(async () => {
    kubelets.stop();
    await controlPlane.stop();
  });

  async function takeOver(...args: readonly string[]): Promise<void> {
    const printed = await weftIn(controlPlane, 'takeover', DOCUMENTS, ...args);
    expect(printed).toEqual({ exit: 0, stdout: expect.any(String), stderr: expect.any(String) });
  }

  /** No provisioner runs here, and one component waits for a volume. */
  const isExpected = (pod: LiveObject) => nodeOf(pod) !== '' || ownerOf(pod) === 'nic-configuration-daemon';

  const describePods = (pods: readonly LiveObject[]) =>
    pods.map(({ metadata }) => `${metadata.name} ${metadata.uid ?? ''}`).sort();

  it('nothing is garbage-collected, no pod is replaced, and a variable that is removed later goes', async () => {
    const { client } = controlPlane;
    const recorded = recordedCase(CASE);
    await makeNamespaces(controlPlane, recorded.objects);
    await allowPrivileged();
    const owners = await createOwners(client, recorded.owners);
    await client.create(operatorDeployment(), 'helm');
    const made = await createAsOperator(client, recorded.objects, owners);
    expect(made.refused).toEqual([]);
    await untilRolledOut(client, isExpected);
    await untilDeploymentsHavePods();
    const before = await podsOfComponents();
    expect(before.length).toBeGreaterThan(20);
    expect(runningReason(await operator(), await operator())).toContain(`the pod ${NAMESPACE}/network-operator-`);
    const templates = async () =>
      (await daemonSetsOf(client)).map(({ metadata, spec }) => [metadata.name, spec] as const);
    const templatesBefore = await templates();

    await importRendersTheSame();
    await writeDocuments(join(controlPlane.folder, DOCUMENTS));
    const first = await comparedLive();
    expect(first.exit).toBe(1);
    expect(first.classes).toEqual(['add', 'metadata']);
    expect(first.restarts).toEqual([]);
    expect(first.notes).toContainEqual(
      expect.stringMatching(/^NicClusterPolicy\/nic-cluster-policy of the operator owns/),
    );
    expect(await appliedStates()).toMatchObject({ 'state-multus-cni': 'ready', 'state-OFED': 'ready' });

    await takeOver('--until', 'owner-references');
    expect(runningReason(await operator(), await operator())).toBeUndefined();
    // While the operator is in `managedFields`, fields that leave the manifests stay.
    const [variable, smaller, rendered] = driverWithoutAVariable();
    await client.apply(smaller, { manager: 'kubectl' });
    expect(await driverVariables()).toContain(variable);
    await client.apply(rendered, { manager: 'kubectl' });
    await takeOver();

    for (const kind of ['nicclusterpolicies', 'macvlannetworks']) {
      expect((await client.send('GET', `/apis/mellanox.com/v1alpha1/${kind}`)).status).toBe(404);
    }
    await garbageCollectionHasRun();
    const lives = await Promise.all(recorded.objects.map((object) => client.get(object)));
    expect(recorded.objects.filter((_, index) => lives[index] === undefined).map(label)).toEqual([]);
    expect(lives.flatMap((live) => live?.metadata.ownerReferences ?? [])).toEqual([]);
    expect(lives.filter((live) => live && isOperators(live)).map((live) => live && label(live))).toEqual([]);
    expect(describePods(await podsOfComponents())).toEqual(describePods(before));
    expect(await templates()).toEqual(templatesBefore);
    expect(await comparedLive()).toEqual({ exit: 0, classes: [], restarts: [], notes: [] });
    await client.apply(smaller, { manager: 'kubectl' });
    expect(await driverVariables()).not.toContain(variable);
    expect(await comparedLive()).toMatchObject({ exit: 1, classes: ['drain'] });
    await client.apply(rendered, { manager: 'kubectl' });
  });

  it('a later change to the gate ready-file rolls the gated DaemonSets, and no driver pod', async () => {
    const { client } = controlPlane;
    const before = await podsOfComponents();
    const gated = new Set(
      daemonSets(recordedCase(CASE).objects)
        .filter(isGated)
        .map(({ metadata }) => metadata.name),
    );
    expect(gated.size).toBe(4);
    const { problems } = await applyAll(client, applyOrder('Argo CD', caseObjects(CASE, 'ready-file')), 'kubectl');
    expect(problems.filter((text) => !text.includes(': warning: '))).toEqual([]);
    const after = await until('the gated ones have rolled', async () => {
      await untilRolledOut(client, isExpected);
      const isDone = ({ metadata, status }: LiveObject) => {
        const { updatedNumberScheduled, desiredNumberScheduled } = status as Readonly<Record<string, number>>;
        return !gated.has(metadata.name) || updatedNumberScheduled === desiredNumberScheduled;
      };
      return (await daemonSetsOf(client)).every(isDone) ? podsOfComponents() : undefined;
    });
    const isOfGated = (pod: LiveObject) => gated.has(ownerOf(pod));
    const uids = new Set(before.map(({ metadata }) => metadata.uid));
    expect(after.filter((pod) => isOfGated(pod) && uids.has(pod.metadata.uid))).toEqual([]);
    const others = (pods: readonly LiveObject[]) => describePods(pods.filter((pod) => !isOfGated(pod)));
    expect(others(after)).toEqual(others(before));
    expect(after.filter(isDriver)).toHaveLength(3);
  });

  /** The folder that `weft import` makes of the cluster, as the operator leaves it, renders the DaemonSets that are there. */
  async function importRendersTheSame(): Promise<void> {
    const imported = await weftIn(controlPlane, 'import', 'clusters/east');
    expect(imported).toMatchObject({ exit: 0, stderr: expect.not.stringContaining('error') });
    const { exit, stdout } = await weftIn(controlPlane, 'synth', 'clusters/east', '-o', 'json');
    expect(exit).toBe(0);
    const { items } = JSON.parse(stdout) as { readonly items: readonly LiveObject[] };
    const byName = (objects: readonly LiveObject[]) =>
      new Map(daemonSets(objects).map((object) => [object.metadata.name, object['spec']]));
    expect(byName(items)).toEqual(byName(caseObjects(CASE, 'label')));
    expect(await weftIn(controlPlane, 'import', 'clusters/east')).toMatchObject({ exit: 0, stdout: '' });
  }

  const isOperators = ({ metadata }: LiveObject) =>
    metadata.managedFields?.some(({ manager, operation }) => manager === OPERATOR && operation === 'Update') === true;

  async function writeDocuments(target: string): Promise<void> {
    await mkdir(target, { recursive: true });
    const { files } = readCase(CASE);
    for (const [name, text] of Object.entries(files)) await writeFile(join(target, name), text);
  }

  /** What `weft diff --live` finds. */
  async function comparedLive() {
    const gate = ['--fail-on', 'driver-loss,drain,restart,remove,metadata'];
    const { exit, stdout } = await weftIn(
      controlPlane,
      'diff',
      '--live',
      '--folder',
      DOCUMENTS,
      '--format',
      'json',
      ...gate,
    );
    const { clusters } = JSON.parse(stdout) as DiffDocument;
    return {
      exit,
      classes: [...new Set(clusters.flatMap(({ objects }) => objects.filter(isOurs).map(({ impact }) => impact)))],
      restarts: clusters.flatMap(({ restarts }) => restarts),
      notes: clusters.flatMap(({ notes }) => notes),
    };
  }

  /** The states of `weft status`, by name. */
  async function appliedStates(): Promise<Readonly<Record<string, string>>> {
    const { stdout } = await weftIn(controlPlane, 'status', DOCUMENTS, '-o', 'yaml');
    const [policy] = parseAllDocuments(stdout).map((document) => document.toJS() as PolicyDocument);
    return Object.fromEntries((policy?.status.appliedStates ?? []).map(({ name, state }) => [name, state]));
  }

  /** If a cluster enforces pod security, the namespace of the operator has this label. */
  async function allowPrivileged(): Promise<void> {
    const labels = { 'pod-security.kubernetes.io/enforce': 'privileged' };
    await client().ask('PATCH', `/api/v1/namespaces/${NAMESPACE}`, { metadata: { labels } }, 'merge');
  }

  const client = () => controlPlane.client;

  async function operator(): Promise<FoundOperator> {
    return findOperator({
      deployments: await client().list('/apis/apps/v1/deployments'),
      pods: await client().list('/api/v1/pods'),
      leases: await client().list('/apis/coordination.k8s.io/v1/leases'),
    });
  }

  /** All pods but those of the operator and of the companion. */
  async function podsOfComponents(): Promise<readonly LiveObject[]> {
    const pods = await podsOf(client());
    return pods.filter(
      ({ metadata: { labels = {} } }) =>
        labels['app.kubernetes.io/name'] !== 'network-operator' && labels[COMPONENT_LABEL] === undefined,
    );
  }

  async function untilDeploymentsHavePods(): Promise<void> {
    await until('the Deployments have their pods', async () => {
      const deployments = await client().list(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments`);
      const isDone = ({ spec, status }: LiveObject) =>
        (status as { replicas?: number }).replicas === (spec as { replicas: number }).replicas;
      return deployments.every(isDone) ? true : undefined;
    });
  }

  /** Waits until an object without its owner is collected: then the collector has also seen that our owners were deleted. */
  async function garbageCollectionHasRun(): Promise<void> {
    const map = (name: string, owner?: LiveObject): LiveObject => {
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: owner?.metadata.name, uid: owner?.metadata.uid };
      const metadata = { name, namespace: 'default', ...(owner ? { ownerReferences: [reference] } : {}) };
      return { apiVersion: 'v1', kind: 'ConfigMap', metadata } as LiveObject;
    };
    const owner = await client().create(map('owner'));
    const owned = await client().create(map('owned', owner));
    await client().delete(map('owner'));
    await until('the garbage collector runs', async () =>
      (await client().get(owned)) === undefined ? true : undefined,
    );
  }

  const renderedDriver = () => {
    const found = caseObjects(CASE, 'label').find((object) => object.kind === 'DaemonSet' && isDriver(object));
    if (!found) throw new Error('the case has no driver');
    return found;
  };

  interface WithVariables {
    readonly template: { spec: { containers: { env?: { name: string }[] }[] } };
  }

  /** The name of a variable that the operator had set too, the manifest without it, and the manifest with it. */
  function driverWithoutAVariable(): readonly [string, LiveObject, LiveObject] {
    const rendered = renderedDriver();
    const smaller = structuredClone(rendered);
    const [variable] = (smaller['spec'] as WithVariables).template.spec.containers[0]?.env?.splice(0, 1) ?? [];
    if (!variable) throw new Error('the driver has no variable');
    return [variable.name, smaller, rendered];
  }

  async function driverVariables(): Promise<readonly string[]> {
    const live = await client().get(renderedDriver());
    return (live?.['spec'] as WithVariables).template.spec.containers[0]?.env?.map(({ name }) => name) ?? [];
  }
});
