#!/usr/bin/env node
// What `bin/kubectl` does not do by itself: `proxy --unix-socket` serves the objects of the file that FAKE_CLUSTER names, by path. It knows
// the contexts `east`, `viewer`, who may not list DaemonSets, `down`, whose server cannot be reached, and `endless`, whose lists of nodes and
// pods do not end, and ends at SIGTERM as kubectl does.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';

// A Go program leaves a signal ignored that was ignored when it started; Node does not.
process.on('SIGINT', () => undefined);

const args = process.argv.slice(2);
const valueOf = (flag) => args.find((arg) => arg.startsWith(`--${flag}=`))?.slice(flag.length + 3);
const context = valueOf('context') ?? 'east';
if (!args.includes('--append-server-path')) throw new Error('a server with a path is not reached');

const policy = { apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy', drivers: [] };
const empty = {
  '/api/v1/namespaces/kube-system': { metadata: { name: 'kube-system', uid: '5d1a7c0e-0000-4000-8000-00000000ea57' } },
  '/api/v1/namespaces/nvidia-network-operator/configmaps/weft-companion-policy': {
    data: { 'policy.json': JSON.stringify(policy) },
  },
};
if (context === 'viewer') {
  const message = 'daemonsets.apps is forbidden: User "viewer" cannot list resource "daemonsets" in API group "apps"';
  const daemonSets = '/apis/apps/v1/namespaces/nvidia-network-operator/daemonsets';
  empty[daemonSets] = { kind: 'Status', code: 403, reason: 'Forbidden', message };
  empty['/apis/apps/v1'] = { resources: [{ name: 'daemonsets', kind: 'DaemonSet', namespaced: true }] };
}
const file = process.env.FAKE_CLUSTER;
const objects = () => (file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : empty);
const LISTS = /\/(nodes|pods|daemonsets|controllerrevisions|poddisruptionbudgets|jobs|events)$/;

/** The text of a list whose first item goes on. */
function* endless() {
  yield '{"items": [{"a": "';
  for (;;) yield 'a'.repeat(1_000_000);
}

/** The groups of the paths that end with a version, which is the preferred one of its group. */
function groups() {
  const served = Object.keys(objects()).flatMap((path) => {
    const [, name, version] = /^\/apis\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    return name === undefined ? [] : [{ name, versions: [{ version }], preferredVersion: { version } }];
  });
  return { kind: 'APIGroupList', groups: served };
}

/** A JSON merge patch: RFC 7386. */
const merged = (target, patch) => {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
  const result = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
};

/** Writes to nodes, to ConfigMaps and to Jobs, kept in the file. Answers with the object, or undefined where there is none. */
function write(method, path, body, isDryRun) {
  const all = objects();
  const list = all[path.replace(/\/[^/]+$/, '')];
  const name = path.split('/').at(-1);
  const index = list?.items?.findIndex(({ metadata }) => metadata.name === name) ?? -1;
  let result = index < 0 ? all[path] : list.items[index];
  if (isDryRun) return merged(result, body);
  if (method === 'POST')
    all[`${path}/${body.metadata.name}`] = result = { ...body, metadata: { ...body.metadata, resourceVersion: '1' } };
  else if (result === undefined) return undefined;
  else if (method === 'DELETE') list.items.splice(index, 1);
  else {
    result = method === 'PUT' ? body : merged(result, body);
    if (index < 0) all[path] = result;
    else list.items[index] = result;
  }
  if (file !== undefined) writeFileSync(file, JSON.stringify(all));
  return result;
}

const rejected = valueOf('reject-methods');

const server = createServer(async (request, response) => {
  const path = request.url.replace(/\?.*$/, '');
  if (context === 'down') return response.writeHead(502).end('dial tcp 10.0.0.1:6443: connect: connection refused\n');
  if (context === 'endless' && /\/(nodes|pods)$/.test(path)) return Readable.from(endless()).pipe(response);
  let text = '';
  for await (const chunk of request) text += chunk;
  if (rejected !== undefined && new RegExp(rejected).test(request.method))
    return response.writeHead(403).end('Forbidden\n');
  if (path.endsWith('/log') && objects()[path] !== undefined) return response.end(objects()[path]);
  const read = () =>
    path === '/version'
      ? (objects()[path] ?? { major: '1' })
      : path === '/apis'
        ? (objects()[path] ?? groups())
        : (objects()[path] ?? (LISTS.test(path) ? { metadata: { resourceVersion: '1' }, items: [] } : undefined));
  const found =
    request.method === 'GET'
      ? read()
      : write(request.method, path, text === '' ? {} : JSON.parse(text), request.url.includes('dryRun=All'));
  const code = found?.kind === 'Status' ? found.code : 200;
  const status = request.headers.host !== 'localhost' ? 403 : found === undefined ? 404 : code;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found ?? { kind: 'Status', code: status, message: `${path} not found` }));
});
const socket = valueOf('unix-socket');
server.listen(socket, () => process.stdout.write(`Starting to serve on ${socket}\n`));
