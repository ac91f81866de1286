import { diagnostic } from '../../../diagnostics/codes.js';
import type { Diagnostic } from '../../../diagnostics/diagnostic.js';
import { timelinePage } from '../../../timeline/page.js';
import { readPlan, type GivenPlan } from '../../../upgrade-report/read-plan.js';
import { readUpgradeLog } from '../../../upgrade-report/read-log.js';
import { reportMarkdown } from '../../../upgrade-report/render/markdown.js';
import { reportText } from '../../../upgrade-report/render/text.js';
import { frameOf, NO_FRAME, reportTimeline, type Frame } from '../../../upgrade-report/render/timeline.js';
import { makeReport } from '../../../upgrade-report/report.js';
import type { UpgradeRecord, UpgradeReport } from '../../../upgrade-report/types.js';
import { readGiven } from '../../given-file.js';
import { EXIT, type ExitCode, type Io } from '../../io.js';
import { jsonText } from '../../json-text.js';
import { report } from '../../report.js';
import { withCluster } from '../connect.js';
import { clusterRecord } from './live.js';
import type { ReportOptions } from './options.js';

/** `weft upgrade report`: how an upgrade went. */
export async function upgradeReport(options: ReportOptions, io: Io): Promise<ExitCode> {
  const plan = options.plan === undefined ? undefined : await givenPlan(options.plan, io);
  if (plan !== undefined && 'code' in plan) return refuse(plan, options, io);
  if (options.log === undefined) {
    return withCluster(options, io, async (connection) => {
      const { record, frame } = await clusterRecord(connection, options);
      return print(record, plan, frame, options, io);
    });
  }
  const record = await logFile(options.log, io);
  if ('code' in record) return refuse(record, options, io);
  return print(record, plan, plan === undefined ? NO_FRAME : frameOf(plan), options, io);
}

function refuse(problem: Diagnostic, { format }: ReportOptions, io: Io): ExitCode {
  report([problem], format === 'json' ? 'json' : 'text', io, 'nothing reported');
  return EXIT.userError;
}

function print(
  record: UpgradeRecord,
  plan: GivenPlan | undefined,
  frame: Frame,
  { format }: ReportOptions,
  io: Io,
): ExitCode {
  const made = makeReport(record, plan);
  io.stdout(rendered(made, frame, format));
  return made.failed > 0 ? EXIT.failedNodes : EXIT.ok;
}

function rendered(made: UpgradeReport, frame: Frame, format: ReportOptions['format']): string {
  switch (format) {
    case 'text':
      return reportText(made);
    case 'markdown':
      return reportMarkdown(made);
    case 'json':
      return jsonText(made);
    case 'html':
      return timelinePage(reportTimeline(made, frame));
  }
}

async function logFile(path: string, io: Io): Promise<UpgradeRecord | Diagnostic> {
  const text = await textOf(path, io);
  if (typeof text !== 'string') return text;
  const record = readUpgradeLog(text);
  if (record !== undefined) return record;
  const help = '`weft upgrade logs -o json > FILE` writes one, and so does `kubectl logs` of a pod of the companion';
  return diagnostic('WEFT0447', { message: `\`${path}\` has no line of the companion's log`, help });
}

async function givenPlan(path: string, io: Io): Promise<GivenPlan | Diagnostic> {
  const text = await textOf(path, io);
  if (typeof text !== 'string') return text;
  const plan = readPlan(text);
  if (plan !== undefined) return plan;
  return diagnostic('WEFT0447', {
    message: `\`${path}\` is no plan`,
    help: '`weft plan --format json > FILE` writes one',
  });
}

async function textOf(path: string, io: Io): Promise<string | Diagnostic> {
  const text = await readGiven(path, io);
  if (typeof text === 'string') return text;
  const message = `\`${path}\` cannot be read: ${text.problem}`;
  return diagnostic('WEFT0447', { message, help: 'name another file' });
}
