import type { ApiClient } from '../../../shared/kube-client/api-client.js';
import { servedGroups, servedKindsOf } from '../../../shared/kube-client/discovery.js';
import { listAll } from '../../../shared/kube-client/list.js';
import { collectionPath, groupPath } from '../../../shared/kube-client/paths.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import type { GpuOperatorPolicy } from '../../core/model/gpu-operator.js';
import { checking, type OnMalformed } from '../../../shared/kubernetes/shapes/read.js';
import type { ApiClusterPolicy, ApiNvidiaDriver, ApiUpgradePolicy } from '../../../shared/kubernetes/shapes/custom.js';

const GROUP = 'nvidia.com';
const KINDS = [
  {
    ...{ kind: 'ClusterPolicy', version: 'v1', plural: 'clusterpolicies' },
    reader: (onMalformed: OnMalformed) => checking('ClusterPolicy', reduceClusterPolicy, onMalformed),
  },
  {
    ...{ kind: 'NVIDIADriver', version: 'v1alpha1', plural: 'nvidiadrivers' },
    reader: (onMalformed: OnMalformed) => checking('NVIDIADriver', reduceNvidiaDriver, onMalformed),
  },
] as const;

/** All ClusterPolicies and NVIDIADrivers; none where the cluster does not have their CRDs. */
export async function listGpuOperatorPolicies(
  client: ApiClient,
  onMalformed: OnMalformed,
): Promise<Answer<readonly GpuOperatorPolicy[]>> {
  const groups = await servedGroups(client);
  if (groups.kind !== 'ok') return groups;
  const versions = groups.value.find(({ name }) => name === GROUP)?.versions ?? [];
  const found: GpuOperatorPolicy[] = [];
  for (const { kind, version, plural, reader } of KINDS) {
    if (!versions.includes(version)) continue;
    const apiVersion = `${GROUP}/${version}`;
    const kinds = await servedKindsOf(client, apiVersion);
    if (kinds.kind !== 'ok') return kinds;
    // Other programs have kinds of the same group and version.
    if (!kinds.value.some((one) => one.kind === kind && one.plural === plural)) continue;
    const answer = await listAll(client, collectionPath({ group: groupPath(apiVersion), plural }), reader(onMalformed));
    if (answer.kind !== 'ok') return answer;
    found.push(...answer.value.items);
  }
  return { kind: 'ok', value: found };
}

function reduceClusterPolicy({ metadata, spec }: ApiClusterPolicy): GpuOperatorPolicy {
  const { upgradePolicy, useNvidiaDriverCRD } = spec?.driver ?? {};
  return {
    ...{ kind: 'ClusterPolicy', name: metadata?.name ?? '' },
    ...settingsOf(upgradePolicy, { autoUpgrade: false }),
    usesNvidiaDrivers: useNvidiaDriverCRD === true,
    sandboxWorkloads: spec?.sandboxWorkloads?.enabled === true,
  };
}

function reduceNvidiaDriver({ metadata, spec }: ApiNvidiaDriver): GpuOperatorPolicy {
  return {
    ...{ kind: 'NVIDIADriver', name: metadata?.name ?? '' },
    ...settingsOf(spec?.upgradePolicy, { autoUpgrade: true }),
    ...{ usesNvidiaDrivers: false, sandboxWorkloads: false },
  };
}

type Settings = Omit<GpuOperatorPolicy, 'kind' | 'name' | 'usesNvidiaDrivers' | 'sandboxWorkloads'>;

/** With the defaults of the CRDs. That of `autoUpgrade`, in which the kinds differ, also counts where `upgradePolicy` is absent. */
function settingsOf(from: ApiUpgradePolicy | undefined, defaults: ApiUpgradePolicy): Settings {
  const { autoUpgrade = false, maxUnavailable = '25%', drain } = { ...defaults, ...from };
  return { autoUpgrade, maxUnavailable, drain: { enable: drain?.enable === true } };
}
