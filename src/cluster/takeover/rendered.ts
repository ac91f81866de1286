import type { ApiClient } from '../../shared/kube-client/api-client.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { canonicalJson, valueAt } from '../../shared/lib/json.js';
import { withoutLiveFields, type ListedObject } from '../../shared/kubernetes/listed-object.js';
import { valueOf } from '../reader/answers.js';
import { dryRun, refusalOf } from '../reader/dry-run.js';
import { located, placeOf, type LocatedObject } from '../reader/located.js';
import { read, type Want } from '../reader/read.js';
import type { ServedKinds } from '../reader/served.js';
import { customResourcesOwning } from './operator/owner.js';
import type { RenderedObject } from './state.js';
import { FIELD_MANAGER } from './writes.js';

/** The rendered objects beside those of the cluster, and what else of their kinds the operator owns. */
interface Compared {
  readonly rendered: readonly RenderedObject[];
  readonly strays: readonly LocatedObject[];
}

/**
 * Lists the kinds of the rendered objects, each in the namespaces of the objects; `compares` asks the server what applying each would
 * change.
 */
export async function readRendered(
  client: ApiClient,
  served: ServedKinds,
  objects: readonly KubernetesObject[],
  compares: boolean,
): Promise<Compared> {
  const live = await listLive(client, served, objects);
  const rendered = await Promise.all(
    objects.map(async (object): Promise<RenderedObject> => {
      const kind = served.get(kindName(object));
      if (kind === undefined) return { object, reference: `${object.kind} ${object.metadata.name}`, change: 'create' };
      const one = { object, ...placeOf(kind, object.metadata) };
      const found = live.get(one.path)?.live;
      if (found === undefined) return { ...one, change: 'create' };
      return { ...one, live: found, ...(compares && (await change(client, one, found))) };
    }),
  );
  const own = new Set(rendered.map(({ path }) => path));
  const strays = [...live.values()].filter((one) => !own.has(one.path) && customResourcesOwning(one.live).length > 0);
  return { rendered, strays };
}

const kindName = ({ apiVersion, kind }: KubernetesObject) => `${apiVersion} ${kind}`;

/** Objects of the rendered kinds by path: those of each namespace that an object is in, CRDs one by one because of their size. */
async function listLive(
  client: ApiClient,
  served: ServedKinds,
  objects: readonly KubernetesObject[],
): Promise<ReadonlyMap<string, LocatedObject>> {
  const wants = objects.flatMap((object): readonly Want[] => {
    const kind = served.get(kindName(object));
    const { name, namespace = 'default' } = object.metadata;
    if (kind === undefined) return [];
    if (kind.kind === 'CustomResourceDefinition') return [{ kind, name }];
    return [kind.isNamespaced ? { kind, namespace } : { kind }];
  });
  const once = new Map(wants.map((want) => [JSON.stringify(want), want]));
  const { items } = await read(client, [...once.values()], {}, (object, kind) => located(kind, object));
  return new Map(items.map((one) => [one.path, one]));
}

/** What applying changes, by a dry run. */
async function change(
  client: ApiClient,
  { object, path }: { readonly object: KubernetesObject; readonly path: string },
  live: ListedObject,
): Promise<Pick<RenderedObject, 'change' | 'restarts' | 'refused'>> {
  const answer = await dryRun(client, path, object, FIELD_MANAGER);
  const refused = refusalOf(answer);
  // A Job is never changed, and an object that is being deleted is made again.
  if (refused !== undefined && object.kind !== 'Job') return { refused };
  // Without a dry run it is not known what changes. What the user may not do is said of all objects together.
  if (answer.kind === 'error' || answer.kind === 'forbidden') return {};
  if (answer.kind === 'gone') return { change: 'create' };
  const applied = valueOf(answer);
  if (applied === undefined || canonicalJson(withoutLiveFields(applied)) === canonicalJson(withoutLiveFields(live)))
    return {};
  const template = ({ spec }: ListedObject) => canonicalJson(valueAt(spec, ['template']) ?? null);
  const isReplaced = object.kind !== 'Job' && template(applied) !== template(live);
  const isOnDelete = valueAt(applied.spec, ['updateStrategy', 'type']) === 'OnDelete';
  return { change: 'update', ...(isReplaced && { restarts: isOnDelete ? 'on-delete' : 'now' }) };
}
