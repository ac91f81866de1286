import { describe, expect, it } from '@jest/globals';
import type { Diagnostic, Severity } from '../../shared/diagnostics/diagnostic.js';
import { createDiagnosticSink, reportAll } from './diagnostic-sink.js';

const found = (severity: Severity, line: number): Diagnostic => ({
  code: severity === 'error' ? 'WEFT0143' : 'WEFT0234',
  severity,
  message: 'm',
  location: { file: 'a.yaml', line },
});
const many = (severity: Severity, count: number) => Array.from({ length: count }, (_, line) => found(severity, line));

describe('sink', () => {
  it('is all, where it is not too much', () => {
    const sink = createDiagnosticSink();
    reportAll(sink, [...many('error', 1000), ...many('warning', 1000)]);
    expect(sink.all).toHaveLength(2000);
  });

  it('says once that there are more, where the first of them is, and keeps an error behind many warnings', () => {
    const sink = createDiagnosticSink();
    reportAll(sink, [...many('warning', 1500), found('error', 7), ...many('error', 1000)]);
    const [more, error] = sink.all.slice(1000);
    expect(more).toMatchObject({ code: 'WEFT0040', severity: 'warning', location: { line: 1000 } });
    expect(error).toEqual(found('error', 7));
    expect(sink.all).toHaveLength(2001);
  });

  it('of a document is no more than one word about the others in the whole', () => {
    const ofDocument = createDiagnosticSink();
    reportAll(ofDocument, many('error', 1001));
    const sink = createDiagnosticSink();
    for (let count = 0; count < 3; count++) reportAll(sink, ofDocument.all);
    expect(sink.all.filter(({ code }) => code === 'WEFT0040')).toHaveLength(1);
    expect(sink.all).toHaveLength(1001);
  });

  it('does not look up what it does not say', () => {
    const { report } = createDiagnosticSink();
    let looked = 0;
    for (let count = 0; count < 5000; count++) report('error', () => found('error', (looked += 1)));
    expect(looked).toBe(1001);
  });
});
