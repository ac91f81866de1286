import { legacyKeys } from '../../src/shared/contract/legacy-keys.js';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify, parse } from 'yaml';
import { COMPANION_NAMES, PAUSED_ANNOTATION } from '../../src/shared/contract/labels.js';
import { TAKEOVER_STEPS } from '../../src/cluster/takeover/steps.js';
import { UNDO_STEPS } from '../../src/cluster/takeover/undo-steps.js';
import { putCommand } from '../bundle/built-command.js';
import { readCase } from '../conformance/recorded.js';
import type { LiveObject } from './bed/api-client.js';
import { applyAll } from './bed/apply-set.js';
import { runBuiltWeft } from './bed/built-weft.js';
import type { ControlPlane } from './bed/control-plane.js';
import { FOREIGN_CRDS } from './bed/foreign-crds.js';
import { until } from './bed/guarded-process.js';
import { recordedCase, recordedCrds } from './bed/inputs.js';
import { identities, installByHelm, installByOlm, operatorLease } from './bed/operator-installed.js';
import { createKustomization, OWNER_CRDS, startKustomizeController, startOlm } from './bed/operator-owners.js';
import { createAsOperator, createOwners } from './bed/operator-made.js';
import { startTestBed } from './bed/test-bed.js';
import type { Printed } from '../kit/run-weft.js';
import { NAMESPACE } from './simulated/fleet.js';

/** Everything that the operator makes. */
const CASE = 'everything';
const CRDS = ['nicclusterpolicies', 'nicnodepolicies', 'macvlannetworks', 'hostdevicenetworks', 'ipoibnetworks'];
const MARK = legacyKeys('ofed').cordoned;

let controlPlane: ControlPlane;
let recorded: ReturnType<typeof recordedCase>;
/** Objects of the operator and of Node Feature Discovery that must stay. */
let kept: readonly LiveObject[];

const client = () => controlPlane.client;
const weft = (...args: readonly string[]): Promise<Printed> =>
  runBuiltWeft(controlPlane, ['takeover', 'clusters/east', ...args]).ended;

