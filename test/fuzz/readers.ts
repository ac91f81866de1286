import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { observeStatus } from '../../src/cli/status/observe.js';
import { statusText } from '../../src/cluster/status/text.js';
import { operatorObjects } from '../../src/cluster/status/operator-status.js';
import { toYaml } from '../../src/compile/render/yaml/yaml.js';
import { toJson } from '../../src/compile/render/json.js';
import { isObject } from '../../src/shared/lib/json.js';
import { NAMESPACE } from '../kit/served-cluster.js';
import { runWeft, type Printed } from '../kit/run-weft.js';
import { writeInput } from '../plan/input-folder.js';
import { clusterText, UBUNTU_POOL } from '../golden/compile.js';
import { STATUS, nodeList, operatorItems, servedObjects, snapshotItems } from './cluster-objects.js';
import type { Json } from './mutate.js';
import { jsonOf } from './objects.js';
import { liveReaders } from './live-readers.js';
import { fakeSession, printed } from './served.js';
import type { Reader } from './reader.js';

const pick = <One>(all: readonly One[], number: number): One => all[number % all.length] as One;

/** All readers; `root` is an empty folder for the files that they read. */
export function readersIn(root: string): readonly Reader[] {
  const weft = (args: readonly string[], stdin?: string): Promise<Printed> =>
    runWeft(args, { cwd: root, ...(stdin !== undefined && { readStdin: () => Promise.resolve(stdin) }) });
  const put = (name: string, text: string): void => writeFileSync(join(root, name), text);
  writeInput(root);
  mkdirSync(join(root, 'clusters/rich'));
  for (const [name, text] of Object.entries(RICH)) put(`clusters/rich/${name}`, text);
  put('nodes.json', jsonOf(nodeList() as Json));
  return [
    {
      name: 'plan --snapshot',
      seed: () => Promise.resolve(snapshotItems() as Json),
      read(value, number) {
        put('snapshot.json', jsonOf(value));
        const format = pick(['text', 'markdown', 'json', 'html'], number);
        const save = number % 3 === 0 ? ['--save', 'saved.json'] : [];
        const at = ['--at', '2026-12-01T12:00:00Z', '--runs', '1'];
        return weft(['plan', 'east', '--snapshot', 'snapshot.json', ...at, '--format', format, ...save]);
      },
    },
    {
      name: 'diff -',
      seed: async () => JSON.parse((await weft(['synth', 'clusters/rich', '-o', 'json'])).stdout) as Json,
      read(value, number) {
        const format = pick(['text', 'markdown', 'json', 'github', 'sarif'], number);
        const nodes = number % 2 === 0 ? ['--nodes', 'nodes.json'] : [];
        put('clusters/rich/policy.yaml', number % 3 === 0 ? CHANGED : RICH['policy.yaml']);
        return weft(['diff', '-', '--folder', 'clusters/rich', '--format', format, ...nodes], jsonOf(value));
      },
    },
    {
      name: 'import',
      seed: () => Promise.resolve(operatorItems() as Json),
      read(value, number) {
        const format = pick(['text', 'json'], number);
        put('objects.json', jsonOf(value));
        return weft(['import', 'clusters/new', '--from', 'objects.json', '--dry-run', '--format', format]);
      },
    },
    {
      name: 'pools',
      seed: () => Promise.resolve(nodeList() as Json),
      read(value, number) {
        const args = pick([[], ['--cluster', 'east'], ['-o', 'json'], ['--check', 'clusters/east']], number);
        return weft(['pools', ...args], jsonOf(value));
      },
    },
    ...clusterReaders(),
  ];
}

/** Readers of live clusters: each reads what an API server serves, by path. */
export function clusterReaders(): readonly Reader[] {
  const status: Reader = {
    name: 'status',
    seed: () => Promise.resolve(servedObjects() as unknown as Json),
    read: (value) => statusOf(servedWith(value)),
  };
  return [status, ...liveReaders()];
}

/** The objects, with the text of the companion's status. */
function servedWith(value: Json): Json {
  const { [STATUS]: status = null, ...objects } = isObject(value) ? value : {};
  const metadata = { name: 'weft-companion-status', resourceVersion: '3' };
  const path = `/api/v1/namespaces/${NAMESPACE}/configmaps/weft-companion-status`;
  return { ...objects, [path]: { metadata, data: { 'status.json': jsonOf(status) } } };
}

/** As `weft status` reads and prints it; with the lists and the decision of `weft upgrade status`. */
function statusOf(value: Json): Promise<Printed> {
  return printed(async () => {
    const status = await observeStatus(fakeSession(value), { name: 'east', namespace: NAMESPACE }, 'here');
    const yaml = operatorObjects(status, 'nic-cluster-policy').map(toYaml).join('---\n');
    return `${statusText([status])}${toJson(yaml)}`;
  });
}

const RICH = {
  'cluster.yaml': clusterText(`  release: v26.4\n  nodePools:\n${UBUNTU_POOL}`, 'rich'),
  'policy.yaml': `apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec:
  ofedDriver:
    env: [{name: A, value: "b"}]
    certConfig: {name: corp-ca}
    upgradePolicy: {autoUpgrade: true, maxParallelUpgrades: 1, drain: {enable: true}}
  rdmaSharedDevicePlugin:
    config: '{"configList": [{"resourceName": "a", "rdmaHcaMax": 63, "selectors": {"vendors": ["15b3"]}}]}'
  sriovDevicePlugin:
    config: '{"resourceList": [{"resourceName": "b", "selectors": {"vendors": ["15b3"]}}]}'
  nvIpam: {}
  secondaryNetwork: {cniPlugins: {}, multus: {}, ipoib: {}}
`,
  'objects.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: corp-ca, namespace: nvidia-network-operator}
data: {root.crt: "x"}
---
apiVersion: mellanox.com/v1alpha1
kind: MacvlanNetwork
metadata: {name: net}
spec:
  {master: ens1, mode: bridge, mtu: 1500, networkNamespace: default, ipam: '{"type": "nv-ipam", "poolName": "rdma"}'}
---
apiVersion: mellanox.com/v1alpha1
kind: HostDeviceNetwork
metadata: {name: dev}
spec: {resourceName: b, networkNamespace: default, ipam: '{"type": "whereabouts", "range": "10.1.0.0/24"}'}
---
apiVersion: nv-ipam.nvidia.com/v1alpha1
kind: IPPool
metadata: {name: rdma, namespace: nvidia-network-operator}
spec: {subnet: 10.0.0.0/24, perNodeBlockSize: 8, gateway: 10.0.0.1}
`,
};
const CHANGED = RICH['policy.yaml']
  .replace('value: "b"', 'value: "c"')
  .replace('"rdmaHcaMax": 63', '"rdmaHcaMax": 64')
  .replace('"resourceName": "b"', '"resourceName": "b2"');
