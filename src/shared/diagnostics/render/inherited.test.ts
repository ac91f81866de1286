import { expect, it } from '@jest/globals';
import type { Diagnostic, Inheritance } from '../diagnostic.js';
import { renderDiagnostics } from './render.js';

const heirs: readonly Inheritance[] = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
  file: `clusters/${name}/cluster.yaml`,
  line: 5,
  column: 3,
  ...(name === 'b' && { through: [{ file: 'base/h100/a.yaml', line: 2, column: 1 }] }),
}));
const found = (inheritedBy: readonly Inheritance[]): Diagnostic => ({
  code: 'WEFT0142',
  severity: 'error',
  message: 'wrong',
  help: 'mend it',
  location: { file: 'base/a.yaml', line: 7, column: 3, endColumn: 4, sourceLine: '  x', inheritedBy },
});

const TEXT =
  'inherited by clusters/a/cluster.yaml:5:3, clusters/b/cluster.yaml:5:3 through base/h100/a.yaml:2:1, clusters/c/cluster.yaml:5:3 and 2 more';

it('says in text by which clusters a place in a base is inherited', () => {
  expect(renderDiagnostics('text', [found(heirs)], { colour: false })).toBe(`error[WEFT0142]: wrong
 --> base/a.yaml:7:3
7 |   x
  |   ^
  = note: ${TEXT}
  = help: mend it
1 error
`);
  expect(renderDiagnostics('text', [found(heirs.slice(0, 1))], { colour: false })).toContain(
    '= note: inherited by clusters/a/cluster.yaml:5:3\n',
  );
});

it.each(['github', 'sarif'] as const)('says it in the message of %s', (format) => {
  expect(renderDiagnostics(format, [found(heirs)], { colour: false }).replaceAll('%3A', ':')).toContain(TEXT);
});

it('names all of them in JSON', () => {
  expect(JSON.parse(renderDiagnostics('json', [found(heirs)], { colour: false }))).toMatchObject({
    diagnostics: [{ location: { inheritedBy: heirs } }],
  });
});
