import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { installDigest, type PodTemplateLike } from '../../src/shared/contract/install-digest.js';
import { pulledObject, type PullSettings } from '../../src/compile/images/pulled.js';
import { knownDigest } from '../../src/compile/releases/digests.js';
import type { Pins } from '../../src/shared/kubernetes/image-pins.js';
import { valueAt } from '../../src/shared/lib/json.js';
import { driverView } from '../../src/companion/participants/driver/driver-view.js';
import { PLAIN_CLUSTER, compile, policyText } from '../golden/compile.js';
import { daemonSet as snapshotDaemonSet, driverPod, node, policyOf, snapshot } from '../kit/snapshots.js';
import type { LiveObject } from './bed/api-client.js';
import { applyOrder } from './bed/apply-order.js';
import { applyAll, deleteAll, label } from './bed/apply-set.js';
import type { ControlPlane } from './bed/control-plane.js';
import {
  daemonSetsOf,
  driverFiles,
  isDriver,
  isReady,
  NAMESPACE,
  nodesOf,
  ownerOf,
  podsOf,
  untilRolledOut,
} from './simulated/fleet.js';
import { until } from './bed/guarded-process.js';
import { acceptedCases, caseObjects } from './bed/inputs.js';
import { startKubelets, type SimulatedKubelets } from './simulated/kubelets.js';
import { FOREIGN_CRDS } from './bed/foreign-crds.js';
import { seed, startTestBed } from './bed/test-bed.js';

const REVISION_LABEL = 'controller-revision-hash';
const DIGEST_ANNOTATION = 'weft.dev/install-digest';

let controlPlane: ControlPlane;
let kubelets: SimulatedKubelets;
let webhook: Server;

beforeAll(async () => {
  controlPlane = await startTestBed('digest');
  const { client, certificate } = controlPlane;
  expect((await applyAll(client, FOREIGN_CRDS)).problems).toEqual([]);
  kubelets = startKubelets(client, { seed: seed(), filesOf: driverFiles });
  const kernel = '6.8.0-31-generic';
  for (const one of nodesOf({ name: 'worker', count: 2, os: 'ubuntu', osVersion: '24.04', kernel })) {
    await kubelets.addNode(one);
  }
  webhook = createServer({ cert: certificate.certificate, key: certificate.key }, answerAdmission);
  await new Promise<void>((done) => webhook.listen(0, '127.0.0.1', done));
  await client.create(webhookConfiguration((webhook.address() as AddressInfo).port, certificate.certificate));
  await client.create(PROBE_NAMESPACE);
  await until('the API server calls the webhook', isCalled);
});
afterAll(async () => {
  kubelets.stop();
  webhook.closeAllConnections();
  webhook.close();
  await controlPlane.stop();
});

/** What sidecar injectors and registry mirrors do to a pod: another image, one more variable, volume and container. */
const MUTATION = (pod: LiveObject) => {
  const { containers } = pod['spec'] as { readonly containers: readonly { readonly image: string }[] };
  return [
    { op: 'replace', path: '/spec/containers/0/image', value: `mirror.example.com/${containers[0]?.image ?? ''}` },
    { op: 'add', path: '/spec/containers/0/env', value: [{ name: 'INJECTED', value: 'yes' }] },
    { op: 'add', path: '/spec/volumes/-', value: { name: 'injected', emptyDir: {} } },
    { op: 'add', path: '/spec/containers/-', value: { name: 'sidecar', image: 'sidecar.example.com/proxy:1' } },
  ];
};

const answerAdmission: Parameters<typeof createServer>[1] = (request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const review = JSON.parse(Buffer.concat(parts).toString()) as { request: { uid: string; object: LiveObject } };
    const patch = Buffer.from(JSON.stringify(MUTATION(review.request.object))).toString('base64');
    const answer = { uid: review.request.uid, allowed: true, patchType: 'JSONPatch', patch };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
  });
};

const PROBE_NAMESPACE: LiveObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'probe', labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
};
const PROBE_POD: LiveObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'probe', namespace: 'probe' },
  spec: { containers: [{ name: 'probe', image: 'probe', env: [] }], volumes: [{ name: 'probe', emptyDir: {} }] },
};

