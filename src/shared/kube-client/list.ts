import { backOffMs } from '../lib/back-off.js';
import { failureOf, type Failure } from './answer.js';
import { isObject, textAt } from '../lib/json.js';
import { parsedShallow } from '../lib/nesting.js';
import { textBefore } from '../lib/text.js';
import { LARGEST_BODY_BYTES } from './exchange.js';
import { createItemSplitter } from './item-splitter.js';
import { encoded } from './paths.js';
import type { Answer, Listed } from './types.js';
import type { ApiClient } from './api-client.js';

/** The page size of kubectl and of client-go's reflectors. */
const PAGE_ITEMS = 500;
/** A page that did not arrive in time is requested again with half the items, and with no fewer than these. */
const FEWEST_PAGE_ITEMS = 50;
/** A failed page is requested again, so that a long list does not start again. The caller repeats the first page. */
const PAGE_ATTEMPTS = 5;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
/** A list that takes longer than etcd keeps its version starts again. */
const LIST_ATTEMPTS = 3;

/** What no list has. */
interface ListLimits {
  /** Of the largest size. */
  readonly pages: number;
  readonly bytes: number;
}

/** Three times the pods that Kubernetes supports in a cluster, and more than one etcd has of all kinds together. */
const LIST_LIMITS: ListLimits = { pages: 1_000, bytes: 8 * 1024 ** 3 };

interface Page {
  readonly continue: string;
  readonly resourceVersion: string;
}

/** One list while it is read. */
interface Listing<Item> {
  readonly client: ApiClient;
  readonly path: string;
  readonly reduce: (object: object) => Item;
  readonly limits: ListLimits;
  readonly items: Item[];
  /** How many items a page has. */
  pageItems: number;
  bytes: number;
}

/**
 * Lists a whole collection page by page; `path` may have selectors as a query. Each item is reduced as soon as it has arrived; what has
 * no name is no object, and left out.
 */
export async function listAll<Item>(
  client: ApiClient,
  path: string,
  reduce: (object: object) => Item,
  limits = LIST_LIMITS,
): Promise<Answer<Listed<Item>>> {
  let pageItems = PAGE_ITEMS;
  for (let attempt = 1; ; attempt++) {
    const listing = { client, path, reduce, limits, items: [], bytes: 0, pageItems };
    const answer = await listPages(listing);
    if (answer.kind !== 'expired') return answer;
    if (attempt === LIST_ATTEMPTS) return { kind: 'retry', message: answer.message };
    ({ pageItems } = listing);
  }
}

async function listPages<Item>(listing: Listing<Item>): Promise<Answer<Listed<Item>>> {
  const { items, limits } = listing;
  let token = '';
  for (let asked = 0; asked < limits.pages * PAGE_ITEMS; asked += listing.pageItems) {
    const page = await pageWithRetries(listing, token);
    if (page.kind !== 'ok') return page;
    token = page.value.continue;
    if (token === '') return { kind: 'ok', value: { items, resourceVersion: page.value.resourceVersion } };
  }
  return endless(listing, `${limits.pages} pages`);
}

function endless({ path }: Pick<Listing<unknown>, 'path'>, limit: string): Failure {
  return { kind: 'endless', message: `GET ${textBefore(path, '?')}: the list goes on after ${limit}` };
}

/** Appends one page to the items, with retries: after a time-out with fewer items, also of the first page, which would never arrive. */
async function pageWithRetries<Item>(listing: Listing<Item>, token: string): Promise<Answer<Page>> {
  const { items } = listing;
  const before = items.length;
  for (let attempt = 1; ; attempt++) {
    const answer = await onePage(listing, token);
    if (answer.kind === 'ok') return answer;
    // An incomplete page has appended some of its items.
    items.length = before;
    if (answer.kind !== 'retry') return answer;
    if (answer.isLate === true) {
      if (listing.pageItems === FEWEST_PAGE_ITEMS) return tooSlow(answer);
      listing.pageItems = Math.max(FEWEST_PAGE_ITEMS, Math.floor(listing.pageItems / 2));
    } else if (token === '' || attempt === PAGE_ATTEMPTS) return answer;
    const delayMs = backOffMs(attempt, FIRST_DELAY_MS, LONGEST_DELAY_MS, Math.random);
    const leastMs = Math.min(LONGEST_DELAY_MS, (answer.retryAfterSeconds ?? 0) * 1000);
    await listing.client.pause(Math.max(delayMs, leastMs));
  }
}

function tooSlow({ message }: Failure): Failure {
  const advice = 'the API server is overloaded, or the connection to it is slow';
  return { kind: 'retry', message: `${message}, not even with ${FEWEST_PAGE_ITEMS} items: ${advice}` };
}

async function onePage<Item>(listing: Listing<Item>, token: string): Promise<Answer<Page>> {
  const { client, path, limits, reduce, items, pageItems } = listing;
  let broken = 0;
  const splitter = createItemSplitter((text) => {
    const item = parsedShallow(text);
    if (textAt(item, 'metadata', 'name') !== undefined) items.push(reduce(item as object));
    else if (item === undefined) broken += 1;
  });
  /** Of the part that is in memory: an item that has begun, and what is around the items. */
  let heldBytes = 0;
  const isWithin = (): boolean => listing.bytes <= limits.bytes && heldBytes <= LARGEST_BODY_BYTES;
  const onData = (chunk: Buffer): boolean => {
    listing.bytes += chunk.length;
    if (isWithin()) heldBytes = splitter.write(chunk);
    return isWithin();
  };
  const query = `${path.includes('?') ? '&' : '?'}limit=${pageItems}${token === '' ? '' : `&continue=${encoded(token)}`}`;
  const reply = await client.call({ method: 'GET', path: `${path}${query}`, onData });
  if (!isWithin()) return endless(listing, `${listing.bytes} bytes`);
  if (reply.kind === 'broken' || reply.status !== 200) return failureOf(reply);
  const rest = parsedShallow(splitter.rest());
  if (broken > 0 || !isObject(rest)) return { kind: 'retry', message: `GET ${path}: the answer is no List` };
  return {
    kind: 'ok',
    value: {
      continue: textAt(rest, 'metadata', 'continue') ?? '',
      resourceVersion: textAt(rest, 'metadata', 'resourceVersion') ?? '',
    },
  };
}
