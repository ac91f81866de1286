import { allAddOns } from '../../../addons/all.js';
import { isObject } from '../../../../shared/lib/json.js';
import { within, type Config, type Violation, type Rule } from '../../../model/config.js';
import { SRIOV_GROUP } from '../../../../shared/contract/labels.js';
import { parseSelector, textOfStructured } from '../../../../shared/kubernetes/selection/label-selector.js';
import { objectsOf, type InputObject } from '../../../model/input-objects.js';
import { nodePairs, type PairKeys } from './sriov-pairs.js';
import {
  contradictionKeys,
  contradictions,
  overlapKeys,
  overlaps,
  policyProblems,
  type PairProblem,
  type PolicySpec,
} from './sriov-policy.js';

/**
 * Finds objects that the admission webhook of the SR-IOV Network Operator refuses (sriov-network-operator 249e2001,
 * pkg/webhook/validate.go and validate_networks.go), if that does not depend on nodes.
 */
interface NodePolicy extends Omit<InputObject, 'spec'> {
  readonly spec: PolicySpec;
}

/** Defaults of the webhook. */
const EMPTY: PolicySpec = { resourceName: '', numVfs: 0, nodeSelector: {}, nicSelector: {} };

/** The webhook ignores a policy `default`, which older versions of the operator created. */
function nodePolicies(config: Config): readonly NodePolicy[] {
  return objectsOf(config, SRIOV_GROUP, 'SriovNetworkNodePolicy')
    .filter(({ name }) => name !== 'default')
    .map((one) => ({ ...one, spec: { ...EMPTY, ...one.spec } }));
}

/** The NICs that the operator supports; `undefined` if it is deployed elsewhere, with other settings. */
function supportedNics({ addOns }: Config) {
  const [nics] = allAddOns.flatMap(({ id, supportedNics: nicsOf }) => {
    const known = addOns.has(id) ? nicsOf?.(addOns.get(id)) : undefined;
    return known === undefined ? [] : [known];
  });
  return nics;
}

export const sriovPolicyAccepted: Rule = {
  code: 'WEFT0531',
  severity: 'error',
  title: 'the SR-IOV operator refuses a SriovNetworkNodePolicy',
  *check(config) {
    const nics = supportedNics(config);
    for (const { name, spec, origin } of nodePolicies(config)) {
      for (const { path, message, help } of policyProblems(spec, nics)) {
        yield {
          origin: within(origin, 'spec', ...path),
          message: `SriovNetworkNodePolicy \`${name}\`: ${message}`,
          help,
        };
      }
    }
  },
};

/** A problem of `problemsOf` in two policies of one node, the later one first; `fact` is about both. */
function* problemsOfPairs(
  config: Config,
  keys: PairKeys,
  problemsOf: (spec: PolicySpec, first: PolicySpec) => Iterable<PairProblem>,
  fact: string,
): Generator<Violation> {
  for (const [policy, first] of nodePairs(nodePolicies(config), config.cluster.pools, keys)) {
    for (const { path, otherPath, message, help } of problemsOf(policy.spec, first.spec)) {
      yield {
        origin: within(policy.origin, 'spec', ...path),
        message: `SriovNetworkNodePolicies \`${first.name}\` and \`${policy.name}\` have ${fact}${message}`,
        help,
        related: { origin: within(first.origin, 'spec', ...otherPath), message: 'the first is here' },
      };
    }
  }
}

export const sriovPoliciesApart: Rule = {
  code: 'WEFT0532',
  severity: 'error',
  title: 'two SriovNetworkNodePolicies have the same virtual functions',
  check: (config) => problemsOfPairs(config, overlapKeys, overlaps, 'the same virtual functions of a node: '),
};

export const sriovPoliciesAlike: Rule = {
  code: 'WEFT0533',
  severity: 'error',
  title: 'two SriovNetworkNodePolicies contradict each other',
  check: (config) => problemsOfPairs(config, contradictionKeys, contradictions, ''),
};

/** A share is 1% to 100%, and a number is not negative (api/v1/helper.go, MaxUnavailable). */
function isMaxUnavailable(value: unknown): boolean {
  if (typeof value === 'number') return value >= 0;
  return /^(?:100|0*[1-9]\d?)%$/.test(String(value));
}

function* poolConfigViolations(config: Config): Generator<Violation> {
  for (const { name, spec, origin } of objectsOf(config, SRIOV_GROUP, 'SriovNetworkPoolConfig')) {
    const { maxUnavailable, nodeSelector, ovsHardwareOffloadConfig: offload } = spec;
    const ofPool = { maxUnavailable, nodeSelector };
    const both =
      isObject(offload) && offload['name'] ? Object.entries(ofPool).filter(([, value]) => value !== undefined) : [];
    for (const [key] of both) {
      yield {
        origin: within(origin, 'spec', key),
        message: `SriovNetworkPoolConfig \`${name}\` has \`ovsHardwareOffloadConfig\` and \`${key}\``,
        help: 'make an object of each: one for the offload of Open vSwitch, one for how nodes are drained',
      };
    }
    if (maxUnavailable !== undefined && !isMaxUnavailable(maxUnavailable)) {
      yield {
        origin: within(origin, 'spec', 'maxUnavailable'),
        message: `SriovNetworkPoolConfig \`${name}\` has \`maxUnavailable: ${JSON.stringify(maxUnavailable)}\``,
        help: 'write a number of nodes, or a share of `1%` to `100%`',
      };
    }
    const selector = parseSelector(isObject(nodeSelector) ? textOfStructured(nodeSelector) : '');
    if ('error' in selector) {
      yield {
        origin: within(origin, 'spec', 'nodeSelector'),
        message: `SriovNetworkPoolConfig \`${name}\` has a \`nodeSelector\` that no node meets: ${selector.error}`,
        help: 'write `matchLabels`, or `matchExpressions` with `In` or `NotIn` and values, `Exists` or `DoesNotExist`',
      };
    }
  }
}

function* operatorConfigViolations(config: Config): Generator<Violation> {
  for (const { name, origin } of objectsOf(config, SRIOV_GROUP, 'SriovOperatorConfig')) {
    if (name === 'default') continue;
    yield {
      origin: within(origin, 'metadata', 'name'),
      message: `SriovOperatorConfig \`${name}\` is read by no operator`,
      help: 'name it `default`, which is the only one, or remove it where the section of the operator makes that',
    };
  }
}

/** Where the operator is deployed, its namespace is that of the cluster. */
function* networkViolations(config: Config): Generator<Violation> {
  if (supportedNics(config) === undefined) return;
  for (const kind of ['SriovNetwork', 'SriovIBNetwork', 'OVSNetwork']) {
    for (const { name, namespace, spec, origin } of objectsOf(config, SRIOV_GROUP, kind)) {
      if (namespace === config.cluster.namespace || !spec['networkNamespace']) continue;
      yield {
        origin: within(origin, 'spec', 'networkNamespace'),
        message: `${kind} \`${name}\` has \`networkNamespace\`, and is not in the namespace of the operator`,
        help: `remove \`networkNamespace\`, or \`metadata.namespace\`: without it the object is in \`${config.cluster.namespace}\``,
      };
    }
  }
}

export const sriovObjectsAccepted: Rule = {
  code: 'WEFT0534',
  severity: 'error',
  title: 'the SR-IOV operator refuses an object',
  *check(config) {
    yield* operatorConfigViolations(config);
    yield* poolConfigViolations(config);
    yield* networkViolations(config);
  },
};