/** Whether the API server has read the webhook's configuration, which it does with a delay. */
async function isCalled(): Promise<true | undefined> {
  const { body } = await controlPlane.client.ask('POST', '/api/v1/namespaces/probe/pods?dryRun=All', PROBE_POD);
  const { containers } = body['spec'] as { readonly containers: readonly object[] };
  return containers.length > 1 ? true : undefined;
}

function webhookConfiguration(port: number, authority: string): LiveObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'pods' },
    webhooks: [
      {
        name: 'pods.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: Buffer.from(authority).toString('base64') },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
    ],
  };
}

const imageOf = (driver: LiveObject) => valueAt(templateOf(driver), ['spec', 'containers', 0, 'image']) as string;
const templateOf = (object: LiveObject) => (object['spec'] as { readonly template: PodTemplateLike }).template;

/** Digests of the revisions of a DaemonSet by their hash, the newest last. */
async function revisionDigests(owner: LiveObject): Promise<ReadonlyMap<string, string>> {
  const namespace = owner.metadata.namespace ?? NAMESPACE;
  const revisions = await controlPlane.client.list(`/apis/apps/v1/namespaces/${namespace}/controllerrevisions`);
  return new Map(
    revisions
      .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true)
      .sort((a, b) => Number(a['revision']) - Number(b['revision']))
      .map(({ metadata, data }) => [
        metadata.labels?.[REVISION_LABEL] ?? '',
        installDigest((data as { readonly spec: { readonly template: PodTemplateLike } }).spec.template),
      ]),
  );
}

const POLICY = policyText(
  'NicClusterPolicy',
  'nic-cluster-policy',
  `  ofedDriver:
    env: [{name: UNLOAD_STORAGE_MODULES, value: "true"}]
    certConfig: {name: corp-ca}
    upgradePolicy: {autoUpgrade: true, safeLoad: true}
`,
);
const CONFIG_MAP = `apiVersion: v1
kind: ConfigMap
metadata: {name: corp-ca, namespace: ${NAMESPACE}}
data: {root.crt: one}
`;

/** A release whose driver tags have known digests. */
const CLUSTER = PLAIN_CLUSTER.replace('release: v26.4\n', 'release: v26.4.1\n');

function manifests(): readonly LiveObject[] {
  const files = { 'cluster.yaml': CLUSTER, 'policy.yaml': POLICY, 'ca.yaml': CONFIG_MAP };
  const { placed, diagnostics } = compile(files);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return placed.map(({ object }) => object);
}

/** The parts of the driver's manifest that tests change, and that it always has. */
interface ChangeableTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    tolerations: object[];
    containers: [{ image: string; env: object[]; readinessProbe: { periodSeconds: number }; resources?: object }];
    volumes: { configMap?: { name: string; items: [{ key: string }] } }[];
  };
}

async function liveDriver(): Promise<LiveObject> {
  const found = (await daemonSetsOf(controlPlane.client)).find(isDriver);
  if (!found) throw new Error('there is no driver DaemonSet');
  return found;
}

/** Applies a changed driver DaemonSet and returns the digest of the revision that the controller creates. */
async function digestAfter(change: (template: ChangeableTemplate) => void): Promise<string> {
  const driver = structuredClone(driverManifest());
  change((driver['spec'] as { template: ChangeableTemplate }).template);
  const { body } = await controlPlane.client.apply(driver, { manager: 'argocd-controller' });
  return until('the controller has made the revision', async () => {
    const live = await liveDriver();
    const { observedGeneration } = live['status'] as { readonly observedGeneration?: number };
    if (observedGeneration !== body.metadata.generation) return undefined;
    const newest = [...(await revisionDigests(live)).values()].pop();
    expect(newest).toBe(installDigest(templateOf(live)));
    return newest;
  });
}

function driverManifest(): LiveObject {
  const driver = manifests().find((object) => object.kind === 'DaemonSet' && isDriver(object));
  if (!driver) throw new Error('no driver is rendered');
  return driver;
}

