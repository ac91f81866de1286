import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Printed } from '../kit/run-weft.js';
import { compareCase } from './compare.js';
import { ALLOWANCES, SECTIONS } from './differences.js';
import type { RecordedCase, RecordedObject } from './recorded.js';

const account = (labels: Readonly<Record<string, string>> = {}): RecordedObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'a', namespace: 'b', labels },
});
const network = (config: string, namespace?: string): RecordedObject => ({
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: namespace === undefined ? { name: 'a' } : { name: 'a', namespace },
  spec: { config },
});

const accepted = (...objects: readonly RecordedObject[]): RecordedCase => ({
  name: 'made-up',
  files: { 'policy.yaml': 'kind: NicClusterPolicy\n' },
  accepted: true,
  errors: [],
  unknownFields: [],
  objects,
  crds: [],
});
const refused: RecordedCase = {
  ...accepted(),
  accepted: false,
  errors: [{ stage: 'schema', path: 'spec.ofedDriver.env[0]', message: 'no' }],
};

const prints = (...items: readonly RecordedObject[]): Printed => ({
  exit: 0,
  stdout: JSON.stringify({ items }),
  stderr: '',
});
const refuses = (stderr: string): Printed => ({ exit: 2, stdout: '', stderr });

describe('the comparison', () => {
  const cases: { name: string; recorded: RecordedCase; printed: Printed; expected: string; detail?: string }[] = [
    { name: 'the same', recorded: accepted(account()), printed: prints(account()), expected: 'equal' },
    {
      name: 'an object that is missing',
      recorded: accepted(account()),
      printed: prints(),
      expected: 'different',
      detail: 'missing: v1 ServiceAccount b a',
    },
    {
      name: 'an object too many',
      recorded: accepted(),
      printed: prints(account()),
      expected: 'different',
      detail: "not the operator's: v1 ServiceAccount b a",
    },
    {
      name: 'an object twice',
      recorded: accepted(account()),
      printed: prints(account(), account()),
      expected: 'different',
      detail: 'two objects share an identity',
    },
    {
      name: 'a field',
      recorded: accepted(account({ x: '1' })),
      printed: prints(account({ x: '2' })),
      expected: 'different',
      detail: 'v1 ServiceAccount b a .metadata.labels.x: operator "1"  ours "2"',
    },
    {
      name: 'a mark of ours where no row has it',
      recorded: accepted(account()),
      printed: prints(account({ 'weft.dev/install-digest': 'a' })),
      expected: 'different',
      detail: 'v1 ServiceAccount b a .metadata.labels: operator (absent)  ours {"weft.dev/install-digest":"a"}',
    },
    {
      name: 'JSON that is laid out otherwise, and the namespace',
      recorded: accepted(network('{"type":"macvlan"}')),
      printed: prints(network('{\n  "type": "macvlan"\n}', 'default')),
      expected: 'equal',
    },
    {
      name: 'JSON with another value',
      recorded: accepted(network('{"mtu":1}', 'default')),
      printed: prints(network('{"mtu":2}', 'default')),
      expected: 'different',
      detail: 'k8s.cni.cncf.io/v1 NetworkAttachmentDefinition default a .spec.config.json.mtu: operator 1  ours 2',
    },
    {
      name: 'a CRD that is missing',
      recorded: { ...accepted(), crds: ['ippools.nv-ipam.nvidia.com'] },
      printed: prints(),
      expected: 'different',
      detail: 'missing CRD: ippools.nv-ipam.nvidia.com',
    },
    { name: 'a refusal', recorded: refused, printed: refuses('error: env\n --> policy.yaml:1:2'), expected: 'equal' },
    {
      name: 'a refusal without a place',
      recorded: refused,
      printed: refuses('error: env'),
      expected: 'unclear',
      detail: 'no file:line:column on stderr',
    },
    {
      name: 'a refusal of another field',
      recorded: refused,
      printed: refuses('error: x\n --> policy.yaml:1:2'),
      expected: 'unclear',
      detail: 'stderr does not mention env',
    },
    {
      name: 'no refusal',
      recorded: refused,
      printed: prints(),
      expected: 'laxer',
      detail: 'schema spec.ofedDriver.env[0]: no',
    },
    { name: 'a refusal too many', recorded: accepted(), printed: refuses('x'), expected: 'stricter', detail: 'x' },
    {
      name: 'a refusal of unknown fields',
      recorded: { ...accepted(), unknownFields: ['spec.x'] },
      printed: refuses('x'),
      expected: 'equal',
    },
    {
      name: 'a bug',
      recorded: accepted(),
      printed: { exit: 3, stdout: '', stderr: 'bug' },
      expected: 'crash',
      detail: 'exit 3',
    },
  ];

  it.each(cases)('$name: $expected', ({ recorded, printed, expected, detail }) => {
    const { outcome, details } = compareCase(recorded, printed, ALLOWANCES);
    expect(outcome).toBe(expected);
    if (detail !== undefined) expect(details).toContain(detail);
  });
});

describe('the table of differences', () => {
  const rows = SECTIONS.flatMap(({ title, head, rows }) => rows.map((row) => ({ title, head, ...row })));

  it.each(rows)('$title: $cells.0', ({ head, cells, shownBy }) => {
    expect(cells.length).toBe(head.length);
    if (shownBy !== undefined) expect(existsSync(join(__dirname, '../..', shownBy))).toBe(true);
  });
});
