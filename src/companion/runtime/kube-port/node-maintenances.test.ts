import { describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../shared/kube-client/api-client.js';
import type { Exchange } from '../../../shared/kube-client/exchange.js';
import type { ChangeNodeMaintenance } from '../../model/types.js';
import { changeNodeMaintenance, reduceNodeMaintenance } from './node-maintenances.js';

const METADATA = { namespace: 'mo', name: 'nvidia-operator-a', uid: 'u', resourceVersion: '7' };
const NOTHING = { node: '', requestor: '', additionalRequestors: [], isDeleting: false, phase: '', isReady: false };

describe('a NodeMaintenance', () => {
  it('that the operator drained says so', () => {
    const object = reduceNodeMaintenance({
      metadata: {
        ...METADATA,
        deletionTimestamp: '2026-11-20T12:00:00Z',
        annotations: { 'maintenance.nvidia.com/node-initial-state.unschedulable': 'false' },
      },
      spec: { requestorID: 'x.y', additionalRequestors: ['z.z'], nodeName: 'a' },
      status: {
        conditions: [
          { type: 'Other', status: 'True', reason: 'Other', message: 'not read' },
          { type: 'Ready', status: 'True', reason: 'Ready', message: 'drained' },
        ],
        drain: { waitForEviction: ['apps/old'] },
      },
    });
    expect(object).toEqual({
      ...METADATA,
      ...{
        node: 'a',
        requestor: 'x.y',
        additionalRequestors: ['z.z'],
        isDeleting: true,
        phase: 'Ready',
        isReady: true,
      },
      ...{ message: 'drained', hasCordon: true, podsLeft: [] },
    });
  });

  it('that nobody saw says nothing', () => {
    const object = reduceNodeMaintenance({ metadata: METADATA });
    expect(object).toEqual({ ...METADATA, ...NOTHING, message: '', hasCordon: false, podsLeft: [] });
  });

  it('names the pods of its phase', () => {
    const lists = { waitForCompletion: ['apps/job'], drain: { waitForEviction: ['apps/web'] } };
    const podsIn = (reason: string) =>
      reduceNodeMaintenance({ status: { conditions: [{ type: 'Ready', reason }], ...lists } }).podsLeft;
    expect(['WaitForPodCompletion', 'Draining', 'Cordon'].map(podsIn)).toEqual([['apps/job'], ['apps/web'], []]);
  });
});

describe('a change of a NodeMaintenance', () => {
  const PATH = '/apis/maintenance.nvidia.com/v1alpha1/namespaces/mo/nodemaintenances';
  const spec = { requestorID: 'x.y', nodeName: 'a', cordon: true } as const;
  const cases: readonly (readonly [ChangeNodeMaintenance['change'], Partial<Exchange>])[] = [
    [
      { kind: 'create', spec },
      {
        ...{ method: 'POST', path: PATH },
        body: {
          ...{ apiVersion: 'maintenance.nvidia.com/v1alpha1', kind: 'NodeMaintenance', spec },
          metadata: {
            ...{ namespace: 'mo', name: 'nvidia-operator-a' },
            // The operator deletes others an hour after they are ready.
            annotations: { 'maintenance.nvidia.com/garbage-collector.ignore': 'true' },
          },
        },
      },
    ],
    [
      { kind: 'leave', resourceVersion: '7', additionalRequestors: ['z.z'] },
      {
        ...{ method: 'PATCH', path: `${PATH}/nvidia-operator-a` },
        body: { metadata: { resourceVersion: '7' }, spec: { additionalRequestors: ['z.z'] } },
      },
    ],
    [
      { kind: 'delete', uid: 'u' },
      {
        ...{ method: 'DELETE', path: `${PATH}/nvidia-operator-a` },
        body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'u' } },
      },
    ],
  ];
  it.each(cases)('%j is one request', async (change, expected) => {
    const sent: Exchange[] = [];
    const client = {
      call(exchange: Exchange) {
        sent.push(exchange);
        return Promise.resolve({ kind: 'answer', status: 200, body: '{}', headers: {} });
      },
    } as unknown as ApiClient;
    const about = {
      driver: 'ofed',
      node: 'a',
      namespace: 'mo',
      name: 'nvidia-operator-a',
      uid: 'mo/nvidia-operator-a',
    };
    await changeNodeMaintenance(client, { kind: 'changeNodeMaintenance', ...about, change });
    expect(sent).toEqual([expect.objectContaining(expected)]);
  });
});
