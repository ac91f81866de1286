import { MAINTENANCE_ANNOTATION } from '../../src/shared/contract/maintenance-record.js';
import { PAUSED_ANNOTATION } from '../../src/shared/contract/labels.js';
import {
  advance,
  changePod,
  DRIVER_CONTAINER,
  KEYS,
  putBudget,
  putDaemonSet,
  putDriverPod,
  putNode,
  putPod,
  putStatus,
  type NewPod,
} from '../kit/idle-cluster.js';
import { carryOut } from '../../src/forecast/simulation/api.js';
import { patched } from '../../src/forecast/simulation/merge-patch.js';
import { set } from '../kit/policy-settings.js';
import type { ScenarioState } from './state.js';

type Arguments = readonly string[];

/** The commands by how they begin. `*` stands for one word; the rest of the line follows. */
const COMMANDS: readonly {
  readonly form: string;
  readonly run: (state: ScenarioState, args: Arguments, rest: Arguments) => void;
}[] = [
  {
    form: 'policy',
    run(state, _words, settings) {
      settings.forEach((one) => set(state.policy, one));
      writePolicy(state);
    },
  },
  {
    form: 'git has daemon set * of *',
    run(state, [name = '', digest = '']) {
      state.policy.daemonSets.set(name, digest);
      writePolicy(state);
    },
  },
  {
    form: 'git has no daemon set *',
    run(state, [name = '']) {
      state.policy.daemonSets.delete(name);
      writePolicy(state);
    },
  },
  {
    form: 'cluster has daemon set * of *',
    run: ({ cluster }, [name = '', digest = '']) => putDaemonSet(cluster, name, digest),
  },
  {
    form: 'daemon set * of *',
    run(state, [name = '', digest = '']) {
      state.policy.daemonSets.set(name, digest);
      writePolicy(state);
      putDaemonSet(state.cluster, name, digest);
    },
  },
  {
    form: 'the deletion of daemon set * is not answered',
    run: ({ unanswered }, [name = '']) => void unanswered.set(name, undefined),
  },
  {
    form: 'the deletion of daemon set * takes effect',
    run({ cluster, unanswered }, [name = '']) {
      const deletion = unanswered.get(name);
      if (deletion === undefined) throw new Error('it was not sent');
      unanswered.delete(name);
      carryOut(cluster, deletion);
    },
  },
  { form: 'nodes', run: ({ cluster }, _words, names) => names.forEach((name) => putNode(cluster, name)) },
  { form: 'node * label', run: (state, [name = ''], changes) => annotate(state, name, 'labels', changes) },
  { form: 'node * annotation', run: (state, [name = ''], changes) => annotate(state, name, 'annotations', changes) },
  { form: 'node * is cordoned', run: ({ cluster }, [name = '']) => putNode(cluster, name, { unschedulable: true }) },
  { form: 'node * is uncordoned', run: ({ cluster }, [name = '']) => putNode(cluster, name, { unschedulable: false }) },
  {
    form: 'the cordon of * is of *',
    run: ({ cluster }, [name = '', cordonTime = '']) => void putNode(cluster, name, { cordonTime }),
  },
  {
    form: 'node * stops reporting',
    run: ({ cluster }, [name = '']) =>
      void putNode(cluster, name, { ready: 'Unknown', unreachableSinceMs: cluster.events.now() }),
  },
  { form: 'node * is back', run: ({ cluster }, [name = '']) => putNode(cluster, name, { ready: 'True' }) },
  { form: 'driver pods of * with *', run: driverPodsEverywhere },
  {
    form: 'driver pod on * of * with *',
    run: ({ cluster }, [node = '', name = '', digest = '']) => putDriverPod(cluster, node, name, digest, true),
  },
  { form: 'driver pod on * is ready', run: (state, [node = '']) => driverPodIs(state, node, true, 0) },
  {
    form: 'driver pod on * was restarted * times',
    run: (state, [node = '', count = '']) => driverPodIs(state, node, false, Number(count)),
  },
  { form: 'pod *', run: ({ cluster }, [name = ''], properties) => void putPod(cluster, podOf(name, properties)) },
  { form: 'gone: pod *', run: ({ cluster }, [name = '']) => cluster.store.pods.remove(name, 'admin') },
  {
    form: 'finished: pod *',
    run: ({ cluster }, [name = '']) => changePod(cluster, name, { phase: 'Succeeded', ready: false }),
  },
  { form: 'budget * allows * for', run: budget },
  {
    form: 'the user pauses',
    run: ({ cluster }) => putStatus(cluster, { annotations: { [PAUSED_ANNOTATION]: 'true' } }),
  },
  { form: 'the user resumes', run: ({ cluster }) => putStatus(cluster, { annotations: {} }) },
  { form: 'at *', run: ({ cluster }, [time = '']) => advance(cluster, Date.parse(time) - cluster.events.now()) },
];

