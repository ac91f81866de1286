import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  COMPANION_COMPONENT,
  COMPANION_NAMES,
  COMPONENT_LABEL,
  driverKeys,
} from '../../../src/shared/contract/labels.js';
import { NETWORK_OPERATOR_LEASE } from '../../../src/shared/contract/network-operator.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyAll } from '../bed/apply-set.js';
import type { UsedRight } from '../upgrade-bed/audit.js';
import { expectDone, expectSound, reasonOf } from '../upgrade-bed/companion-checks.js';
import type { CompanionProcess } from '../upgrade-bed/companion-container.js';
import { startFaultProxy, type FaultProxy } from '../upgrade-bed/fault-proxy.js';
import { NAMESPACE } from '../simulated/fleet.js';
import { until } from '../bed/guarded-process.js';
import { report } from '../bed/report.js';
import { isFull } from '../bed/test-bed.js';
import { startUpgradeBed, type CompanionOptions, type UpgradeBed } from '../upgrade-bed/upgrade-bed.js';
import { WORKLOADS } from '../simulated/workloads.js';

const NODES = 2;
const namespaced = (apiVersion: string, kind: string, name: string, namespace = NAMESPACE): LiveObject => ({
  ...{ apiVersion, kind, metadata: { name, namespace } },
});
const LEASE = namespaced('coordination.k8s.io/v1', 'Lease', COMPANION_NAMES.lease);
/** A request for an object that does not exist would not count as a use. */
const OPERATOR_LEASE = namespaced('coordination.k8s.io/v1', 'Lease', NETWORK_OPERATOR_LEASE);
const STATUS = namespaced('v1', 'ConfigMap', COMPANION_NAMES.statusConfigMap);
const BARE_POD = namespaced('v1', 'Pod', 'bare', WORKLOADS);

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** One verb of one rule of a rendered role. */
interface Right {
  /** The namespace of a Role; empty for the ClusterRole. */
  readonly namespace: string;
  readonly ruleIndex: number;
  readonly verb: string;
  readonly apiGroup: string;
  readonly resource: string;
  /** Empty: of any name. */
  readonly name: string;
}

let bed: UpgradeBed;
let proxy: FaultProxy;
let isPinned = true;

beforeAll(async () => {
  bed = await startUpgradeBed('companion-rights', {
    nodes: NODES,
    podsPerNode: 2,
    budget: '50%',
    upgradePolicy: { autoUpgrade: true, maxParallelUpgrades: NODES, drain: { enable: true, deleteEmptyDir: true } },
  });
  proxy = await startFaultProxy(bed.controlPlane);
  await bed.controlPlane.client.create(OPERATOR_LEASE);
  // A drain reads whether the DaemonSet of such pods exists.
  const labels = { app: 'agent' };
  const container = { name: 'agent', image: 'registry.example.com/agent:1' };
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container] } },
  };
  await applyAll(bed.controlPlane.client, [{ ...namespaced('apps/v1', 'DaemonSet', 'agent', WORKLOADS), spec }]);
});
afterAll(async () => {
  await proxy.stop();
  await bed.stop();
});

/** Situations in which the companion uses rights that the upgrade of a healthy fleet does not need. */
interface Scenario {
  readonly prepare?: () => Promise<void>;
  readonly options?: () => CompanionOptions;
  /** Lets the upgrade continue, after the right was used or refused. */
  readonly release?: () => Promise<void>;
}

const FAILED_JOB: Scenario = { prepare: failJob, options: () => ({ mode: 'cronjob' }) };

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'create leases': { prepare: () => bed.controlPlane.client.delete(LEASE) },
  'create configmaps': { prepare: () => bed.controlPlane.client.delete(STATUS) },
  // A patch without a response is sent again, and after its conflict the companion reads the node.
  'get nodes': {
    options() {
      let isFirst = true;
      proxy.setFate((method, path) => {
        if (!isFirst || method !== 'PATCH' || !path.startsWith('/api/v1/nodes/')) return 'passed';
        isFirst = false;
        return 'lost';
      });
      return { apiPort: proxy.port };
    },
  },
  // The companion lists budgets to name the one that refuses an eviction.
  'list poddisruptionbudgets': { prepare: () => setBudget('0%'), release: () => setBudget('50%') },
  // Of nodes in one namespace, and of the Job in that of the companion.
  'create events': { options: () => ({ jobUid: '9c4f1a52-0000-4000-8000-000000000001' }) },
  // What is due a second time in one Job has the same Event.
  'patch events': { prepare: waitOnce, release: removeBarePod },
  // The CronJob deletes the failed Job of the policy.
  'get jobs': FAILED_JOB,
  'delete jobs': FAILED_JOB,
  // A DaemonSet that is not pinned to a kernel has another name, so the one before is retired.
  'delete daemonsets': {
    async prepare() {
      isPinned = !isPinned;
      await bed.nextVersion({ isPinned });
    },
  },
};

