import type { Diagnostic } from '../../src/shared/diagnostics/diagnostic.js';
import type { UpgradePlan } from '../../src/forecast/plan/types.js';
import type { DiffGroup } from '../../src/review/diff/groups.js';
import type { ClusterStatus, UnknownCluster } from '../../src/cluster/status/model.js';
import type { Decision, DriverCounts } from '../../src/companion/model/types.js';

/** What Weft prints, with the same foreign text in every field that is of a cluster or of a pull request. */
const AT = '2026-12-01T12:00:00.000Z';

const NODE = (text: string) => ({
  ...{ node: text, driver: text, pool: text, topologyDomain: text, outcome: 'failed', wave: 1, evicted: [text, text] },
  ...{ beginsAt: AT, endsAt: AT, history: [{ at: AT, state: 'upgrade-failed', message: text }] },
});

export const samplePlan = (text: string): UpgradePlan => ({
  ...{
    startsAt: AT,
    endsAt: AT,
    duration: { half: 60, nineOfTen: 90 },
    runs: 1,
    seed: 1,
    nodes: 2,
    upgraded: 1,
    begun: 1,
    waves: 1,
    time: { work: 60, window: 0, soak: 0, other: 0 },
  },
  ...{ podsEvicted: 1, windows: [], soaks: [], nodesAtOnce: null, podsWithoutNode: [], notes: [text] },
  cost: {
    nodeHours: 1,
    gpuHours: null,
    endedPods: [{ pod: text, node: text, job: text, at: AT, ranSeconds: 60 }],
    groupPods: 1,
  },
  idle: [text],
  nodePlans: [
    {
      ...NODE(text),
      outcome: 'failed',
      after: { kind: 'evictions', message: text },
      history: [{ at: AT, state: 'upgrade-failed', message: text }],
    },
    {
      ...NODE(`other ${text}`),
      outcome: 'waiting',
      beginsAt: null,
      after: { kind: 'nothing', message: text },
      history: [],
    },
  ],
  obstacles: [
    { kind: 'budget', isStuck: true, nodes: [text, text], pod: text, budget: text, message: text, help: text },
    {
      kind: 'unschedulable-pods',
      isStuck: false,
      nodes: [],
      message: `the node ${text} has no room`,
      help: `see \`${text}\``,
    },
  ],
  durations: [{ name: 'driver', from: 60, to: 90, source: text }],
});

export const sampleGroups = (text: string): readonly DiffGroup[] => {
  const driver = { daemonSet: `${text}/${text}`, image: text, version: text, digest: text };
  const object = {
    apiVersion: text,
    kind: text,
    namespace: text,
    name: text,
    pools: [text],
    notes: [text],
    file: text,
  };
  const referrers = [{ kind: text, namespace: text, name: text }];
  return [
    {
      names: [text, `${text}${text}`],
      ...{ change: 'changed', restarts: [], notes: [text] },
      coverage: [{ pool: text, program: text, before: [text], after: [], why: text }],
      pools: [
        {
          pool: text,
          before: [{ ...driver, kernel: text }],
          after: [{ ...driver, kernel: text, version: `2${text}` }],
        },
      ],
      nodes: [
        {
          before: driver,
          after: driver,
          step: 'kept',
          end: 'old',
          reason: 'no-driver',
          misfit: text,
          places: [{ pool: text, kernel: text, side: 'both' }],
        },
        { after: driver, step: 'drained', end: 'new', podSelector: text, places: [] },
      ],
      objects: [
        {
          ...object,
          change: 'changed',
          impact: 'policy',
          referrers: [],
          refusedFields: [text],
          fields: [
            { kind: 'changed', path: text, from: text, to: { [text]: text } },
            { kind: 'added', path: text, to: text },
            { kind: 'removed', path: text, from: [text] },
            { kind: 'reordered', path: text },
          ],
        },
        { ...object, change: 'removed', impact: 'driver-loss', poolsAtOnce: [text], referrers, fields: [] },
        { ...object, change: 'added', impact: 'add', startsRun: true, referrers: [], fields: [] },
      ],
    },
  ];
};

export const sampleStatus = (text: string): readonly (ClusterStatus | UnknownCluster)[] => [
  {
    ...{ name: text, where: text, state: 'notReady', notes: [text], differs: { [text]: 1 } },
    components: [
      {
        name: text,
        owner: `a/${text}`,
        state: 'error',
        reason: text,
        pods: { desired: 1, ready: 0 },
        pools: { [text]: { desired: 1, ready: 0 } },
        podsSay: text,
      },
      {
        name: text,
        owner: text,
        state: 'ignore',
        reason: text,
        pods: { desired: 1, ready: 0 },
        pools: {},
        podsSay: text,
      },
    ],
    nodes: [{ name: text, pool: text, labelPrefix: text, driver: text, gate: '', upgrade: text, waitsFor: text }],
    uncovered: [{ node: text, why: text }],
  },
  { name: text, where: text, error: text },
];

export const sampleDiagnostics = (text: string): readonly Diagnostic[] => {
  // A line of a file has no line feed, and a file no other control characters.
  const location = { file: text, line: 1, column: 1, endColumn: 9, sourceLine: text.replaceAll('\n', '') };
  return [
    {
      code: 'WEFT0142',
      severity: 'error',
      message: text,
      label: text,
      help: `${text}\n${text}`,
      path: [text],
      location,
      related: { location, message: text },
    },
    { code: 'WEFT0200', severity: 'warning', message: text },
  ];
};

const NUMBERS = {
  autoUpgrade: true,
  total: 1,
  inProgress: 0,
  done: 0,
  failed: 1,
  available: 1,
  pending: 0,
  skipped: 0,
};

export const sampleDecision = (text: string): Decision => {
  const counts: DriverCounts = {
    driver: text,
    ...NUMBERS,
    uncovered: 0,
    withoutSuccessor: 0,
    pools: [{ pool: text, ...NUMBERS }],
  };
  return {
    ...{ actions: [], daemonSetLookups: [], counts: [counts] },
    waiting: [
      {
        driver: text,
        node: text,
        state: 'drain-required',
        kind: 'evictions',
        message: text,
        sinceMs: 0,
        blockers: [{ kind: 'refusal', pod: text, budgets: [text], reason: text, refusal: text, finalizers: [text] }],
      },
    ],
    findings: [{ kind: 'unknown-state', severity: 'warning', driver: text, node: text, message: text }],
  };
};
