import { expect, it } from '@jest/globals';
import { App, Chart } from 'cdk8s';
import { ServiceAccount } from 'cdk8s-plus-28';
import { companionRights } from '../../shared/contract/companion-rights.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { addAccess } from './access.js';

it('a driver in another namespace has a role there, of a name that no other companion has', () => {
  const chart = new Chart(new App(), 'companion', { disableResourceNameHashes: true });
  const account = new ServiceAccount(chart, 'account', { metadata: { name: 'weft-companion', namespace: 'net' } });
  const drivers = [{ kind: 'gpu', namespace: 'gpu' }] as const;
  addAccess(chart, account, 'net', companionRights({ drivers }, 'net'));
  const objects = (chart.toJson() as readonly KubernetesObject[]).map(({ kind, metadata, ...rest }) => {
    const { subjects, roleRef } = rest as { subjects?: readonly object[]; roleRef?: { readonly name: string } };
    return [kind, metadata.namespace, metadata.name, roleRef?.name, subjects?.length];
  });
  expect(objects.slice(1)).toEqual([
    ['ClusterRole', undefined, 'net-weft-companion', undefined, undefined],
    ['Role', 'net', 'weft-companion', undefined, undefined],
    ['Role', 'default', 'net-weft-companion', undefined, undefined],
    ['Role', 'gpu', 'net-weft-companion', undefined, undefined],
    ['ClusterRoleBinding', undefined, 'net-weft-companion', 'net-weft-companion', 1],
    ['RoleBinding', 'net', 'weft-companion', 'weft-companion', 1],
    ['RoleBinding', 'default', 'net-weft-companion', 'net-weft-companion', 1],
    ['RoleBinding', 'gpu', 'net-weft-companion', 'net-weft-companion', 1],
  ]);
});
