import { isObject } from '../lib/json.js';
import { parsedShallow } from '../lib/nesting.js';
import { failureOf } from './answer.js';
import type { ApiClient } from './api-client.js';
import type { Exchange } from './exchange.js';
import type { Answer } from './types.js';

/** The answer of one request; `read` converts the object of the response. */
export async function ask<Value>(
  client: ApiClient,
  exchange: Exchange,
  read: (object: object) => Value,
  unlimited?: 'unlimited',
): Promise<Answer<Value>> {
  const reply = await client.call(exchange, unlimited);
  if (reply.kind === 'broken' || reply.status < 200 || reply.status >= 300) return failureOf(reply);
  const object = parsedShallow(reply.body);
  if (!isObject(object)) {
    return { kind: 'retry', message: `${exchange.method} ${exchange.path}: the answer is no JSON object` };
  }
  return { kind: 'ok', value: read(object) };
}
