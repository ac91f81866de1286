import { describe, expect, it } from '@jest/globals';
import { readRendered } from '../../src/cluster/takeover/rendered.js';
import type { ServedKinds } from '../../src/cluster/reader/served.js';
import type { RenderedObject } from '../../src/cluster/takeover/state.js';
import { installDigest, type PodTemplateLike } from '../../src/shared/contract/install-digest.js';
import type { ApiClient } from '../../src/shared/kube-client/api-client.js';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';
import { isObject, valueAt } from '../../src/shared/lib/json.js';
import { compile } from '../golden/compile.js';
import { shareOf } from '../kit/shares.js';
import { caseNames, readCase, RECORDED_RELEASES, type RecordedObject } from './recorded.js';

/** The plural of a kind, for a server that has only these objects. */
const pluralOf = (kind: string) => `${kind.toLowerCase()}s`;

function servedOf(objects: readonly KubernetesObject[]): ServedKinds {
  return new Map(
    objects.map(({ apiVersion, kind, metadata }) => [
      `${apiVersion} ${kind}`,
      { apiVersion, kind, plural: pluralOf(kind), isNamespaced: metadata.namespace !== undefined },
    ]),
  );
}

/** As the API server stores it: without empty values. */
function stored(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.length > 0 ? value.map((inner: unknown) => stored(inner)) : undefined;
  if (!isObject(value)) return value ?? undefined;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const kept = stored(inner, name);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return entries.length > 0 || key === 'emptyDir' ? Object.fromEntries(entries) : undefined;
}

/** A forced apply: fields of maps that only the operator has stay, and lists are ours. */
function applied(live: unknown, ours: unknown): unknown {
  if (!isObject(live) || !isObject(ours)) return ours;
  const rest = Object.entries(ours).map(([key, value]) => [key, applied(live[key], value)] as const);
  return { ...live, ...Object.fromEntries(rest) };
}

/** A cluster that has what the operator made. */
function clusterWith(recorded: readonly RecordedObject[]): ApiClient {
  const plurals = new Set(recorded.map(({ kind }) => pluralOf(kind)));
  const reply = (body: unknown) => ({ kind: 'reply', status: 200, headers: {}, body: JSON.stringify(body) }) as const;
  const call: ApiClient['call'] = ({ method, path, body, onData }) => {
    const steps = (path.split('?')[0] ?? '').split('/');
    const isList = plurals.has(steps.at(-1) ?? '');
    const [plural, name] = isList ? [steps.at(-1)] : steps.slice(-2);
    const namespace = steps[steps.indexOf('namespaces') + 1];
    const items = recorded.filter(
      ({ kind, metadata }) =>
        pluralOf(kind) === plural &&
        (metadata.namespace === undefined || metadata.namespace === namespace) &&
        (name === undefined || metadata.name === name),
    );
    const [live] = items;
    if (method === 'PATCH') return Promise.resolve(reply(stored(applied(live, body))));
    if (name !== undefined && live !== undefined) return Promise.resolve(reply(stored(live)));
    const list = { kind: 'List', apiVersion: 'v1', metadata: {}, items: items.map((one) => stored(one)) };
    onData?.(Buffer.from(JSON.stringify(list)));
    return Promise.resolve(reply(list));
  };
  return { call } as ApiClient;
}

/** Whether a takeover replaces pods: at once, or of a driver because the companion counts them as outdated. Other templates of drivers stay. */
function isReplaced({ restarts, live, object }: RenderedObject): boolean {
  if (restarts !== 'on-delete') return restarts === 'now';
  const [before, after] = [live, object].map((one) =>
    installDigest(valueAt(one, ['spec', 'template']) as PodTemplateLike),
  );
  return before !== after;
}

describe.each(RECORDED_RELEASES)('a takeover from an operator of %s', (release) => {
  const cases = shareOf(caseNames(), 3)
    .map((name) => readCase(name, release))
    .filter(({ accepted }) => accepted);

  it('restarts no pod, and no driver counts as outdated', async () => {
    const restarts: string[] = [];
    let compared = 0;
    for (const { name, files, objects } of cases) {
      const rendered = compile(files).placed.map(({ object }) => object);
      const found = await readRendered(clusterWith(objects), servedOf(objects), rendered, true);
      const workloads = found.rendered.filter(({ live }) => live?.spec !== undefined);
      compared += workloads.filter(({ object }) => object.kind === 'DaemonSet').length;
      restarts.push(...workloads.filter(isReplaced).map(({ reference }) => `${name}: ${reference}`));
    }
    expect(restarts).toEqual([]);
    expect(compared).toBeGreaterThan(cases.length);
  });
});
