import type { Values } from './example.js';

const cpu = (millis: number) => ({ cpu: `${millis}m`, memory: `${millis}Mi` });

/** Names of containers, in the order of the sections that have `containerResources`. */
const CONTAINERS: Readonly<Record<string, string>> = {
  docaTelemetryService: 'doca-telemetry-service',
  ibKubernetes: 'ib-kubernetes',
  configurationDaemon: 'nic-configuration-daemon',
  operator: 'nic-configuration-operator',
  nicFeatureDiscovery: 'nic-feature-discovery',
  nvIpam: 'nv-ipam-node',
  ofedDriver: 'mofed-container',
  rdmaSharedDevicePlugin: 'rdma-shared-dp',
  cniPlugins: 'cni-plugins',
  ipoib: 'ipoib-cni',
  multus: 'kube-multus',
  spectrumXOperator: 'spectrum-x-flowcontroller',
  xPlane: 'spectrum-x-flowcontroller',
  sriovDevicePlugin: 'kube-sriovdp',
};

/** Values that the webhook, Kubernetes or the plugins require, by the field's path in the CRD. */
export const values: Values = [
  [/\.ofedDriver\.version$/, () => 'doca3.4.0-26.04-0.8.6.0-0'],
  [/\.repository$/, (unique) => `registry.example.com/repository-${unique}`],
  [/\.(ofedDriver\.)?(certConfig|repoConfig)\.name$/, (unique) => `config-map-${unique}`],
  ...Object.entries(CONTAINERS).map(
    ([section, name]) => [new RegExp(`\\.${section}\\.containerResources\\[\\]\\.name$`), () => name] as const,
  ),
  [/\.limits$/, (unique) => cpu(unique + 5000)],
  [/\.requests$/, cpu],
  [/\.divisor$/, (unique) => `${unique}m`],
  [/\.pKeyGUIDPoolRangeStart$/, () => '02:00:00:00:00:00:00:01'],
  [/\.pKeyGUIDPoolRangeEnd$/, () => '02:00:00:00:00:00:FF:FE'],
  [/\.availableStorageSize$/, (unique) => `${unique}Gi`],
  [/\.nicFirmwareStorage\.create$/, () => true],
  [/olerations\[\]\.operator$/, () => 'Equal'],
  [/olerations\[\]\.effect$/, () => 'NoExecute'],
  [/match(Expressions|Fields)\[\]\.operator$/, () => 'In'],
  [/\.matchFields\[\]\.key$/, () => 'metadata.name'],
  [/\.weight$/, () => 77],
  [/\.upgradePolicy\.(autoUpgrade|safeLoad)$/, () => true],
  [/\.podSelector$/, (unique) => `app=text-${unique}`],
  [
    /\.rdmaSharedDevicePlugin\.config$/,
    (unique) => `{"configList":[{"resourceName":"rdma_${unique}","rdmaHcaMax":1,"devices":["eth0"]}]}`,
  ],
  [
    /\.sriovDevicePlugin\.config$/,
    (unique) => `{"resourceList":[{"resourceName":"sriov_${unique}","selectors":{"vendors":["15b3"]}}]}`,
  ],
  [/\.multus\.config$/, (unique) => `{"type":"multus","name":"multus-${unique}","clusterNetwork":"default"}`],
  [/\.ipam$/, (unique) => `{"type":"ipam-${unique}"}`],
  [/\.metaPlugins$/, (unique) => `{"type":"meta-${unique}"}`],
  [/\.nodeSelector$/, () => ({ 'example.com/pool': 'text-of-pool' })],
  [/^spec\.(labels|annotations)$/, (unique) => ({ [`key-${unique}`]: `text-${unique}` })],
];

const anyCustom: Values = [
  [/\.(cidr|subnet)$/, () => '10.0.0.0/16'],
  [/\.perNodeNetworkPrefix$/, () => 24],
  [/\.perNodeBlockSize$/, () => 200],
  [/\.gatewayIndex$/, () => 1],
  [/\.prefix$/, () => '10.0.7.0/24'],
  [/\.staticAllocations\[\]\.gateway$/, () => '10.0.7.1'],
  [/\.gateway$/, () => '10.0.0.1'],
  [/\.startIP$/, () => '10.0.0.10'],
  [/\.endIP$/, () => '10.0.0.20'],
  [/\.(startIndex|endIndex)$/, () => 100],
  [/\.dst$/, () => '10.1.0.0/16'],
  [/match(Expressions|Fields)\[\]\.operator$/, () => 'In'],
  [/\.matchFields\[\]\.key$/, () => 'metadata.name'],
  [/\.pciAddresses\[\]$/, () => '0000:08:00.0'],
  [/\.pfc$/, () => '1,0,0,0,0,0,0,1'],
  [/\.priority$/, () => 5],
  [/^spec\.numVfs$/, () => 8],
  [/^spec\.deviceType$/, () => 'netdevice'],
  [/\.maxUnavailable$/, () => 3],
  [/\.ovsHardwareOffloadConfig\.name$/, () => ''],
  [/^spec\.config$/, () => '{"type":"macvlan"}'],
  [/^spec\.(?:ipam|metaPlugins)$/, () => '{"type":"static"}'],
  [/^spec\.capabilities$/, () => '{"ips":true}'],
  // Quality and protocol of a VLAN need its id.
  [/^spec\.vlan$/, () => 5],
  [/^spec\.minTxRate$/, () => 1],
];

/** Values for the kinds that components install. Some fields exclude others, so each field is in at least one of these. */
export const customValues: readonly Values[] = [
  [
    ...anyCustom,
    [/\.(networkBay|roceOptimized|cidrPoolRef)$/, () => undefined],
    [/\.nicType$/, () => '1023'],
    [/\.template\.linkType$/, () => 'Ethernet'],
    [/\.template\.numVfs$/, () => 1],
    [/^spec\.(nicSelector\.netFilter|externallyManaged)$/, () => undefined],
    [/^spec\.nicSelector\.vendor$/, () => '15b3'],
    [/^spec\.linkType$/, () => 'eth'],
    [/^spec\.eSwitchMode$/, () => 'switchdev'],
  ],
  [
    ...anyCustom,
    [/^spec\.(nicSelector\.(vendor|deviceID|pfNames|rootDevices)|eSwitchMode|vdpaType|bridge)$/, () => undefined],
    [/\.(linkType|spectrumXOptimized|ipam)$/, () => undefined],
    [/\.nicType$/, () => '1025'],
  ],
];

/** Fields that are read and do not appear in manifests, each with its reason. */
export const withoutPlace: readonly { readonly field: RegExp; readonly reason: string }[] = [
  {
    field: /\.upgradePolicy\.(?!safeLoad$)/,
    reason: 'the companion reads it, and no version of the operator puts it into a manifest',
  },
  { field: /^spec\.(labels|annotations)\./, reason: 'the operator reads them and uses them nowhere' },
  {
    field: /\.forcePrecompiled$/,
    reason: 'decides whether a pool without a precompiled image is an error; where there is one, it is used anyway',
  },
  {
    field: /\.xPlane\.containerResources\[\]/,
    reason: 'the operator never uses them; a warning says so',
  },
];

/** Other values for fields whose value cannot be a unique text. */
export const alternatives: readonly (readonly [field: RegExp, value: unknown])[] = [
  [/olerations\[\]\.operator$/, ''],
  [/olerations\[\]\.effect$/, 'NoSchedule'],
  [/match(Expressions|Fields)\[\]\.operator$/, 'NotIn'],
  [/\.weight$/, 78],
  [/\.logLevel$/, 'info'],
  [/\.mode$/, 'bridge'],
];
