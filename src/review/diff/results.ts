import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { counted, listed } from '../../shared/lib/listed.js';
import { failOnChoices, impactClasses, type FailOn } from '../impact/impact.js';
import type { ObjectDiff } from './diff.js';
import { alikeGroups } from './alike.js';
import type { Causes } from './causes.js';
import type { DiffContext, FailedCluster } from './context.js';
import type { DiffGroup } from './groups.js';
import { CLASS_MEANINGS, objectName } from './messages.js';
import { moreText, worstFirst, type Ranked } from './order.js';

/** What is a result where a gate names no classes. */
export const DEFAULT_CHOICES: readonly FailOn[] = failOnChoices.filter((choice) => choice !== 'metadata');

/** Whether an object is of a class, or refused. */
export function isOf({ impact, refusedFields }: ObjectDiff, choice: FailOn): boolean {
  return choice === 'refused' ? refusedFields !== undefined : impact === choice;
}

/** The meaning of a class and its level, for the rules of SARIF. */
export function resultRule(code: string): { readonly title: string; readonly severity: Diagnostic['severity'] } {
  if (code === NOT_COMPARED) return { title: 'a cluster with errors is not compared', severity: 'error' };
  const choice = failOnChoices.find((one) => one === code) ?? 'metadata';
  return { title: choice === 'refused' ? REFUSED : CLASS_MEANINGS[choice], severity: severityOf(choice) };
}

/** In place of a class, for a cluster with errors. */
const NOT_COMPARED = 'not-compared';

const REFUSED = 'the API server refuses the change until the object is deleted';

function severityOf(choice: FailOn): Diagnostic['severity'] {
  return choice === 'driver-loss' || choice === 'refused' ? 'error' : 'warning';
}

const SHOWN_CLUSTERS = 5;

/** GitHub shows so many annotations of each severity for a step; the others are in its log. */
const SHOWN_ANNOTATIONS = 10;

/** What GitHub does not show of results, as a sentence; `undefined` if it shows all of them. */
export function leftOutOfGithub(results: readonly Diagnostic[]): string | undefined {
  const left = (['error', 'warning'] as const)
    .flatMap((severity) => results.filter((one) => one.severity === severity).slice(SHOWN_ANNOTATIONS))
    // What is refused, and what a cluster with errors does, is not known.
    .map(({ code }) => ({ impact: impactClasses.find((impact) => impact === code) ?? ('driver-loss' as const) }));
  return left.length === 0
    ? undefined
    : `${moreText(left, 'more in the log')}: GitHub shows ${SHOWN_ANNOTATIONS} of a kind`;
}

/**
 * The objects of some classes as diagnostics, the worst first, whose code is the class and whose message is the consequence; the file is that of the first
 * cluster with this difference, or with one that differs in names alone. A cluster with errors is one more.
 *
 * @param folderOf the output folder of a cluster, as users type it
 * @param context what changed in bases is the second place of a result
 */
export function diffResults(
  groups: readonly DiffGroup[],
  choices: readonly FailOn[],
  folderOf: (cluster: string) => string,
  { causes, failed = [] }: DiffContext = {},
): readonly Diagnostic[] {
  const differences = alikeGroups(groups).flatMap(({ shown, others }) => {
    const { names, objects, change } = shown;
    const [first = ''] = names;
    const related = causes?.clusters.includes(first) === true ? placeOf(causes) : undefined;
    const where =
      others.length === 0 ? listed(names, SHOWN_CLUSTERS) : `${first} and alike ${listed(others, SHOWN_CLUSTERS)}`;
    return [...new Set(choices)].flatMap((choice) =>
      objects
        .filter((object) => isOf(object, choice))
        .flatMap((object) =>
          consequences(object, choice).map((text): Ranked & { readonly result: Diagnostic } => {
            const { file, impact } = object;
            const result: Diagnostic = {
              code: choice,
              severity: severityOf(choice),
              message: `${where}: ${objectName(object)}: ${text}`,
              ...(file !== undefined && { location: { file: `${folderOf(first)}/${file}`, line: 1, column: 1 } }),
              ...(related && { related }),
            };
            return { impact, isNew: change === 'added', result };
          }),
        ),
    );
  });
  return [...failed.map(notCompared), ...worstFirst(differences).map(({ result }) => result)];
}

function notCompared({ name, codes, location }: FailedCluster): Diagnostic {
  return {
    code: NOT_COMPARED,
    severity: 'error',
    message: `${name} has errors, and is not compared: ${codes.join(', ')}`,
    ...(location && { location }),
  };
}

/** The first change, with the number of the others: which of them is the cause of a difference is not known. */
function placeOf({ changes: [first, ...more] }: Causes): Diagnostic['related'] {
  if (first === undefined) return undefined;
  const others = more.length === 0 ? '' : `, as ${counted(more.length, 'other value')} of bases did`;
  const location = { file: first.file, line: first.line ?? 1, column: 1 };
  return { location, message: `changed in a base of the cluster${others}` };
}

/** A policy has a result for each setting; other objects have one. */
function consequences({ impact, notes }: ObjectDiff, choice: FailOn): readonly string[] {
  if (notes.length === 0) return [CLASS_MEANINGS[impact]];
  return choice === 'policy' ? notes : [notes.join('\n')];
}
