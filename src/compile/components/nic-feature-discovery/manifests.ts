import type { Construct } from 'constructs';
import type { InCluster } from '../../model/cluster-scope.js';
import type { NicFeatureDiscoveryInput } from '../../model/input.js';
import type { BuildContext, ComponentProps } from '../component.js';
import { ComponentConstruct } from '../component-construct.js';
import type { Instance } from '../../model/config.js';
import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { KubernetesObject, PodSpec } from '../../../shared/kubernetes/types.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import { openshiftAccount } from '../../../shared/kubernetes/rbac.js';
import { clusterMetadata, daemonSetTolerations, pullSecrets, resourcesOr } from '../pod-parts.js';
import type { NicFeatureDiscoverySpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-nic-feature-discovery';
/** Name of the container and of its account. */
export const NAME = 'nic-feature-discovery';

const component = { statusName: STATUS_NAME };
const LABELS = { tier: 'node', app: NAME, name: NAME };
/** Node Feature Discovery makes labels of the files in it. */
const FEATURES_DIRECTORY = '/etc/kubernetes/node-feature-discovery/features.d';

/** The props of `NicFeatureDiscovery`: its section of a policy, and the cluster. */
export interface NicFeatureDiscoveryProps extends NicFeatureDiscoveryInput, InCluster {}

/** NIC feature discovery: a DaemonSet (network-operator b06827e0, manifests/state-nic-feature-discovery). */
export class NicFeatureDiscovery extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: NicFeatureDiscoveryProps) {
    super(scope, id, 'nic-feature-discovery', props);
  }

  /** @internal */
  protected override build({ instances, context }: ComponentProps<NicFeatureDiscoverySpec>): void {
    const metadata = clusterMetadata(NAME, context.cluster.namespace, component);
    for (const instance of instances) {
      if (context.cluster.isOpenshift) {
        for (const object of openshiftAccount(metadata)) addObject(this, object);
      }
      addObject(this, daemonSet(instance, context));
    }
  }
}

function daemonSet(instance: Instance<NicFeatureDiscoverySpec>, context: BuildContext): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: clusterMetadata(`${NAME}-ds`, context.cluster.namespace, component, LABELS),
    spec: {
      selector: { matchLabels: { name: NAME } },
      updateStrategy: { type: 'RollingUpdate' },
      template: { metadata: { labels: LABELS }, spec: podSpec(instance, context) },
    },
  };
}

function podSpec(instance: Instance<NicFeatureDiscoverySpec>, { cluster }: BuildContext): PodSpec {
  const { spec } = instance;
  return {
    terminationGracePeriodSeconds: 10,
    ...(cluster.isOpenshift ? { serviceAccountName: NAME } : {}),
    tolerations: daemonSetTolerations(instance),
    ...(instance.affinity && { affinity: { nodeAffinity: instance.affinity } }),
    ...pullSecrets(spec),
    containers: [
      {
        name: NAME,
        image: imageReference(spec),
        command: ['/nic-feature-discovery'],
        args: ['--v=0', '--logging-format=json'],
        ...resourcesOr(spec, NAME, {
          requests: { cpu: '100m', memory: '50Mi' },
          limits: { cpu: '300m', memory: '150Mi' },
        }),
        securityContext: { privileged: true },
        volumeMounts: [{ name: 'features-dir', mountPath: FEATURES_DIRECTORY }],
      },
    ],
    volumes: [{ name: 'features-dir', hostPath: { path: FEATURES_DIRECTORY, type: 'DirectoryOrCreate' } }],
  };
}
