import type { SupportedNic } from '../../../addons/add-on.js';
import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';

/**
 * The checks of the operator's admission webhook for a SriovNetworkNodePolicy that do not depend on nodes
 * (sriov-network-operator 249e2001, pkg/webhook/validate.go). The schema of the definition has been checked before. If
 * the webhook is off, the operator's daemons get objects that it would have refused.
 */
export interface PolicySpec {
  readonly resourceName: string;
  readonly numVfs: number;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly nicSelector: NicSelector;
  readonly deviceType?: string;
  readonly isRdma?: boolean;
  readonly linkType?: string;
  readonly eSwitchMode?: string;
  readonly vdpaType?: string;
  readonly bridge?: { readonly ovs?: object };
  readonly externallyManaged?: boolean;
  readonly excludeTopology?: boolean;
}

interface NicSelector {
  readonly vendor?: string;
  readonly deviceID?: string;
  readonly pfNames?: readonly string[];
  readonly rootDevices?: readonly string[];
  readonly netFilter?: string;
}

/** A problem of one policy: a place below `spec`, a fact, and its fix. */
interface PolicyProblem {
  readonly path: readonly PathStep[];
  readonly message: string;
  readonly help: string;
}
type Problems = Iterable<PolicyProblem>;

/** PCI id of the vendor Mellanox, and the most virtual functions that the webhook takes for one of its NICs. */
const MELLANOX = '15b3';
const MELLANOX_VFS_MAX = 128;

const RESOURCE_NAME = /^[a-zA-Z0-9](?:[a-zA-Z0-9_-]*[a-zA-Z0-9])?$/;
const RESOURCE_NAME_MAX = 63;

/** @param nics the NICs that the operator supports; absent: not known here, so none is refused */
export function* policyProblems(spec: PolicySpec, nics?: readonly SupportedNic[]): Generator<PolicyProblem> {
  yield* resourceNameProblems(spec);
  yield* selectorProblems(spec.nicSelector);
  yield* netFilterProblems(spec);
  if (nics) yield* supportProblems(spec.nicSelector, nics);
  yield* countProblems(spec);
  for (const [index, text] of (spec.nicSelector.pfNames ?? []).entries()) {
    const problem = rangeProblem(text, spec.numVfs);
    if (problem) yield { path: ['nicSelector', 'pfNames', index], ...problem };
  }
  yield* modeProblems(spec);
}

function* resourceNameProblems({ resourceName: name }: PolicySpec): Problems {
  const path = ['resourceName'];
  if (name === '') {
    yield { path, message: 'the name of the resource is empty', help: 'give it a name such as `sriov_storage`' };
  } else if (name.length > RESOURCE_NAME_MAX) {
    const message = `the name of the resource has ${name.length} characters`;
    yield { path, message, help: `shorten it to at most ${RESOURCE_NAME_MAX}` };
  } else if (!RESOURCE_NAME.test(name)) {
    yield {
      path,
      message: `\`${name}\` is no name of a resource`,
      help: 'use letters, digits, `-` and `_`, with a letter or a digit at both ends; the operator adds its prefix itself',
    };
  }
}

function* selectorProblems({ vendor, deviceID, pfNames = [], rootDevices = [], netFilter }: NicSelector): Problems {
  if (vendor || deviceID || pfNames.length > 0 || rootDevices.length > 0 || netFilter) return;
  yield {
    path: ['nicSelector'],
    message: 'the policy selects no NIC',
    help: 'add `vendor`, `deviceID`, `pfNames`, `rootDevices` or `netFilter`',
  };
}

/** With `netFilter` the NICs of a virtual machine are selected by the network that they are in. */
function* netFilterProblems({ nicSelector, eSwitchMode, bridge, linkType }: PolicySpec): Problems {
  if (!nicSelector.netFilter) return;
  const others = (['vendor', 'deviceID', 'pfNames', 'rootDevices'] as const).filter(
    (key) => (nicSelector[key]?.length ?? 0) > 0,
  );
  for (const key of others) {
    const message = `a policy with \`netFilter\` has \`${key}\`, too`;
    yield { path: ['nicSelector', key], message, help: `remove one of them: \`netFilter\` selects alone` };
  }
  const refused = { eSwitchMode: eSwitchMode ? eSwitchMode : undefined, bridge: bridge?.ovs };
  for (const [key, value] of Object.entries(refused)) {
    if (value === undefined) continue;
    yield { path: [key], message: `a policy with \`netFilter\` has \`${key}\``, help: `remove \`${key}\`` };
  }
  if (isInfiniBand(linkType)) {
    const message = `a policy with \`netFilter\` has \`linkType: ${linkType ?? ''}\``;
    yield { path: ['linkType'], message, help: 'write `linkType: eth`' };
  }
}

