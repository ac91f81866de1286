import { describe, expect, it } from '@jest/globals';
import { DEFAULT_NAMESPACE } from './network-operator.js';
import { readSettings, settingsLines, settingsOf } from './cluster-settings.js';

const NONE = { postponedChanges: [], namespace: DEFAULT_NAMESPACE, access: {}, gitops: {}, patches: [] };

describe('the line of the index about settings', () => {
  it.each([
    [NONE, []],
    [{ ...NONE, access: { context: 'east', clusterUID: undefined } }, ['access']],
    [{ ...NONE, namespace: 'network' }, ['namespace']],
    [{ ...NONE, gitops: { argocd: {} } }, ['gitops']],
    [{ ...NONE, patches: [{ patch: {} }] }, ['patches']],
    [
      {
        ...NONE,
        release: 'v26.7',
        postponedChanges: ['a'],
        access: { clusterUID: 'u' },
        gitops: { flux: {} },
        patches: [1],
      },
      ['release', 'postponedChanges', 'access', 'gitops', 'patches'],
    ],
  ])('%j', (sections, keys) => {
    const settings = settingsOf(sections);
    expect(Object.keys(settings)).toEqual(keys);
    const lines = settingsLines(settings);
    expect(lines).toHaveLength(keys.length === 0 ? 0 : 1);
    expect(readSettings(['driver {}', ...lines])).toEqual(JSON.parse(JSON.stringify(settings)));
  });

  it('differs for other sections', () => {
    const of = (gitops: object) => settingsOf({ ...NONE, gitops }).gitops;
    expect(of({ argocd: { repoURL: 'a' } })).not.toBe(of({ argocd: { repoURL: 'b' } }));
  });

  it.each(['settings', 'settings []', 'settings 1'])('nothing is read from %j', (line) => {
    expect(readSettings([line])).toEqual({});
  });
});
