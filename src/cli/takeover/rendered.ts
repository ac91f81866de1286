import type { ApiClient } from '../../shared/kube-client/api-client.js';
import { ask } from '../../shared/kube-client/ask.js';
import { listAll } from '../../shared/kube-client/list.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { canonicalJson, valueAt } from '../../shared/lib/json.js';
import { withoutLiveFields, type ListedObject } from '../../shared/kubernetes/listed-object.js';
import { customResourcesOwning } from '../../cluster/takeover/operator/owner.js';
import type { LocatedObject, RenderedObject } from '../../cluster/takeover/state.js';
import { applyWrite } from '../../cluster/takeover/writes.js';
import { valueOf } from '../../cluster/reader/answers.js';
import { isRefusal } from '../cluster/live-objects.js';
import type { ServedKind } from '../../shared/kube-client/discovery.js';
import { pathOf, type ServedKinds } from '../cluster/discovery.js';
import { located, objectPathOf, referenceOf } from './located.js';

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
  const kindOf = ({ apiVersion, kind }: KubernetesObject) => served.get(`${apiVersion} ${kind}`);
  const live = await listLive(client, objects, kindOf);
  const rendered = await Promise.all(
    objects.map(async (object): Promise<RenderedObject> => {
      const kind = kindOf(object);
      if (kind === undefined) return { object, reference: `${object.kind} ${object.metadata.name}`, change: 'create' };
      const path = objectPathOf(kind, object.metadata);
      const found = live.get(path);
      const one = { object, path, reference: referenceOf(kind, object.metadata), ...(found && { live: found.live }) };
      if (found === undefined) return { ...one, change: 'create' };
      return compares ? compared(client, one, found.live) : one;
    }),
  );
  const own = new Set(rendered.map(({ path }) => path));
  const strays = [...live.values()].filter((one) => !own.has(one.path) && customResourcesOwning(one.live).length > 0);
  return { rendered, strays };
}

/** Objects of these kinds by path: those of each namespace that an object is in, CRDs one by one because of their size. */
async function listLive(
  client: ApiClient,
  objects: readonly KubernetesObject[],
  kindOf: (object: KubernetesObject) => ServedKind | undefined,
): Promise<ReadonlyMap<string, LocatedObject>> {
  const places = new Map<string, ServedKind>();
  for (const object of objects) {
    const kind = kindOf(object);
    if (kind === undefined) continue;
    const { namespace = 'default' } = object.metadata;
    places.set(isLarge(kind) ? objectPathOf(kind, object.metadata) : pathOf(kind, namespace), kind);
  }
  const found = await Promise.all(
    [...places].map(async ([path, kind]) => {
      const items = isLarge(kind) ? await getOne(client, path) : await getAll(client, path);
      return items.map((item) => located(kind, item));
    }),
  );
  return new Map(found.flat().map((one) => [one.path, one]));
}

const isLarge = ({ kind }: ServedKind) => kind === 'CustomResourceDefinition';

export async function getAll(client: ApiClient, path: string): Promise<readonly ListedObject[]> {
  return valueOf(await listAll(client, path, (item) => item as ListedObject)).items;
}

/** The object, or none. */
export async function getOne(client: ApiClient, path: string): Promise<readonly ListedObject[]> {
  const answer = await ask(client, { method: 'GET', path }, (object) => object as ListedObject);
  return answer.kind === 'gone' ? [] : [valueOf(answer)];
}

type Unapplied = Omit<RenderedObject, 'path'> & { readonly path: string };

/** Applies in a dry run. The API server fills in defaults and drops empty values on both sides. */
async function compared(client: ApiClient, one: Unapplied, live: ListedObject): Promise<RenderedObject> {
  const { path, method, contentType = '', body = {} } = applyWrite(one);
  const dryRun = { method, contentType, body, path: `${path}&dryRun=All` };
  const answer = await ask(client, dryRun, (object) => object as ListedObject);
  // A Job is never changed, and an object that is being deleted is made again.
  if (isRefusal(answer) && one.object.kind !== 'Job') return { ...one, refused: answer.message };
  // Without a dry run it is not known what changes. What the user may not do is said of all objects together.
  if (answer.kind === 'error' || answer.kind === 'forbidden') return one;
  const applied = answer.kind === 'gone' ? undefined : valueOf(answer);
  if (applied === undefined) return { ...one, change: 'create' };
  if (canonicalJson(withoutLiveFields(applied)) === canonicalJson(withoutLiveFields(live))) return one;
  const template = (object: ListedObject) => canonicalJson(valueAt(object.spec, ['template']) ?? null);
  const isReplaced = one.object.kind !== 'Job' && template(applied) !== template(live);
  const isOnDelete = valueAt(applied.spec, ['updateStrategy', 'type']) === 'OnDelete';
  return { ...one, change: 'update', ...(isReplaced && { restarts: isOnDelete ? 'on-delete' : 'now' }) };
}
