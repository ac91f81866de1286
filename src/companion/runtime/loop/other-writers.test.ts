import { describe, expect, it } from '@jest/globals';
import { NETWORK_OPERATOR_LEASE } from '../../../shared/contract/network-operator.js';
import { putNode, putLease } from '../../../../test/kit/idle-cluster.js';
import { run, setUpCluster, stateOf } from '../../../../test/kit/runs.js';

/** The time that a run of two nodes takes. Each request to the API server takes 20 ms there, and 20 ms back. */
async function timeOfRun(writeEveryMs?: number): Promise<number> {
  const { cluster, ports } = setUpCluster(2);
  const wait = (ms: number) => new Promise<void>((resolve) => void ports.clock.after(ms, resolve));
  for (const call of ['patchNode', 'getNode'] as const) {
    const send = ports.cluster[call].bind(ports.cluster) as (argument: unknown) => Promise<unknown>;
    const slow = async (argument: unknown) => {
      await wait(20);
      const answer = await send(argument);
      await wait(20);
      return answer;
    };
    Object.assign(ports.cluster, { [call]: slow });
  }
  let writes = 0;
  const write = (): void => {
    writes += 1;
    for (const name of ['n1', 'n2']) {
      const node = cluster.store.nodes.get(name);
      if (node !== undefined)
        putNode(cluster, name, { ...node, annotations: { ...node.annotations, beat: `${writes}` } });
    }
    if (writeEveryMs !== undefined && stateOf(cluster, 'n2') !== 'upgrade-done') ports.clock.after(writeEveryMs, write);
  };
  if (writeEveryMs !== undefined) write();
  const startMs = ports.clock.monotonicMs();
  expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
  return ports.clock.monotonicMs() - startMs;
}

it('a program that writes to a node ten times a second hardly delays its upgrade', async () => {
  const alone = await timeOfRun();
  expect(await timeOfRun(100)).toBeLessThan(1.5 * alone);
});

describe('an operator that has only its Lease', () => {
  /** The Lease is renewed every two seconds until then. Returns when the node begins. */
  async function beginMs(stopsMs: number): Promise<number> {
    const { cluster, ports } = setUpCluster(1, ['controllerPodSelector=app=operator']);
    const startMs = ports.clock.monotonicMs();
    const renew = (): void => {
      const renewMs = ports.clock.now();
      putLease(cluster, { holderIdentity: 'operator_1', leaseDurationSeconds: 15, renewMs }, NETWORK_OPERATOR_LEASE);
      if (ports.clock.monotonicMs() - startMs < stopsMs) ports.clock.after(2_000, renew);
    };
    renew();
    let begun: number | undefined;
    const end = await run(ports, { mode: 'cronjob' }, (elapsedMs) => {
      if ((stateOf(cluster, 'n1') ?? '') !== '') begun ??= elapsedMs;
    });
    return begun ?? (end.reason === 'refused' ? Infinity : NaN);
  }

  it('is left alone while it renews the Lease', async () => {
    expect(await beginMs(Infinity)).toBe(Infinity);
  });

  it('that stopped is waited for until the Lease expires', async () => {
    const ms = await beginMs(0);
    expect(ms).toBeGreaterThanOrEqual(15_000);
    expect(ms).toBeLessThan(20_000);
  });
});
