import type { BuildContext } from '../component.js';
import type { Instance } from '../../model/config.js';
import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { Container, KubernetesObject, PodSpec, StringMap, Volume } from '../../../shared/kubernetes/types.js';
import {
  clusterMetadata,
  daemonSetTolerations,
  driverGate,
  environment,
  type GateParts,
  NIC_NODES,
  podField,
  pullSecrets,
  visible,
} from '../pod-parts.js';
import { DAEMON, OPERATOR } from './names.js';
import { resourcesOf } from './resources.js';
import type { NicConfigurationOperatorSpec } from './schema.js';

/** The DaemonSet that configures the NICs of its node (070-config-daemon.yaml). */
export function configurationDaemonSet(
  component: { readonly statusName: string },
  instance: Instance<NicConfigurationOperatorSpec>,
  context: BuildContext,
): KubernetesObject {
  const labels = { 'app.kubernetes.io/name': DAEMON };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: clusterMetadata(DAEMON, context.cluster.namespace, component, labels),
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: {
          annotations: { 'kubectl.kubernetes.io/default-container': DAEMON },
          labels: { 'nvidia.com/nic-configuration-daemon': '', ...labels },
        },
        spec: podSpec(instance, context),
      },
    },
  };
}

function podSpec(instance: Instance<NicConfigurationOperatorSpec>, { gateOf }: BuildContext): PodSpec {
  const { spec } = instance;
  const gate = driverGate(gateOf(instance), { image: imageReference(spec.configurationDaemon), hasShell: true });
  return {
    serviceAccountName: OPERATOR,
    terminationGracePeriodSeconds: 10,
    tolerations: daemonSetTolerations(instance),
    hostNetwork: true,
    nodeSelector: nodeSelector(gate),
    hostPID: true,
    priorityClassName: 'system-node-critical',
    ...(instance.affinity && { affinity: { nodeAffinity: instance.affinity } }),
    ...pullSecrets(spec.configurationDaemon),
    ...gate.waits,
    containers: [container(spec)],
    volumes: [...volumes(spec), ...gate.volumes],
  };
}

/** The operator selects only by the gate's label. Without it the pods would also run on nodes without a NIC. */
function nodeSelector({ nodeSelector: gate }: GateParts): StringMap {
  return Object.keys(gate).length > 0 ? gate : NIC_NODES;
}

function container(spec: NicConfigurationOperatorSpec): Container {
  return {
    image: imageReference(spec.configurationDaemon),
    name: DAEMON,
    securityContext: { privileged: true },
    ...resourcesOf(spec, DAEMON, {
      limits: { memory: '5Gi' },
      requests: { cpu: '100m', memory: '512Mi' },
    }),
    env: visible([
      podField('NODE_NAME', 'spec.nodeName'),
      podField('NAMESPACE', 'metadata.namespace'),
      { name: 'LOG_LEVEL', value: spec.logLevel },
      ...environment(spec.env ?? []),
    ]),
    volumeMounts: [
      { name: 'sys', mountPath: '/sys', readOnly: false },
      { name: 'proc', mountPath: '/proc', readOnly: false },
      { name: 'host', mountPath: '/host' },
      { name: 'dev', mountPath: '/dev' },
      ...(spec.nicFirmwareStorage ? [{ name: 'firmware-cache', mountPath: '/nic-firmware', readOnly: true }] : []),
    ],
  };
}

function volumes({ nicFirmwareStorage: storage }: NicConfigurationOperatorSpec): readonly Volume[] {
  return [
    { name: 'sys', hostPath: { path: '/sys' } },
    { name: 'proc', hostPath: { path: '/proc' } },
    { name: 'host', hostPath: { path: '/' } },
    { name: 'dev', hostPath: { path: '/dev' } },
    ...(storage ? [{ name: 'firmware-cache', persistentVolumeClaim: { claimName: storage.pvcName } }] : []),
  ];
}
