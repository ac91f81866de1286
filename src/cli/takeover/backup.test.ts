import { expect, it } from '@jest/globals';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putBackupAside, readBackup, writeBackup } from './backup.js';

it('the backup of a takeover that was undone is put aside, so that the next one has only what is there then', () => {
  const root = mkdtempSync(join(tmpdir(), 'weft-backup-'));
  const folder = join(root, 'takeover/east');
  const located = (name: string) => ({
    ...{ path: '', reference: `macvlannetworks/${name}` },
    live: { apiVersion: 'mellanox.com/v1alpha1', kind: 'MacvlanNetwork', metadata: { name } },
  });
  try {
    expect(putBackupAside(folder)).toBeUndefined();
    writeBackup(folder, readBackup(folder), [located('old')]);
    expect([...readBackup(folder).keys()]).toEqual(['macvlannetworks/old']);
    const file = join(folder, '2-custom-resources.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(putBackupAside(folder)).toBe(`${folder}-undone`);
    writeBackup(folder, readBackup(folder), [located('new')]);
    expect([...readBackup(folder).keys()]).toEqual(['macvlannetworks/new']);
    expect(putBackupAside(folder)).toBe(`${folder}-undone`);
    expect([...readBackup(`${folder}-undone`).keys()]).toEqual(['macvlannetworks/new']);
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
    expect(() => readBackup(join(root, 'east'))).toThrow('1-crds.json: it is not a regular file');
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('a backup with something that is no object is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-backup-'));
  try {
    writeFileSync(join(folder, '1-crds.json'), '{"items": [null]}');
    expect(() => readBackup(folder)).toThrow('1-crds.json: object 1 lacks `apiVersion`, `kind` or `metadata.name`');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
