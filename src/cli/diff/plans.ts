import { join, resolve } from 'node:path';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { planBriefText, unplannedText } from '../../forecast/plan/render/brief.js';
import { planBriefMarkdown, planCostMarkdown, unplannedMarkdown } from '../../forecast/plan/render/markdown.js';
import { DEFAULT_RUNS } from '../../forecast/plan/types.js';
import { isFolder } from '../../compile/render/tree/disk.js';
import type { DiffGroup } from '../../review/diff/groups.js';
import type { ShownPlan } from '../../review/diff/markdown.js';
import { expectedCluster, type ExpectedCluster } from '../cluster/expected.js';
import type { Io } from '../io.js';
import type { PlanCommandOptions } from '../plan/options.js';
import { planned } from '../plan/plan.js';
import { hasErrors } from '../report.js';
import type { DiffOptions } from './options.js';
import { severalFolders } from './rendered.js';

interface Subject {
  readonly folder: string;
  readonly expected: ExpectedCluster;
  readonly snapshot?: string;
}

/** The short form of the plan of each cluster that differs, in the format of the differences; or why that cluster has none. */
export async function plansOf(
  groups: readonly DiffGroup[],
  folders: readonly string[],
  options: DiffOptions,
  io: Io,
): Promise<readonly ShownPlan[] | Diagnostic> {
  const subjects = await subjectsOf(groups, folders, options, io);
  const live = subjects.filter(({ snapshot }) => snapshot === undefined);
  const isNamed = options.context === undefined && live.every(({ expected }) => expected.context !== undefined);
  if (options.snapshot === undefined && live.length > 1 && !isNamed)
    return severalFolders(
      'the live cluster',
      live.map(({ folder }) => folder),
      io,
    );
  if (options.snapshot !== undefined && !isFolder(resolve(io.cwd, options.snapshot)) && subjects.length > 1)
    return severalFolders(
      `\`${options.snapshot}\``,
      subjects.map(({ folder }) => folder),
      io,
    );
  const plans: ShownPlan[] = [];
  for (const subject of subjects) {
    const plan = await planOf(subject, options, io);
    if ('code' in plan) return plan;
    plans.push(plan);
  }
  return plans;
}

/** The clusters that differ, the worst first, with their snapshots. Clusters that are gone upgrade nothing. */
async function subjectsOf(
  groups: readonly DiffGroup[],
  folders: readonly string[],
  options: DiffOptions,
  io: Io,
): Promise<readonly Subject[]> {
  const names = groups.flatMap((group) => (group.change === 'removed' ? [] : group.names));
  const ranks = new Map(names.map((name, index) => [name, index]));
  const rankOf = ({ expected }: Subject) => ranks.get(expected.name) ?? 0;
  const subjects: Subject[] = [];
  for (const folder of folders) {
    const expected = await expectedCluster(folder, options, io);
    if (!('name' in expected) || !ranks.has(expected.name)) continue;
    const { snapshot } = options;
    const path = snapshot === undefined ? undefined : snapshotPath(snapshot, expected.name, io);
    subjects.push({ folder, expected, ...(path !== undefined && { snapshot: path }) });
  }
  return subjects.sort((a, b) => rankOf(a) - rankOf(b));
}

function snapshotPath(given: string, name: string, io: Io): string {
  return isFolder(resolve(io.cwd, given)) ? join(given, `${name}.json`) : given;
}

async function planOf(
  { folder, expected, snapshot }: Subject,
  options: DiffOptions,
  io: Io,
): Promise<ShownPlan | Diagnostic> {
  const { name } = expected;
  const isText = options.format === 'text';
  const { context, kubectl, programs } = options;
  const call: PlanCommandOptions = {
    format: isText ? 'text' : 'markdown',
    runs: DEFAULT_RUNS,
    seed: 1,
    ...(context !== undefined && { context }),
    ...(kubectl !== undefined && { kubectl }),
    ...(programs !== undefined && { programs }),
    ...(snapshot !== undefined && { snapshot }),
  };
  const { result } = await planned(folder, call, io);
  if ('startsAt' in result)
    return isText
      ? { text: planBriefText(result, name) }
      : { cost: planCostMarkdown(result, name), text: planBriefMarkdown(result, name) };
  // The warnings of the documents are those of the comparison.
  const [error] = result.filter((one) => hasErrors([one]));
  if (error === undefined) throw new Error('a plan that cannot be made has no error');
  const isNamed = snapshot !== undefined && snapshot === options.snapshot;
  if (isNamed && error.code !== NOTHING_TO_PLAN) return error;
  // The differences are shown all the same: a cluster may be new, or out of reach.
  return { text: (isText ? unplannedText : unplannedMarkdown)(name, error.message) };
}

const NOTHING_TO_PLAN = 'WEFT0445';