describe('digest: pods made by the DaemonSet controller, mutated by a webhook', () => {
  it('the revision of each pod has the digest of its DaemonSet, although the pod itself has another', async () => {
    const { client } = controlPlane;
    const { problems } = await applyAll(client, applyOrder('Argo CD', manifests()));
    expect(problems).toEqual([]);
    const pods = (await untilRolledOut(client, isReady)).filter(isDriver);
    const live = await liveDriver();
    const digest = installDigest(templateOf(live));
    const revisions = await revisionDigests(live);
    expect(pods).toHaveLength(2);
    expect(digest).toBe(driverManifest().metadata.annotations?.[DIGEST_ANNOTATION]);
    for (const pod of pods) {
      expect(revisions.get(pod.metadata.labels?.[REVISION_LABEL] ?? '')).toBe(digest);
      expect(installDigest(pod as PodTemplateLike)).not.toBe(digest);
    }
  });

  it.each<readonly [string, 'stays' | 'moves', (template: ChangeableTemplate) => void]>([
    ['a label', 'stays', ({ metadata }) => void (metadata.labels['example.com/team'] = 'net')],
    ['a toleration', 'stays', ({ spec }) => void spec.tolerations.push({ operator: 'Exists' })],
    ['a probe', 'stays', ({ spec }) => void (spec.containers[0].readinessProbe.periodSeconds = 77)],
    ['a resource limit', 'stays', ({ spec }) => void (spec.containers[0].resources = { limits: { cpu: '2' } })],
    ['the image', 'moves', ({ spec }) => void (spec.containers[0].image += '.1')],
    ['the environment', 'moves', ({ spec }) => void spec.containers[0].env.push({ name: 'MORE', value: '1' })],
    [
      'a mounted key',
      'moves',
      ({ spec }) => {
        const map = spec.volumes.find(({ configMap }) => configMap?.name === 'corp-ca')?.configMap;
        if (map) map.items[0].key = 'other.crt';
      },
    ],
  ])('%s is changed: the digest %s', async (_what, expected, change) => {
    const before = await digestAfter(() => undefined);
    const after = await digestAfter(change);
    expect(after === before ? 'stays' : 'moves').toBe(expected);
  });

  it('a mirror and a published digest leave the digest as it is, another image and another digest do not', async () => {
    const before = await digestAfter(() => undefined);
    const image = imageOf(driverManifest());
    const { digest: published = '' } = knownDigest(image) ?? {};
    expect(published).toMatch(/^sha256:/);
    const mirrors = [{ from: 'nvcr.io', to: 'harbor.corp' }];
    const pulledBy = (settings: Pick<PullSettings, 'mirrors' | 'pins'>) => {
      const moved = pulledObject(driverManifest(), { ...settings, pullSecrets: {} });
      return digestAfter((template) => void Object.assign(template, valueAt(moved, ['spec', 'template'])));
    };
    const pins = (digest: string): Pins => new Map([[image, { digest }]]);

    expect(await pulledBy({ mirrors })).toBe(before);
    expect(imageOf(await liveDriver())).toMatch(/^harbor\.corp\//);
    expect(await pulledBy({ mirrors: [], pins: pins(published) })).toBe(before);
    expect(imageOf(await liveDriver())).toBe(`${image}@${published}`);
    expect(await pulledBy({ mirrors, pins: pins(published) })).toBe(before);
    expect(imageOf(await liveDriver())).toMatch(new RegExp(`^harbor\\.corp/.*@${published}$`));
    const other = await pulledBy({ mirrors: [], pins: pins(`sha256:${'0'.repeat(64)}`) });
    expect(other).not.toBe(before);
    expect(await pulledBy({ mirrors, pins: pins(`sha256:${'0'.repeat(64)}`) })).toBe(other);
    expect(await digestAfter(({ spec }) => void (spec.containers[0].image += '.2'))).not.toBe(before);
  });

  it('a pod whose revision is gone counts as outdated, and so does one of an older digest', async () => {
    const { client } = controlPlane;
    const before = await digestAfter(() => undefined);
    const pods = (await podsOf(client)).filter(isDriver);
    // The pods stay, because of the update strategy OnDelete, and the controller deletes the oldest revisions that no pod has.
    const after = await digestAfter(({ spec }) => void (spec.containers[0].image += '.2'));
    expect(after).not.toBe(before);
    const live = await liveDriver();
    const statuses = async () => {
      const revisions = await revisionDigests(live);
      const hashes = new Set(pods.map((pod) => pod.metadata.labels?.[REVISION_LABEL] ?? ''));
      return statusesOf(live, pods, revisions).map(
        (status) => `${status}, revision ${[...hashes].every((hash) => revisions.has(hash)) ? 'there' : 'gone'}`,
      );
    };
    expect(await statuses()).toEqual(['outdated, revision there', 'outdated, revision there']);
    const hashes = new Set(pods.map((pod) => pod.metadata.labels?.[REVISION_LABEL]));
    for (const revision of await client.list(`/apis/apps/v1/namespaces/${NAMESPACE}/controllerrevisions`)) {
      if (hashes.has(revision.metadata.labels?.[REVISION_LABEL])) {
        await client.delete({ ...revision, apiVersion: 'apps/v1', kind: 'ControllerRevision' });
      }
    }
    expect(await statuses()).toEqual(['outdated, revision gone', 'outdated, revision gone']);
  });
});

/** The companion's verdict on these pods, long after any lag of its caches. */
function statusesOf(
  live: LiveObject,
  pods: readonly LiveObject[],
  revisions: ReadonlyMap<string, string>,
): readonly string[] {
  const digest = installDigest(templateOf(live));
  const uid = live.metadata.uid ?? '';
  const { name } = live.metadata;
  const later = Date.now() + 3_600_000;
  const input = snapshot({
    nodes: pods.map((_, index) => node(`node-${index}`)),
    daemonSets: [snapshotDaemonSet({ name, uid, digest, renderedDigest: digest })],
    revisions: [...revisions].map(([hash, one]) => ({ namespace: 'nno', ownerUid: uid, hash, digest: one })),
    pods: pods.map((pod, index) =>
      driverPod(`node-${index}`, {
        owner: name,
        controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: ownerOf(pod), uid },
        labels: pod.metadata.labels ?? {},
        createdMs: Date.parse(pod.metadata.creationTimestamp ?? ''),
      }),
    ),
  });
  const policies = [{ name: 'NicClusterPolicy', upgradePolicy: { autoUpgrade: true }, daemonSets: [{ name, digest }] }];
  const policy = policyOf({}, { policies });
  const [driver] = policy.drivers;
  if (driver?.kind !== 'ofed') throw new Error('the policy has no driver');
  return driverView(driver, input, later, policy).nodes.flatMap(({ driverPods }) =>
    driverPods.map(({ status }) => status),
  );
}

