import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putBackupAside, readBackup, writeBackup } from './backup.js';

const GROUP = 'mellanox.com/v1alpha1';
const read = (folder: string) => readBackup(folder, process.env);

it('the backup of a takeover that was undone is put aside, so that the next one has only what is there then', () => {
  const root = mkdtempSync(join(tmpdir(), 'weft-backup-'));
  const folder = join(root, 'takeover/east');
  const located = (name: string) => ({
    ...{ path: '', reference: `macvlannetworks/${name}` },
    live: { apiVersion: 'mellanox.com/v1alpha1', kind: 'MacvlanNetwork', metadata: { name } },
  });
  try {
    expect(putBackupAside(folder)).toBeUndefined();
    writeBackup(folder, read(folder), [located('old')]);
    expect([...read(folder).keys()]).toEqual(['macvlannetworks.mellanox.com/old']);
    const file = join(folder, '2-custom-resources.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(putBackupAside(folder)).toBe(`${folder}-undone`);
    writeBackup(folder, read(folder), [located('new')]);
    expect([...read(folder).keys()]).toEqual(['macvlannetworks.mellanox.com/new']);
    expect(putBackupAside(folder)).toBe(`${folder}-undone`);
    expect([...read(`${folder}-undone`).keys()]).toEqual(['macvlannetworks.mellanox.com/new']);
    expect(existsSync(folder)).toBe(false);
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('the files of a backup are neither read nor written through symbolic links', () => {
  const root = mkdtempSync(join(tmpdir(), 'weft-backup-'));
  const live = { apiVersion: 'mellanox.com/v1alpha1', kind: 'MacvlanNetwork', metadata: { name: 'n' } };
  try {
    mkdirSync(join(root, 'east'));
    symlinkSync('../elsewhere', join(root, 'east/2-custom-resources.json.new'));
    writeBackup(join(root, 'east'), new Map(), [{ path: '', reference: 'r', live }]);
    expect(existsSync(join(root, 'elsewhere'))).toBe(false);
    writeFileSync(join(root, 'list'), '{"items": []}');
    symlinkSync('../list', join(root, 'east/1-crds.json'));
    expect(() => read(join(root, 'east'))).toThrow('1-crds.json: it is not a regular file');
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('a backup with something that is no object is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-backup-'));
  try {
    writeFileSync(join(folder, '1-crds.json'), '{"items": [null]}');
    expect(() => read(folder)).toThrow('1-crds.json: object 1 lacks `apiVersion`, `kind` or `metadata.name`');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('a backup has only what is of the operator', () => {
  const put = (items: readonly object[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-backup-'));
    writeFileSync(join(folder, '2-custom-resources.json'), JSON.stringify({ items }));
    return folder;
  };
  const object = (apiVersion: string, kind: string, rest: object = {}, metadata: object = {}) => ({
    ...{ apiVersion, kind, metadata: { name: 'x.mellanox.com', ...metadata } },
    ...rest,
  });
  const WEBHOOKS = ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'] as const;
  const CRD = ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'] as const;
  const service = { service: { namespace: 'n', name: 's' } };
  const webhook = (clientConfig: object, ...apiGroups: readonly string[]) => ({
    webhooks: [{ name: 'a', clientConfig, rules: [{ apiGroups }] }],
  });

  it.each([
    {
      name: 'rights with the reference of a policy',
      given: object(
        'rbac.authorization.k8s.io/v1',
        'ClusterRoleBinding',
        {},
        { annotations: { 'weft.dev/reference': 'nicclusterpolicies.mellanox.com/nic-cluster-policy' } },
      ),
    },
    { name: 'a group that ends as the operator’s', given: object('x.mellanox.com/v1', 'NicClusterPolicy') },
    { name: 'a version that is a path', given: object('mellanox.com/../rbac.authorization.k8s.io/v1', 'Role') },
    { name: 'a kind that is a path', given: object(GROUP, '../x') },
    { name: 'a name that is a path', given: object(GROUP, 'MacvlanNetwork', {}, { name: '..' }) },
    { name: 'a namespace', given: object(GROUP, 'MacvlanNetwork', {}, { namespace: 'kube-system' }) },
    { name: 'a definition of another group', given: object(...CRD, { spec: { group: 'example.com' } }) },
    {
      name: 'a definition with the name of another group',
      given: object(...CRD, { spec: { group: 'mellanox.com' } }, { name: 'x.example.com' }),
    },
    { name: 'a webhook for all groups', given: object(...WEBHOOKS, webhook(service, 'mellanox.com', '*')) },
    { name: 'a webhook outside of the cluster', given: object(...WEBHOOKS, webhook({ url: 'u' }, 'mellanox.com')) },
    { name: 'a webhook configuration of nothing', given: object(...WEBHOOKS) },
  ])('$name is refused', ({ given }) => {
    const folder = put([given]);
    try {
      expect(() => read(folder)).toThrow(/2-custom-resources.json: .*is not the operator’s: no takeover saves it$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('and each object the reference that it has, whatever the file says', () => {
    const annotations = { 'weft.dev/reference': 'clusterroles/x' };
    const folder = put([
      object(GROUP, 'NicNodePolicy', {}, { annotations }),
      object(...CRD, { spec: { group: 'mellanox.com' } }, { annotations }),
      object(...WEBHOOKS, webhook(service, 'mellanox.com'), { annotations }),
    ]);
    try {
      expect([...read(folder).keys()]).toEqual([
        'nicnodepolicies.mellanox.com/x.mellanox.com',
        'customresourcedefinition.apiextensions.k8s.io/x.mellanox.com',
        'validatingwebhookconfigurations.admissionregistration.k8s.io/x.mellanox.com',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('a backup that git tracks is refused, because a pull request may have brought it', () => {
  const root = mkdtempSync(join(tmpdir(), 'weft-backup-'));
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root });
  const folder = join(root, 'takeover/east');
  const live = { apiVersion: GROUP, kind: 'MacvlanNetwork', metadata: { name: 'n' } };
  try {
    git('init', '--quiet');
    writeBackup(folder, new Map(), [{ path: '', reference: 'r', live }]);
    expect([...read(folder).keys()]).toEqual(['macvlannetworks.mellanox.com/n']);
    git('add', '.');
    expect(() => read(folder)).toThrow('git tracks takeover/east/2-custom-resources.json');
  } finally {
    rmSync(root, { recursive: true });
  }
});