beforeAll(async () => {
  controlPlane = await startTestBed('takeover-command');
  recorded = recordedCase(CASE);
  await putCommand(controlPlane.folder);
  writeInput();
  expect((await applyAll(client(), [...FOREIGN_CRDS, ...recordedCrds(), ...OWNER_CRDS], 'helm')).problems).toEqual([]);
  const namespaces = new Set(recorded.objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  for (const name of namespaces) await client().create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await client().create({
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1', annotations: { [MARK]: 'true' } } },
  });
  await until('the kinds are served', async () => ((await customResources()).length === 0 ? true : undefined));
  const owners = await createOwners(client(), recorded.owners);
  const { live, refused } = await createAsOperator(client(), recorded.objects, owners);
  expect(refused).toEqual([]);
  const installed = await installByHelm(client());
  await client().create(webhook());
  kept = [...live.values(), ...installed.filter(({ metadata }) => metadata.name.includes('node-feature-discovery'))];
  await client().apply(operatorLease(new Date()), { manager: 'manager' });
});
afterAll(() => controlPlane.stop());

function writeInput(): void {
  const folder = join(controlPlane.folder, 'clusters/east');
  mkdirSync(folder, { recursive: true });
  const { files } = readCase(CASE);
  const cluster = parse(files['cluster.yaml'] ?? '') as { metadata: object; spec: object };
  const image = { repository: 'nvcr.io/nvidia/mellanox/node-feature-discovery', tag: 'network-operator-v26.7.0' };
  const spec = { ...cluster.spec, nodeFeatureDiscovery: { deploy: true, image } };
  writeFileSync(join(folder, 'cluster.yaml'), stringify({ ...cluster, metadata: { name: 'east' }, spec }));
  writeFileSync(join(folder, 'policy.yaml'), files['policy.yaml'] ?? '');
}

/** The operator's webhook, whose Service has no pod: while it is there, custom resources can be neither created nor changed. */
function webhook(): LiveObject {
  const rule = { apiGroups: ['mellanox.com'], apiVersions: ['v1alpha1'], operations: ['CREATE', 'UPDATE'] };
  return {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
    metadata: { name: 'network-operator-validating-webhook-configuration' },
    webhooks: [
      {
        ...{
          name: 'vnicclusterpolicy.kb.io',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          failurePolicy: 'Fail',
        },
        clientConfig: { service: { name: 'network-operator-webhook-service', namespace: NAMESPACE } },
        rules: [{ ...rule, resources: ['nicclusterpolicies'] }],
      },
    ],
  };
}

const DEPLOYMENT = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/network-operator`;
const replicas = async (path = DEPLOYMENT): Promise<number> => {
  const { body } = await client().ask('GET', path);
  return (body['spec'] as { readonly replicas: number }).replicas;
};

async function customResources(): Promise<readonly string[]> {
  const names = await Promise.all(
    CRDS.map(async (plural) => {
      const { status, body } = await client().send('GET', `/apis/mellanox.com/v1alpha1/${plural}`);
      const items = status === 404 ? [] : (body['items'] as readonly LiveObject[] | undefined);
      if (items === undefined) throw new Error(`${plural}: ${status} ${JSON.stringify(body)}`);
      return items.map(({ metadata, spec }) => `${plural}/${metadata.name} ${JSON.stringify(spec)}`);
    }),
  );
  return names.flat();
}

/** What the operator still has of the objects. */
async function marksOfOperator(): Promise<readonly string[]> {
  const live = await Promise.all(kept.map((object) => client().get(object)));
  return live.flatMap((object) => {
    const { name = '', ownerReferences = [], managedFields = [], annotations = {} } = object?.metadata ?? {};
    const managers = managedFields.filter(
      ({ manager = '', operation }) => operation === 'Update' && /^(?:manager|helm)$/.test(manager),
    );
    return [
      ...ownerReferences.map((owner) => `${name}: owner ${owner.kind}`),
      ...managers.map(({ manager = '' }) => `${name}: manager ${manager}`),
      ...Object.keys(annotations).filter((key) => key === 'nvidia.network-operator.revision'),
    ];
  });
}

/** Runs until the step writes, and kills the process there. A step with nothing to write ends by itself. */
async function killAt(step: string, ...args: readonly string[]): Promise<string> {
  const { exit, stdout } = await runBuiltWeft(
    controlPlane,
    ['takeover', 'clusters/east', '--until', step, ...args],
    `\n${step}: `,
  ).ended;
  expect({ step, exit, stdout }).toEqual({ step, exit: exit === 0 ? 0 : 137, stdout: expect.any(String) });
  return stdout;
}

describe('an operator that Helm installed, with Node Feature Discovery', () => {
  let before: readonly string[];
  let resources: readonly string[];

  it('--dry-run says what would happen, and changes nothing', async () => {
    before = await identities(client(), kept);
    resources = await customResources();
    const { exit, stdout, stderr } = await weft('--dry-run');
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.any(String) });
    expect(stdout).toContain(
      'the operator was installed by the release nvidia-network-operator/network-operator of Helm',
    );
    expect(stdout).toContain('`helm uninstall` would also delete: Node Feature Discovery');
    expect(stdout).toContain('kubectl scale deployment.apps/network-operator -n nvidia-network-operator --replicas=0');
    for (const { id } of TAKEOVER_STEPS) expect(stdout).toContain(`to do: ${id}: `);
    expect(await identities(client(), kept)).toEqual(before);
    expect(await replicas()).toBe(1);
  });

  it('stops where something scales the operator up again, and no custom resource is deleted', async () => {
    const stop = client().watch(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments`, (_, { metadata, spec }) => {
      if (metadata.name !== 'network-operator' || (spec as { readonly replicas: number }).replicas > 0) return;
      void client().send('PATCH', DEPLOYMENT, { spec: { replicas: 1 } }, 'merge');
    });
    const { exit, stdout } = await weft();
    stop();
    expect({ exit, stdout }).toEqual({
      exit: 1,
      stdout: expect.stringContaining('stopped at stop: it was done 4 times'),
    });
    expect(stdout).toContain('to go back: weft takeover clusters/east --undo');
    expect(await customResources()).toEqual(resources);
  });

  it('is taken over by a command that is killed at every step, and nothing is replaced', async () => {
    const later = identitiesWithoutDiscovery(before);
    for (const { id } of TAKEOVER_STEPS) await killAt(id);
    const { exit, stdout, stderr } = await weft();
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.any(String) });
    expect(stdout).toMatch(/taken over|all steps are done/);
    expect(identitiesWithoutDiscovery(await identities(client(), kept))).toEqual(later);
    expect(await marksOfOperator()).toEqual([]);
    for (const plural of CRDS) {
      expect((await client().send('GET', `/apis/mellanox.com/v1alpha1/${plural}`)).status).toBe(404);
    }
    expect(await client().get(operatorLease(new Date()))).toBeUndefined();
    expect(await client().get(webhook())).toBeUndefined();
    expect(await replicas()).toBe(0);
  });

  it('--undo refuses an operator that runs without custom resources', async () => {
    await client().ask('PATCH', DEPLOYMENT, { spec: { replicas: 1 } }, 'merge');
    const { exit, stdout } = await weft('--undo');
    expect({ exit, stdout }).toEqual({
      exit: 1,
      stdout: expect.stringContaining('it removes the states of all nodes'),
    });
    await client().ask('PATCH', DEPLOYMENT, { spec: { replicas: 0 } }, 'merge');
    await operatorIsGone();
    expect(await customResources()).toEqual([]);
  });

  it('is given back by a command that is killed at every step, and nothing of the companion is left', async () => {
    const status = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: COMPANION_NAMES.statusConfigMap, namespace: NAMESPACE },
    };
    await client().create({
      ...status,
      metadata: { ...status.metadata, annotations: { [PAUSED_ANNOTATION]: 'true' } },
    });
    const later = await identities(client(), kept);
    for (const { id } of UNDO_STEPS) await killAt(id, '--undo');
    const { exit, stderr } = await weft('--undo');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.any(String) });
    expect(await customResources()).toEqual(resources);
    expect(await replicas()).toBe(1);
    expect(await identities(client(), kept)).toEqual(later);
    expect(await client().get(status)).toBeUndefined();
    const backups = ['east', 'east-undone'].map((name) => existsSync(join(controlPlane.folder, 'takeover', name)));
    expect(backups).toEqual([false, true]);
    expect(await client().get(webhook())).toBeDefined();
    const left = await client().list(
      `/api/v1/namespaces/${NAMESPACE}/serviceaccounts?labelSelector=weft.dev/component=companion`,
    );
    expect(left.map(({ metadata }) => metadata.name)).toEqual([]);
    const { body: node } = await client().ask('GET', '/api/v1/nodes/node-1');
    expect(node.metadata.annotations?.[MARK]).toBeUndefined();
  });

  it.each(TAKEOVER_STEPS.map(({ id }) => id))('is undone after the step %s', async (id) => {
    const forward = await weft('--until', id);
    expect({ exit: forward.exit, stderr: forward.stderr }).toEqual({ exit: 0, stderr: expect.any(String) });
    const back = await weft('--undo');
    expect({ exit: back.exit, stdout: back.stdout }).toEqual({ exit: 0, stdout: expect.any(String) });
    expect(await customResources()).toEqual(resources);
    expect(await replicas()).toBe(1);
  });
});

