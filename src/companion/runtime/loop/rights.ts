import { companionRights, type CompanionRight } from '../../../shared/contract/companion-rights.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { runOutcome, type RunOutcome } from '../run-outcome.js';
import type { Access } from '../ports.js';
import type { Run } from './run.js';

/**
 * Asks the API server for every right that this policy needs before the first action of a run, so that a run which lacks one begins no
 * upgrade that it could not finish. Without a right that only reports need, the run still finishes what has begun. An answer that is
 * neither yes nor no changes nothing: the request itself shows then whether it is allowed.
 */
export async function checkRights(run: Run, policy: UpgradePolicy): Promise<RunOutcome | undefined> {
  const { cluster, namespaces } = companionRights(policy, run.options.namespace);
  const asked = [
    ...cluster.flatMap(accesses()),
    ...[...namespaces].flatMap(([namespace, rights]) => rights.flatMap(accesses(namespace))),
  ];
  const answers = await Promise.all(
    asked.map(async (one) => ({ ...one, answer: await run.ports.cluster.isAllowed(one.access) })),
  );
  const missing = answers.filter(({ answer }) => answer.kind === 'ok' && !answer.value);
  const [needed] = missing.filter(({ isForReports }) => !isForReports);
  if (needed !== undefined) return runOutcome('forbidden', textOf(needed.access));
  const [reporting] = missing;
  if (reporting !== undefined) run.forbidden ??= textOf(reporting.access);
  return undefined;
}

function accesses(namespace?: string) {
  return ({ group, resource, verbs, name, isForReports }: CompanionRight) =>
    verbs.map((verb): { readonly access: Access; readonly isForReports: boolean } => ({
      access: {
        group,
        resource,
        verb,
        ...(namespace !== undefined && { namespace }),
        ...(name !== undefined && { name }),
      },
      isForReports: isForReports === true,
    }));
}

function textOf({ group, resource, verb, namespace, name }: Access): string {
  const kind = group === '' ? resource : `${resource}.${group}`;
  const object = name === undefined ? kind : `${kind} "${name}"`;
  return `the companion may not ${verb} ${object} in ${namespace === undefined ? 'all namespaces' : `namespace ${namespace}`}`;
}
