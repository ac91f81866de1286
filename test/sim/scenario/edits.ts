import { makeRandom } from '../../../src/forecast/simulation/random.js';
import { labelPrefixOf, SRIOV_PREFIX, type Git } from './git.js';
import type { Incident } from './incidents.js';
import { FAULTS_MS, type Scenario } from './scenario.js';

/** A commit that changes the Cluster document while nodes are out. The faults end with the document as it was. */
export type EditIncident =
  /** A section is removed, and with it the driver of this label prefix. */
  | { readonly kind: 'section'; readonly driver: string; readonly on: boolean }
  | { readonly kind: 'drainer'; readonly isMaintained: boolean }
  | { readonly kind: 'name-prefix'; readonly namePrefix: string };

/** One of six scenarios has such a commit, and mostly the one that takes it back. */
export function withEdits(scenario: Scenario): Scenario {
  const random = makeRandom(scenario.seed, 'edits');
  if (scenario.isCalm === true || !random.chance(1 / 6)) return scenario;
  const [begin, end] = random.pick(editsOf(scenario.git));
  if (begin === undefined || end === undefined) return scenario;
  const atMs = random.int(1000, 8 * 60_000);
  const backMs = random.int(atMs, FAULTS_MS);
  const edits: Incident[] = [{ atMs, ...begin }, ...(random.chance(0.7) ? [{ atMs: backMs, ...end }] : [])];
  return { ...scenario, incidents: [...scenario.incidents, ...edits].sort((a, b) => a.atMs - b.atMs) };
}

/** The commits that may be made, each with the one that takes it back. */
function editsOf({ drivers, sriov, isMaintained }: Git): readonly (readonly EditIncident[])[] {
  const removable = drivers.filter(({ management }) => management !== undefined).map(labelPrefixOf);
  const sections = [...removable, ...(sriov === undefined ? [] : [SRIOV_PREFIX])].map((driver) =>
    [false, true].map((on) => ({ kind: 'section' as const, driver, on })),
  );
  const names = ['network-operator', 'nvidia-operator'].map((namePrefix) => ({
    kind: 'name-prefix' as const,
    namePrefix,
  }));
  const drainers = [false, true].map((to) => ({ kind: 'drainer' as const, isMaintained: to }));
  return [...sections, ...(isMaintained === true ? [names, drainers] : [])];
}
