import { canonicalJson } from '../../src/shared/lib/json.js';
import type { RunOutcome } from '../../src/companion/runtime/run-outcome.js';
import { runCompanion } from '../../src/companion/runtime/loop/loop.js';
import type { ClusterPort } from '../../src/companion/runtime/ports.js';
import type { RunOptions } from '../../src/companion/runtime/loop/run.js';
import type { SimulatedCluster } from '../../src/forecast/simulation/simulated-cluster.js';
import { createFakePorts, type FakePorts } from './fake-ports.js';
import {
  createCluster,
  KEYS,
  NAMESPACE,
  putDaemonSet,
  putDriverPod,
  putNode,
  readyDriverPods,
} from './idle-cluster.js';
import { createPolicySettings, policyOf, set, type PolicySettings } from './policy-settings.js';

/** Nodes with an old driver, a policy that upgrades them, and ports to both. */
export function setUpCluster(
  nodes: number,
  settings: readonly string[] = [],
): { cluster: SimulatedCluster; policy: PolicySettings; ports: FakePorts } {
  const cluster = createCluster();
  const policy = createPolicySettings();
  ['drain.enable=true', ...settings].forEach((one) => set(policy, one));
  policy.daemonSets.set('mofed', 'v2');
  putDaemonSet(cluster, 'mofed', 'v2');
  for (let index = 1; index <= nodes; index++) {
    putNode(cluster, `n${index}`);
    putDriverPod(cluster, `n${index}`, 'mofed', 'v1', true);
  }
  return { cluster, policy, ports: createFakePorts(cluster, canonicalJson(policyOf(policy))) };
}

const OPTIONS: RunOptions = { namespace: NAMESPACE, identity: 'pod-a', mode: 'job', runId: 'job-a' };

/** A run of the companion in virtual time; `each` is called after each event. */
export function run(
  ports: FakePorts,
  options: Partial<RunOptions> = {},
  each?: (elapsedMs: number) => void,
): Promise<RunOutcome> {
  return ports.runUntil(runCompanion(ports, { ...OPTIONS, ...options }), (elapsedMs) => {
    readyDriverPods(ports.simulated, 5000);
    each?.(elapsedMs);
  });
}

export function stateOf(cluster: SimulatedCluster, node: string): string | undefined {
  return cluster.store.nodes.get(node)?.labels[KEYS.state];
}

export const count = (ports: FakePorts, name: string): number => ports.requests.filter((one) => one === name).length;

/** The monotonic times of all decisions of the session. */
export function timesOfDecisions(ports: FakePorts): readonly number[] {
  const times: number[] = [];
  Object.assign(ports.output, { counts: () => void times.push(ports.clock.monotonicMs()) });
  return times;
}

/** Delays the responses to a request; `answered` is called with each. */
export function delay(ports: FakePorts, call: keyof ClusterPort, ms: number, answered?: () => void): void {
  const requests = ports.cluster as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const send = requests[call]?.bind(requests);
  requests[call] = async (...args) => {
    const answer = await send?.(...args);
    await new Promise<void>((resolve) => void ports.clock.after(ms, resolve));
    answered?.();
    return answer;
  };
}
