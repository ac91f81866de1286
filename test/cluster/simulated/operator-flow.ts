import { setTimeout as sleep } from 'node:timers/promises';
import { driverKeys, type DriverKeys } from '../../../src/shared/contract/labels.js';
import type { ApiClient, LiveObject } from '../bed/api-client.js';
import type { ControlPlane } from '../bed/control-plane.js';
import { isDriver, isReady, NAMESPACE, nodeOf, podsOf } from './fleet.js';

const PASS_MS = 300;

export interface OperatorFlow {
  readonly stop: () => Promise<void>;
}

/** The driver of an operator. */
export interface OperatorDriver {
  readonly keys: DriverKeys;
  readonly namespace: string;
  readonly isDriver: (pod: LiveObject) => boolean;
  /** With `maxUnavailable: 0` it begins with nodes that somebody else has cordoned, and only with these. */
  readonly beginsCordoned?: true;
}

const OFED: OperatorDriver = { keys: driverKeys('ofed'), namespace: NAMESPACE, isDriver };

/**
 * The upgrade flow of an operator on its labels and annotations, as a plain model of k8s-operator-libs
 * (`pkg/upgrade`, at 11e747a): in place, with a drain, without jobs, validation or other limits.
 */
export function startOperatorFlow({ client }: ControlPlane, workloads: string, driver = OFED): OperatorFlow {
  let isStopped = false;
  const loop = async (): Promise<void> => {
    while (!isStopped) {
      const [nodes, pods] = [await client.list('/api/v1/nodes'), await podsOf(client, driver.namespace)];
      const newest = await newestRevision(client, driver.namespace);
      for (const node of nodes) {
        const pod = pods.find((one) => driver.isDriver(one) && nodeOf(one) === node.metadata.name);
        if (pod !== undefined) await step({ client, workloads, driver, node, pod, newest });
      }
      await sleep(PASS_MS);
    }
  };
  const ended = loop();
  return {
    stop: async () => {
      isStopped = true;
      await ended;
    },
  };
}

/** Hash of the newest revision of each DaemonSet, by its UID. */
async function newestRevision(client: ApiClient, namespace: string): Promise<ReadonlyMap<string, string>> {
  const all = await client.list(`/apis/apps/v1/namespaces/${namespace}/controllerrevisions`);
  const sorted = [...all].sort((a, b) => Number(a['revision']) - Number(b['revision']));
  return new Map(
    sorted.map(({ metadata }) => [
      metadata.ownerReferences?.[0]?.uid ?? '',
      metadata.labels?.['controller-revision-hash'] ?? '',
    ]),
  );
}

interface Site {
  readonly client: ApiClient;
  readonly workloads: string;
  readonly driver: OperatorDriver;
  readonly node: LiveObject;
  readonly pod: LiveObject;
  readonly newest: ReadonlyMap<string, string>;
}

async function step(site: Site): Promise<void> {
  const { client, node, pod, newest } = site;
  const { keys, beginsCordoned } = site.driver;
  const { name, labels = {}, annotations = {} } = node.metadata;
  const revision = newest.get(pod.metadata.ownerReferences?.[0]?.uid ?? '');
  const isInSync = revision !== undefined && pod.metadata.labels?.['controller-revision-hash'] === revision;
  const isUnschedulable = (node['spec'] as { readonly unschedulable?: boolean }).unschedulable === true;
  const isInitial = annotations[keys.initialState] !== undefined;
  const patch = (change: object) => client.ask('PATCH', `/api/v1/nodes/${name}`, change, 'merge');
  const to = async (state: string, marks: object = {}): Promise<void> => {
    await patch({ metadata: { labels: { [keys.state]: state }, annotations: marks } });
  };
  const finish = () => (isInitial ? to('upgrade-done', { [keys.initialState]: null }) : to('uncordon-required'));
  switch (labels[keys.state] ?? '') {
    case '':
    case 'upgrade-done':
      if (!isInSync) await to('upgrade-required', isUnschedulable ? { [keys.initialState]: 'true' } : {});
      else if (labels[keys.state] === undefined) await to('upgrade-done');
      return;
    case 'upgrade-required':
      if (labels[keys.skip] !== 'true' && (isUnschedulable || beginsCordoned !== true))
        await to('cordon-required', { [keys.requested]: null });
      return;
    case 'cordon-required':
      await patch({ spec: { unschedulable: true } });
      return to('wait-for-jobs-required');
    case 'wait-for-jobs-required':
    case 'pod-deletion-required':
      return to('drain-required');
    case 'drain-required':
      if (await isDrained(site)) await to('pod-restart-required');
      return;
    case 'pod-restart-required':
      if (!isInSync) return client.delete({ ...pod, apiVersion: 'v1', kind: 'Pod' });
      if (annotations[keys.safeLoad] !== undefined)
        await patch({ metadata: { annotations: { [keys.safeLoad]: null } } });
      if (isReady(pod)) await finish();
      return;
    case 'validation-required':
      return finish();
    case 'upgrade-failed':
      if (isInSync && isReady(pod)) await finish();
      return;
    case 'uncordon-required':
      await patch({ spec: { unschedulable: null } });
      return to('upgrade-done');
  }
}

async function isDrained({ client, workloads, node }: Site): Promise<boolean> {
  const pods = await podsOf(client, workloads);
  const here = pods.filter((pod) => nodeOf(pod) === node.metadata.name);
  for (const { metadata } of here) {
    const path = `/api/v1/namespaces/${workloads}/pods/${metadata.name}/eviction`;
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name } };
    // A budget may refuse the eviction at the moment.
    if (metadata.deletionTimestamp === undefined) await client.send('POST', path, eviction);
  }
  return here.length === 0;
}
