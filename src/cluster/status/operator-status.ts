import { NETWORK_OPERATOR_API_VERSION } from '../../shared/contract/network-operator.js';
import type { JsonValue } from '../../shared/lib/json.js';
import { policyState } from './components.js';
import type { ClusterStatus, ComponentStatus } from './model.js';
import { OPERATOR_STATES } from './operator-states.js';

/**
 * The custom resources with the status that the operator would give them, for programs that read it: `status.state`,
 * `status.appliedStates` and, for policies, `status.conditions` without times.
 */
export function operatorObjects({ name, components }: ClusterStatus, policyName: string): readonly JsonValue[] {
  const owners = [...new Set(components.map(({ owner }) => owner))];
  return owners.map((owner) => {
    const own = components.filter((one) => one.owner === owner);
    const [kind = '', resource = policyName] = owner.split('/');
    const reason = own.find(({ reason: why }) => why !== '')?.reason;
    return {
      apiVersion: NETWORK_OPERATOR_API_VERSION,
      kind,
      metadata: { name: resource, annotations: { 'weft.dev/cluster': name } },
      status: {
        state: policyState(own),
        ...(reason !== undefined && { reason }),
        appliedStates: own.map((one) => ({
          name: one.name,
          state: one.state,
          ...(one.reason !== '' && { message: one.reason }),
        })),
        ...(kind.endsWith('Policy') && { conditions: conditionsOf(own) }),
      },
    };
  });
}

/** As `controllers/conditions.go` of b06827e0 derives them: none for a component that is ignored, and one for the whole policy. */
function conditionsOf(components: readonly ComponentStatus[]): readonly JsonValue[] {
  const seen = components.filter(({ name, state }) => state !== 'ignore' && OPERATOR_STATES.has(name));
  const has = (state: ComponentStatus['state']) => seen.some((one) => one.state === state);
  const reasons = { ready: 'ComponentReady', error: 'ComponentError', notReady: 'ComponentNotReady', ignore: '' };
  const [reason, message] = has('error')
    ? ['ComponentError', 'One or more components are in error state']
    : has('notReady')
      ? ['ComponentsNotReady', 'One or more components are not yet ready']
      : ['AllComponentsReady', ''];
  const status = (isReady: boolean) => (isReady ? 'True' : 'False');
  return [
    ...seen.map((one) => ({
      type: OPERATOR_STATES.get(one.name) ?? '',
      status: status(one.state === 'ready'),
      reason: reasons[one.state],
      message: one.reason,
    })),
    { type: 'Ready', status: status(reason === 'AllComponentsReady'), reason, message },
  ];
}
