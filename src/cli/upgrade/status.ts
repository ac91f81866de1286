import { EXIT, type ExitCode, type Io } from '../io.js';
import { jsonText } from '../json-text.js';
import type { CompanionStatus } from './companion-status.js';
import { withCluster, type ClusterOptions, type Connection } from './connect.js';
import { driverVersions } from './images.js';
import { limitsOf } from './limits.js';
import { headwayLine, statusText } from './render.js';
import { headwayOf, statusRows, uncoveredNodes, type Headway, type StatusRow } from './rows.js';
import { survey, type Survey } from './survey.js';

export interface StatusOptions extends ClusterOptions {
  readonly watch?: boolean;
  readonly output?: 'json';
}

const WATCH_MS = 5_000;
/** Cursor to the first place, and "erase in page" (ECMA-48, 8.3.39). */
const CLEAR = '\x1b[H\x1b[2J';

/** `weft upgrade status`: prints the state of each node, and what it waits for. */
export function upgradeStatus(options: StatusOptions, io: Io): Promise<ExitCode> {
  return withCluster(options, io, (connection) => show(connection, options, io));
}

async function show(connection: Connection, options: StatusOptions, io: Io): Promise<ExitCode> {
  const stop = { isRequested: false };
  let wake = (): void => undefined;
  if (options.watch) {
    io.onStop?.(() => {
      stop.isRequested = true;
      wake();
    });
  }
  for (;;) {
    const found = await survey(connection, options);
    const rows = statusRows(found, await driverVersions(connection.client, found.policy));
    const headway = headwayOf(rows, found);
    print(found, rows, headway, options, io);
    const exit = exitOf(rows, headway);
    if (options.watch !== true || exit === EXIT.ok || stop.isRequested) return exit;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, WATCH_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function print(found: Survey, rows: readonly StatusRow[], headway: Headway, options: StatusOptions, io: Io): void {
  if (options.output === 'json') {
    const { policyHash, lease, decision } = found;
    const document = {
      policyHash,
      lease: lease ?? null,
      headway,
      nodes: rows,
      limits: limitsOf(found.waiting),
      uncovered: uncoveredNodes(found),
      ...counted(decision),
      companion: withoutWaits(found.companion),
    };
    io.stdout(jsonText(document));
    return;
  }
  if (options.watch && io.isStderrTerminal) io.stderr(CLEAR);
  io.stdout(statusText(found, rows));
  if (io.isStderrTerminal) io.stderr(headwayLine(headway));
  else io.stdout(`${headway.done} of ${headway.total} nodes are done\n${options.watch ? '\n' : ''}`);
}

/** Where what nodes wait for is from. The rows have the waits. */
function withoutWaits(companion: CompanionStatus): object {
  return companion.kind === 'same-policy' ? { ...companion, waiting: companion.waiting.length } : companion;
}

function counted({ counts, findings }: Survey['decision']): Pick<Survey['decision'], 'counts' | 'findings'> {
  return { counts, findings };
}

/** Exit code: failed nodes first, then work that is left, then none. */
function exitOf(rows: readonly StatusRow[], { done, total }: Headway): ExitCode {
  if (rows.some(({ state }) => state === 'upgrade-failed')) return EXIT.failedNodes;
  return done < total ? EXIT.differences : EXIT.ok;
}
