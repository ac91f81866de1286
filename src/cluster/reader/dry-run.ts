import type { ApiClient } from '../../shared/kube-client/api-client.js';
import { ask } from '../../shared/kube-client/ask.js';
import { encoded } from '../../shared/kube-client/paths.js';
import type { Answer } from '../../shared/kube-client/types.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { liveObject } from '../../shared/kubernetes/shapes/read.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';

/** Asks the API server what a server-side apply makes of an object; undefined: what it answers has no name. It fills in defaults and drops empty values, and changes nothing. */
export function dryRun(
  client: ApiClient,
  path: string,
  object: KubernetesObject,
  fieldManager: string,
): Promise<Answer<NamedObject | undefined>> {
  const query = `dryRun=All&force=true&fieldValidation=Ignore&fieldManager=${encoded(fieldManager)}`;
  const contentType = 'application/apply-patch+yaml';
  const exchange = { method: 'PATCH', path: `${path}?${query}`, body: object, contentType } as const;
  return ask(client, exchange, (applied) => liveObject(object, applied, false));
}

/** Why the API server refuses to apply an object: 422, or the 403 of a webhook; not a webhook that has no dry run (400), nor a missing right. */
export function refusalOf(answer: Answer<unknown>): string | undefined {
  return answer.kind === 'error' && answer.status !== 400 ? answer.message : undefined;
}
