import { decide } from '../../src/upgrade/decide.js';
import type { TransitionRow } from '../../src/upgrade/flow/transition-row.js';
import type { Decision } from '../../src/upgrade/model/types.js';
import { createPolicy, policyOf, set, type StoryPolicy } from '../kit/story-policy.js';
import {
  changePod,
  createWorld,
  DRIVER_CONTAINER,
  KEYS,
  merged,
  putDaemonSet,
  putDriverPod,
  putNode,
  putPod,
  snapshotOf,
  type NewPod,
  type StoryWorld,
} from '../kit/story-world.js';

/** The state of a scenario: the simulated cluster and the policy. */
export interface Story {
  readonly world: StoryWorld;
  readonly policy: StoryPolicy;
}

export function createStory(): Story {
  return { world: createWorld(), policy: createPolicy() };
}

type Words = readonly string[];

/** What a line may say, by its beginning. `*` stands for one word; the rest of the line follows. */
const COMMANDS: readonly { readonly form: string; readonly run: (story: Story, words: Words, rest: Words) => void }[] =
  [
    {
      form: 'policy',
      run(story, _words, settings) {
        settings.forEach((one) => set(story.policy, one));
        writePolicy(story);
      },
    },
    {
      form: 'git has daemon set * of *',
      run(story, [name = '', digest = '']) {
        story.policy.daemonSets.set(name, digest);
        writePolicy(story);
      },
    },
    {
      form: 'git has no daemon set *',
      run(story, [name = '']) {
        story.policy.daemonSets.delete(name);
        writePolicy(story);
      },
    },
    {
      form: 'cluster has daemon set * of *',
      run: ({ world }, [name = '', digest = '']) => putDaemonSet(world, name, digest),
    },
    {
      form: 'daemon set * of *',
      run(story, [name = '', digest = '']) {
        story.policy.daemonSets.set(name, digest);
        writePolicy(story);
        putDaemonSet(story.world, name, digest);
      },
    },
    { form: 'nodes', run: ({ world }, _words, names) => names.forEach((name) => putNode(world, name)) },
    { form: 'node * label', run: (story, [name = ''], changes) => annotate(story, name, 'labels', changes) },
    { form: 'node * annotation', run: (story, [name = ''], changes) => annotate(story, name, 'annotations', changes) },
    { form: 'node * is cordoned', run: ({ world }, [name = '']) => putNode(world, name, { unschedulable: true }) },
    { form: 'node * is uncordoned', run: ({ world }, [name = '']) => putNode(world, name, { unschedulable: false }) },
    {
      form: 'the cordon of * is of *',
      run: ({ world }, [name = '', cordonTime = '']) => void putNode(world, name, { cordonTime }),
    },
    { form: 'node * falls silent', run: ({ world }, [name = '']) => putNode(world, name, { ready: 'Unknown' }) },
    { form: 'node * is back', run: ({ world }, [name = '']) => putNode(world, name, { ready: 'True' }) },
    { form: 'driver pods of * with *', run: driverPodsEverywhere },
    {
      form: 'driver pod on * of * with *',
      run: ({ world }, [node = '', name = '', digest = '']) => putDriverPod(world, node, name, digest, true),
    },
    { form: 'driver pod on * is ready', run: (story, [node = '']) => driverPodIs(story, node, true, 0) },
    {
      form: 'driver pod on * was restarted * times',
      run: (story, [node = '', count = '']) => driverPodIs(story, node, false, Number(count)),
    },
    { form: 'pod *', run: ({ world }, [name = ''], properties) => void putPod(world, podOf(name, properties)) },
    { form: 'gone: pod *', run: ({ world }, [name = '']) => world.pods.delete(name) },
    {
      form: 'finished: pod *',
      run: ({ world }, [name = '']) => changePod(world, name, { phase: 'Succeeded', ready: false }),
    },
    { form: 'budget * allows * for', run: budget },
    { form: 'the user pauses', run: ({ world }) => void (world.paused = true) },
    { form: 'the user resumes', run: ({ world }) => void (world.paused = false) },
    { form: 'at *', run: ({ world }, [time = '']) => void (world.nowMs = Date.parse(time)) },
  ];

function writePolicy({ world }: Story): void {
  world.policyWrittenMs = world.nowMs;
}

