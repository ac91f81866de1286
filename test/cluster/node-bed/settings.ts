import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlPlane } from '../bed/control-plane.js';
import { binaries } from '../bed/test-bed.js';
import type { NodeOptions } from './node.js';

/** The `kubernetes` Service of every cluster here: the first address of the range of the API server's flags. */
const API_ADDRESS = '10.96.0.1:443';

/** Writes what containerd and the kubelet of a machine read; returns the environment of `boot.sh`. */
export function writeSettings(controlPlane: ControlPlane, options: NodeOptions): Readonly<Record<string, string>> {
  const { folder, name, index } = options;
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text, { mode: 0o600 });
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  controlPlane.writeNodeKubeconfig(join(folder, 'kubeconfig'), name, `https://${API_ADDRESS}`);
  write('containerd.toml', containerdConfig(options.sandboxImage));
  write('kubelet.json', json(KUBELET));
  write('devices.sh', options.devices ?? '');
  // The network of a cluster, as its installer sets it up.
  const plugins = join(folder, 'written/opt/cni/bin');
  mkdirSync(plugins, { recursive: true });
  for (const name of CLUSTER_PLUGINS) copyFileSync(join(binaries().cniplugins, name), join(plugins, name));
  const networks = join(folder, 'written/etc/cni/net.d');
  mkdirSync(networks, { recursive: true });
  writeFileSync(join(networks, '10-cluster.conflist'), json(clusterNetwork(index)));
  return {
    ...{ WEFT_API_ADDRESS: API_ADDRESS, WEFT_NODE_IP: `10.244.${index}.1`, WEFT_NODE_PROGRAM: process.execPath },
  };
}

/** Programs that containerd and the network of the cluster call. */
const CLUSTER_PLUGINS = ['bridge', 'host-local', 'loopback'];

function clusterNetwork(index: number): object {
  const ipam = { type: 'host-local', ranges: [[{ subnet: `10.244.${index}.0/24` }]], routes: [{ dst: '0.0.0.0/0' }] };
  return {
    cniVersion: '1.0.0',
    name: 'cluster',
    plugins: [{ type: 'bridge', bridge: 'cluster0', isGateway: true, ipam }],
  };
}

/** Paths are containerd's defaults: the machine has file systems of its own. */
function containerdConfig(sandboxImage: string): string {
  return `version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${sandboxImage}"
  # The kernel may refuse a negative score.
  restrict_oom_score_adj = true
`;
}

const KUBELET = {
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  authentication: { anonymous: { enabled: false }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
  cgroupDriver: 'cgroupfs',
  failCgroupV1: false,
  failSwapOn: false,
  // The machine's root group is not the kernel's: the kubelet cannot set limits of it.
  cgroupsPerQOS: false,
  enforceNodeAllocatable: [],
  // The disk of the computer that runs the tests.
  evictionHard: {},
  imageGCHighThresholdPercent: 100,
  containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
  clusterDomain: 'cluster.local',
  resolvConf: '',
  nodeStatusUpdateFrequency: '2s',
};
