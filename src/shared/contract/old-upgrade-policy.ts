import { isObject } from '../lib/json.js';
import { omit } from '../lib/omit.js';

/**
 * Policy documents of older versions, whose drivers had no `kind`: `api`, `restartedBy` and `daemonSets` said it together. The output
 * that a change is compared with may be old, and so may the policy that a newer companion or command finds in the cluster.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Whether an older version wrote the document: its hash is not that of the document that is read from it. */
export function isOldPolicy(document: unknown): boolean {
  return isObject(document) && Array.isArray(document['drivers']) && document['drivers'].some(isOldDriver);
}

/** The drivers of a document, each with its kind. What no version wrote stays as it is, for the schema to refuse. */
export function driversOf(value: unknown): unknown {
  return Array.isArray(value) ? value.map((one: unknown) => (isOldDriver(one) ? withKind(one) : one)) : value;
}

function isOldDriver(value: unknown): value is Fields {
  return isObject(value) && Object.hasOwn(value, 'api') && !Object.hasOwn(value, 'kind');
}

/** Fields that said the kind. */
const SAID_KIND = ['api', 'restartedBy', 'daemonSets'];
/** Fields that a kind has not, and an older version wrote for it. */
const LEFT_OUT = {
  ofed: { driver: [], policy: [] },
  gpu: { driver: ['uninstall'], policy: ['daemonSets'] },
  'gpu-operator': { driver: ['uninstall', 'controllerPodSelector'], policy: ['daemonSets'] },
  sriov: {
    driver: ['uninstall', 'controllerPodSelector', 'daemonSetSelector', 'podSelector', 'containerName'],
    policy: ['daemonSets', 'startupSeconds'],
  },
} as const;

function withKind(driver: Fields): unknown {
  const kind = kindOf(driver);
  if (kind === undefined) return driver;
  const left: readonly string[] = [...SAID_KIND, ...LEFT_OUT[kind].driver];
  const { policies, ...rest } = omit(driver, (key) => left.includes(key));
  const policyLeft: readonly string[] = LEFT_OUT[kind].policy;
  const policyOf = (one: unknown): unknown => (isObject(one) ? omit(one, (key) => policyLeft.includes(key)) : one);
  return { kind, ...rest, policies: Array.isArray(policies) ? policies.map(policyOf) : policies };
}

function kindOf({ api, restartedBy, daemonSets }: Fields): keyof typeof LEFT_OUT | undefined {
  if (api === 'network-operator' && daemonSets === undefined) return 'ofed';
  if (daemonSets !== 'selected') return undefined;
  if (api === 'gpu-operator') return restartedBy === undefined ? 'gpu' : 'gpu-operator';
  return api === 'sriov' ? 'sriov' : undefined;
}
