import { backOffMs } from '../lib/back-off.js';
import { failureOf, type Failure } from './answer.js';
import { isObject, textAt } from '../lib/json.js';
import { parsedShallow } from '../lib/nesting.js';
import { createItemSplitter } from './item-splitter.js';
import type { Answer, Listed } from './types.js';
import type { ApiClient } from './api-client.js';

/** The page size of kubectl and of client-go's reflectors. */
const PAGE_ITEMS = 500;
/** A failed page is requested again, so that a long list does not start again. The caller repeats the first page. */
const PAGE_ATTEMPTS = 5;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
/** A list that takes longer than etcd keeps its version starts again. */
const LIST_ATTEMPTS = 3;

interface Page {
  readonly continue: string;
  readonly resourceVersion: string;
}

/** Lists a whole collection page by page; `path` may have selectors as a query. Each item is reduced as soon as it has arrived. */
export async function listAll<Item>(
  client: ApiClient,
  path: string,
  reduce: (object: object) => Item,
): Promise<Answer<Listed<Item>>> {
  for (let attempt = 1; ; attempt++) {
    const answer = await listPages(client, path, reduce);
    if (answer.kind !== 'expired') return answer;
    if (attempt === LIST_ATTEMPTS) return { kind: 'retry', message: answer.message };
  }
}

async function listPages<Item>(
  client: ApiClient,
  path: string,
  reduce: (object: object) => Item,
): Promise<Answer<Listed<Item>>> {
  const items: Item[] = [];
  let page: Page = { continue: '', resourceVersion: '' };
  do {
    const next = await pageWithRetries(client, path, page.continue, reduce, items);
    if (next.kind !== 'ok') return next;
    page = next.value;
  } while (page.continue !== '');
  return { kind: 'ok', value: { items, resourceVersion: page.resourceVersion } };
}

/** Appends one page to `items`, with retries. */
async function pageWithRetries<Item>(
  client: ApiClient,
  path: string,
  token: string,
  reduce: (object: object) => Item,
  items: Item[],
): Promise<Answer<Page>> {
  const before = items.length;
  for (let attempt = 1; ; attempt++) {
    const answer = await onePage(client, path, token, (item) => items.push(reduce(item)));
    if (answer.kind === 'ok') return answer;
    // An incomplete page has appended some of its items.
    items.length = before;
    if (answer.kind !== 'retry' || token === '' || attempt === PAGE_ATTEMPTS) return answer;
    const delayMs = backOffMs(attempt, FIRST_DELAY_MS, LONGEST_DELAY_MS, Math.random);
    const leastMs = Math.min(LONGEST_DELAY_MS, (answer.retryAfterSeconds ?? 0) * 1000);
    await new Promise((resolve) => setTimeout(resolve, Math.max(delayMs, leastMs)));
  }
}

async function onePage(
  client: ApiClient,
  path: string,
  token: string,
  onItem: (item: object) => void,
): Promise<Answer<Page> | Failure> {
  let broken = 0;
  const splitter = createItemSplitter((text) => {
    const item = parsedShallow(text);
    if (isObject(item)) onItem(item);
    else if (item === undefined) broken += 1;
  });
  const query = `${path.includes('?') ? '&' : '?'}limit=${PAGE_ITEMS}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
  const reply = await client.call({ method: 'GET', path: `${path}${query}`, onData: splitter.write });
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
