import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { listAt, textAt, valueAt } from '../../shared/lib/json.js';
import type { ObjectChange } from '../../cluster/changes/objects.js';

const POLICY = 'SriovNetworkNodePolicy';
const resourceOf = (policy: KubernetesObject): string => textAt(policy, 'spec', 'resourceName') ?? '';

function numberOf(policy: KubernetesObject): number | undefined {
  const number = valueAt(policy, ['spec', 'numVfs']);
  return typeof number === 'number' ? number : undefined;
}

/** The resources that SriovNetworkNodePolicies make, without the prefix of the operator. */
export function virtualFunctionResources(objects: readonly KubernetesObject[]): ReadonlySet<string> {
  return new Set(objects.filter(({ kind }) => kind === POLICY).map(resourceOf));
}

/**
 * The kernel takes another number only after 0 (linux v6.8, drivers/pci/iov.c `sriov_numvfs_store`), which removes all of them.
 * What a changed or removed SriovNetworkNodePolicy takes from pods.
 *
 * @param made the resources of all policies of the new side
 */
export function virtualFunctionLossNotes(change: ObjectChange, made: ReadonlySet<string>): readonly string[] {
  if (change.kind === 'added' || change.from.kind !== POLICY) return [];
  const resource = resourceOf(change.from);
  const gone = made.has(resource)
    ? []
    : [`no policy makes virtual functions for \`${resource}\` any more: pods that request it are not scheduled`];
  if (change.kind === 'removed') return gone;
  const [had, has] = [change.from, change.to].map((policy) => numberOf(policy));
  if (had === undefined || has === undefined || has >= had) return gone;
  return [
    ...gone,
    `a NIC has ${has} virtual functions, ${had} before: all are removed, and these made, so pods that hold one lose it, and fewer find one again`,
  ];
}

/** What the resources of virtual functions are called by another prefix of the operator. */
export function resourcePrefixNotes({
  from,
  to,
}: Extract<ObjectChange, { readonly kind: 'changed' }>): readonly string[] {
  const [before, after] = [from, to].map(prefixIn);
  if (before === undefined || after === undefined || before === after) return [];
  return [
    `resources of virtual functions are called \`${after}/…\`, \`${before}/…\` before: pods that request them by the old names are not scheduled`,
  ];
}

function prefixIn(workload: KubernetesObject): string | undefined {
  const variables = listAt(workload, 'spec', 'template', 'spec', 'containers').flatMap((container) =>
    listAt(container, 'env'),
  );
  const found = variables.find((variable) => textAt(variable, 'name') === 'RESOURCE_PREFIX');
  return textAt(found, 'value');
}
