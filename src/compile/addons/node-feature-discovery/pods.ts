import { fullName, selectorLabels } from '../chart-names.js';
import { podField } from '../../components/pod-parts.js';
import { sha256 } from '../../../shared/lib/hash.js';
import { compareText, type JsonObject } from '../../../shared/lib/json.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { toYaml } from '../../render/yaml/yaml.js';
import { meta, type Parts } from './names.js';
import { accountName } from './rbac.js';
import type { DiscoverySection } from './schema.js';

type Spec = DiscoverySection;
type Program = Spec['master'] | Spec['worker'] | Spec['gc'] | Spec['topologyUpdater'];

/** Names, labels and arguments of the pods of one program. */
export interface Role {
  /** Value of the label `role`, name of the container, and end of the object's name. */
  readonly role: 'master' | 'worker' | 'gc' | 'topology-updater';
  readonly program: Program;
  /** Suffix of the ServiceAccount's name when the section names none. */
  readonly accountSuffix: string;
  readonly args: readonly string[];
  readonly env?: readonly object[];
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly volumes?: readonly object[];
  readonly volumeMounts?: readonly object[];
  readonly priorityClassName?: string;
}

const MOUNT_PATH = '/etc/kubernetes/node-feature-discovery';

const NODE_NAME = podField('NODE_NAME', 'spec.nodeName');
export const NODE_ADDRESS = podField('NODE_ADDRESS', 'status.hostIP');
export const POD_ENV = [podField('POD_NAME', 'metadata.name'), podField('POD_UID', 'metadata.uid')];

/** One flag for each feature gate. */
export function featureGateFlags({ spec }: Parts): readonly string[] {
  return Object.entries(spec.featureGates)
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, isOn]) => `-feature-gates=${name}=${isOn}`);
}

function configName(parts: Parts, { role }: Role): string {
  return fullName(parts, `-${role}-conf`);
}

/** The ConfigMap with the configuration file of a program; empty if it has none. */
export function configMaps(parts: Parts, role: Role): readonly KubernetesObject[] {
  if (role.config === undefined) return [];
  const data = { [`nfd-${role.role}.conf`]: configText(role.config) };
  return [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: meta(parts, configName(parts, role)), data }];
}

export function selectorOf(parts: Parts, { role }: Role): { readonly matchLabels: Readonly<Record<string, string>> } {
  return { matchLabels: { ...selectorLabels(parts), role } };
}

function configText(config: object): string {
  return toYaml(config as JsonObject);
}

