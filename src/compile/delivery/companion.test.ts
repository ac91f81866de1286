import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { expectGolden, manifestText } from '../../../test/golden/golden-file.js';
import { schemaProblems } from '../../../test/generate/object-schemas.js';
import { COMPANION_NODE_IMAGE } from '../../shared/contract/companion-env.js';
import { COMPANION_NAMES, COMPONENT_LABEL } from '../../shared/contract/labels.js';
import { upgradePolicyHash, upgradePolicySchema } from '../../shared/contract/upgrade-policy.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { valueAt } from '../../shared/lib/json.js';
import { companionImageOf } from '../model/companion-image.js';
import { companionObjects } from './companion.js';
import { needsCompanion } from './drivers.js';

const PROGRAM = "console.log('the program');\n";

interface Input {
  readonly spec?: string;
  readonly cluster?: string;
  readonly program?: string;
  readonly documents?: string;
  /** The image that the version of Weft names. */
  readonly published?: string;
}

const UPGRADED = '  ofedDriver: {upgradePolicy: {autoUpgrade: true, drain: {}}}\n';

function configOf({ spec = UPGRADED, cluster = '', documents }: Input) {
  const { config, placed, diagnostics } = compile({
    'cluster.yaml': clusterText(`  release: v26.7\n${cluster}  nodePools:\n${UBUNTU_POOL}`),
    'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', spec),
    ...(documents !== undefined && { 'documents.yaml': documents }),
  });
  if (config === undefined) throw new Error(JSON.stringify(diagnostics));
  return { config, objects: placed.map(({ object }) => object) };
}

function render(input: Input): readonly KubernetesObject[] {
  const { config, objects } = configOf(input);
  const cluster = { ...config.cluster, ...companionImageOf(config.cluster.spec.companion, input.published) };
  return companionObjects({ ...config, cluster }, objects, () => input.program ?? PROGRAM);
}

const kindOf = (objects: readonly KubernetesObject[], kind: string) => objects.filter((one) => one.kind === kind);
const jobName = (input: Input) => kindOf(render(input), 'Job').map(({ metadata }) => metadata.name);

const FULL = `  namespace: drivers
  driver: {gate: label}
  upgrade: {prePull: true, canary: {nodes: 1, soak: 1h}, maintenanceWindows: [{schedule: "0 22 * * 5", duration: 6h}]}
  companion:
    image: registry.example.com/weft-companion:1
    imagePullSecrets: [registry]
    schedule: "@hourly"
    resources: {requests: {cpu: 1, memory: 1Gi}, limits: {memory: 2Gi}}
    tolerations: [{key: dedicated, operator: Exists}]
    nodeSelector: {role: infra}
    affinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}
    logLevel: warning
    client: {qps: 5, burst: 10}
    monitoring: {enable: true, labels: {release: prometheus}}
`;

