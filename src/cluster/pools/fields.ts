import { ARCH_LABEL, NFD_LABELS } from '../../shared/contract/labels.js';

/** Names, for messages, of the labels that a pool's fields stand for. */
export const POOL_FIELDS: ReadonlyMap<string, string> = new Map([
  [NFD_LABELS.osName, 'OS'],
  [NFD_LABELS.osVersion, 'OS version'],
  [NFD_LABELS.rhcosVersion, 'RHCOS version'],
  [NFD_LABELS.kernel, 'kernel'],
  [ARCH_LABEL, 'architecture'],
]);
