import { kubectlTarget } from '../../cluster/client/target.js';
import { isDnsSubdomain } from '../../shared/kubernetes/names.js';
import { escapeLine } from '../../shared/lib/escape.js';
import type { Io } from '../io.js';
import { archChoices, ciChoices, operatingSystemOf, type InitOptions } from './options.js';

type Ask = NonNullable<Io['ask']>;

/** Whether a person answers: on a terminal, and not with `--yes`. */
const answersOf = ({ yes = false }: InitOptions, io: Io): Ask | undefined =>
  yes || !io.isStdinTerminal || !io.isStderrTerminal ? undefined : io.ask;

/** The options with the answers to the questions that no option answers; without a terminal as they are. */
export async function askOptions(options: InitOptions, needsCluster: boolean, io: Io): Promise<InitOptions> {
  const ask = answersOf(options, io);
  if (ask === undefined) return options;
  const cluster = needsCluster ? await askCluster(options, ask, io) : {};
  const ci = options.ci ?? (await choose('pipelines for github, gitlab or none', ciChoices, 'none', ask, io));
  return { ...options, ...cluster, ci };
}

async function askCluster(options: InitOptions, ask: Ask, io: Io): Promise<Partial<InitOptions>> {
  const isDescribed = [options.os, options.kernel, options.arch].some((given) => given !== undefined);
  const fromCluster = options.fromCluster ?? (!isDescribed && (await askLive(options, ask, io)));
  // The name of a live cluster is that of its context, unless an option says another.
  const described = fromCluster ? { fromCluster } : await askNodes(options, ask, io);
  const fleet = options.fleet ?? (await isYes('share documents between clusters, in a base?', ask));
  return { ...described, fleet };
}

async function askNodes(options: InitOptions, ask: Ask, io: Io): Promise<Partial<InitOptions>> {
  const cluster = options.cluster ?? (await valid('name of the first cluster', 'east', CLUSTER_NAME, ask, io));
  const os = options.os ?? (await valid('operating system of the nodes', 'ubuntu:24.04', SYSTEM, ask, io));
  const kernel = options.kernel ?? (await answer('kernel of the nodes, as `uname -r` prints it', 'any', ask));
  const arch =
    options.arch ?? (await choose('architecture of the nodes, amd64 or arm64', archChoices, 'amd64', ask, io));
  return { cluster, os, arch, ...(kernel !== 'any' && { kernel }) };
}

/** Asks only where kubectl reaches a cluster. */
async function askLive({ kubectl }: InitOptions, ask: Ask, { env }: Io): Promise<boolean> {
  const target = await kubectlTarget({
    env,
    onOutput: () => undefined,
    ...(kubectl !== undefined && { command: kubectl }),
  });
  if (target === undefined) return false;
  const question = `read the first cluster from context ${target.context}, ${target.server}? It is not changed`;
  return isYes(escapeLine(question), ask);
}

const isYes = async (question: string, ask: Ask) => /^y(?:es)?$/i.test(await answer(question, 'y/N', ask));

/** The line that a person types; an empty one stands for the proposal. */
async function answer(question: string, proposal: string, ask: Ask): Promise<string> {
  const line = (await ask(`${question} [${proposal}] `)).trim();
  return line === '' ? proposal : line;
}

interface Reader<Value> {
  readonly read: (text: string) => Value | undefined;
  readonly wanted: string;
}

const CLUSTER_NAME: Reader<string> = {
  read: (text) => (isDnsSubdomain(text) ? text : undefined),
  wanted: 'lower-case letters, digits, `-` and `.`',
};
const SYSTEM = { read: operatingSystemOf, wanted: 'a name and a version, such as `ubuntu:24.04`' };

/** Asks until the answer can be read. An end of the input is an empty line, which stands for the proposal. */
async function valid<Value>(
  question: string,
  proposal: string,
  { read, wanted }: Reader<Value>,
  ask: Ask,
  io: Io,
): Promise<Value> {
  for (;;) {
    const value = read(await answer(question, proposal, ask));
    if (value !== undefined) return value;
    io.stderr(`the answer must be ${wanted}\n`);
  }
}

function choose<Choice extends string>(
  question: string,
  choices: readonly Choice[],
  proposal: Choice,
  ask: Ask,
  io: Io,
): Promise<Choice> {
  const read = (text: string) => choices.find((one) => one === text);
  return valid(question, proposal, { read, wanted: `one of ${choices.join(', ')}` }, ask, io);
}
