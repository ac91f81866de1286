import {
  isGpuDriver,
  nodeUpgradePolicies,
  type DriverPolicyOf,
  type UpgradePolicy,
} from '../../shared/contract/upgrade-policy.js';
import {
  changed,
  drainSettingNotes,
  hasSeveralDrivers,
  ofDriver,
  sectionsOf,
  setting,
  settingNotes,
  STAYS,
  type Section,
} from './setting-notes.js';

type GpuDriver = DriverPolicyOf<'gpu' | 'gpu-operator'>;

/** What the companion does for the GPU driver after a change that it does not do before, or the other way round. */
export function gpuDriverNotes(before: UpgradePolicy | undefined, after: UpgradePolicy | undefined): readonly string[] {
  const [from, to] = [gpuDriverIn(before), gpuDriverIn(after)];
  if (from === undefined) return to === undefined ? [] : [newText(to)];
  if (to === undefined) return [goneText(from)];
  return [
    ...changed(from.kind, to.kind, () => switchText(to)),
    ...placeNotes(from, to),
    ...ofDriver(to, hasSeveralDrivers(before, after), sectionNotes(from, to)),
  ];
}

/** The GPU driver of a policy, whichever program restarts it. */
function gpuDriverIn(policy: UpgradePolicy | undefined): GpuDriver | undefined {
  return policy?.drivers.find(isGpuDriver);
}

function sectionNotes(before: GpuDriver, after: GpuDriver): readonly string[] {
  const [from] = sectionsOf(before);
  const [to] = sectionsOf(after);
  if (from === undefined || to === undefined) return [];
  return [
    ...podNotes(from.podDeletion, to.podDeletion),
    ...drainNotes(from.drain, to.drain),
    ...settingNotes(from, to),
  ];
}

const isOfOperator = ({ kind }: GpuDriver): boolean => kind === 'gpu-operator';

function newText(driver: GpuDriver): string {
  if (nodeUpgradePolicies(driver).every(({ autoUpgrade }) => !autoUpgrade))
    return 'the GPU driver is new, without `autoUpgrade`: the companion upgrades it on no node';
  return isOfOperator(driver)
    ? 'the companion takes the nodes out whose GPU driver the GPU operator wants to upgrade; the ClusterPolicy needs `maxUnavailable: "0%"`, or ' +
        'the operator begins nodes by itself'
    : `the companion upgrades the GPU driver of namespace \`${driver.namespace}\` on its nodes, and evicts the pods that hold a GPU`;
}

function goneText(driver: GpuDriver): string {
  const who = isOfOperator(driver)
    ? 'the companion takes no node out for the GPU operator any more, which begins none either with `maxUnavailable: "0%"`'
    : 'the companion upgrades the GPU driver no more';
  return `${who}; ${STAYS}`;
}

function switchText(driver: GpuDriver): string {
  const who = isOfOperator(driver)
    ? 'the GPU operator restarts the GPU driver, on nodes that the companion has taken out; the ClusterPolicy needs `maxUnavailable: "0%"`'
    : 'the companion restarts the GPU driver, and does nothing for it while the GPU operator runs';
  return `${who}; ${STAYS}`;
}

/** Where the driver and its pods are found. */
function placeNotes(before: GpuDriver, after: GpuDriver): readonly string[] {
  const fields = ['namespace', 'daemonSetSelector', 'podSelector', 'containerName', 'validationPodSelector'] as const;
  return fields.flatMap((field) =>
    changed(before[field], after[field], (to = 'none', from = 'none') =>
      setting(`\`${field}\` of the GPU driver`, to, from),
    ),
  );
}

type PodDeletion = Section['podDeletion'];

function podNotes(before: PodDeletion, after: PodDeletion): readonly string[] {
  return [
    ...changed(before.force, after.force, (to) =>
      to
        ? '`gpuPodDeletion.force` is set: pods without a controller that hold a GPU are evicted, and nothing creates them again'
        : '`gpuPodDeletion.force` is not set any more: nodes where a pod without a controller holds a GPU are drained, or fail',
    ),
    ...changed(before.deleteEmptyDir, after.deleteEmptyDir, (to) =>
      to
        ? '`gpuPodDeletion.deleteEmptyDir` is set: pods with local data that hold a GPU are evicted, and lose it'
        : '`gpuPodDeletion.deleteEmptyDir` is not set any more: nodes where a pod with local data holds a GPU are drained, or fail',
    ),
    ...changed(before.podSelector, after.podSelector, (to = 'none', from = 'none') =>
      setting('pods that are evicted although they ask for no GPU', to, from),
    ),
    ...changed(before.timeoutSeconds, after.timeoutSeconds, (to, from) =>
      setting('seconds after which a node whose pods still hold a GPU is drained, or fails', limit(to), limit(from)),
    ),
  ];
}

const limit = (seconds: number): string | number => (seconds === 0 ? 'never' : seconds);

function drainNotes(before: Section['drain'], after: Section['drain']): readonly string[] {
  const others = 'nodes where other pods hold a GPU fail';
  if (before.enable !== after.enable) {
    if (!after.enable) return ['nodes where pods still hold a GPU fail: they are not drained any more'];
    const unset = { podSelector: '', force: false, deleteEmptyDir: false };
    return [
      'nodes where pods still hold a GPU are drained',
      ...drainSettingNotes({ ...after, ...unset }, after, others),
    ];
  }
  return after.enable ? drainSettingNotes(before, after, others) : [];
}