function writePolicy(state: ScenarioState): void {
  state.policyWrittenMs = state.cluster.events.now();
}

/** Carries out one line of a scenario that is no `run`. Throws if it is invalid. */
export function runCommand(state: ScenarioState, line: string): void {
  const words = line.split(/\s+/);
  const forms = COMMANDS.map((command) => ({ command, form: command.form.split(' ') }));
  const fitting = forms.filter(({ form }) => form.every((word, index) => word === '*' || word === words[index]));
  // The longest form is the most exact one: `driver pods of` before `driver`.
  const [best] = fitting
    .filter(({ form }) => words.length >= form.length)
    .sort((a, b) => b.form.length - a.form.length);
  if (best === undefined) throw new Error(`unknown command \`${line}\``);
  const placed = best.form.flatMap((word, index) => (word === '*' ? [words[index] ?? ''] : []));
  best.command.run(state, placed, words.slice(best.form.length));
}

/** `key=value` sets, `key-` removes; names such as `state` and `skip` are keys of the driver. */
function annotate({ cluster }: ScenarioState, name: string, kind: 'labels' | 'annotations', changes: Arguments): void {
  const keys: Readonly<Record<string, string>> = { ...KEYS, maintenance: MAINTENANCE_ANNOTATION };
  const parsed = changes.map((change): [string, string | null] => {
    const [key = '', value] = change.split('=');
    const bare = key.replace(/-$/, '');
    return value === undefined ? [keys[bare] ?? bare, null] : [keys[key] ?? key, value];
  });
  const node = cluster.store.nodes.get(name) ?? putNode(cluster, name);
  putNode(cluster, name, patched(node, { [kind]: Object.fromEntries(parsed) }));
}

function driverPodsEverywhere({ cluster }: ScenarioState, [name = '', digest = '']: Arguments): void {
  for (const node of cluster.store.nodes.values()) putDriverPod(cluster, node.name, name, digest, true);
}

function driverPodIs({ cluster }: ScenarioState, node: string, ready: boolean, restarts: number): void {
  for (const [key, pod] of [...cluster.store.pods.entries()]) {
    if (pod.nodeName !== node || !pod.containers.some(({ name }) => name === DRIVER_CONTAINER)) continue;
    const containers = [{ name: DRIVER_CONTAINER, ready, restarts, startedMs: cluster.events.now() }];
    changePod(cluster, key, { ready, readyChangedMs: cluster.events.now(), containers });
  }
}

/** Properties of a pod: `on=node`, `of=ReplicaSet`, `labels=a=b,c=d`, `emptyDir`, `finalizer`, `gated`, `resource=name`, `tolerates`, `unready`. */
function podOf(name: string, properties: Arguments): NewPod {
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
    case 'tolerates':
      return { toleratesUnschedulable: true };
    case 'unready':
      return { ready: false };
    case 'unschedulable':
      return { unschedulable: true, phase: 'Pending', ready: false };
    default:
      throw new Error(`a pod has no property \`${key}\``);
  }
}

function budget({ cluster }: ScenarioState, [name = '', allowed = '']: Arguments, [label = '']: Arguments): void {
  const [namespace = '', short = ''] = name.split('/');
  const [key = '', value = ''] = label.split('=');
  const selector = { matchLabels: { [key]: value } };
  putBudget(cluster, { namespace, name: short, selector, disruptionsAllowed: Number(allowed) });
}
