import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { trainingJob } from '../../examples/constructs/training-job.js';
import type { LiveObject } from './bed/api-client.js';
import { applyOrder, type GitOpsTool } from './bed/apply-order.js';
import { applyAll, deleteAll, label, movedObjects } from './bed/apply-set.js';
import type { ControlPlane } from './bed/control-plane.js';
import { FOREIGN_CRDS, networkCrd } from './bed/foreign-crds.js';
import { ENGINES, syncBy } from './gitops/tools.js';
import { acceptedCases, caseObjects, chartSetObjects, exampleObjects, EXAMPLES, type Gate } from './bed/inputs.js';
import { startTestBed } from './bed/test-bed.js';
import { chartNames } from '../conformance/recorded.js';

/** Largest text of all annotations of an object, in bytes: apimachinery v0.36, `pkg/api/validation/objectmeta.go`. */
const ANNOTATION_BYTES_MAX = 256 * 1024;
const TOOLS: readonly GitOpsTool[] = ['Argo CD', 'Flux'];

/**
 * The one warning that is expected: three Deployments prefer nodes with the label of control planes before Kubernetes 1.20,
 * and by the current one, as the operator's do. Without the old label their pod templates would differ, and the Deployments would
 * restart when they are adopted.
 */
const EXPECTED_WARNING =
  /affinity\.nodeAffinity\.preferred.*: node-role\.kubernetes\.io\/master is use "node-role\.kubernetes\.io\/control-plane" instead$/;
const isUnexpected = (problem: string) => !EXPECTED_WARNING.test(problem);
/** What kubectl prints in addition. */
const unexpectedLines = (stderr: string) => stderr.split('\n').filter((line) => line !== '' && isUnexpected(line));

let controlPlane: ControlPlane;
beforeAll(async () => {
  // No controllers, because they write status, which changes `resourceVersion`.
  controlPlane = await startTestBed('accepted', { hasControllers: false });
  const { problems } = await applyAll(controlPlane.client, FOREIGN_CRDS);
  expect(problems).toEqual([]);
});
afterAll(() => controlPlane.stop());

/** Applies once more, and returns the problems and the objects that changed. */
async function problemsOfApplyingAgain(
  ordered: readonly LiveObject[],
  before: ReadonlyMap<string, LiveObject>,
): Promise<readonly string[]> {
  const { problems, live } = await applyAll(controlPlane.client, ordered);
  const moved = movedObjects(before, live);
  // The API server (1.36) writes a claim that apply created once more at the next apply, with the same content.
  const claims = ordered.filter((object) => object.kind === 'PersistentVolumeClaim' && moved.includes(label(object)));
  const third = await applyAll(controlPlane.client, claims);
  const still = moved.filter((name) => !third.live.has(name) || movedObjects(live, third.live).includes(name));
  return [...problems.filter(isUnexpected), ...still.map((name) => `${name} moves when it is applied again`)];
}

/** Networks go to namespaces of the workloads, which Weft does not create. */
async function makeForeignNamespaces(objects: readonly LiveObject[]): Promise<void> {
  const own = new Set(objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name));
  const needed = objects
    .map(({ metadata }) => metadata.namespace)
    .filter((name) => name !== undefined && !own.has(name));
  const namespaces = [...new Set(needed)].map((name = 'default') => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  }));
  const { problems } = await applyAll(controlPlane.client, namespaces);
  expect(problems).toEqual([]);
}

/** These objects as the API server has them. */
async function liveObjects(objects: readonly LiveObject[]): Promise<ReadonlyMap<string, LiveObject>> {
  const found = new Map<string, LiveObject>();
  for (const object of objects) {
    const live = await controlPlane.client.get(object);
    if (live) found.set(label(object), live);
  }
  return found;
}