it('digest: of every driver of every accepted case, as rendered, as the API server defaults it, and as its revision has it', async () => {
  const { client } = controlPlane;
  const problems: string[] = [];
  await deleteAll(client, manifests());
  await until('the driver is gone', async () => ((await daemonSetsOf(client)).length === 0 ? true : undefined));
  let count = 0;
  for (const name of acceptedCases()) {
    const objects = caseObjects(name, 'ready-file').filter(
      (object) => object.kind === 'Namespace' || (object.kind === 'DaemonSet' && isDriver(object)),
    );
    const { live } = await applyAll(client, objects);
    for (const rendered of objects.filter(({ kind }) => kind === 'DaemonSet')) {
      const own = live.get(label(rendered));
      if (!own) continue;
      const revision = await until('its revision', async () => [...(await revisionDigests(own)).values()][0]);
      const digests = [
        rendered.metadata.annotations?.[DIGEST_ANNOTATION],
        installDigest(templateOf(rendered)),
        installDigest(templateOf(own)),
        revision,
      ];
      count += 1;
      if (new Set(digests).size !== 1) problems.push(`${name}: ${label(rendered)}: ${digests.join(' ')}`);
    }
    await deleteAll(client, objects);
    await until('they are gone', async () => {
      const left = await Promise.all(objects.filter(({ kind }) => kind === 'DaemonSet').map((one) => client.get(one)));
      return left.every((one) => one === undefined) ? true : undefined;
    });
  }
  console.log(`${count} drivers`);
  expect(problems).toEqual([]);
  expect(count).toBeGreaterThan(30);
});