/** One decision on a story's cluster, by its policy. The DaemonSets that the policy lists are noted, as a run does. */
export function decideOn({ world, policy }: Story, table?: readonly TransitionRow[]): Decision {
  for (const name of policy.daemonSets.keys()) {
    const uid = world.daemonSets.get(name)?.uid;
    if (uid !== undefined) world.listed.add(uid);
  }
  return decide(snapshotOf(world), policyOf(policy), world.nowMs, table);
}

/** Carries out one line of a story that is no `run`. Throws an Error that says what is wrong with it. */
export function tell(story: Story, line: string): void {
  const words = line.split(/\s+/);
  const forms = COMMANDS.map((command) => ({ command, form: command.form.split(' ') }));
  const fitting = forms.filter(({ form }) => form.every((word, index) => word === '*' || word === words[index]));
  // The longest form is the most exact one: `driver pods of` before `driver`.
  const [best] = fitting
    .filter(({ form }) => words.length >= form.length)
    .sort((a, b) => b.form.length - a.form.length);
  if (best === undefined) throw new Error(`unknown command \`${line}\``);
  const placed = best.form.flatMap((word, index) => (word === '*' ? [words[index] ?? ''] : []));
  best.command.run(story, placed, words.slice(best.form.length));
}

/** `key=value` sets, `key-` removes; `state`, `skip` and the like are the driver's keys. */
function annotate({ world }: Story, name: string, kind: 'labels' | 'annotations', changes: Words): void {
  const keys: Readonly<Record<string, string>> = { ...KEYS };
  const parsed = changes.map((change): [string, string | null] => {
    const [key = '', value] = change.split('=');
    const bare = key.replace(/-$/, '');
    return value === undefined ? [keys[bare] ?? bare, null] : [keys[key] ?? key, value];
  });
  putNode(world, name, { [kind]: merged(world.nodes.get(name)?.[kind] ?? {}, Object.fromEntries(parsed)) });
}

function driverPodsEverywhere({ world }: Story, [name = '', digest = '']: Words): void {
  for (const node of world.nodes.keys()) putDriverPod(world, node, name, digest, true);
}

function driverPodIs({ world }: Story, node: string, ready: boolean, restarts: number): void {
  for (const [key, pod] of world.pods) {
    if (pod.nodeName !== node || !pod.containers.some(({ name }) => name === DRIVER_CONTAINER)) continue;
    const containers = [{ name: DRIVER_CONTAINER, ready, restarts, startedMs: world.nowMs }];
    changePod(world, key, { ready, readyChangedMs: world.nowMs, containers });
  }
}

/** Properties of a pod: `on=node`, `of=ReplicaSet`, `labels=a=b,c=d`, `emptyDir`, `finalizer`, `gated`, `resource=name`. */
function podOf(name: string, properties: Words): NewPod {
  const [namespace = '', short = ''] = name.split('/');
  let pod: NewPod = { namespace, name: short, nodeName: '' };
  for (const property of properties) {
    const [, key = '', value = ''] = /^([^=]+)=?(.*)$/.exec(property) ?? [];
    pod = { ...pod, ...podProperty(short, key, value) };
  }
  return pod;
}

function podProperty(name: string, key: string, value: string): Partial<NewPod> {
  switch (key) {
    case 'on':
      return { nodeName: value };
    case 'of':
      return { controller: { apiVersion: 'apps/v1', kind: value, name: `${name}-owner`, uid: `owner-of-${name}` } };
    case 'labels':
      return { labels: Object.fromEntries(value.split(',').map((pair) => pair.split('=') as [string, string])) };
    case 'emptyDir':
      return { emptyDir: true };
    case 'finalizer':
      return { finalizers: ['example.com/wait'] };
    case 'resource':
      return { resourceNames: [value] };
    case 'started':
      return { containers: [{ name: 'plugin', ready: true, restarts: 0, startedMs: Date.parse(value) }] };
    case 'unschedulable':
      return { unschedulable: true, phase: 'Pending', ready: false };
    default:
      throw new Error(`a pod has no property \`${key}\``);
  }
}

function budget({ world }: Story, [name = '', allowed = '']: Words, [label = '']: Words): void {
  const [namespace = '', short = ''] = name.split('/');
  const [key = '', value = ''] = label.split('=');
  const selector = { matchLabels: { [key]: value } };
  world.budgets.set(name, { namespace, name: short, selector, disruptionsAllowed: Number(allowed) });
}
