import { expect, it } from '@jest/globals';
import * as z from 'zod';
import { customKinds } from '../../compile/config/kinds/extra-object.js';
import { documentKinds } from '../../compile/config/kinds/kinds.js';
import { schema } from './schema.js';

function run(kind: string | undefined, partial = false) {
  const printed = { stdout: '', stderr: '' };
  const exit = schema(
    kind,
    { partial },
    {
      stdout: (text) => void (printed.stdout += text),
      stderr: (text) => void (printed.stderr += text),
      readStdin: () => Promise.resolve(''),
      cwd: '/',
      env: {},
      isStdinTerminal: true,
      isStderrTerminal: false,
      isStdoutTerminal: false,
      readCompanionProgram: () => '',
    },
  );
  return { exit, ...printed };
}

const kinds = [...documentKinds, ...customKinds()];

it.each([...new Set(kinds.map(({ kind }) => kind))])('there is a schema of %s, in each of its versions', (kind) => {
  const { exit, stdout } = run(kind.toLowerCase());
  expect(exit).toBe(0);
  for (const one of kinds.filter((candidate) => candidate.kind === kind)) {
    expect(stdout).toContain(`"const": "${one.apiVersion}"`);
  }
});

it('has one of documents that are merged with others', () => {
  const { stdout } = run('Cluster', true);
  const accepts = z.fromJSONSchema(JSON.parse(stdout) as never);
  const document = { apiVersion: 'weft.dev/v1alpha1', kind: 'ClusterBase' };
  const pool = { name: 'a', $patch: 'delete' };
  const isAccepted = (spec: unknown) => accepts.safeParse({ ...document, spec }).success;
  expect(accepts.safeParse(document).success).toBe(true);
  expect(isAccepted({ required: ['nodePools'], release: null, nodePools: [pool], upgrade: { pools: [pool] } })).toBe(
    true,
  );
  expect(isAccepted({ nodePools: [{ name: 'a', arch: 'arm64' }], companion: { monitoring: { enable: null } } })).toBe(
    true,
  );
  expect(isAccepted({ nodePools: [{ arch: 'arm64' }] })).toBe(false);
  expect(isAccepted({ required: ['nodePool'] })).toBe(false);
  expect(isAccepted({ releese: 'v26.4' })).toBe(false);
  expect(isAccepted({ existingConfigMaps: [{ name: 'a' }] })).toBe(false);
  expect(run('ClusterBase', true).stdout).toBe(stdout);
});

it('has one of all documents that are merged with others', () => {
  const accepts = z.fromJSONSchema(JSON.parse(run(undefined, true).stdout) as never);
  const network = { apiVersion: 'mellanox.com/v1alpha1', kind: 'MacvlanNetwork', metadata: { name: 'a' } };
  expect(accepts.safeParse({ ...network, spec: { mtu: 1500, master: null } }).success).toBe(true);
  expect(accepts.safeParse({ ...network, $patch: 'delete' }).success).toBe(true);
  expect(accepts.safeParse({ ...network, spec: { mtuu: 1500 } }).success).toBe(false);
  const policy = { apiVersion: 'mellanox.com/v1alpha1', kind: 'NicClusterPolicy', metadata: { name: 'a' } };
  expect(accepts.safeParse({ ...policy, spec: { ofedDriver: { version: '1' } } }).success).toBe(true);
});
