import { describe, expect, it } from '@jest/globals';
import { impactClasses } from '../impact/impact.js';
import type { ObjectDiff } from './diff.js';
import type { DiffGroup } from './groups.js';
import { DEFAULT_CHOICES, diffResults, resultRule } from './results.js';

const object = (part: Partial<ObjectDiff>): ObjectDiff => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'ns', name: 'x', change: 'changed', impact: 'metadata' },
  ...{ pools: [], notes: [], referrers: [], fields: [] },
  ...part,
});
const group = (names: readonly string[], ...objects: readonly ObjectDiff[]): DiffGroup => ({
  ...{ names, change: 'changed', objects, pools: [], nodes: [], restarts: [], coverage: [], notes: [] },
});
const results = (choices: Parameters<typeof diffResults>[1], ...groups: readonly DiffGroup[]) =>
  diffResults(groups, choices, (cluster) => `dist/${cluster}`);

describe('the results of a difference', () => {
  it('are all objects that do more than change metadata, at their files, with what follows', () => {
    const loss = object({
      kind: 'DaemonSet',
      impact: 'driver-loss',
      notes: ['no driver', 'do this'],
      file: 'ofed/d.yaml',
    });
    const policy = object({ impact: 'policy', notes: ['no drain', 'more at once'], file: 'companion/p.yaml' });
    const rights = object({ kind: 'ClusterRoleBinding', impact: 'rights', notes: ['more'], file: 'r.yaml' });
    const place = (file: string) => ({ location: { file, line: 1, column: 1 } });
    expect(
      results(DEFAULT_CHOICES, group(['east', 'west'], loss, policy, rights, object({ impact: 'metadata' }))),
    ).toEqual([
      {
        ...{ code: 'driver-loss', severity: 'error', message: 'east, west: DaemonSet ns/x: no driver\ndo this' },
        ...place('dist/east/ofed/d.yaml'),
      },
      {
        ...{ code: 'policy', severity: 'warning', message: 'east, west: ConfigMap ns/x: no drain' },
        ...place('dist/east/companion/p.yaml'),
      },
      {
        ...{ code: 'policy', severity: 'warning', message: 'east, west: ConfigMap ns/x: more at once' },
        ...place('dist/east/companion/p.yaml'),
      },
      {
        ...{ code: 'rights', severity: 'warning', message: 'east, west: ClusterRoleBinding ns/x: more' },
        ...place('dist/east/r.yaml'),
      },
    ]);
  });

  it('are those of the classes that are asked for, each once', () => {
    const all = impactClasses.map((impact) => object({ impact, name: impact }));
    const refused = object({ impact: 'restart', name: 'refused', refusedFields: ['spec.selector'] });
    for (const choice of impactClasses) {
      const found = results([choice, choice], group(['east'], ...all));
      expect(found.map(({ code, message }) => [code, message.split(' ')[2]?.slice(0, -1)])).toEqual([
        [choice, `ns/${choice}`],
      ]);
    }
    expect(results(['refused'], group(['east'], ...all, refused))).toMatchObject([
      { code: 'refused', severity: 'error' },
    ]);
  });

  it('have a rule each', () => {
    expect(resultRule('driver-loss')).toMatchObject({ severity: 'error', title: expect.stringContaining('driver') });
    expect(resultRule('refused').title).toContain('refuses');
    expect(new Set(impactClasses.map((one) => resultRule(one).title)).size).toBe(impactClasses.length);
  });
});
