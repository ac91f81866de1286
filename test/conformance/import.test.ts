import { describe, expect, it } from '@jest/globals';
import { importCluster } from '../../src/cluster/import/import.js';
import { filesOf } from '../../src/cluster/import/files.js';
import { prettyJson } from '../../src/shared/lib/json.js';
import { shareOf } from '../kit/shares.js';
import { problemLines, compile } from '../golden/compile.js';
import { compareCase } from './compare.js';
import { ALLOWANCES } from './differences.js';
import { clusterOf, namespaceOf } from './import-source.js';
import { caseNames, readCase, RECORDED_RELEASES, type RecordedCase } from './recorded.js';

/** What the cluster cannot tell, and a person writes into the Cluster document: tags of the registry. */
const BY_HAND = /^ {4}precompiledTags:\n(?: {6}.*\n)+/m;

function importedFiles(recorded: RecordedCase) {
  const { documents } = importCluster({ name: 'case', objects: clusterOf(recorded), namespace: namespaceOf(recorded) });
  const files = Object.fromEntries(filesOf(documents).map((file) => [file.name, file.text]));
  const [byHand] = BY_HAND.exec(recorded.files['cluster.yaml'] ?? '') ?? [];
  if (byHand === undefined) return { recorded, files };
  const cluster = (files['cluster.yaml'] ?? '').replace(/^ {4}gate: label\n/m, (gate) => gate + byHand);
  return { recorded, files: { ...files, 'cluster.yaml': cluster } };
}

/** `npm test` imports every third case, and `WEFT_ALL_CASES=1` all of them. */
const SHARE = 3;

const accepted = shareOf(
  [undefined, ...RECORDED_RELEASES].flatMap((release) =>
    caseNames()
      .map((name) => readCase(name, release))
      .filter((one) => one.accepted),
  ),
  SHARE,
);

describe('what is imported from a cluster renders what the operator rendered there', () => {
  it.each(accepted)('$name $release', (one) => {
    const { recorded, files } = importedFiles(one);
    const { placed, diagnostics } = compile(files);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const printed = {
      exit: errors.length > 0 ? 2 : 0,
      stdout: prettyJson({ items: placed.map(({ object }) => object) }),
      stderr: problemLines(errors).join('\n'),
    };
    const { outcome, details } = compareCase({ ...recorded, files }, printed, ALLOWANCES);
    // Some of what the operator renders is refused, because the program that reads it refuses it.
    const isMeant = outcome === 'equal' && errors.length > 0;
    expect({ outcome, details: isMeant ? [] : details }).toEqual({ outcome: 'equal', details: [] });
  });
});
