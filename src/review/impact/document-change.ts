import { groupOf, identityOf } from '../../shared/kubernetes/identity.js';
import { isDeliveryAnnotation, isDeliveryLabel } from '../../shared/contract/labels.js';
import { listedNames } from '../../shared/lib/listed.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { isObject, listAt, valueAt } from '../../shared/lib/json.js';
import type { Config } from '../../compile/model/config.js';
import type { ObjectChange } from '../../cluster/changes/objects.js';
import type { DriverSet } from './driver-sets.js';
import { changedMarks } from './marks.js';
import { touches } from './refused.js';

/** Identities of the objects that go from documents to the output as they are. */
export function documentsOf({ passthrough }: Config): ReadonlySet<string> {
  return new Set(passthrough.map(({ object }) => identityOf(object as KubernetesObject)));
}

/** What a change does beyond what its fields show. */
export interface Alarm {
  readonly impact: 'driver-loss' | 'rights';
  /** Without a full stop. */
  readonly note: string;
}

const NFD_RULES: ReadonlySet<string> = new Set(['NodeFeatureRule.nfd.k8s-sigs.io', 'NodeFeatureRule.nfd.openshift.io']);

/** Kinds of documents, with their API groups, that do no more than the class of their change says. */
const KNOWN: ReadonlySet<string> = new Set([
  ...NFD_RULES,
  'NetworkAttachmentDefinition.k8s.cni.cncf.io',
  'CIDRPool.nv-ipam.nvidia.com',
  'IPPool.nv-ipam.nvidia.com',
  'OVSNetwork.sriovnetwork.openshift.io',
  'SriovIBNetwork.sriovnetwork.openshift.io',
  'SriovNetwork.sriovnetwork.openshift.io',
  'SriovNetworkNodePolicy.sriovnetwork.openshift.io',
  'SriovNetworkPoolConfig.sriovnetwork.openshift.io',
  'NicConfigurationTemplate.configuration.net.nvidia.com',
  'NicFirmwareTemplate.configuration.net.nvidia.com',
  'NodeMaintenance.maintenance.nvidia.com',
]);

const UNKNOWN = 'goes to the cluster as the document has it, and Weft does not know what it does: review it as code';
const TAKES_DRIVERS =
  'sets labels that driver DaemonSets select nodes by, labels that a template names, or taints: driver pods may end without a drain';

/**
 * What the change of an object does that goes from a document to the output as it is, and is applied with the rights of the delivery
 * tool. An allowlist: what is not known is for a person to judge.
 *
 * @param drivers DaemonSets of drivers of both sides
 */
export function documentAlarms(change: ObjectChange, drivers: readonly DriverSet[]): readonly Alarm[] {
  if (change.kind === 'removed') return [];
  const { to } = change;
  const type = `${to.kind}.${groupOf(to)}`;
  if (!KNOWN.has(type)) return [{ impact: 'rights', note: UNKNOWN }];
  const takesDrivers = NFD_RULES.has(type) && takesDriversOf(drivers, sidesOf(change));
  return [
    ...(takesDrivers ? [{ impact: 'driver-loss', note: TAKES_DRIVERS } as const] : []),
    ...deliveryAlarms(change),
  ];
}

const FIELDS = ['metadata.ownerReferences', 'metadata.finalizers'];
const SHOWN = 5;

function deliveryAlarms(change: Exclude<ObjectChange, { readonly kind: 'removed' }>): readonly Alarm[] {
  const fields = FIELDS.filter((field) =>
    change.kind === 'changed' ? touches(change.fields, field) : valueAt(change.to, field.split('.')) !== undefined,
  );
  const keys = [
    ...changedMarks(change, 'annotations').filter(isDeliveryAnnotation),
    ...changedMarks(change, 'labels').filter(isDeliveryLabel),
  ];
  if (fields.length + keys.length === 0) return [];
  const names = listedNames([...keys, ...fields], SHOWN);
  return [{ impact: 'rights', note: `${names}: they decide when it is deleted or replaced, and by whom` }];
}

function sidesOf(change: Exclude<ObjectChange, { readonly kind: 'removed' }>): readonly KubernetesObject[] {
  return change.kind === 'changed' ? [change.from, change.to] : [change.to];
}

/** NFD, docs/usage/customization-guide.md: names without a prefix get this one. */
const NFD_PREFIX = 'feature.node.kubernetes.io/';

function takesDriversOf(drivers: readonly DriverSet[], sides: readonly KubernetesObject[]): boolean {
  const selected = new Set(drivers.flatMap(labelsOf));
  return sides
    .flatMap((side) => listAt(side, 'spec', 'rules'))
    .some((rule) => {
      const labels = valueAt(rule, ['labels']);
      const keys = isObject(labels) ? Object.keys(labels) : [];
      return (
        listAt(rule, 'taints').length > 0 ||
        valueAt(rule, ['labelsTemplate']) !== undefined ||
        keys.some((key) => selected.has(key.includes('/') ? key : `${NFD_PREFIX}${key}`))
      );
    });
}

function labelsOf({ nodeSelector, nodeAffinity = [] }: DriverSet): readonly string[] {
  return [
    ...Object.keys(nodeSelector),
    ...nodeAffinity.flatMap(({ matchExpressions }) => matchExpressions.map(({ key }) => key)),
  ];
}
