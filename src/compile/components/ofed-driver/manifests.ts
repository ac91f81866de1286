import type { Construct } from 'constructs';
import type { InCluster } from '../../model/cluster-scope.js';
import type { OfedDriverInput } from '../../model/input.js';
import type { ComponentProps } from '../component.js';
import { ComponentConstruct } from '../component-construct.js';
import type { Instance } from '../../model/config.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import { KEEP_ANNOTATIONS, INIT_CONFIG_MAP } from '../../../shared/contract/labels.js';
import type { KubernetesObject, ObjectMeta } from '../../../shared/kubernetes/types.js';
import {
  clusterRole,
  clusterRoleBinding,
  privilegedOnOpenshift,
  serviceAccount,
} from '../../../shared/kubernetes/rbac.js';
import { operatorMetadata, sharedOwner } from '../pod-parts.js';
import { TRUSTED_CA_CONFIG_MAP, TRUSTED_CA_KEY, usesTrustedCa } from './additional-mounts.js';
import { driverDaemonSet, withInstallDigest } from './daemon-set.js';
import { initConfigData } from './init-container.js';
import { isUninstalled } from '../../model/uninstall.js';
import { driverPools } from './pool.js';
import type { OfedDriverSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-OFED';

const component = { statusName: STATUS_NAME };
const ACCOUNT = 'ofed-driver';

/** The props of `OfedDriver`: its section of a policy, and the cluster. */
export interface OfedDriverProps extends OfedDriverInput, InCluster {}

/**
 * The DOCA-OFED driver: a DaemonSet for each OS, version and kernel of each policy's pools, and what their pods need.
 * If no pool is selected, it adds only the ConfigMap of the proxy's CA, like the operator.
 */
export class OfedDriver extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: OfedDriverProps) {
    super(scope, id, 'ofed-driver', props);
  }

  /** @internal */
  protected override build(props: ComponentProps<OfedDriverSpec>): void {
    const { context } = props;
    const instances = props.instances.filter(({ pools }) => pools.length > 0);
    const owner = sharedOwner(instances);
    for (const object of owner ? sharedObjects(owner, props) : []) addObject(this, object);
    if (needsTrustedCa(props)) addObject(this, trustedCaConfigMap(context.cluster.namespace));
    for (const instance of instances) {
      for (const pool of driverPools(instance)) {
        // An uninstall keeps all other objects until the companion has removed the drivers from their nodes.
        if (pool.pools.every((one) => isUninstalled(context.cluster, instance.owner, one))) continue;
        addObject(this, driverDaemonSet(component, instance, pool, context), withInstallDigest);
      }
    }
  }
}

/**
 * The ConfigMap for the proxy's CA does not depend on the pools (network-operator b06827e0, pkg/state/state_ofed.go
 * `Sync`), unless it exists.
 */
function needsTrustedCa({ instances, context: { cluster, configMaps } }: ComponentProps<OfedDriverSpec>): boolean {
  return instances.some(({ spec }) => usesTrustedCa(spec, cluster)) && !configMaps.has(TRUSTED_CA_CONFIG_MAP);
}

/** Objects that a cluster has only once. */
function sharedObjects(
  owner: Instance<OfedDriverSpec>,
  { context: { cluster } }: ComponentProps<OfedDriverSpec>,
): readonly KubernetesObject[] {
  const { namespace } = cluster;
  const namespaced = kept(operatorMetadata(ACCOUNT, namespace, component, owner));
  const clusterWide = kept(operatorMetadata(ACCOUNT, undefined, component, owner));
  return [
    serviceAccount(namespaced),
    clusterRole(clusterWide, [
      { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'patch', 'watch', 'update'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
    ]),
    clusterRoleBinding(clusterWide, { name: ACCOUNT, namespace }),
    ...(cluster.isOpenshift ? privilegedOnOpenshift(namespaced) : []),
    ...(cluster.initContainerImage === '' ? [] : [initConfigMap(owner, namespace)]),
  ];
}

/**
 * A driver DaemonSet that is removed from the input stays in the cluster with its pods, which need these objects when
 * they restart. They must not be pruned.
 */
function kept(metadata: ObjectMeta): ObjectMeta {
  return { ...metadata, annotations: { ...metadata.annotations, ...KEEP_ANNOTATIONS } };
}

function initConfigMap(owner: Instance<OfedDriverSpec>, namespace: string): KubernetesObject {
  const metadata = kept(operatorMetadata(INIT_CONFIG_MAP, namespace, component, owner));
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: initConfigData(owner.spec) };
}

/** OpenShift writes the bundle into it. Flux must not overwrite it with the empty key. */
function trustedCaConfigMap(namespace: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: kept({
      name: TRUSTED_CA_CONFIG_MAP,
      namespace,
      labels: { 'config.openshift.io/inject-trusted-cabundle': 'true' },
      annotations: { 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' },
    }),
    data: { [TRUSTED_CA_KEY]: '' },
  };
}