async function setBudget(maxUnavailable: string): Promise<void> {
  const path = `/apis/policy/v1/namespaces/${WORKLOADS}/poddisruptionbudgets/web-0`;
  await bed.controlPlane.client.ask('PATCH', path, { spec: { maxUnavailable } }, 'merge');
}

/** A pod without a controller keeps its node from being taken out. What is due there is said again when its label is gone. */
async function waitOnce(): Promise<void> {
  const containers = [{ name: 'bare', image: 'registry.example.com/bare:1' }];
  await bed.controlPlane.client.create({ ...BARE_POD, spec: { nodeName: 'node-0', containers } });
  const first = await bed.start();
  expect({ code: await first.ended, reason: reasonOf(first) }).toEqual({ code: 0, reason: 'waiting' });
  const labels = { [driverKeys('ofed').state]: null };
  await bed.controlPlane.client.ask('PATCH', '/api/v1/nodes/node-0', { metadata: { labels } }, 'merge');
}

async function removeBarePod(): Promise<void> {
  await bed.controlPlane.client.delete(BARE_POD, { gracePeriodSeconds: 0 });
}

const jobOfPolicy = (): LiveObject => {
  const job = bed.rendered().find(({ kind }) => kind === 'Job');
  if (job === undefined) throw new Error('no Job is rendered');
  return job;
};

/** The Job of the policy fails by its deadline, without a pod. */
async function failJob(): Promise<void> {
  const job = jobOfPolicy();
  // The Job of a run without its right still exists.
  await bed.controlPlane.client.delete(job);
  await until('the Job is gone', async () =>
    (await bed.controlPlane.client.get(job)) === undefined ? true : undefined,
  );
  await bed.controlPlane.client.create({
    ...job,
    spec: { ...(job['spec'] as object), parallelism: 0, activeDeadlineSeconds: 1 },
  });
  await until('the Job fails', async () => {
    const live = await bed.controlPlane.client.get(job);
    const { conditions = [] } = (live?.['status'] ?? {}) as {
      readonly conditions?: readonly { readonly type: string }[];
    };
    return conditions.some(({ type }) => type === 'Failed') || undefined;
  });
}

/** The ClusterRole and the Role of the companion, as they are rendered. */
function companionRoles(): readonly LiveObject[] {
  return bed
    .rendered()
    .filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
    .filter(({ metadata }) => metadata.labels?.[COMPONENT_LABEL] === COMPANION_COMPONENT);
}

function companionRights(): readonly Right[] {
  return companionRoles().flatMap(({ metadata, rules }) => {
    return (rules as readonly Rule[]).flatMap(({ apiGroups, resources, verbs, resourceNames = [''] }, ruleIndex) =>
      verbs.map((verb) => ({
        ...{ namespace: metadata.namespace ?? '', ruleIndex, verb, apiGroup: apiGroups[0] ?? '' },
        ...{ resource: resources[0] ?? '', name: resourceNames[0] ?? '' },
      })),
    );
  });
}

function nameOf({ namespace, verb, resource, name }: Right): string {
  return `${verb} ${resource}${name === '' ? '' : ` ${name}`} (${namespace === '' ? 'everywhere' : `in ${namespace}`})`;
}

function isUse({ namespace, verb, apiGroup, resource, name }: Right, used: UsedRight): boolean {
  const isSame = used.verb === verb && used.apiGroup === apiGroup && used.resource === resource;
  const isNamed = name === '' || withoutRun(used.name) === withoutRun(name);
  return isSame && (namespace === '' || used.namespace === namespace) && isNamed;
}

/** The Job of each version has another name. */
const withoutRun = (name: string) => name.replace(/^(weft-companion-)[0-9a-f]{10}$/, '$1');

