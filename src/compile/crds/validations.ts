import { isObject } from '../../shared/lib/json.js';

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);

const isAny = (value: unknown, ...texts: readonly string[]): boolean => texts.some((text) => text === value);
const isFilled = (value: unknown): boolean => (typeof value === 'string' || Array.isArray(value)) && value.length > 0;
const names = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.map((entry) => String(at(entry, 'name'))) : [];

/**
 * The rules of the definitions in this folder (`x-kubernetes-validations`), by their text in the Common Expression Language:
 * whether a value with its defaults holds.
 */
export const validations: Readonly<Record<string, (self: unknown) => boolean>> = {
  'self.endIndex >= self.startIndex': (self) => Number(at(self, 'endIndex')) >= Number(at(self, 'startIndex')),

  '!has(self.cidrPoolRef) || !has(self.ipam)': (self) =>
    at(self, 'cidrPoolRef') === undefined || at(self, 'ipam') === undefined,

  'size(self.binUrlSources) > 0 || size(self.bfbUrlSource) > 0 || size(self.docaSpcXCCUrlSource) > 0': (self) =>
    ['binUrlSources', 'bfbUrlSource', 'docaSpcXCCUrlSource'].some((key) => isFilled(at(self, key))),

  "!(has(self.template.spectrumXOptimized) && self.template.spectrumXOptimized.enabled) || (self.nicSelector.nicType == '1023' || self.nicSelector.nicType == '1025' || self.nicSelector.nicType == 'a2dc')":
    (self) =>
      at(self, 'template', 'spectrumXOptimized', 'enabled') !== true ||
      isAny(at(self, 'nicSelector', 'nicType'), '1023', '1025', 'a2dc'),

  "!has(self.template.spectrumXOptimized) || !has(self.template.spectrumXOptimized.multiplaneMode) || self.template.spectrumXOptimized.multiplaneMode != 'hwplb' || self.nicSelector.nicType == '1023' || self.nicSelector.nicType == '1025'":
    (self) =>
      at(self, 'template', 'spectrumXOptimized', 'multiplaneMode') !== 'hwplb' ||
      isAny(at(self, 'nicSelector', 'nicType'), '1023', '1025'),

  "!has(self.template.networkBay) || self.nicSelector.nicType == '1025'": (self) =>
    at(self, 'template', 'networkBay') === undefined || at(self, 'nicSelector', 'nicType') === '1025',

  "!(has(self.spectrumXOptimized) && self.spectrumXOptimized.enabled) || ((!has(self.linkType) || self.linkType == 'Ethernet') && self.numVfs == 1)":
    (self) =>
      at(self, 'spectrumXOptimized', 'enabled') !== true ||
      ([undefined, 'Ethernet'].some((type) => type === at(self, 'linkType')) && at(self, 'numVfs') === 1),

  '!(has(self.spectrumXOptimized) && self.spectrumXOptimized.enabled) || !(has(self.roceOptimized) && self.roceOptimized.enabled)':
    (self) => at(self, 'spectrumXOptimized', 'enabled') !== true || at(self, 'roceOptimized', 'enabled') !== true,

  'has(self.networkBay) || has(self.linkType)': (self) =>
    at(self, 'networkBay') !== undefined || at(self, 'linkType') !== undefined,

  '!has(self.networkBay) || !has(self.linkType)': (self) =>
    at(self, 'networkBay') === undefined || at(self, 'linkType') === undefined,

  "!has(self.rawNvConfig) || self.rawNvConfig.all(p, !p.name.matches('.*[[][0-9]+[.][.][0-9]+[]].*'))": (self) =>
    !names(at(self, 'rawNvConfig')).some((name) => /\[\d+\.\.\d+\]/.test(name)),

  "!has(self.multiplaneMode) || !has(self.numberOfPlanes) || self.multiplaneMode != 'none' || self.numberOfPlanes == 1":
    (self) => at(self, 'multiplaneMode') !== 'none' || at(self, 'numberOfPlanes') === 1,

  "!has(self.multiplaneMode) || !has(self.numberOfPlanes) || self.multiplaneMode == 'none' || self.numberOfPlanes != 1":
    (self) => at(self, 'multiplaneMode') === 'none' || at(self, 'numberOfPlanes') !== 1,

  // Up to v26.4.
  "!(has(self.spectrumXOptimized) && self.spectrumXOptimized.enabled) || (self.linkType == 'Ethernet' && self.numVfs == 1)":
    (self) =>
      at(self, 'spectrumXOptimized', 'enabled') !== true ||
      (at(self, 'linkType') === 'Ethernet' && at(self, 'numVfs') === 1),

  // Up to v26.4.
  "!has(self.version) || !has(self.multiplaneMode) || !has(self.numberOfPlanes) || !(self.version == 'RA1.3' || self.version == 'RA2.0') || (self.multiplaneMode == 'none' && self.numberOfPlanes == 1)":
    (self) =>
      !isAny(at(self, 'version'), 'RA1.3', 'RA2.0') ||
      at(self, 'multiplaneMode') === undefined ||
      at(self, 'numberOfPlanes') === undefined ||
      (at(self, 'multiplaneMode') === 'none' && at(self, 'numberOfPlanes') === 1),

  // A rule about a change: the API server compares with the object that is there.
  'self == oldSelf': () => true,
};

/** The rules that only the API server can evaluate, because they compare with the object that is there. */
export const TRANSITION_RULES: readonly string[] = ['self == oldSelf'];
