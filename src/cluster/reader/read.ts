import type { ApiClient } from '../../shared/kube-client/api-client.js';
import { ask } from '../../shared/kube-client/ask.js';
import { listServed, type ServedKind } from '../../shared/kube-client/discovery.js';
import { listAll } from '../../shared/kube-client/list.js';
import { collectionPath, encoded, objectPath, type Resource } from '../../shared/kube-client/paths.js';
import type { Answer } from '../../shared/kube-client/types.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { liveObject } from '../../shared/kubernetes/shapes/read.js';
import { noAnswer, Refusal } from './answers.js';
import { locatedKind, type KindName, type LocatedKind } from './kinds.js';

/** Objects of a kind. */
export interface Want {
  readonly kind: KindName | ServedKind;
  /** Default: all. */
  readonly namespace?: string | undefined;
  /** Of one object. Default: all. */
  readonly name?: string;
  /** A selector of labels, in the syntax of kubectl. */
  readonly labels?: string;
  /** A selector of fields. */
  readonly fields?: string;
}

/** Why the objects of a kind were not read. */
type Reason =
  /** The cluster does not serve the kind. */
  | 'missing'
  /** The user may not list it. */
  | 'forbidden'
  /** The API server does not answer, or with an error. */
  | 'unavailable';

interface Unread {
  readonly kind: LocatedKind;
  readonly reason: Reason;
  /** Of the API server. */
  readonly message: string;
}

interface Found<Item> {
  readonly items: readonly Item[];
  readonly unread: readonly Unread[];
}

interface ReadOptions {
  /** What is read besides the kinds that are left out. Default: a kind that cannot be read ends the command, unless it is missing. */
  readonly without?: readonly Reason[];
  /** What to do where the command ends. */
  readonly help?: string | undefined;
}

type Keep<Item> = (object: NamedObject, kind: LocatedKind) => Item | undefined;

/**
 * Reads objects of some kinds. They have the shapes of their kinds: a field of a wrong type is absent, and what has no name is left out.
 *
 * @param keep what is kept of each object, as soon as it has arrived. Default: the fields of its shape, or all where its kind has none
 */
export async function read<Item = NamedObject>(
  client: ApiClient,
  wants: readonly Want[],
  { without = [], help }: ReadOptions = {},
  keep?: Keep<Item>,
): Promise<Found<Item>> {
  const unread: Unread[] = [];
  const lists = await Promise.all(
    wants.map(async (want) => {
      const answer = await list(client, want, keep);
      if (answer.kind === 'ok') return answer.value.items;
      const reason = answer.kind === 'gone' ? 'missing' : answer.kind === 'forbidden' ? 'forbidden' : 'unavailable';
      const isLeftOut = reason === 'missing' || (answer.kind !== 'endless' && without.includes(reason));
      if (!isLeftOut) throw new Refusal(noAnswer(answer, help));
      unread.push({ kind: locatedKind(want.kind), reason, message: answer.message });
      return [];
    }),
  );
  return { items: lists.flat().flatMap((item) => (item === undefined ? [] : [item])), unread };
}

async function list<Item>(
  client: ApiClient,
  want: Want,
  keep: Keep<Item> | undefined,
): Promise<Answer<{ readonly items: readonly (Item | undefined)[] }>> {
  const kind = locatedKind(want.kind);
  const read = (given: object): Item | undefined => {
    const object = liveObject(kind, given, keep === undefined);
    return object && (keep === undefined ? (object as Item) : keep(object, kind));
  };
  const namespace = kind.isNamespaced === false ? undefined : want.namespace;
  const pathOf = (resource: Resource): string => `${collectionPath(resource, namespace)}${queryOf(want)}`;
  if (want.name !== undefined) {
    const path = objectPath(kind, namespace, want.name);
    const answer = await ask(client, { method: 'GET', path }, read);
    return answer.kind === 'ok' ? { kind: 'ok', value: { items: [answer.value] } } : answer;
  }
  if (kind.isOptional !== true) return listAll(client, pathOf(kind), read);
  const answer = await listServed(client, kind, pathOf, read);
  const isMissing = answer.kind === 'ok' && answer.value.path === undefined;
  return isMissing ? { kind: 'gone', message: `the cluster has no ${kind.plural}` } : answer;
}

function queryOf({ labels, fields }: Want): string {
  const selectors = [
    ...(labels === undefined ? [] : [`labelSelector=${encoded(labels)}`]),
    ...(fields === undefined ? [] : [`fieldSelector=${encoded(fields)}`]),
  ];
  return selectors.length === 0 ? '' : `?${selectors.join('&')}`;
}