const GPU_POLICY = '{autoUpgrade: true, maxUnavailable: 2, gpuPodDeletion: {deleteEmptyDir: true}}';
const GPU_ALONE = `  gpuDriver: {upgradePolicy: ${GPU_POLICY}}\n`;
const GPU_OF_OPERATOR = `  gpuDriver: {operator: true, namespace: gpus, upgradePolicy: ${GPU_POLICY}}\n`;
/** Virtual functions of two pools, for whose changes the companion drains nodes. */
const SRIOV = `  sriovNetworkOperator:
    deploy: true
    operator:
      externalDrainer: {enabled: true, waitForCompletion: {podSelector: app=training}, drain: {timeoutSeconds: 600}}
`;
const sriovObject = (kind: string, name: string, spec: string): string =>
  `apiVersion: sriovnetwork.openshift.io/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
const SRIOV_OBJECTS = [
  sriovObject('SriovNetworkPoolConfig', 'training', '{maxUnavailable: 10%, nodeSelector: {matchLabels: {pool: a}}}'),
  sriovObject('SriovNetworkPoolConfig', 'offload', '{ovsHardwareOffloadConfig: {name: workers}}'),
  sriovObject(
    'SriovNetworkNodePolicy',
    'storage',
    '{resourceName: vf, nodeSelector: {pool: a}, nicSelector: {vendor: "15b3"}, numVfs: 8}',
  ),
].join('---\n');
/** A policy without a driver. */
const NO_DRIVER = '  nvIpam: {}\n';

describe('the objects of the companion', () => {
  it.each([
    { name: 'minimal', cluster: '' },
    { name: 'full', cluster: FULL },
    { name: 'openshift', cluster: '  platform: openshift\n  openshift: {useDriverToolkit: false}\n' },
    { name: 'no-schedule', cluster: '  companion: {schedule: ""}\n' },
    { name: 'gpu-alone', cluster: GPU_ALONE, spec: NO_DRIVER },
    {
      name: 'gpu-of-operator',
      cluster: `${GPU_OF_OPERATOR}  companion: {monitoring: {enable: true}}\n`,
      spec: NO_DRIVER,
    },
    { name: 'gpu-and-ofed', cluster: `${GPU_OF_OPERATOR}  upgrade: {prePull: true}\n` },
    {
      name: 'sriov',
      cluster: `${SRIOV}  companion: {monitoring: {enable: true}}\n`,
      spec: NO_DRIVER,
      documents: SRIOV_OBJECTS,
    },
    {
      name: 'maintenance',
      cluster: '  upgrade: {drainer: MaintenanceOperator, nodeMaintenance: {namespace: requests}}\n',
    },
    {
      name: 'sriov-and-ofed',
      cluster: `  sriovNetworkOperator: {deploy: true, operator: {resourcePrefix: example.com}}\n`,
    },
  ])('$name', ({ name, ...input }) => {
    const objects = render(input);
    expect(objects.flatMap(schemaProblems)).toEqual([]);
    expect(objects.every(({ metadata }) => metadata.labels?.[COMPONENT_LABEL] === 'companion')).toBe(true);
    expectGolden(join(__dirname, 'golden', `${name}.yaml`), manifestText(objects));
  });

  it('pull the coming image beside each driver, by pods without rights that no driver selector finds', () => {
    const pools = `${UBUNTU_POOL}    - {name: b, osName: ubuntu, osVersion: "22.04", arch: amd64, kernel: 5.15.0-1}\n`;
    const { config, diagnostics, placed } = compile({
      'cluster.yaml': clusterText(`  release: v26.7\n  upgrade: {prePull: true}\n  nodePools:\n${pools}`),
      'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', UPGRADED),
    });
    if (config === undefined) throw new Error(JSON.stringify(diagnostics));
    const objects = placed.map(({ object }) => object);
    const drivers = objects.filter((object) => object.metadata.labels?.['nvidia.com/ofed-driver'] !== undefined);
    const pulls = kindOf(
      companionObjects(config, objects, () => PROGRAM),
      'DaemonSet',
    );
    expect(pulls.map(({ metadata }) => metadata.name)).toEqual(
      drivers.map(({ metadata }) => `${metadata.name}-pre-pull`),
    );
    pulls.forEach((pull, index) => {
      const driver = drivers[index];
      const at = (object: unknown, ...path: readonly string[]) => valueAt(object, ['spec', 'template', ...path]);
      expect(at(pull, 'spec', 'nodeSelector')).toEqual(at(driver, 'spec', 'nodeSelector'));
      expect(at(pull, 'metadata', 'labels', 'weft.dev/install-digest')).toBe(
        driver?.metadata.annotations?.['weft.dev/install-digest'],
      );
      expect(at(pull, 'metadata', 'labels')).not.toHaveProperty(['nvidia.com/ofed-driver']);
      expect(at(pull, 'spec')).toMatchObject({ automountServiceAccountToken: false });
      expect(at(pull, 'spec')).not.toHaveProperty('volumes');
    });
  });

  it('are the same for the same input', () => {
    expect(manifestText(render({}))).toBe(manifestText(render({})));
  });

  it('do not ask for the program where an image holds it', () => {
    const { config, objects } = configOf({ cluster: '  companion: {image: registry.example.com/weft:1}\n' });
    const refuse = () => {
      throw new Error('the program was asked for');
    };
    const names = kindOf(companionObjects(config, objects, refuse), 'ConfigMap').map(({ metadata }) => metadata.name);
    expect(names).toEqual([COMPANION_NAMES.policyConfigMap]);
  });
});

describe('the name of the Job', () => {
  const [base] = jobName({});

  it.each([
    { name: 'a setting of the upgrade', input: { cluster: '  upgrade: {failureBudget: 2}\n' } },
    { name: 'a pause', input: { cluster: '  upgrade: {paused: true}\n' } },
    {
      name: 'the version of the driver',
      input: { spec: UPGRADED.replace('{upgrade', '{version: 24.01-0.3.3.1-0, upgrade') },
    },
    { name: 'a setting of the Job, which cannot be changed', input: { cluster: '  companion: {logLevel: error}\n' } },
    { name: 'the program, whose ConfigMap the Job names', input: { program: 'another program' } },
  ])('changes with $name', ({ input }) => {
    expect(jobName(input)).not.toEqual([base]);
  });

  it('changes with the virtual functions that nodes get, and with nothing else of the SR-IOV operator', () => {
    const of = (text: string, documents = SRIOV_OBJECTS) => jobName({ spec: NO_DRIVER, cluster: text, documents });
    expect(of(SRIOV, SRIOV_OBJECTS.replace('numVfs: 8', 'numVfs: 4'))).not.toEqual(of(SRIOV));
    expect(of(SRIOV, SRIOV_OBJECTS.replace('10%', '20%'))).not.toEqual(of(SRIOV));
    expect(of(SRIOV.replace('600', '60'))).not.toEqual(of(SRIOV));
    expect(of(`${SRIOV}    sriovOperatorConfig: {logLevel: 1}\n`)).toEqual(of(SRIOV));
  });

  it.each([
    { name: 'the schedule', input: { cluster: '  companion: {schedule: "0 * * * *"}\n' } },
    { name: 'a default that is written out', input: { cluster: '  upgrade: {failureBudget: 1}\n' } },
    {
      name: 'what installs the same',
      input: { spec: UPGRADED.replace('{upgrade', '{terminationGracePeriodSeconds: 400, upgrade') },
    },
  ])('stays with $name', ({ input }) => {
    expect(jobName(input)).toEqual([base]);
  });

  it('is that of an object name', () => {
    expect(base).toMatch(/^weft-companion-[0-9a-f]{10}$/);
  });
});

describe('the program', () => {
  const pods = (objects: readonly KubernetesObject[]) => [
    ...kindOf(objects, 'Job').map((job) => valueAt(job, ['spec', 'template', 'spec'])),
    ...kindOf(objects, 'CronJob').map((job) => valueAt(job, ['spec', 'jobTemplate', 'spec', 'template', 'spec'])),
  ];
  const programs = (objects: readonly KubernetesObject[]) =>
    kindOf(objects, 'ConfigMap').filter((one) => valueAt(one, ['data', 'program']) !== undefined);

  it('is in a ConfigMap that nobody can change, by whose name all pods mount it', () => {
    const names = ['one', 'another'].map((program) => {
      const objects = render({ program });
      expect(programs(objects)).toMatchObject([{ immutable: true, data: { program } }]);
      const [name = ''] = programs(objects).map(({ metadata }) => metadata.name);
      expect(pods(objects).map((pod) => valueAt(pod, ['volumes']))).toEqual(
        // Optional: a pod whose ConfigMap was pruned fails, and does not keep the CronJob waiting.
        Array(2).fill([
          { name: 'program', configMap: { name, items: [{ key: 'program', path: 'companion.cjs' }], optional: true } },
        ]),
      );
      return name;
    });
    expect(names[0]).toMatch(/^weft-companion-program-[0-9a-f]{10}$/);
    expect(new Set(names).size).toBe(2);
  });

  it('is not steered by an object that others may write: nothing of the environment is from one', () => {
    for (const pod of pods(render({ cluster: FULL }))) {
      const text = JSON.stringify(valueAt(pod, ['containers']));
      expect(text).toContain('"env":');
      expect(text).not.toMatch(/envFrom|configMapKeyRef|secretKeyRef|NODE_OPTIONS/);
    }
  });

  it('carries out the policy of the same output alone, as the Job and as the CronJob', () => {
    const objects = render({});
    const [policy] = kindOf(objects, 'ConfigMap').filter(({ metadata }) => metadata.name.endsWith('-policy'));
    const text = valueAt(policy, ['data', 'policy.json']) as string;
    const hash = upgradePolicyHash(upgradePolicySchema.parse(JSON.parse(text)));
    const found = pods(objects).map((pod) => JSON.stringify(pod).match(/"WEFT_POLICY_HASH","value":"([^"]*)"/)?.[1]);
    expect(found).toEqual([hash, hash]);
    expect(valueAt(policy, ['data', 'hash'])).toBe(hash);
  });
});

describe('the image that a release names', () => {
  const image = (release: string) => `ghcr.io/platform/weft-companion:${release}@sha256:${release.repeat(64)}`;
  const imageOf = (objects: readonly KubernetesObject[]) =>
    valueAt(kindOf(objects, 'Job')[0], ['spec', 'template', 'spec', 'containers', '0', 'image']);
  /** The lines of an output, without what is expected to differ. */
  const lines = (objects: readonly KubernetesObject[], published: string) => {
    const [job = ''] = kindOf(objects, 'Job').map(({ metadata }) => metadata.name);
    return manifestText(objects).replaceAll(job, '<job>').replaceAll(published, '<image>');
  };

  it.each([
    { name: 'by default', cluster: '', expected: image('1') },
    {
      name: 'with `program: image`, also beside an image of Node',
      cluster: '  companion: {nodeImage: "a.b/node:24", program: image, image: "a.b/c:1"}\n',
      expected: 'a.b/c:1',
    },
    { name: 'not beside an image of one’s own', cluster: '  companion: {image: "a.b/c:1"}\n', expected: 'a.b/c:1' },
    {
      name: 'from a mirror',
      cluster: '  mirrors: [{from: ghcr.io, to: a.b/ghcr}]\n',
      expected: image('1').replace('ghcr.io', 'a.b/ghcr'),
    },
  ])('runs the program $name', ({ cluster, expected }) => {
    const objects = render({ cluster, published: image('1') });
    expect(imageOf(objects)).toBe(expected);
    expect(kindOf(objects, 'ConfigMap').map(({ metadata }) => metadata.name)).toEqual([
      COMPANION_NAMES.policyConfigMap,
    ]);
    expect(JSON.stringify(objects)).not.toContain('"volumes"');
  });

  it.each([
    { name: 'who asks for it', cluster: '  companion: {program: configMap}\n' },
    {
      name: 'who names an image of Node, as before a release had an image',
      cluster: `  companion: {nodeImage: "${COMPANION_NODE_IMAGE}"}\n`,
    },
  ])('leaves the ConfigMap for $name', ({ cluster }) => {
    expect(manifestText(render({ cluster, published: image('1') }))).toBe(manifestText(render({})));
  });

  it('is, with the name of the Job, all that differs between two releases', () => {
    const [one, two] = ['1', '2'].map((release) => render({ published: image(release) }));
    expect(lines(one ?? [], image('1'))).toBe(lines(two ?? [], image('2')));
    expect(imageOf(one ?? [])).not.toBe(imageOf(two ?? []));
  });

  it('takes a run over from the program in a ConfigMap: the same policy, rights, Lease, account and environment', () => {
    const [before, after] = [render({}), render({ published: image('1') })];
    const withoutProgram = before.filter((object) => valueAt(object, ['data', 'program']) === undefined);
    const text = lines(withoutProgram, COMPANION_NODE_IMAGE);
    const volume = / +volumeMounts:\n(?: +.*\n)+? +readOnly: true\n|^ +volumes:\n(?: +.*\n)+? +optional: true\n/gm;
    expect(text.match(volume)).toHaveLength(4);
    expect(lines(after, image('1'))).toBe(text.replace(volume, ''));
  });
});

describe('the failed Job', () => {
  const facts = (cluster: string) => {
    const objects = render({ cluster });
    const [job] = kindOf(objects, 'Job').map(({ metadata }) => metadata.name);
    const rules = kindOf(objects, 'Role').flatMap((role) => role['rules'] as readonly Record<string, unknown>[]);
    const [policy] = kindOf(objects, 'ConfigMap').filter(({ metadata }) => metadata.name.endsWith('-policy'));
    return {
      job,
      right: rules.find(({ resources }) => String(resources) === 'jobs'),
      named: valueAt(policy, ['data', 'job']),
    };
  };

  it('may be deleted by the CronJob, which learns its name from the policy', () => {
    const { job, right, named } = facts('');
    expect(right).toMatchObject({ resourceNames: [job], verbs: ['get', 'delete'] });
    expect(named).toBe(job);
  });

  it('may be deleted by nothing where there is no CronJob', () => {
    expect(facts('  companion: {schedule: ""}\n')).toMatchObject({ right: undefined, named: undefined });
  });
});

it('the pods get no sidecar of Istio, with which their Jobs would never end', () => {
  const labels = render({}).flatMap((object) => [
    ...(object.kind === 'Job' ? [valueAt(object, ['spec', 'template', 'metadata', 'labels'])] : []),
    ...(object.kind === 'CronJob'
      ? [valueAt(object, ['spec', 'jobTemplate', 'spec', 'template', 'metadata', 'labels'])]
      : []),
  ]);
  expect(labels).toMatchObject([{ 'sidecar.istio.io/inject': 'false' }, { 'sidecar.istio.io/inject': 'false' }]);
});

it('the pods keep the restricted pod security standard', () => {
  const pods = render({}).flatMap((object) => [
    ...(object.kind === 'Job' ? [valueAt(object, ['spec', 'template', 'spec'])] : []),
    ...(object.kind === 'CronJob' ? [valueAt(object, ['spec', 'jobTemplate', 'spec', 'template', 'spec'])] : []),
  ]);
  expect(pods).toHaveLength(2);
  for (const pod of pods) {
    expect(valueAt(pod, ['securityContext'])).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(valueAt(pod, ['containers', 0, 'securityContext'])).toMatchObject({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    });
  }
});

describe('needsCompanion', () => {
  it.each([
    { name: 'automatic upgrades', input: {}, expected: true },
    { name: 'automatic upgrades of the GPU driver', input: { spec: NO_DRIVER, cluster: GPU_ALONE }, expected: true },
    {
      name: 'a GPU driver that is not upgraded',
      input: { spec: NO_DRIVER, cluster: '  gpuDriver: {operator: true}\n' },
      expected: false,
    },
    { name: 'drains for virtual functions', input: { spec: NO_DRIVER, cluster: SRIOV }, expected: true },
    {
      name: 'virtual functions, for which the operator drains',
      input: { spec: NO_DRIVER, cluster: '  sriovNetworkOperator: {deploy: true}\n' },
      expected: false,
    },
    { name: 'a driver that is not upgraded', input: { spec: '  ofedDriver: {}\n' }, expected: false },
    { name: 'no driver', input: { spec: '  rdmaSharedDevicePlugin: {}\n' }, expected: false },
    {
      name: 'the label of the gate',
      input: { spec: '  ofedDriver: {}\n', cluster: '  driver: {gate: label}\n' },
      expected: true,
    },
    {
      name: 'an uninstall',
      input: { spec: '  ofedDriver: {}\n', cluster: '  driver: {uninstall: true}\n' },
      expected: true,
    },
  ])('$name: $expected', ({ input, expected }) => {
    expect(needsCompanion(configOf(input).config)).toBe(expected);
  });
});