describe.each(EXAMPLES)('accepted: the example $name', ({ folder }) => {
  const objects = exampleObjects(folder);
  beforeEach(async () => {
    await makeForeignNamespaces(objects);
    // OpenShift installs Multus and its CRD.
    const crd = networkCrd();
    if (!objects.some(({ metadata }) => metadata.name === crd.metadata.name))
      await applyAll(controlPlane.client, [crd]);
  });
  afterEach(async () => {
    await deleteAll(controlPlane.client, objects);
    // The CRDs are deleted too, because the next test begins without them.
    for (const object of objects.filter(({ kind }) => kind === 'CustomResourceDefinition')) {
      await controlPlane.client.delete(object);
      while (await controlPlane.client.get(object)) await new Promise((done) => setTimeout(done, 100));
    }
  });

  it.each(TOOLS)(
    'server-side apply in the order of %s: no error, no warning, and again: nothing moves',
    async (tool) => {
      const ordered = applyOrder(tool, objects);
      const first = await applyAll(controlPlane.client, ordered);
      expect(first.problems.filter(isUnexpected)).toEqual([]);
      expect(first.live.size).toBe(objects.length);
      expect(await problemsOfApplyingAgain(ordered, first.live)).toEqual([]);
    },
  );

  it.each(ENGINES)('the engine of %s takes it, and again: nothing moves', async (engine) => {
    await syncBy(engine, controlPlane, objects, []);
    const before = await liveObjects(objects);
    expect(before.size).toBe(objects.length);
    await syncBy(engine, controlPlane, objects, []);
    expect(movedObjects(before, await liveObjects(objects))).toEqual([]);
  });

  it('kubectl, server-side and strict, as the guide says: no warning, and again: nothing moves', async () => {
    const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
    const apply = async () => {
      const flags = ['apply', '--server-side', '--force-conflicts', '--validate=strict'];
      const outputs = [];
      if (crds.length > 0) {
        outputs.push(await controlPlane.kubectl(...flags, '-f', `${folder}/crds`));
        await controlPlane.kubectl('wait', '--for=condition=Established', '-f', `${folder}/crds`);
      }
      outputs.push(await controlPlane.kubectl(...flags, '-k', folder));
      return unexpectedLines(outputs.map(({ stderr }) => stderr).join(''));
    };
    expect(await apply()).toEqual([]);
    const before = await liveObjects(objects);
    expect(before.size).toBe(objects.length);
    expect(await apply()).toEqual([]);
    expect(movedObjects(before, await liveObjects(objects))).toEqual([]);
  });

  it('kubectl, client-side: what fits the annotation is accepted, and again: nothing moves', async () => {
    const large = objects.filter((object) => JSON.stringify(object).length >= ANNOTATION_BYTES_MAX);
    expect(large).toEqual([]);
    const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
    if (crds.length > 0) {
      await controlPlane.kubectl('apply', '-f', `${folder}/crds`);
      await controlPlane.kubectl('wait', '--for=condition=Established', '-f', `${folder}/crds`);
    }
    const first = await controlPlane.kubectl('apply', '--validate=strict', '-k', folder);
    // Earlier tests have created the Namespace.
    const isOfOthers = (line: string) => /^Warning: resource namespaces\/\S+ is missing the /.test(line);
    expect(unexpectedLines(first.stderr).filter((line) => !isOfOthers(line))).toEqual([]);
    const before = await liveObjects(objects);
    expect(before.size).toBe(objects.length);
    const second = await controlPlane.kubectl('apply', '--validate=strict', '-k', folder);
    expect(unexpectedLines(second.stderr)).toEqual([]);
    expect(movedObjects(before, await liveObjects(objects))).toEqual([]);
  });
});

describe('accepted: every case that the operator accepts', () => {
  it.each<Gate>(['label', 'ready-file'])('gate %s: no error, no warning, and again: nothing moves', async (gate) => {
    const problems: string[] = [];
    const refused: string[] = [];
    let count = 0;
    for (const name of acceptedCases()) {
      const objects = caseObjects(name, gate);
      if (objects.length === 0) {
        refused.push(name);
        continue;
      }
      const ordered = applyOrder('Argo CD', objects);
      await makeForeignNamespaces(objects);
      const first = await applyAll(controlPlane.client, ordered);
      const again = await problemsOfApplyingAgain(ordered, first.live);
      await deleteAll(controlPlane.client, objects);
      count += objects.length;
      problems.push(...[...first.problems.filter(isUnexpected), ...again].map((text) => `${name}: ${text}`));
    }
    console.log(
      `${count} objects applied with gate ${gate}; refused by the generator: ${refused.join(', ') || 'none'}`,
    );
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(500);
  });
});

describe('accepted: the add-ons', () => {
  it.each(chartNames())(
    'of the chart’s values %s, and whereabouts: no error, and again: nothing moves',
    async (name) => {
      const objects = chartSetObjects(name);
      expect(objects.length).toBeGreaterThan(10);
      const ordered = applyOrder('Argo CD', objects);
      await makeForeignNamespaces(objects);
      const first = await applyAll(controlPlane.client, ordered);
      const again = await problemsOfApplyingAgain(ordered, first.live);
      await deleteAll(controlPlane.client, objects);
      expect([...first.problems.filter(isUnexpected), ...again]).toEqual([]);
    },
  );
});

describe('accepted: a program of constructs', () => {
  it('a training Job over two RDMA networks: no error, and again: nothing moves', async () => {
    const objects = trainingJob().charts.flatMap((chart) => chart.toJson() as readonly LiveObject[]);
    const ordered = applyOrder('Argo CD', objects);
    await makeForeignNamespaces(objects);
    const first = await applyAll(controlPlane.client, ordered);
    const job = await controlPlane.client.get(objects.find(({ kind }) => kind === 'Job') as LiveObject);
    const again = await problemsOfApplyingAgain(ordered, first.live);
    await deleteAll(controlPlane.client, objects);
    expect([...first.problems.filter(isUnexpected), ...again]).toEqual([]);
    expect(JSON.stringify(job)).toContain('"rdma/rail_1":"1"');
  });
});
