import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { chartObjects } from '../conformance/recorded.js';
import { toYaml as yamlOf } from '../../src/render/yaml/yaml.js';
import type { JsonValue } from '../../src/lib/json.js';
import { clusterText, compile, policyText, UBUNTU_POOL } from '../golden/compile.js';
import { recordedCrds } from './inputs.js';
import type { LiveObject } from './api-client.js';
import { applyAll } from './apply-set.js';
import type { ControlPlane } from './control-plane.js';
import { binaries, folderOf, startTestBed } from './test-bed.js';

/**
 * Node Feature Discovery, with the rule that labels NIC nodes, is handed over from a Helm release, by the commands of the guide and by Helm itself. The chart has the
 * objects that the operator's chart renders, without its hooks, whose Jobs would have to run.
 */
const NAMESPACE = 'nvidia-network-operator';
const RELEASE = 'network-operator';
const RULE: LiveObject = {
  apiVersion: 'nfd.k8s-sigs.io/v1alpha1',
  kind: 'NodeFeatureRule',
  metadata: { name: 'nvidia-nics-rules' },
};

const toYaml = (object: unknown) => yamlOf(object as JsonValue);
const isOfDiscovery = ({ metadata }: LiveObject) =>
  metadata.labels?.['app.kubernetes.io/name'] === 'node-feature-discovery';
const isHook = ({ metadata }: LiveObject) => metadata.annotations?.['helm.sh/hook'] !== undefined;

/** The commands of the guide, with this chart in the place of the operator's. */
function documentedCommands(chart: string): string {
  const guide = readFileSync('docs/guide/applying.md', 'utf8');
  const [, text = ''] = /```sh takeover-helm\n([\s\S]*?)```/.exec(guide) ?? [];
  expect(text).toContain('nvidia/network-operator');
  return text.replace('nvidia/network-operator', chart).replace('--version <installed version>', '');
}

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

  async function shell(text: string): Promise<string> {
    const { helm, controlplane } = binaries();
    const path = `${helm}:${controlplane}:${process.env['PATH'] ?? ''}`;
    const env = { ...process.env, PATH: path, KUBECONFIG: controlPlane.kubeconfig, HOME: folder };
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], { cwd: folder, env });
    return stdout;
  }

  /** Which of the objects of Node Feature Discovery are there, the rule among them. */
  const discovery = chartObjects('01-defaults').filter((one) => one.kind === RULE.kind || isOfDiscovery(one));
  const uids = () => Promise.all(discovery.map(async (one) => (await controlPlane.client.get(one))?.metadata.uid));
  const ruleUid = async () => (await controlPlane.client.get(RULE))?.metadata.uid;

  beforeAll(async () => {
    controlPlane = await startTestBed('helm', { hasControllers: false });
    folder = folderOf('helm-work');
    chart = join(folder, 'chart');
    writeChart(chart);
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
    const { problems } = await applyAll(controlPlane.client, [...recordedCrds(), namespace]);
    expect(problems).toEqual([]);
  });
  afterAll(async () => {
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

  it('stays as it is, with Node Feature Discovery, through the commands of the guide and the end of the release', async () => {
    const before = await uids();
    expect(before).toHaveLength(13);
    expect(before).not.toContain(undefined);
    const target = join(folder, 'dist/east/node-feature-discovery');
    mkdirSync(target, { recursive: true });
    const { placed } = compile({
      'cluster.yaml': clusterText(`  release: v26.7\n${DEPLOYED}  nodePools:\n${UBUNTU_POOL}`),
      'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', '  ofedDriver: {}\n'),
    });
    const ours = placed.filter(({ folder: name }) => name === 'node-feature-discovery').map(({ object }) => object);
    expect(ours).toHaveLength(before.length);
    for (const [index, object] of ours.entries()) writeFileSync(join(target, `${index}.yaml`), toYaml(object));

    expect(await shell(documentedCommands(chart))).toContain('nvidia-nics-rules');
    expect(await uids()).toEqual(before);
    const manifest = await shell(`helm get manifest ${RELEASE} -n ${NAMESPACE}`);
    const kinds = parseAllDocuments(manifest).map((document) => (document.toJS() as LiveObject | null)?.kind);
    expect(kinds).toContain('Deployment');
    expect(kinds).not.toContain('DaemonSet');
    expect(kinds).not.toContain(RULE.kind);

    await shell(`helm uninstall ${RELEASE} -n ${NAMESPACE}`);
    expect(await uids()).toEqual(before);
  });
});
