import type { ApiClient, LiveObject } from './api-client.js';
import { until } from './guarded-process.js';

/** `kind namespace/name`, for messages. */
export function label({ kind, metadata }: LiveObject): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

export interface Applied {
  /** Errors and warnings, one line each. */
  readonly problems: readonly string[];
  /** What the API server has now, by label. */
  readonly live: ReadonlyMap<string, LiveObject>;
}

/** Applies once in the given order, and continues after an error like the GitOps tools. */
export async function applyAll(
  client: ApiClient,
  objects: readonly LiveObject[],
  manager = 'argocd-controller',
): Promise<Applied> {
  const problems: string[] = [];
  const live = new Map<string, LiveObject>();
  for (const object of objects) {
    try {
      const { body, warnings } = await client.apply(object, { manager });
      problems.push(...warnings.map((text) => `${label(object)}: warning: ${text}`));
      live.set(label(object), object.kind === 'CustomResourceDefinition' ? await establish(client, body) : body);
    } catch (error) {
      problems.push(`${label(object)}: ${(error as Error).message}`);
    }
  }
  return { problems, live };
}

/** Both tools wait for a CRD before they apply its resources. Returns the CRD with the status that the API server wrote. */
async function establish(client: ApiClient, crd: LiveObject): Promise<LiveObject> {
  const spec = crd['spec'] as {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  const served = spec.versions.filter((version) => version.served);
  return until(`${crd.metadata.name} is served`, async () => {
    for (const { name } of served) await client.pathOfKind(`${spec.group}/${name}`, spec.names.kind);
    const live = await client.get(crd);
    const { conditions = [] } = (live?.['status'] ?? {}) as {
      conditions?: readonly { type: string; status: string }[];
    };
    return conditions.some(({ type, status }) => type === 'Established' && status === 'True') ? live : undefined;
  });
}

/** Objects whose `resourceVersion` has changed. */
export function movedObjects(
  before: ReadonlyMap<string, LiveObject>,
  after: ReadonlyMap<string, LiveObject>,
): readonly string[] {
  return [...after]
    .filter(([name, object]) => object.metadata.resourceVersion !== before.get(name)?.metadata.resourceVersion)
    .map(([name]) => name);
}

/**
 * Deletes the objects, except namespaces and CRDs: their deletion takes seconds, and the next set has the same ones. Finalizers are
 * removed first, because there may be no controller that removes them.
 */
export async function deleteAll(client: ApiClient, objects: readonly LiveObject[]): Promise<void> {
  const gone = objects.filter(({ kind }) => kind !== 'Namespace' && kind !== 'CustomResourceDefinition');
  // Webhooks first: without their server they would refuse later requests.
  const webhooksFirst = [...gone].sort((a, b) => Number(isWebhook(b)) - Number(isWebhook(a)));
  for (const object of webhooksFirst) {
    if (object.kind === 'PersistentVolumeClaim' && (await client.get(object))) {
      await client.ask('PATCH', await client.pathOf(object), { metadata: { finalizers: null } }, 'merge');
    }
    await client.delete(object);
  }
}

function isWebhook({ kind }: LiveObject): boolean {
  return kind.endsWith('WebhookConfiguration');
}
