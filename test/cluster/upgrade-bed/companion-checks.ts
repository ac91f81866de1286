import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMPANION_NAMES } from '../../../src/shared/contract/labels.js';
import { makeRandom } from '../../../src/forecast/simulation/random.js';
import type { LiveObject } from '../bed/api-client.js';
import { until } from '../bed/guarded-process.js';
import { seed } from '../bed/test-bed.js';
import { NAMESPACE } from '../simulated/fleet.js';
import { mostAtOnce, type Verdict } from './audit.js';
import type { CompanionProcess } from './companion-container.js';
import type { UpgradeBed } from './upgrade-bed.js';

const LOG_LINES_SHOWN = 40;

/** Waits for the end of a run after which all nodes must be done. Fails with the end of the log, which says what a node waited for. */
export async function expectDone(bed: UpgradeBed, companion: CompanionProcess): Promise<void> {
  const code = await companion.ended;
  if (code !== 0 || reasonOf(companion) !== 'done') {
    const log = companion.logs().slice(-LOG_LINES_SHOWN);
    throw new Error(`the companion ended with ${code}:\n${log.map((line) => JSON.stringify(line)).join('\n')}`);
  }
  expect(await bed.behind()).toEqual([]);
}

/** Runs the container of the CronJob to its end: no work is left that can be done now. */
export async function runCronJob(bed: UpgradeBed): Promise<void> {
  const companion = await bed.start({ mode: 'cronjob' });
  expect(await companion.ended).toBe(0);
}

/** Nodes that are not done by one of these state labels, a line for each node and label. */
export function nodesNotDone(nodes: readonly LiveObject[], states: readonly string[]): readonly string[] {
  return nodes.flatMap(({ metadata: { name, labels = {} } }) =>
    states.flatMap((state) => (labels[state] === 'upgrade-done' ? [] : [`${name}: ${state}=${labels[state] ?? ''}`])),
  );
}

interface RunsToEnd {
  /** How often it is killed, at random moments. */
  readonly kills: number;
  /** What is left to do, one line each. */
  readonly left: () => Promise<readonly string[]>;
  readonly seconds: number;
}

/** Runs the companion as its CronJob does, until everything is done. */
export async function runToEnd(bed: UpgradeBed, { kills, left, seconds }: RunsToEnd): Promise<void> {
  const random = makeRandom(seed(), 'kills');
  let killed = 0;
  await until(
    'every node has everything',
    async () => {
      const companion = await bed.start({ mode: 'cronjob' });
      const isOver = Promise.race([companion.ended.then(() => true), sleep(500 + random.next() * 4000, false)]);
      if (killed < kills && !(await isOver)) {
        companion.signal('SIGKILL');
        await companion.ended;
        killed += 1;
        await bed.controlPlane.client.send('PATCH', LEASE, { spec: { holderIdentity: null } }, 'merge');
      }
      expect([0, 137]).toContain(await companion.ended);
      const lines = await left();
      if (lines.length === 0) return true;
      throw new Error(lines.join('\n'));
    },
    seconds,
  );
}

const LEASE = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/${COMPANION_NAMES.lease}`;

/** Checks what must hold after any interruption of the companion. */
export function expectSound(bed: UpgradeBed, slots: number): Verdict {
  const verdict = bed.audit();
  const { refused, uncordoned, outsidePolicy, leftCordoned } = verdict;
  expect({ refused, uncordoned, outsidePolicy, leftCordoned }).toEqual({
    ...{ refused: [], uncordoned: [], outsidePolicy: [], leftCordoned: [] },
  });
  expect(mostAtOnce(verdict.spans)).toBeLessThanOrEqual(slots);
  return verdict;
}

/** Memory limit of a companion with up to 1,000 nodes. */
const MEMORY_MIB = 128;

/** Checks the container's memory if it has its limit: without one V8 sizes its heap by the memory of the machine. */
export function expectFits({ isMemoryLimited, peakMiB }: CompanionProcess): void {
  if (isMemoryLimited) expect(peakMiB()).toBeLessThan(MEMORY_MIB);
}

/** The reason for which the run ended, from the last line of its log. */
export function reasonOf(companion: CompanionProcess): unknown {
  return companion.logs().at(-1)?.['reason'];
}
