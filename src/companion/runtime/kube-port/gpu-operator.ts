import type { ApiClient } from '../../../shared/kube-client/api-client.js';
import { listServed } from '../../../shared/kube-client/discovery.js';
import { collectionPath } from '../../../shared/kube-client/paths.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import type { GpuOperatorPolicy } from '../../model/gpu-operator.js';
import { SHAPES } from '../../../shared/kubernetes/shapes/kinds.js';
import { checking, type OnMalformed } from '../../../shared/kubernetes/shapes/read.js';
import type { ApiClusterPolicy, ApiNvidiaDriver, ApiUpgradePolicy } from '../../../shared/kubernetes/shapes/custom.js';

/** All ClusterPolicies and NVIDIADrivers; none where the cluster does not have their CRDs. */
export async function listGpuOperatorPolicies(
  client: ApiClient,
  onMalformed: OnMalformed,
): Promise<Answer<readonly GpuOperatorPolicy[]>> {
  const found: GpuOperatorPolicy[] = [];
  for (const [kind, reduce] of [
    [SHAPES.ClusterPolicy, checking('ClusterPolicy', reduceClusterPolicy, onMalformed)],
    [SHAPES.NVIDIADriver, checking('NVIDIADriver', reduceNvidiaDriver, onMalformed)],
  ] as const) {
    const answer = await listServed(client, kind, collectionPath, reduce);
    if (answer.kind !== 'ok') return answer;
    found.push(...answer.value.items);
  }
  return { kind: 'ok', value: found };
}

export function reduceClusterPolicy({ metadata, spec }: ApiClusterPolicy): GpuOperatorPolicy {
  const { upgradePolicy, useNvidiaDriverCRD } = spec?.driver ?? {};
  return {
    kind: 'ClusterPolicy',
    name: metadata?.name ?? '',
    ...settingsOf(upgradePolicy, { autoUpgrade: false }),
    usesNvidiaDrivers: useNvidiaDriverCRD === true,
    sandboxWorkloads: spec?.sandboxWorkloads?.enabled === true,
  };
}

export function reduceNvidiaDriver({ metadata, spec }: ApiNvidiaDriver): GpuOperatorPolicy {
  return {
    kind: 'NVIDIADriver',
    name: metadata?.name ?? '',
    ...settingsOf(spec?.upgradePolicy, { autoUpgrade: true }),
    usesNvidiaDrivers: false,
    sandboxWorkloads: false,
  };
}

type Settings = Omit<GpuOperatorPolicy, 'kind' | 'name' | 'usesNvidiaDrivers' | 'sandboxWorkloads'>;

/** With the defaults of the CRDs. That of `autoUpgrade`, in which the kinds differ, also counts where `upgradePolicy` is absent. */
function settingsOf(from: ApiUpgradePolicy | undefined, defaults: ApiUpgradePolicy): Settings {
  const { autoUpgrade = false, maxUnavailable = '25%', drain } = { ...defaults, ...from };
  return { autoUpgrade, maxUnavailable, drain: { enable: drain?.enable === true } };
}