/** The checksum of the configuration of Node Feature Discovery differs, so its pods are replaced. */
const identitiesWithoutDiscovery = (lines: readonly string[]) =>
  lines.map((line) => (line.includes('node-feature-discovery') ? line.replace(/ generation .*$/, '') : line));

async function operatorIsGone(): Promise<void> {
  await until('the operator has no pod', async () => {
    const pods = await client().list(`/api/v1/namespaces/${NAMESPACE}/pods`);
    return pods.some(
      ({ metadata }) => metadata.name.startsWith('network-operator-') && !/discovery/.test(metadata.name),
    )
      ? undefined
      : true;
  });
}

describe('an operator that Argo CD owns', () => {
  it('is waited for until git no longer has it, and is then taken over', async () => {
    const annotations = { 'argocd.argoproj.io/tracking-id': `operator:apps/Deployment:${NAMESPACE}/network-operator` };
    await client().ask('PATCH', DEPLOYMENT, { metadata: { annotations } }, 'merge');
    const run = runBuiltWeft(controlPlane, ['takeover', 'clusters/east', '--until', 'stop']);
    await until('it says what to change', () =>
      Promise.resolve(run.text().includes('argocd app set operator --sync-policy none') || undefined),
    );
    expect(await replicas()).toBe(1);
    await client().ask('PATCH', DEPLOYMENT, { spec: { replicas: 0 } }, 'merge');
    expect(await run.ended).toMatchObject({ exit: 0, stdout: expect.stringContaining('done: stop') });
  });
});

