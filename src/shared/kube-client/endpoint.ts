import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type OutgoingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { join } from 'node:path';

/** Address of an API server, and credentials. */
export interface Endpoint {
  /** Opens one request, which is sent by its `end`. Throws if the credentials cannot be read. */
  readonly open: (method: string, path: string, headers: OutgoingHttpHeaders) => ClientRequest;
  /** Reads the credentials again with the next request, because the server refused them. */
  readonly refresh: () => void;
  /** Closes all connections. */
  readonly close: () => void;
}

/** Where the kubelet mounts the credentials of a pod's ServiceAccount. */
const SERVICE_ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';
/** The kubelet renews a token long before it expires, and replaces the file; client-go reads it every minute. */
const CREDENTIALS_MS = 10_000;
/** Below the 90 s after which the API server closes a connection that is not used. */
const IDLE_MS = 60_000;
const AGENT_OPTIONS = { keepAlive: true, keepAliveMsecs: 30_000, timeout: IDLE_MS };

interface Credentials {
  readonly token: string;
  readonly certificateAuthority: string;
}

/** The API server as a pod reaches it: HTTPS with the token and the CA that the kubelet mounts, read again as they rotate. */
export function podEndpoint(host: string, port: number, folder = SERVICE_ACCOUNT_FOLDER): Endpoint {
  let credentials: Credentials | undefined;
  let readMs = 0;
  let agent: HttpsAgent | undefined;

  function current(): Credentials {
    if (credentials === undefined || performance.now() - readMs >= CREDENTIALS_MS) {
      const certificateAuthority = readFileSync(join(folder, 'ca.crt'), 'utf8');
      if (certificateAuthority !== credentials?.certificateAuthority) {
        // Requests that are under way keep their connections to the end.
        agent = new HttpsAgent({ ...AGENT_OPTIONS, ca: certificateAuthority });
      }
      credentials = { token: readFileSync(join(folder, 'token'), 'utf8').trim(), certificateAuthority };
      readMs = performance.now();
    }
    return credentials;
  }
  return {
    open(method, path, headers) {
      const { token } = current();
      return httpsRequest({
        host,
        port,
        method,
        path,
        headers: { ...headers, authorization: `Bearer ${token}` },
        ...(agent !== undefined && { agent }),
        // `servername` must be a name. TLS compares an IP address with the addresses of the certificate.
        ...(isIP(host) === 0 && { servername: host }),
      });
    },
    refresh: () => void (readMs = -Infinity),
    close: () => agent?.destroy(),
  };
}

/** A proxy on a unix socket that adds the credentials: `kubectl proxy --unix-socket`. */
export function socketEndpoint(socketPath: string): Endpoint {
  const agent = new HttpAgent(AGENT_OPTIONS);
  return {
    open: (method, path, headers) =>
      // `kubectl proxy` takes requests for `localhost` only.
      httpRequest({ socketPath, method, path, headers: { ...headers, host: 'localhost' }, agent }),
    refresh: () => undefined,
    close: () => agent.destroy(),
  };
}