const isInfiniBand = (linkType: string | undefined) => linkType !== undefined && linkType.toLowerCase() === 'ib';

function* supportProblems({ vendor, deviceID }: NicSelector, nics: readonly SupportedNic[]): Problems {
  const helpFor = (id: string, known: readonly string[]) =>
    known.includes(id.toLowerCase())
      ? `write \`${id.toLowerCase()}\`: PCI ids are compared as they are written`
      : 'correct the PCI id, or add the NIC to `supportedExtraNICs` of the operator';
  const ofVendor = vendor ? nics.filter((nic) => nic.vendor === vendor) : nics;
  const devices = ofVendor.map(({ device }) => device);
  if (vendor && ofVendor.length === 0) {
    const message = `the operator knows no NIC of vendor \`${vendor}\``;
    const vendors = nics.map((nic) => nic.vendor);
    yield { path: ['nicSelector', 'vendor'], message, help: helpFor(vendor, vendors) };
  } else if (deviceID && !devices.includes(deviceID)) {
    const of = vendor ? ` of vendor \`${vendor}\`` : '';
    const message = `the operator knows no NIC \`${deviceID}\`${of}`;
    yield { path: ['nicSelector', 'deviceID'], message, help: helpFor(deviceID, devices) };
  }
}

/** The webhook compares the number with the NICs that the policy selects, and refuses a policy that selects none. */
function* countProblems({ numVfs, nicSelector: { vendor } }: PolicySpec): Problems {
  const path = ['numVfs'];
  if (numVfs === 0) {
    const message = 'the policy makes no virtual functions';
    yield { path, message, help: 'give `numVfs` at least 1; without the policy there are none' };
  } else if (vendor === MELLANOX && numVfs > MELLANOX_VFS_MAX) {
    const message = `the policy makes ${numVfs} virtual functions for each NIC of vendor \`${MELLANOX}\``;
    yield { path, message, help: `give \`numVfs\` at most ${MELLANOX_VFS_MAX}` };
  }
}

function rangeProblem(text: string, numVfs: number): Omit<PolicyProblem, 'path'> | undefined {
  if (!text.includes('#')) return undefined;
  const [name = '', range = '', ...others] = text.split('#');
  const example = `write it as \`${name}#0-${Math.max(numVfs - 1, 0)}\``;
  const [first = '', last = '', ...more] = range.split('-');
  if (others.length > 0 || more.length > 0 || !/^\+?\d+$/.test(first) || !/^\+?\d+$/.test(last)) {
    return { message: `\`${text}\` has no range of virtual functions behind its \`#\``, help: example };
  }
  if (Number(last) < Number(first)) {
    return {
      message: `the range of \`${text}\` ends before it begins`,
      help: `write it as \`${name}#${last}-${first}\``,
    };
  }
  if (Number(last) < numVfs) return undefined;
  return {
    message: `the range of \`${text}\` ends behind the last virtual function: with \`numVfs: ${numVfs}\` that is ${numVfs - 1}`,
    help: 'count from 0, or raise `numVfs`: it is the number of virtual functions of the whole NIC',
  };
}

function* modeProblems(spec: PolicySpec): Problems {
  const { deviceType = 'netdevice', isRdma = false, linkType, eSwitchMode, vdpaType, nicSelector } = spec;
  const isSwitchdev = eSwitchMode === 'switchdev';
  if (deviceType === 'vfio-pci' && isRdma) {
    const message = '`isRdma: true` needs a driver in the host, and `deviceType: vfio-pci` takes it away';
    yield { path: ['isRdma'], message, help: 'write `deviceType: netdevice` or `isRdma: false`' };
  }
  if (isSwitchdev && isInfiniBand(linkType)) {
    const message = '`eSwitchMode: switchdev` is for Ethernet only';
    yield { path: ['eSwitchMode'], message, help: `remove it, or write \`linkType: eth\`` };
  }
  if (vdpaType) {
    const path = ['vdpaType'];
    if (deviceType !== 'netdevice') {
      const message = `\`vdpaType\` needs \`deviceType: netdevice\``;
      yield { path, message, help: `write \`deviceType: netdevice\`, or remove \`vdpaType\`` };
    }
    if (!isSwitchdev) {
      yield { path, message: '`vdpaType` needs `eSwitchMode: switchdev`', help: 'add `eSwitchMode: switchdev`' };
    }
    if (nicSelector.vendor && nicSelector.vendor !== MELLANOX) {
      const message = `\`vdpaType\` needs NICs of vendor \`${MELLANOX}\``;
      yield { path, message, help: 'remove it, or select other NICs' };
    }
  }
  if (spec.bridge?.ovs) yield* bridgeProblems(spec, isSwitchdev);
}

