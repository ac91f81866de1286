import type { Construct } from 'constructs';
import type { InCluster } from '../../model/cluster-scope.js';
import type { IpoibCniInput } from '../../model/input.js';
import type { BuildContext, ComponentProps } from '../component.js';
import { ComponentConstruct } from '../component-construct.js';
import type { Instance } from '../../model/config.js';
import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { KubernetesObject, PodSpec } from '../../../shared/kubernetes/types.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import { openshiftAccount } from '../../../shared/kubernetes/rbac.js';
import { cniDirectories, clusterMetadata, daemonSetTolerations, pullSecrets, resourcesOr } from '../pod-parts.js';
import type { IpoibCniSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-ipoib-cni';
export const CONTAINER = 'ipoib-cni';

const component = { statusName: STATUS_NAME };
const ACCOUNT = 'ipoib-cni';
const LABELS = { tier: 'node', app: 'ipoib-cni', name: 'ipoib-cni' };
const AMOUNTS = { cpu: '100m', memory: '50Mi' };

/** The props of `IpoibCni`: its section of a policy, and the cluster. */
export interface IpoibCniProps extends IpoibCniInput, InCluster {}

/**
 * The IPoIB CNI plugin: a DaemonSet that copies it to every node (network-operator b06827e0,
 * manifests/state-ipoib-cni).
 */
export class IpoibCni extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: IpoibCniProps) {
    super(scope, id, 'ipoib-cni', props);
  }

  /** @internal */
  protected override build({ instances, context }: ComponentProps<IpoibCniSpec>): void {
    for (const instance of instances) {
      if (context.cluster.isOpenshift) {
        const metadata = clusterMetadata(ACCOUNT, context.cluster.namespace, component);
        for (const object of openshiftAccount(metadata)) addObject(this, object);
      }
      addObject(this, daemonSet(instance, context));
    }
  }
}

function daemonSet(instance: Instance<IpoibCniSpec>, context: BuildContext): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: clusterMetadata('kube-ipoib-cni-ds', context.cluster.namespace, component, LABELS),
    spec: {
      selector: { matchLabels: { name: LABELS.name } },
      updateStrategy: { type: 'RollingUpdate' },
      template: { metadata: { labels: LABELS }, spec: podSpec(instance, context) },
    },
  };
}

function podSpec(instance: Instance<IpoibCniSpec>, { cluster }: BuildContext): PodSpec {
  const { spec } = instance;
  return {
    hostNetwork: true,
    ...(instance.affinity && { affinity: { nodeAffinity: instance.affinity } }),
    ...(cluster.isOpenshift ? { serviceAccountName: ACCOUNT } : {}),
    ...pullSecrets(spec),
    tolerations: daemonSetTolerations(instance),
    containers: [
      {
        name: CONTAINER,
        image: imageReference(spec),
        ...resourcesOr(spec, CONTAINER, { requests: AMOUNTS, limits: AMOUNTS }),
        securityContext: { privileged: true },
        volumeMounts: [{ name: 'cnibin', mountPath: '/host/opt/cni/bin' }],
      },
    ],
    volumes: [{ name: 'cnibin', hostPath: { path: cniDirectories(cluster).bin } }],
  };
}
