import { GPU_RESOURCE_PREFIXES } from '../../../../shared/contract/labels.js';
import { podTemplatePaths } from '../../../../shared/kubernetes/pod-templates.js';
import { didYouMean, suggest } from '../../../../shared/diagnostics/suggest.js';
import { isObject, valueAt } from '../../../../shared/lib/json.js';
import { listedNames } from '../../../../shared/lib/listed.js';
import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';
import { within, type Config, type Rule } from '../../../model/config.js';
import { parseQuantity } from '../../../../shared/kubernetes/quantity.js';
import { allOffers, bareName, type Offer } from './offered.js';

interface Asked {
  readonly resource: string;
  readonly path: readonly PathStep[];
}

function askedBy(object: Readonly<Record<string, unknown>>): readonly Asked[] {
  return containersOf(object).flatMap(({ container, path }) => {
    const limits = valueAt(container, ['resources', 'limits']);
    const names = isObject(limits) ? Object.keys(limits) : [];
    return names.map((resource) => ({ resource, path: [...path, 'resources', 'limits', resource] }));
  });
}

interface Container {
  readonly container: unknown;
  readonly path: readonly PathStep[];
}

function containersOf(object: Readonly<Record<string, unknown>>): readonly Container[] {
  return podTemplatePaths(object).flatMap((template) =>
    ['initContainers', 'containers'].flatMap((list) => {
      const path = [...template, 'spec', list];
      const containers = valueAt(object, path);
      if (!Array.isArray(containers)) return [];
      return containers.map((container: unknown, index) => ({ container, path: [...path, index] }));
    }),
  );
}

/** Requests of offered resources without a limit: kubernetes v1.36, pkg/apis/core/validation `ValidateContainerResourceRequirements`. */
function requestedAlone(object: Readonly<Record<string, unknown>>, offered: readonly string[]): readonly Asked[] {
  return containersOf(object).flatMap(({ container, path }) => {
    const { requests, limits } = (valueAt(container, ['resources']) ?? {}) as Readonly<Record<string, unknown>>;
    const names = isObject(requests) ? Object.keys(requests) : [];
    return names
      .filter((name) => offered.includes(name) && !(isObject(limits) && Object.hasOwn(limits, name)))
      .map((resource) => ({ resource, path: [...path, 'resources', 'requests', resource] }));
  });
}

const nameOf = (object: Readonly<Record<string, unknown>>): string =>
  `${String(object['kind'])} \`${String(valueAt(object, ['metadata', 'name']))}\``;

interface TooMuch extends Asked {
  readonly sum: bigint;
  readonly most: number;
}

const NANO = 1_000_000_000n;

/** What the containers of a pod ask for together, or an init container alone, and no node offers: the scheduler finds none. */
function* tooMuch(object: Readonly<Record<string, unknown>>, offers: readonly Offer[]): Generator<TooMuch> {
  const sums = new Map<string, bigint>();
  for (const { resource, path } of askedBy(object)) {
    const same = offers.filter(({ name }) => name === resource).map(({ most }) => most);
    const most = same.length === 0 || same.includes(undefined) ? undefined : Math.max(...same.map(Number));
    const asked = parseQuantity(valueAt(object, path) as string | number)?.nano ?? 0n;
    const sum = path.includes('initContainers') ? asked : (sums.get(resource) ?? 0n) + asked;
    if (most === undefined || sum <= BigInt(most) * NANO) {
      if (!path.includes('initContainers')) sums.set(resource, sum);
      continue;
    }
    sums.set(resource, 0n);
    yield { resource, path, sum: sum / NANO, most };
  }
}

/** Names without prefixes of what the SR-IOV operator offers: its prefix is a setting of its own. */
function madeBySriovOperator({ passthrough }: Config): readonly string[] {
  return passthrough.flatMap(({ object: { kind, spec } }) => {
    const name = kind === 'SriovNetworkNodePolicy' && isObject(spec) ? spec['resourceName'] : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}

/** The prefix that the RDMA shared device plugin has by default, and the one that NVIDIA's documentation gives the SR-IOV device plugin. */
const USUAL_PREFIXES: readonly string[] = ['rdma', 'nvidia.com'];

const ELSEWHERE = 'if something else offers it, write `# weft-ignore WEFT0338: reason` above it';

function helpWith(names: readonly string[]): string {
  return names.length === 0
    ? `no device plugin of the input offers anything: add one to a policy; ${ELSEWHERE}`
    : `the input offers ${listedNames(names, 5)}; ${ELSEWHERE}`;
}

/** The scheduler finds no node for such a pod, or the API server refuses it. Resources of other device plugins have other prefixes. */
export const podResourceOffered: Rule = {
  code: 'WEFT0338',
  severity: 'warning',
  title: 'a pod does not get the resource that it asks for',
  needsAllDocuments: true,
  *check(config) {
    const { offers, isComplete } = allOffers(config);
    if (!isComplete) return;
    const names = offers.map(({ name }) => name);
    const made = madeBySriovOperator(config);
    const prefixes = new Set([...USUAL_PREFIXES, ...names.map((name) => name.slice(0, name.indexOf('/')))]);
    for (const { object, origin } of config.passthrough) {
      for (const { resource, path } of requestedAlone(object, names)) {
        yield {
          origin: within(origin, ...path),
          at: 'key',
          message: `the pods of ${nameOf(object)} request \`${resource}\` and have no limit of it, which the API server refuses`,
          help: 'write it below `limits`, with the same amount',
        };
      }
      for (const { resource, path, sum, most } of tooMuch(object, offers)) {
        yield {
          origin: within(origin, ...path),
          message: `the pods of ${nameOf(object)} ask for ${sum} of \`${resource}\`, and a node offers ${most}`,
          help: 'ask for one, which gives access to all devices of the resource, or raise `rdmaHcaMax` of the device plugin',
        };
      }
      for (const { resource, path } of askedBy(object)) {
        if (!resource.includes('/') || names.includes(resource) || made.includes(bareName(resource))) continue;
        if (GPU_RESOURCE_PREFIXES.some((prefix) => resource.startsWith(prefix))) continue;
        const prefix = resource.slice(0, resource.indexOf('/'));
        if (!prefixes.has(prefix) && suggest(resource, names) === undefined) continue;
        yield {
          origin: within(origin, ...path),
          at: 'key',
          message: `the pods of ${nameOf(object)} ask for \`${resource}\`, which no device plugin of the input offers`,
          help: didYouMean(resource, names) ?? helpWith(names),
        };
      }
    }
  },
};
