import { NETWORK_OPERATOR_GROUP } from '../../shared/contract/network-operator.js';
import type { ApiClient } from '../../shared/kube-client/api-client.js';
import type { TakeoverState } from '../../cluster/takeover/state.js';
import { createKubePort } from '../../companion/runtime/kube-port/kube-port.js';
import type { Access } from '../../companion/runtime/ports.js';
import { valueOf } from '../../cluster/reader/answers.js';

/** The rights that the steps need and that the user does not have, as `patch daemonsets.apps -n x`. */
export async function missingRights(client: ApiClient, state: TakeoverState): Promise<readonly string[]> {
  const rights = new Map(neededRights(state).map((right) => [rightText(right), right]));
  const port = createKubePort(client, state.namespace);
  const allowed = await Promise.all(
    [...rights].map(async ([text, right]) => [text, valueOf(await port.isAllowed(right))] as const),
  );
  return allowed.filter(([, is]) => !is).map(([text]) => text);
}

function neededRights({
  rendered,
  customResources,
  crds,
  webhooks,
  operator,
  namespace,
}: TakeoverState): readonly Access[] {
  const ofPath = (path: string, verbs: readonly string[]): readonly Access[] => {
    const match = /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/([^/]+))?\/([^/]+)\/[^/]+$/.exec(path);
    if (match === null) return [];
    const [, group = '', within, resource = ''] = match;
    return verbs.map((verb) => ({ verb, group, resource, ...(within !== undefined && { namespace: within }) }));
  };
  return [
    ...rendered.flatMap(({ path = '', live }) => ofPath(path, live === undefined ? ['create', 'patch'] : ['patch'])),
    ...[...customResources, ...crds, ...webhooks].flatMap(({ path }) => ofPath(path, ['delete'])),
    ...(crds.length > 0 ? [{ verb: 'list', group: NETWORK_OPERATOR_GROUP, resource: 'nicclusterpolicies' }] : []),
    ...(operator.deployments.length > 0 ? [{ verb: 'patch', group: 'apps', resource: 'deployments', namespace }] : []),
    ...operator.leases.map((lease) => ({
      verb: 'delete',
      group: 'coordination.k8s.io',
      resource: 'leases',
      namespace: lease.namespace,
    })),
  ];
}

function rightText({ verb, group, resource, namespace }: Access): string {
  return `${verb} ${resource}${group === '' ? '' : `.${group}`}${namespace === undefined ? '' : ` -n ${namespace}`}`;
}
