import { randomBytes } from 'node:crypto';
import { escapeJson } from '../../shared/lib/escape.js';
import { thrownTexts } from '../../shared/lib/thrown.js';
import { readEnvironment, type CompanionEnvironment } from './environment.js';
import { createApiClient } from '../../shared/kube-client/api-client.js';
import { podEndpoint } from '../../shared/kube-client/endpoint.js';
import { createKubePort } from './kube-port/kube-port.js';
import { WATCH_TIMES } from '../../shared/kube-client/watch.js';
import { createRateLimit } from '../../shared/kube-client/rate-limit.js';
import { runCompanion } from './loop/loop.js';
import { containerOutput, eachOnce } from './process/output.js';
import { processSignals, systemClock } from './process/ports.js';
import { OUTCOMES } from '../../shared/contract/outcomes.js';

/** The program of the companion's container: one run, configured by environment variables. Its exit code is the run's. */
async function main(): Promise<number> {
  const environment = readEnvironment(process.env);
  if (!('podName' in environment)) {
    const output = containerOutput({ logLevel: 'error', write });
    const message = environment.join('; ');
    output.log({ time: new Date().toISOString(), level: 'error', message });
    output.summary(message);
    return OUTCOMES['bad-policy'].exitCode;
  }
  return run(environment);
}

async function run(environment: CompanionEnvironment): Promise<number> {
  const { podName, namespace, mode, jobName, jobUid, policyHash, logLevel, metricsPort, clientQps, clientBurst } =
    environment;
  const output = containerOutput({ logLevel, write, ...(metricsPort !== undefined && { metricsPort }) });
  const endpoint = podEndpoint(environment.apiHost, environment.apiPort, environment.credentials);
  const client = createApiClient(endpoint, createRateLimit(clientQps, clientBurst));
  const onMalformed = eachOnce((message) => output.log({ time: new Date().toISOString(), level: 'warning', message }));
  const cluster = createKubePort(client, namespace, WATCH_TIMES, onMalformed);
  try {
    const ports = { cluster, output, clock: systemClock, signals: processSignals(), random: Math.random };
    const end = await runCompanion(ports, {
      namespace,
      // A container that is started again in the same pod is another holder.
      identity: `${podName}_${randomBytes(4).toString('hex')}`,
      mode,
      runId: jobName,
      ...(jobUid !== undefined && { job: { namespace, name: jobName, uid: jobUid } }),
      ...(policyHash !== undefined && { policyHash }),
    });
    return end.exitCode;
  } finally {
    endpoint.close();
    output.close();
  }
}

function write(line: string): void {
  process.stdout.write(line);
}

/** An error that no code caught is a bug of Weft. */
function crash(error: unknown): void {
  const { message, stack } = thrownTexts(error);
  write(`${escapeJson(JSON.stringify({ time: new Date().toISOString(), level: 'error', message, stack }))}\n`);
  process.exit(OUTCOMES.bug.exitCode);
}

process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);
void main().then((exitCode) => {
  process.exitCode = exitCode;
  // Open handles must not keep the process alive.
  setTimeout(() => process.exit(), 2_000).unref();
});
