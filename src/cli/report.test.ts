import { expect, it } from '@jest/globals';
import type { Diagnostic } from '../shared/diagnostics/diagnostic.js';
import { collectDiagnostics } from './report.js';

const inBase = (cluster: string, message = 'wrong'): Diagnostic => ({
  code: 'WEFT0142',
  severity: 'error',
  message,
  location: { file: 'base/a.yaml', line: 1, column: 1, inheritedBy: [{ file: `clusters/${cluster}/cluster.yaml` }] },
});

it('has a diagnostic about a base once, with all clusters that inherit it', () => {
  const found = collectDiagnostics();
  found.add([inBase('east'), inBase('east', 'other')]);
  found.add([inBase('west')]);
  expect(found.all.map(({ message, location }) => [message, location?.inheritedBy?.map(({ file }) => file)])).toEqual([
    ['wrong', ['clusters/east/cluster.yaml', 'clusters/west/cluster.yaml']],
    ['other', ['clusters/east/cluster.yaml']],
  ]);
});

it('has a diagnostic about a cluster as often as clusters have it', () => {
  const found = collectDiagnostics();
  const own: Diagnostic = {
    code: 'WEFT0142',
    severity: 'error',
    message: 'wrong',
    location: { file: 'a.yaml', line: 1 },
  };
  found.add([own, own]);
  expect(found.all).toHaveLength(2);
});
