import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (spec: string) => policyText('NicClusterPolicy', 'nic-cluster-policy', spec);
const cluster = (spec: string) => clusterText(`  release: v26.4\n${spec}  nodePools:\n${UBUNTU_POOL}`);
const object = (kind: string, name: string, more = '') =>
  `---\napiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}}\n${more}`;
const TELEMETRY = policy('  docaTelemetryService: {config: {fromConfigMap: own-telemetry}}\n');
const STORAGE = policy('  nicConfigurationOperator: {nicFirmwareStorage: {create: false, pvcName: firmware}}\n');
const ENV = policy(
  '  ofedDriver: {env: [{name: A, value: b}, {name: B, valueFrom: {configMapKeyRef: {name: proxy, key: url}}}]}\n',
);
const NFD = cluster('  nodeFeatureDiscovery: {deploy: true, worker: {serviceAccount: {create: false, name: nfd}}}\n');
const CLAIM = 'spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}\n';
const saidOfTelemetry =
  'policy.yaml:6:50 `docaTelemetryService.config.fromConfigMap` names the ConfigMap `own-telemetry`, which no document defines in namespace `nvidia-network-operator`';

testRule('WEFT0269', {
  valid: [
    { name: 'the default configuration', policy: policy('  docaTelemetryService: {}\n') },
    {
      name: 'the ConfigMap in the input',
      policy: `${TELEMETRY}${object('ConfigMap', 'own-telemetry', 'data: {dts_config_map.ini: a}\n')}`,
    },
    {
      name: 'the ConfigMap in the cluster',
      cluster: cluster('  existingConfigMaps: [{name: own-telemetry, keys: [dts_config_map.ini]}]\n'),
      policy: TELEMETRY,
    },
    { name: 'a claim that is made', policy: STORAGE.replace('create: false', 'create: true') },
    { name: 'a claim that is said to exist', policy: STORAGE },
    { name: 'a claim in the input', policy: `${STORAGE}${object('PersistentVolumeClaim', 'firmware', CLAIM)}` },
    { name: 'a variable that may be missing', policy: ENV.replace('key: url', 'key: url, optional: true') },
    { name: 'an account in the input', cluster: NFD, policy: object('ServiceAccount', 'nfd') },
    { name: 'an account that is said to exist', cluster: NFD, policy: policy('  nvIpam: {}\n') },
    {
      name: 'an account of a program that is not rendered',
      cluster: NFD.replace('worker: {', 'worker: {enable: false, '),
      policy: policy('  nvIpam: {}\n'),
    },
  ],
  invalid: [
    {
      name: 'a ConfigMap that is nowhere',
      policy: TELEMETRY,
      expected: [saidOfTelemetry],
      help: 'add it; where something else keeps the ConfigMap in `nvidia-network-operator`, name it under `spec.existingConfigMaps` of the Cluster',
    },
    {
      name: 'a ConfigMap of almost that name',
      policy: `${TELEMETRY}${object('ConfigMap', 'own-telemetri', 'data: {dts_config_map.ini: a}\n')}`,
      expected: [saidOfTelemetry],
      help: 'did you mean `own-telemetri`?',
    },
    {
      name: 'a ConfigMap without the key',
      policy: `${TELEMETRY}${object('ConfigMap', 'own-telemetry', 'data: {dts_config.ini: a}\n')}`,
      expected: [
        'policy.yaml:6:50 `docaTelemetryService.config.fromConfigMap` names the ConfigMap `own-telemetry`, of which pods read the key `dts_config_map.ini`, and it has no such key',
      ],
      help: 'did you mean `dts_config.ini`?',
    },
    {
      name: 'a claim that is not made and in another namespace',
      policy: `${STORAGE}${object('PersistentVolumeClaim', 'firmware, namespace: default', CLAIM)}`,
      expected: [
        'policy.yaml:6:75 `nicConfigurationOperator.nicFirmwareStorage.pvcName` names the PersistentVolumeClaim `firmware`, which no document defines in namespace `nvidia-network-operator`',
      ],
      help: 'it is in another namespace, where pods do not find it',
    },
    {
      name: 'a variable of the driver',
      policy: ENV,
      expected: [
        'policy.yaml:6:89 `ofedDriver.env[1].valueFrom.configMapKeyRef.name` names the ConfigMap `proxy`, which no document defines in namespace `nvidia-network-operator`',
      ],
    },
    {
      name: 'an account of an add-on of almost that name',
      cluster: NFD,
      policy: object('ServiceAccount', 'nfds'),
      expected: [
        'cluster.yaml:7:87 `nodeFeatureDiscovery.worker.serviceAccount.name` names the ServiceAccount `nfd`, which no document defines in namespace `nvidia-network-operator`',
      ],
    },
  ],
});
