import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { escapeLine } from '../../shared/lib/escape.js';
import { kubectlTarget } from '../../cluster/client/target.js';
import { toYaml } from '../../compile/render/yaml/yaml.js';
import { isAllReady, type ClusterStatus, type UnknownCluster } from '../../cluster/status/model.js';
import { operatorObjects } from '../../cluster/status/operator-status.js';
import { statusText } from '../../cluster/status/text.js';
import { withSession } from '../cluster/session.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import { jsonText } from '../json-text.js';
import { hasErrors, refused } from '../report.js';
import { observeStatus, type Target } from './observe.js';
import type { StatusOptions } from './options.js';
import { statusTargets } from './targets.js';

const WATCH_MS = 10_000;
/** Cursor to the first place, and "erase in page" (ECMA-48, 8.3.39). */
const CLEAR = '\x1b[H\x1b[2J';

/** `weft status`: how live clusters are, in the operator's words. */
export async function status(given: readonly string[], options: StatusOptions, io: Io): Promise<ExitCode> {
  const { targets, diagnostics } = await statusTargets(given, options, io);
  if (hasErrors(diagnostics)) return refused(diagnostics, 'text', io);
  const stop = createStop(options.watch === true, io);
  for (;;) {
    const clusters = await Promise.all(targets.map((target) => statusOf(target, options, io, targets.length > 1)));
    const [first] = clusters;
    if (targets.length === 1 && first !== undefined && 'code' in first) return refused([first], 'text', io);
    const known = clusters.map((one, index) => ('code' in one ? unknown(targets[index], one) : one));
    if (options.watch === true && io.isStdoutTerminal === true) io.stdout(CLEAR);
    io.stdout(printed(known, targets, options));
    const exit = known.every(isAllReady) ? EXIT.ok : EXIT.differences;
    if (options.watch !== true || stop.isRequested()) return exit;
    await stop.wait(WATCH_MS);
    if (stop.isRequested()) return exit;
  }
}

interface Stop {
  readonly isRequested: () => boolean;
  /** Returns when the time is over, or at once at a signal. */
  readonly wait: (ms: number) => Promise<void>;
}

function createStop(isWatching: boolean, io: Io): Stop {
  let isRequested = false;
  let wake = (): void => undefined;
  if (isWatching) {
    io.onStop?.(() => {
      isRequested = true;
      wake();
    });
  }
  return {
    isRequested: () => isRequested,
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}

/** One cluster that cannot be reached does not stop the others. */
async function statusOf(
  target: Target,
  { context, kubectl, output }: StatusOptions,
  io: Io,
  isOneOfSeveral: boolean,
): Promise<ClusterStatus | Diagnostic> {
  const expected = target.cluster?.expected;
  const chosen = context ?? expected?.context;
  const where = await kubectlTarget({
    env: io.env,
    onOutput: () => undefined,
    ...(kubectl !== undefined && { command: kubectl }),
    ...(chosen !== undefined && { context: chosen }),
  });
  const choice = {
    ...(context !== undefined && { context }),
    ...(kubectl !== undefined && { kubectl }),
    expected,
    format: output !== undefined || isOneOfSeveral ? 'json' : 'text',
  };
  const place = where === undefined ? 'by kubectl' : `context ${where.context}, ${where.server}`;
  return withSession(choice, io, (session) => observeStatus(session, target, place));
}

function unknown(target: Target | undefined, { message }: Diagnostic): UnknownCluster {
  const context = target?.cluster?.expected.context;
  return { name: target?.name ?? '', where: context === undefined ? '' : `context ${context}`, error: message };
}

function printed(
  clusters: readonly (ClusterStatus | UnknownCluster)[],
  targets: readonly Target[],
  { output }: StatusOptions,
): string {
  if (output === undefined) return statusText(clusters);
  if (output === 'json') {
    const document = { clusters: clusters.map((cluster) => ({ ...cluster, isReady: isAllReady(cluster) })) };
    return jsonText(document);
  }
  return clusters
    .flatMap((cluster, index) =>
      'error' in cluster
        ? [`# ${escapeLine(`${cluster.name}: ${cluster.error}`)}\n`]
        : operatorObjects(cluster, policyName(targets[index])).map(toYaml),
    )
    .join('---\n');
}

/** The name of the NicClusterPolicy, of which the operator accepts one. */
function policyName(target: Target | undefined): string {
  const policies = target?.cluster?.result.config.policies ?? [];
  return policies.find(({ owner }) => owner.kind === 'NicClusterPolicy')?.owner.name ?? 'nic-cluster-policy';
}
