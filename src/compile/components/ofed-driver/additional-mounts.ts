import type { BuildContext } from '../component.js';
import type { Cluster, NodePool } from '../../model/config.js';
import {
  CERT_DIRECTORIES,
  configMapMounts,
  joinMounts,
  REPO_DIRECTORIES,
  subscriptionMounts,
  type Mounts,
} from './mounts.js';
import type { OfedDriverSpec } from './schema.js';

/** ConfigMap that OpenShift fills with the CA bundle of the cluster-wide proxy, and its one key. */
export const TRUSTED_CA_CONFIG_MAP = 'ocp-network-operator-trusted-ca';
export const TRUSTED_CA_KEY = 'ca-bundle.crt';

/** The file name that RHCOS uses for the bundle (network-operator b06827e0, pkg/state/state_ofed.go). */
const TRUSTED_CA_FILES = new Map([[TRUSTED_CA_KEY, 'tls-ca-bundle.pem']]);

/** True if the driver uses the CA of the cluster-wide proxy, because the policy has no certificates. */
export function usesTrustedCa(spec: OfedDriverSpec, cluster: Cluster): boolean {
  return cluster.isOpenshift && cluster.spec.openshift.proxy.trustedCA && !spec.certConfig?.name;
}

/** Certificates, package repositories and subscriptions of a pool's driver. */
export function additionalMounts(spec: OfedDriverSpec, pool: NodePool, context: BuildContext): Mounts {
  const certificates = usesTrustedCa(spec, context.cluster) ? TRUSTED_CA_CONFIG_MAP : spec.certConfig?.name;
  return joinMounts([
    namedMounts(certificates, CERT_DIRECTORIES.get(pool.osName), context),
    namedMounts(spec.repoConfig?.name, REPO_DIRECTORIES.get(pool.osName), context),
    subscriptionMounts(pool),
  ]);
}

/**
 * Rules have checked that the ConfigMap is known and that the OS has a directory for it. The ConfigMap of OpenShift's
 * trusted CA may already exist; otherwise Weft renders it with its one key. The name of its file differs from the key.
 */
function namedMounts(name: string | undefined, directory: string | undefined, { configMaps }: BuildContext): Mounts {
  const isTrustedCa = name === TRUSTED_CA_CONFIG_MAP;
  const keys = configMaps.get(name ?? '')?.keys ?? (isTrustedCa ? [TRUSTED_CA_KEY] : undefined);
  if (name === undefined || keys === undefined || directory === undefined) return { volumes: [], volumeMounts: [] };
  return configMapMounts({ name, keys }, directory, isTrustedCa ? TRUSTED_CA_FILES : undefined);
}
