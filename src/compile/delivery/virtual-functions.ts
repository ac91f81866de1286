import type { VirtualFunctions } from '../addons/add-on.js';
import { SRIOV_GROUP } from '../../shared/contract/labels.js';
import type { SriovDrain } from '../../shared/contract/operator-upgrade-policy.js';
import type { UpgradePolicyInput } from '../../shared/contract/upgrade-policy.js';
import { countOrPercentage, labelSelectorText } from '../../shared/kubernetes/fields.js';
import { groupOf } from '../../shared/kubernetes/identity.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { sha256 } from '../../shared/lib/hash.js';
import { canonicalJson, compareText, isObject } from '../../shared/lib/json.js';

type DriverInput = UpgradePolicyInput['drivers'][number];
type SriovInput = Extract<DriverInput, { readonly kind: 'sriov' }>;
type PoolInput = SriovInput['policies'][number];

/** The policy of nodes that are in no SriovNetworkPoolConfig, by the name that messages and metrics have. No object can have it. */
const NO_POOL = '(no pool)';

/**
 * Virtual functions in the policy document, where the SR-IOV Network Operator leaves draining to the companion.
 *
 * @param namespace where the operator reads its objects
 * @param objects everything that is rendered: its SriovNetworkPoolConfigs are the pools, its SriovNetworkNodePolicies what nodes get
 */
export function virtualFunctionPolicy(
  { resourcePrefix }: VirtualFunctions,
  drain: SriovDrain,
  namespace: string,
  objects: readonly KubernetesObject[],
): SriovInput {
  const own = objects
    .filter((object) => groupOf(object) === SRIOV_GROUP && object.metadata.namespace === namespace)
    .sort((a, b) => compareText(a.metadata.name, b.metadata.name));
  const policies = own.filter(({ kind }) => kind === 'SriovNetworkNodePolicy');
  const pools = own.filter((object) => object.kind === 'SriovNetworkPoolConfig' && isDrained(object));
  return {
    kind: 'sriov',
    namespace,
    resourcePrefixes: [`${resourcePrefix}/`],
    change: sha256(canonicalJson(policies.map(({ metadata, ...rest }) => [metadata.name, specOf(rest)]))).slice(0, 16),
    policies: [
      ...pools.map((pool) => poolOf(pool, drain)),
      { name: NO_POOL, upgradePolicy: { maxUnavailable: 1, ...drain } },
    ],
  };
}

/** One for the offload of Open vSwitch is no pool: sriov-network-operator 249e2001, `controllers/drain_controller_helper.go`. */
function isDrained(object: object): boolean {
  const { ovsHardwareOffloadConfig: offload } = specOf(object);
  return !isObject(offload) || typeof offload['name'] !== 'string' || offload['name'] === '';
}

/**
 * One without a selector selects all nodes. The operator drains no node of a pool whose limit it cannot read, and no node at all where it cannot
 * read a selector (`findNodePoolConfig` in the same file). WEFT0534 refuses both in the input, but not in a patch.
 */
function poolOf(pool: KubernetesObject, drain: SriovDrain): PoolInput {
  const { nodeSelector, maxUnavailable } = specOf(pool);
  const selector = labelSelectorText.safeParse(nodeSelector);
  const limit = countOrPercentage.optional().safeParse(maxUnavailable);
  return {
    name: pool.metadata.name,
    nodeSelector: selector.success ? selector.data : '',
    upgradePolicy: {
      maxUnavailable: selector.success && limit.success ? limit.data : 0,
      ...drain,
    },
  };
}

function specOf(object: object): Readonly<Record<string, unknown>> {
  return 'spec' in object && isObject(object.spec) ? object.spec : {};
}
