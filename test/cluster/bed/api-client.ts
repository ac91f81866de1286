import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** A Kubernetes object as the API server returns it. */
export interface LiveObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerReference[];
    readonly managedFields?: readonly { readonly manager?: string; readonly operation?: string }[];
  };
  // Tests read specs of many kinds.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly [field: string]: any;
}

export interface ServerAddress {
  readonly port: number;
  readonly token: string;
  /** The CA of the server's certificate, as PEM. */
  readonly certificateAuthority: string;
}

export interface Answer {
  readonly status: number;
  readonly body: LiveObject;
  /** Texts of the `Warning` header, which kubectl shows. */
  readonly warnings: readonly string[];
}

/** The API server refused the request, with this message. */
export class ApiError extends Error {
  readonly status: number;
  constructor(what: string, answer: Answer) {
    super(`${what}: ${answer.status} ${String(answer.body['message'] ?? JSON.stringify(answer.body))}`);
    this.status = answer.status;
  }
}

export interface ApplyOptions {
  readonly manager: string;
  readonly force?: boolean;
}

export type ApiClient = ReturnType<typeof createClient>;

const CONTENT_TYPES = {
  json: 'application/json',
  merge: 'application/merge-patch+json',
  jsonPatch: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;
type ContentType = keyof typeof CONTENT_TYPES;

/** The other side had closed the connection, as it does with idle ones. */
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** A client over TLS with a token: the verbs that the tests need, no cache, and no request again that the server has answered. */
export function createClient(address: ServerAddress) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ca: address.certificateAuthority });
  const paths = new Map<string, string>();

  function open(method: string, path: string, body?: unknown, type: ContentType = 'json') {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${address.token}`,
      accept: 'application/json',
      'user-agent': 'weft-test',
      ...(text === undefined ? {} : { 'content-type': CONTENT_TYPES[type], 'content-length': Buffer.byteLength(text) }),
    };
    const request = httpsRequest({ host: '127.0.0.1', port: address.port, method, path, headers, agent });
    request.end(text);
    return request;
  }

  /** One request, whatever the answer's status. The server may have closed an idle connection: then it is sent on another one. */
  function send(method: string, path: string, body?: unknown, type: ContentType = 'json'): Promise<Answer> {
    return new Promise((done, failed) => {
      const request = open(method, path, body, type);
      request
        .on('error', (error: NodeJS.ErrnoException) => {
          if (request.reusedSocket && CLOSED.has(error.code ?? '')) done(send(method, path, body, type));
          else failed(error);
        })
        .on('response', (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', failed);
          response.on('end', () => {
            const text = Buffer.concat(parts).toString();
            const isJson = response.headers['content-type']?.startsWith('application/json') === true;
            done({
              status: response.statusCode ?? 0,
              body: (isJson ? JSON.parse(text) : { message: text }) as LiveObject,
              warnings: warningTexts(response.headers['warning']),
            });
          });
        });
    });
  }

  /** One request that must succeed. */
  async function ask(method: string, path: string, body?: unknown, type: ContentType = 'json'): Promise<Answer> {
    const answer = await send(method, path, body, type);
    if (answer.status >= 300) throw new ApiError(`${method} ${path}`, answer);
    return answer;
  }

  /** The path of a kind's collection, from discovery. `{namespace}` is the place of the namespace, if the kind has one. */
  async function pathOfKind(apiVersion: string, kind: string): Promise<string> {
    const known = paths.get(`${apiVersion} ${kind}`);
    if (known !== undefined) return known;
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { body } = await ask('GET', root);
    const resources = body['resources'] as readonly { name: string; kind: string; namespaced: boolean }[];
    const found = resources.find((one) => one.kind === kind && !one.name.includes('/'));
    if (!found) throw new Error(`the API server knows no ${apiVersion} ${kind}`);
    const path = found.namespaced ? `${root}/namespaces/{namespace}/${found.name}` : `${root}/${found.name}`;
    paths.set(`${apiVersion} ${kind}`, path);
    return path;
  }

  async function pathOf({ apiVersion, kind, metadata }: LiveObject): Promise<string> {
    const path = await pathOfKind(apiVersion, kind);
    return `${path.replace('{namespace}', metadata.namespace ?? 'default')}/${encodeURIComponent(metadata.name)}`;
  }

  return {
    send,
    ask,
    pathOf,
    pathOfKind,

    /** Server-side apply with strict field validation, as kubectl, Argo CD and Flux do. */
    async apply(object: LiveObject, { manager, force = true }: ApplyOptions): Promise<Answer> {
      const query = `fieldManager=${manager}&fieldValidation=Strict&force=${String(force)}`;
      return ask('PATCH', `${await pathOf(object)}?${query}`, object, 'apply');
    },

    /** Creates as controllers do: unknown fields are dropped. */
    async create(object: LiveObject, manager = 'weft-test'): Promise<LiveObject> {
      const path = (await pathOf(object)).replace(/\/[^/]*$/, '');
      return (await ask('POST', `${path}?fieldManager=${manager}&fieldValidation=Ignore`, object)).body;
    },

    async get(object: LiveObject): Promise<LiveObject | undefined> {
      const path = await pathOf(object);
      const answer = await send('GET', path);
      if (answer.status === 404) return undefined;
      if (answer.status >= 300) throw new ApiError(`GET ${path}`, answer);
      return answer.body;
    },

    async list(path: string): Promise<readonly LiveObject[]> {
      return (await ask('GET', path)).body['items'] as readonly LiveObject[];
    },

    /** Deletes an object; a missing object is no error. */
    async delete(object: LiveObject, options: object = { propagationPolicy: 'Background' }): Promise<void> {
      const path = await pathOf(object);
      const answer = await send('DELETE', path, options);
      if (answer.status >= 300 && answer.status !== 404) throw new ApiError(`DELETE ${path}`, answer);
    },

    /**
     * Events of a collection from now on, until stopped. Begins with an ADDED for each existing object, also when the watch
     * starts again after the API server was unavailable.
     */
    watch(path: string, tell: (type: string, object: LiveObject) => void): () => void {
      let isStopped = false;
      let request = start();
      function start() {
        const begun = open('GET', `${path}${path.includes('?') ? '&' : '?'}watch=true`);
        begun.on('error', () => undefined);
        begun.on('close', () => {
          setTimeout(() => {
            if (!isStopped) request = start();
          }, 200);
        });
        begun.on('response', read);
        return begun;
      }
      function read(response: IncomingMessage): void {
        let rest = '';
        response.setEncoding('utf8');
        response.on('error', () => undefined);
        response.on('data', (part: string) => {
          const lines = (rest + part).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) {
            const event = JSON.parse(line) as { type: string; object: LiveObject };
            if (!isStopped) tell(event.type, event.object);
          }
        });
      }
      return () => {
        isStopped = true;
        request.destroy();
      };
    },

    close: () => agent.destroy(),
  };
}

/** `299 - "text"`, several with commas between, quotes inside escaped: RFC 7234, section 5.5. */
function warningTexts(header: string | undefined): readonly string[] {
  return [...(header ?? '').matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replace(/\\(.)/g, '$1'),
  );
}
