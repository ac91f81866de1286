import { expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
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
