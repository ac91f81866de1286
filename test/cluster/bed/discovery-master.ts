import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveObject } from './api-client.js';
import { type ControlPlane, writeKubeconfig } from './control-plane.js';
import { NAMESPACE } from '../simulated/fleet.js';
import { startGuarded, type GuardedProcess } from './guarded-process.js';
import { binaries, folderOf } from './test-bed.js';

/** The label of the rule, by which drivers select nodes. */
export const NIC_LABEL = 'feature.node.kubernetes.io/pci-15b3.present';

/** Labels that the worker writes itself. */
export const WORKER_LABELS = {
  'feature.node.kubernetes.io/kernel-version.full': '6.8.0-31-generic',
  'feature.node.kubernetes.io/system-os_release.ID': 'ubuntu',
  'feature.node.kubernetes.io/system-os_release.VERSION_ID': '24.04',
};

/** Attributes of a PCI device. */
export interface PciDevice {
  readonly vendor: string;
  readonly class: string;
}

/**
 * What nfd-worker writes about a node (node-feature-discovery v0.18.3, pkg/nfd-worker/nfd-worker.go, updateNodeFeatureObject).
 *
 * @param owners the DaemonSet of the worker and its pod on the node
 */
export function nodeFeature(
  node: string,
  devices: readonly PciDevice[],
  owners: readonly LiveObject[] = [],
): LiveObject {
  const instances = { 'pci.device': { elements: devices.map((attributes) => ({ attributes })) } };
  return {
    apiVersion: 'nfd.k8s-sigs.io/v1alpha1',
    kind: 'NodeFeature',
    metadata: {
      name: node,
      namespace: NAMESPACE,
      labels: { 'nfd.node.kubernetes.io/node-name': node },
      annotations: { 'nfd.node.kubernetes.io/worker.version': 'v0.18.3' },
      ownerReferences: owners.map(({ apiVersion, kind, metadata: { name, uid = '' } }) => ({
        apiVersion,
        kind,
        name,
        uid,
      })),
    },
    spec: { features: { flags: {}, attributes: {}, instances }, labels: WORKER_LABELS },
  };
}

interface MasterSpec {
  readonly template: {
    readonly spec: {
      readonly serviceAccountName: string;
      readonly containers: readonly { readonly args: readonly string[] }[];
    };
  };
}

/**
 * Starts nfd-master with the arguments, the configuration and the rights that it has among the objects, which are applied.
 *
 * @param node the node that its pod would be on
 */
export async function startMaster(
  controlPlane: ControlPlane,
  objects: readonly LiveObject[],
  node: string,
): Promise<GuardedProcess> {
  const folder = folderOf('nfd-master');
  mkdirSync(folder, { recursive: true });
  const found = (kind: string, ending: RegExp) =>
    objects.find((object) => object.kind === kind && ending.test(object.metadata.name)) ?? {};
  const { spec } = found('Deployment', /-master$/) as { readonly spec: MasterSpec };
  const { data } = found('ConfigMap', /-master-conf$/) as { readonly data: Readonly<Record<string, string>> };
  const config = join(folder, 'nfd-master.conf');
  writeFileSync(config, data['nfd-master.conf'] ?? '');
  const { serviceAccountName, containers } = spec.template.spec;
  const args = (containers[0]?.args ?? []).filter((arg) => !arg.startsWith('-port='));
  const kubeconfig = await kubeconfigOf(controlPlane, serviceAccountName, folder);
  return startGuarded(
    'nfd-master',
    'env',
    [
      `KUBERNETES_NAMESPACE=${NAMESPACE}`,
      `NODE_NAME=${node}`,
      join(binaries().nfd, 'nfd-master'),
      `-kubeconfig=${kubeconfig}`,
      `-config=${config}`,
      '-port=0',
      ...args,
    ],
    { logFile: join(folder, 'nfd-master.log'), workingDirectory: folder },
  );
}

/** A kubeconfig with the rights of a ServiceAccount. */
async function kubeconfigOf({ client, port, certificate }: ControlPlane, account: string, folder: string) {
  const { body } = await client.ask('POST', `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${account}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3600 },
  });
  const { token } = body['status'] as { readonly token: string };
  const path = join(folder, 'kubeconfig');
  writeKubeconfig(path, `https://127.0.0.1:${port}`, token, certificate.certificate);
  return path;
}