/** The programs read their file once, so a change must replace the pods. */
export function podTemplate(parts: Parts, role: Role): object {
  const { program, config } = role;
  const checksum = config === undefined ? {} : { 'checksum/config': sha256(configText(config)) };
  const annotations = { ...checksum, ...program.annotations };
  return {
    metadata: {
      labels: { ...selectorOf(parts, role).matchLabels, ...program.labels },
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
    spec: podSpec(parts, role),
  };
}

function filled(fields: Readonly<Record<string, unknown>>): object {
  const isEmpty = (value: unknown) =>
    value === undefined ||
    value === '' ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function podSpec(parts: Parts, role: Role): object {
  const { spec } = parts;
  const { program, accountSuffix } = role;
  const isMaster = role.role === 'master';
  return filled({
    serviceAccountName: accountName(parts, program.serviceAccount, accountSuffix),
    enableServiceLinks: isMaster ? false : undefined,
    hostNetwork: program.hostNetwork,
    hostUsers: program.hostUsers,
    dnsPolicy: program.dnsPolicy,
    imagePullSecrets: [...new Set(spec.imagePullSecrets.map(({ name }) => name))].map((name) => ({ name })),
    priorityClassName: role.priorityClassName || spec.priorityClassName,
    securityContext: program.podSecurityContext,
    initContainers: program.initContainers,
    containers: [container(parts, role)],
    nodeSelector: program.nodeSelector,
    affinity: program.affinity,
    tolerations: program.tolerations,
    volumes: [...(role.volumes ?? []), ...configVolumes(parts, role)],
  });
}

function container({ spec, image }: Parts, role: Role): object {
  const { program } = role;
  return filled({
    name: role.role,
    image,
    imagePullPolicy: spec.image.pullPolicy,
    command: [`nfd-${role.role}`],
    args: [...role.args, ...program.extraArgs],
    env: [NODE_NAME, ...(role.env ?? []), ...program.extraEnvs],
    ports: [{ name: 'http', containerPort: program.port }],
    startupProbe: 'startupProbe' in program ? probe(program.startupProbe) : undefined,
    livenessProbe: probe(program.livenessProbe),
    readinessProbe: probe(program.readinessProbe),
    resources: filled(program.resources),
    securityContext: program.securityContext,
    volumeMounts: [...(role.volumeMounts ?? []), ...configMounts(role)],
  });
}

/** The chart leaves out numbers that are zero. */
function probe(given: Readonly<Record<string, number | undefined>>): object {
  const numbers = Object.entries(given).filter(([, value]) => value !== undefined && value !== 0);
  return { httpGet: { path: '/healthz', port: 'http' }, ...Object.fromEntries(numbers) };
}

function configVolumes(parts: Parts, role: Role): readonly object[] {
  if (role.config === undefined) return [];
  const file = `nfd-${role.role}.conf`;
  const items = [{ key: file, path: file }];
  return [{ name: `nfd-${role.role}-conf`, configMap: { name: configName(parts, role), items } }];
}

function configMounts(role: Role): readonly object[] {
  if (role.config === undefined) return [];
  return [{ name: `nfd-${role.role}-conf`, mountPath: MOUNT_PATH, readOnly: true }];
}

const hostPath = (name: string, path: string) => ({ name, hostPath: { path } });

/** A read-only folder of the node. */
function readOnly(name: string, path: string, mountPath: string) {
  return { volume: hostPath(name, path), mount: { name, mountPath, readOnly: true } };
}

/** The folders that the worker reads. */
export function workerMounts(mountUsrSrc: boolean): Required<Pick<Role, 'volumes' | 'volumeMounts'>> {
  const all = [
    readOnly('host-boot', '/boot', '/host-boot'),
    readOnly('host-os-release', '/etc/os-release', '/host-etc/os-release'),
    readOnly('host-sys', '/sys', '/host-sys'),
    readOnly('host-usr-lib', '/usr/lib', '/host-usr/lib'),
    readOnly('host-lib', '/lib', '/host-lib'),
    readOnly('host-proc-swaps', '/proc/swaps', '/host-proc/swaps'),
    ...(mountUsrSrc ? [readOnly('host-usr-src', '/usr/src', '/host-usr/src')] : []),
    readOnly('features-d', `${MOUNT_PATH}/features.d/`, `${MOUNT_PATH}/features.d/`),
  ];
  return { volumes: all.map(({ volume }) => volume), volumeMounts: all.map(({ mount }) => mount) };
}

/** The folders that the topology updater reads. */
export function updaterMounts(updater: Spec['topologyUpdater']): Required<Pick<Role, 'volumes' | 'volumeMounts'>> {
  const { kubeletConfigPath, kubeletPodResourcesSockPath, kubeletStateDir } = updater;
  const socket = kubeletPodResourcesSockPath || '/var/lib/kubelet/pod-resources/kubelet.sock';
  const hasConfig = kubeletConfigPath !== '';
  const hasState = kubeletStateDir !== '';
  return {
    volumes: [
      hostPath('host-sys', '/sys'),
      ...(hasConfig ? [hostPath('kubelet-config', kubeletConfigPath)] : []),
      hostPath('kubelet-podresources-sock', socket),
      ...(hasState ? [hostPath('kubelet-state-files', kubeletStateDir)] : []),
    ],
    volumeMounts: [
      ...(hasConfig ? [{ name: 'kubelet-config', mountPath: '/host-var/kubelet-config' }] : []),
      { name: 'kubelet-podresources-sock', mountPath: UPDATER_SOCKET },
      { name: 'host-sys', mountPath: '/host-sys' },
      ...(hasState ? [{ name: 'kubelet-state-files', mountPath: '/host-var/lib/kubelet', readOnly: true }] : []),
    ],
  };
}

export const UPDATER_SOCKET = '/host-var/lib/kubelet-podresources/kubelet.sock';
