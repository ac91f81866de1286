import type { ObjectDiff } from '../../src/review/diff/diff.js';

/** A changed ConfigMap that no running pod notices. */
export const objectDiff = (part: Partial<ObjectDiff> = {}): ObjectDiff => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'ns',
  name: 'x',
  change: 'changed',
  impact: 'metadata',
  pools: [],
  notes: [],
  referrers: [],
  fields: [],
  ...part,
});