function* bridgeProblems({ externallyManaged = false }: PolicySpec, isSwitchdev: boolean): Problems {
  const path = ['bridge'];
  if (!isSwitchdev) {
    yield { path, message: '`bridge` needs `eSwitchMode: switchdev`', help: 'add `eSwitchMode: switchdev`' };
  }
  if (externallyManaged) {
    const message = 'the operator makes no bridge for NICs that are managed externally';
    yield { path, message, help: 'remove `bridge` or `externallyManaged`' };
  }
}

/** Virtual functions that two policies share, or a setting that must be equal in both. */
export interface PairProblem extends PolicyProblem {
  /** The place in the other policy, below its `spec`. */
  readonly otherPath: readonly PathStep[];
}

interface PfRange {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** A name without a range is compared only with other such names, as in the webhook. */
function pfRange(text: string): PfRange {
  const [name = '', range] = text.split('#');
  if (range === undefined) return { name, first: -1, last: -1, text };
  const [first, last] = range.split('-').map(Number);
  return { name, first: first ?? -1, last: last ?? -1, text };
}

const functionKeys = ({ nicSelector: { pfNames = [], rootDevices = [] } }: PolicySpec): readonly string[] => [
  ...pfNames.map((text) => `interface ${pfRange(text).name}`),
  ...rootDevices.map((device) => `device ${device}`),
];

/** Only policies with the same interface or the same PCI device can have an overlap. */
export const overlapKeys = { own: functionKeys, sought: functionKeys };

/**
 * Virtual functions that two policies on the same node have, of which the webhook refuses the second (validatePfNames and
 * validateRootDevices of the same file). Other names of an interface are known on its node only, and are not compared here.
 */
export function* overlaps(spec: PolicySpec, other: PolicySpec): Generator<PairProblem> {
  const others = (other.nicSelector.pfNames ?? []).map(pfRange);
  for (const [index, range] of (spec.nicSelector.pfNames ?? []).map(pfRange).entries()) {
    const found = others.findIndex(({ name, first, last }) => {
      return name === range.name && range.first <= last && first <= range.last;
    });
    if (found >= 0) {
      yield {
        path: ['nicSelector', 'pfNames', index],
        otherPath: ['nicSelector', 'pfNames', found],
        message: `\`${range.text}\` and \`${others[found]?.text ?? ''}\``,
        help: `give each a range of its own, such as \`${range.name}#0-3\` and \`${range.name}#4-7\``,
      };
    }
  }
  yield* rootDeviceProblems(spec, other);
}

function settingKeys(spec: PolicySpec, isOwn: boolean): readonly string[] {
  const { externallyManaged = false, excludeTopology = false } = spec;
  return [
    ...(spec.nicSelector.pfNames ?? []).map(
      (text) => `interface ${pfRange(text).name} ${String(externallyManaged === isOwn)}`,
    ),
    `resource ${spec.resourceName} ${String(excludeTopology === isOwn)}`,
  ];
}

/** Only policies with the same interface or the same resource can contradict each other: each looks for those with the other value. */
export const contradictionKeys = {
  own: (spec: PolicySpec) => settingKeys(spec, true),
  sought: (spec: PolicySpec) => settingKeys(spec, false),
};

/**
 * Settings that must be equal in two policies on the same node (validateExternallyManage and
 * validateExludeTopologyField).
 */
export function* contradictions(spec: PolicySpec, other: PolicySpec): Generator<PairProblem> {
  const names = (other.nicSelector.pfNames ?? []).map((text) => pfRange(text).name);
  const isOneNic = (spec.nicSelector.pfNames ?? []).some((text) => names.includes(pfRange(text).name));
  if (isOneNic) yield* unlike('externallyManaged', spec, other, 'for the same NIC');
  if (spec.resourceName === other.resourceName) yield* unlike('excludeTopology', spec, other, 'for the same resource');
}

function* rootDeviceProblems(spec: PolicySpec, other: PolicySpec): Generator<PairProblem> {
  const others = other.nicSelector.rootDevices ?? [];
  for (const [index, device] of (spec.nicSelector.rootDevices ?? []).entries()) {
    const found = others.indexOf(device);
    if (found < 0) continue;
    yield {
      path: ['nicSelector', 'rootDevices', index],
      otherPath: ['nicSelector', 'rootDevices', found],
      message: `\`${device}\``,
      help: 'select a NIC by `rootDevices` in one policy only; `pfNames` can share it by ranges',
    };
  }
}

function* unlike(
  key: 'externallyManaged' | 'excludeTopology',
  spec: PolicySpec,
  other: PolicySpec,
  what: string,
): Generator<PairProblem> {
  const { [key]: mine = false } = spec;
  const { [key]: theirs = false } = other;
  if (mine === theirs) return;
  yield {
    path: [key],
    otherPath: [key],
    message: `\`${key}: ${String(mine)}\` and \`${key}: ${String(theirs)}\` ${what}`,
    help: `give both the same \`${key}\``,
  };
}
