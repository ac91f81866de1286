import { setTimeout as sleep } from 'node:timers/promises';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import type { ApiClient, LiveObject } from '../bed/api-client.js';

const { safeLoad } = driverKeys('ofed');

/**
 * Does what the init container of the operator does with `safeLoad`: it sets the annotation, and waits until it is removed.
 *
 * @param isOver true: stop waiting
 * @returns the node when its driver may load; undefined when it is over
 */
export async function loadSafely(
  client: ApiClient,
  name: string,
  isOver: () => boolean,
): Promise<LiveObject | undefined> {
  await client.ask('PATCH', `/api/v1/nodes/${name}`, { metadata: { annotations: { [safeLoad]: 'true' } } }, 'merge');
  for (;;) {
    const node = await client.get({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
    if (node === undefined) throw new Error(`there is no node ${name}`);
    if (node.metadata.annotations?.[safeLoad] === undefined) return node;
    await sleep(100);
    if (isOver()) return undefined;
  }
}
