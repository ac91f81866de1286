import { isObject } from '../../src/lib/json.js';

type Values = Readonly<Record<string, unknown>>;

const at = (values: Values, key: string): Values => {
  const value = values[key];
  return isObject(value) ? value : {};
};

/** Values of the chart that mean nothing where Helm does not run: hooks, and how a checksum is made. */
const HELM_ONLY = ['postDeleteCleanup', 'checksumValuesOnly', 'global'];

/** Image of the pre-release chart. */
const IMAGE = {
  repository: 'nvcr.io/nvstaging/mellanox/node-feature-discovery',
  tag: 'network-operator-v26.7.0-rc.1',
};

/** The section `nodeFeatureDiscovery` of a Cluster document that stands for values of the operator's chart. */
export function nodeFeatureDiscoveryOf(values: Values): Values {
  const nfd = at(values, 'nfd');
  const own = at(values, 'node-feature-discovery');
  const settings = Object.entries(own).filter(([key]) => !HELM_ONLY.includes(key));
  const { imagePullSecrets } = at(values, 'global');
  return {
    deploy: nfd['enabled'] ?? true,
    rules: nfd['deployNodeFeatureRules'] ?? true,
    ...(imagePullSecrets === undefined ? {} : { imagePullSecrets }),
    ...Object.fromEntries(settings),
    image: { ...IMAGE, ...at(own, 'image') },
  };
}