describe('an operator that Flux applies', () => {
  it('is waited for until its Kustomization is suspended, and stays stopped', async () => {
    const kustomization = await createKustomization(client(), DEPLOYMENT);
    const flux = startKustomizeController(client(), DEPLOYMENT, kustomization);
    await until('Flux has started it again', async () => ((await replicas()) === 1 ? true : undefined));
    const run = runBuiltWeft(controlPlane, ['takeover', 'clusters/east', '--until', 'stop']);
    await until('it says what to change', () =>
      Promise.resolve(run.text().includes('waits: the Kustomization flux-system/operator of Flux') || undefined),
    );
    expect(run.text()).toContain('flux suspend kustomization operator -n flux-system');
    expect(await replicas()).toBe(1);
    await client().ask('PATCH', await client().pathOf(kustomization), { spec: { suspend: true } }, 'merge');
    expect(await run.ended).toMatchObject({ exit: 0, stdout: expect.stringContaining('done: stop') });
    flux.stop();
    expect(await replicas()).toBe(0);
  });
});

describe('an operator that OLM installed', () => {
  it('is found by its label, and its ClusterServiceVersion no longer wants it', async () => {
    await client().delete({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'network-operator', namespace: NAMESPACE },
    });
    await operatorIsGone();
    rmSync(join(controlPlane.folder, 'takeover'), { recursive: true, force: true });
    const { deployment, version } = await installByOlm(client());
    const olm = await startOlm(client(), version, deployment);
    await client().ask('PATCH', await client().pathOf(deployment), { spec: { replicas: 0 } }, 'merge');
    await until('OLM has started it again', async () =>
      (await replicas(await client().pathOf(deployment))) === 1 ? true : undefined,
    );
    const { exit, stdout } = await weft();
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining('taken over') });
    expect(stdout).toContain(`the ClusterServiceVersion ${NAMESPACE}/${version.metadata.name} of OLM`);
    const subscription = `subscription.operators.coreos.com/network-operator -n ${NAMESPACE}`;
    expect(stdout).toContain(`${subscription} must not install another version meanwhile`);
    expect(stdout).toContain(`kubectl delete ${subscription}`);
    const wanted = (await client().get(version))?.['spec'] as {
      readonly install: {
        readonly spec: { readonly deployments: readonly { readonly spec: { readonly replicas: number } }[] };
      };
    };
    expect(wanted.install.spec.deployments.map(({ spec }) => spec.replicas)).toEqual([0]);
    expect(await replicas(await client().pathOf(deployment))).toBe(0);
    expect(await customResources()).toEqual([]);
    const saved = readFileSync(join(controlPlane.folder, 'takeover/east/2-custom-resources.json'), 'utf8');
    expect(saved).not.toContain('resourceVersion');
    const back = await weft('--undo');
    olm.stop();
    expect({ exit: back.exit, stdout: back.stdout }).toEqual({ exit: 0, stdout: expect.any(String) });
    expect(await replicas(await client().pathOf(deployment))).toBe(1);
  });
});