/** Changes a role, and waits until the authorizer has the change. */
async function setRight(right: Right, isAllowed: boolean): Promise<void> {
  const { client } = bed.controlPlane;
  const role = companionRoles().find(({ metadata }) => (metadata.namespace ?? '') === right.namespace);
  if (role === undefined) throw new Error(`no role has ${nameOf(right)}`);
  const rules = (role['rules'] as readonly Rule[]).map((rule, index) =>
    isAllowed || index !== right.ruleIndex
      ? rule
      : { ...rule, verbs: rule.verbs.filter((verb) => verb !== right.verb) },
  );
  const kept = rules.filter(({ verbs }) => verbs.length > 0);
  await client.ask('PATCH', await client.pathOf(role), { rules: kept }, 'merge');
  const { verb, apiGroup: group } = right;
  // The name of a Job changes with the version.
  const [name = ''] = (role['rules'] as readonly Rule[])[right.ruleIndex]?.resourceNames ?? [];
  const [resource, subresource] = right.resource.split('/');
  const { namespace } = right;
  const resourceAttributes = { ...{ verb, group, resource, subresource, namespace }, ...(name !== '' && { name }) };
  const user = `system:serviceaccount:${NAMESPACE}:${COMPANION_NAMES.account}`;
  const review = {
    ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview' },
    spec: { user, resourceAttributes },
  };
  await until(`${nameOf(right)} is ${isAllowed ? 'allowed' : 'refused'}`, async () => {
    const { body } = await client.ask('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
    return (body['status'] as { readonly allowed: boolean }).allowed === isAllowed ? true : undefined;
  });
}

const scenarioOf = ({ verb, resource }: Right): Scenario => SCENARIOS[`${verb} ${resource}`] ?? {};

describe('the rights of the companion', () => {
  it('are all used, each verb of each rule', async () => {
    const used: UsedRight[] = [];
    for (const { prepare, options, release } of new Set([{}, ...Object.values(SCENARIOS)])) {
      await bed.nextVersion({ isPinned });
      await prepare?.();
      const first = await bed.start(options?.());
      if (release !== undefined) {
        await untilEndOrBlocked(first);
        await release();
      }
      const isDone = (await first.ended) === 0 && reasonOf(first) === 'done';
      // A node that failed, or waited, is tried again.
      await expectDone(bed, isDone ? first : await bed.start());
      used.push(...expectSound(bed, NODES).rights);
    }
    const rights = companionRights();
    report(`${rights.length} verbs of the companion's rules, each used by one of ${used.length} kinds of requests`);
    expect(rights.filter((right) => !used.some((one) => isUse(right, one))).map(nameOf)).toEqual([]);
  });

  it('are needed: without one a run ends with 2 and says which', async () => {
    const rights = companionRights();
    const some = ['create events', 'list poddisruptionbudgets', 'patch nodes', 'update leases', 'watch pods'];
    const taken = isFull() ? rights : rights.filter(({ verb, resource }) => some.includes(`${verb} ${resource}`));
    const wrong: string[] = [];
    for (const right of taken) {
      const said = await withoutRight(right);
      const resource = right.apiGroup === '' ? right.resource : `${right.resource}.${right.apiGroup}`;
      if (!said.startsWith(`the companion may not ${right.verb} ${resource} `)) wrong.push(`${nameOf(right)}: ${said}`);
    }
    report(`${taken.length} of ${rights.length} rights taken away, one after the other: exit code 2 each time`);
    expect(wrong).toEqual([]);
  }, 1_800_000);
});

/** The run ended, or a budget keeps it. */
async function untilEndOrBlocked(companion: CompanionProcess): Promise<void> {
  await until('the run ends or is blocked', () => {
    const isListed = (bed.audit().byKind['list poddisruptionbudgets'] ?? 0) > 0;
    return !companion.isRunning() || isListed ? true : undefined;
  });
}

/** Runs an upgrade without a right, returns how it ended, and completes it with the right. */
async function withoutRight(right: Right): Promise<string> {
  const { prepare, options, release } = scenarioOf(right);
  await bed.nextVersion({ isPinned });
  await prepare?.();
  await setRight(right, false);
  const companion = await bed.start(options?.());
  const code = await companion.ended;
  const last = companion.logs().at(-1);
  await setRight(right, true);
  await release?.();
  await expectDone(bed, await bed.start());
  return code === 2 && reasonOf(companion) === 'forbidden' ? String(last?.['message']) : JSON.stringify({ code, last });
}
