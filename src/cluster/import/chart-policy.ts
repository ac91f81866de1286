import { mapAt, without, type ChartValues } from '../../compile/addons/values.js';
import { CLUSTER_POLICY_NAME } from '../../compile/config/kinds/policies.js';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { NETWORK_OPERATOR_API_VERSION } from '../../shared/contract/network-operator.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { isObject, listAt, withoutEmpty } from '../../shared/lib/json.js';
import { mergeValues } from './merge-values.js';

/**
 * The NicClusterPolicy that charts up to v24.7 make of their values with `deployCR: true`; `undefined` without. Images that are not set are those
 * of the release (deployment/network-operator/templates/mellanox.com_v1alpha1_nicclusterpolicy_cr.yaml and values.yaml of network-operator v24.7.0).
 */
export function policyOfChart(given: ChartValues): NamedObject | undefined {
  if (given['deployCR'] !== true) return undefined;
  const values = mergeValues(DEFAULTS, given);
  const spec = withoutAbsent({
    ...pick(values, ['nodeAffinity', 'tolerations']),
    ofedDriver: deployed(values, 'ofedDriver', DRIVER),
    rdmaSharedDevicePlugin: deployed(values, 'rdmaSharedDevicePlugin', (section) => ({
      ...pick(section, ['useCdi']),
      config: { configList: listAt(section, 'resources').map(rdmaResource) },
    })),
    sriovDevicePlugin: deployed(values, 'sriovDevicePlugin', (section) => ({
      ...pick(section, ['useCdi']),
      config: { resourceList: listAt(section, 'resources').map(sriovResource) },
    })),
    ibKubernetes: deployed(values, 'ibKubernetes', (section) =>
      pick(section, ['pKeyGUIDPoolRangeStart', 'pKeyGUIDPoolRangeEnd', 'ufmSecret']),
    ),
    secondaryNetwork: secondaryNetworkOf(values),
    nvIpam: deployed(values, 'nvIpam', (section) => pick(section, ['enableWebhook'])),
    nicFeatureDiscovery: deployed(values, 'nicFeatureDiscovery'),
    docaTelemetryService: deployed(values, 'docaTelemetryService'),
  });
  return {
    apiVersion: NETWORK_OPERATOR_API_VERSION,
    kind: 'NicClusterPolicy',
    metadata: { name: CLUSTER_POLICY_NAME },
    spec,
  };
}

/** What there is to say of values with a policy. */
export function oldChartFindings(given: ChartValues): readonly Diagnostic[] {
  if (given['deployCR'] !== true) return [];
  const isSaid = (values: ChartValues, key: string) => mapAt(values, key)['deploy'] !== undefined;
  const isIpamSaid = isSaid(given, 'nvIpam') || isSaid(mapAt(given, 'secondaryNetwork'), 'ipamPlugin');
  const old = diagnostic('WEFT0570', {
    message: 'the values are of a chart up to v24.7, which makes the NicClusterPolicy of them (`deployCR`)',
    help: 'the folder has that policy for its `release`; if an operator of that age still runs, upgrade it to v26.4 first, in the steps that NVIDIA supports, and import then',
  });
  const ipam = diagnostic('WEFT0564', {
    message: 'what gives addresses is not known: charts up to v24.1 install whereabouts by default, and v24.7 NV-IPAM',
    help: 'add `nvIpam` or `secondaryNetwork.ipamPlugin` to the policy',
  });
  return isIpamSaid ? [old] : [old, ipam];
}

const DRAIN = { enable: true, force: true, timeoutSeconds: 300, deleteEmptyDir: true };

/** What the chart has where the values say nothing. */
const DEFAULTS: ChartValues = {
  ofedDriver: { upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: 1, drain: DRAIN } },
  rdmaSharedDevicePlugin: {
    deploy: true,
    resources: [{ name: 'rdma_shared_device_a', vendors: ['15b3'], rdmaHcaMax: 63 }],
  },
  sriovDevicePlugin: { resources: [{ name: 'hostdev', vendors: ['15b3'] }] },
  secondaryNetwork: { deploy: true, cniPlugins: { deploy: true }, multus: { deploy: true } },
};

type SectionOf = (section: ChartValues) => ChartValues;

const DRIVER: SectionOf = (section) =>
  pick(section, [
    ...['forcePrecompiled', 'env', 'terminationGracePeriodSeconds', 'upgradePolicy'],
    ...['startupProbe', 'livenessProbe', 'readinessProbe'],
    ...['certConfig', 'repoConfig'].filter((key) => mapAt(section, key)['name']),
  ]);

/** A section with its image; `undefined` where it is not deployed. */
function deployed(values: ChartValues, key: string, of: SectionOf = () => ({})): ChartValues | undefined {
  const section = mapAt(values, key);
  if (section['deploy'] !== true) return undefined;
  // The values of a section go before those of all.
  const secrets = [section['imagePullSecrets'], values['imagePullSecrets']].find((one) => listAt(one).length > 0);
  return {
    ...pick(section, ['image', 'repository', 'version', 'containerResources']),
    ...(secrets !== undefined && { imagePullSecrets: secrets }),
    ...of(section),
  };
}

function secondaryNetworkOf(values: ChartValues): ChartValues | undefined {
  const section = mapAt(values, 'secondaryNetwork');
  if (section['deploy'] !== true) return undefined;
  const inner = { ...section, imagePullSecrets: values['imagePullSecrets'] };
  return withoutAbsent({
    cniPlugins: deployed(inner, 'cniPlugins'),
    multus: deployed(inner, 'multus', (multus) => (multus['config'] ? pick(multus, ['config']) : {})),
    // Its template has no pull secrets.
    ipoib: deployed(without(inner, 'imagePullSecrets'), 'ipoib'),
    ipamPlugin: deployed(inner, 'ipamPlugin'),
  });
}

const RDMA_SELECTORS = ['vendors', 'deviceIDs', 'drivers', 'ifNames', 'linkTypes'];
const SRIOV_SELECTORS = ['vendors', 'devices', 'drivers', 'pfNames', 'pciAddresses', 'rootDevices', 'linkTypes'];

function rdmaResource(resource: unknown): unknown {
  if (!isObject(resource)) return resource;
  return {
    resourceName: resource['name'],
    rdmaHcaMax: resource['rdmaHcaMax'] ?? 63,
    selectors: withoutEmpty(pick(resource, RDMA_SELECTORS)),
  };
}

function sriovResource(resource: unknown): unknown {
  if (!isObject(resource)) return resource;
  return {
    resourcePrefix: 'nvidia.com',
    resourceName: resource['name'],
    selectors: { ...withoutEmpty(pick(resource, SRIOV_SELECTORS)), isRdma: true },
  };
}

function pick(values: ChartValues, keys: readonly string[]): ChartValues {
  const isSet = (key: string) => Object.hasOwn(values, key) && values[key] !== null;
  return Object.fromEntries(keys.filter(isSet).map((key) => [key, values[key]]));
}

function withoutAbsent(sections: ChartValues): ChartValues {
  return Object.fromEntries(Object.entries(sections).filter(([, section]) => section !== undefined));
}
