import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runWeft, type Printed } from '../kit/run-weft.js';
import { compareCase, type Comparison } from './compare.js';
import { putCommand } from '../bundle/built-command.js';
import { shareOf } from '../kit/shares.js';
import { ALLOWANCES, SECTIONS } from './differences.js';
import { type GatedCase, withReadyFile } from './gate.js';
import { caseNames, readCase, RECORDED_RELEASES, releasedCases, type RecordedCase } from './recorded.js';

/**
 * `run` renders every recorded case in this process. The built command needs a process for each case, so it renders every
 * fortieth one, and with `WEFT_ALL_CASES=1` all of them.
 */
const BY_COMMAND = 40;

const GATES = ['label', 'ready-file'] as const;
type Gate = (typeof GATES)[number];

interface Rendered {
  readonly recorded: RecordedCase;
  readonly printed: Printed;
  readonly gated?: GatedCase;
}

const root = join(__dirname, '../..');
const cases = caseNames().map((name) => readCase(name));
const released = RECORDED_RELEASES.flatMap((release) => caseNames().map((name) => readCase(name, release)));
const outcomeOf = ({ recorded, printed, gated }: Rendered, allowances = ALLOWANCES): Comparison =>
  compareCase(recorded, printed, allowances, gated);
const unequal = (comparisons: readonly Comparison[]) => comparisons.filter(({ outcome }) => outcome !== 'equal');

describe('conformance with the operator', () => {
  let folder: string;
  const rendered: Record<Gate, readonly Rendered[]> = { label: [], 'ready-file': [] };

  /** Renders a case; without a result where a gate leaves it as it is or changes it in a way that the case does not tell. */
  async function render(
    recorded: RecordedCase,
    gate: Gate,
    command: (path: string) => Promise<Printed>,
  ): Promise<readonly Rendered[]> {
    const gated = gate === 'ready-file' ? withReadyFile(recorded) : undefined;
    if (gate === 'ready-file' && !gated) return [];
    const path = join(folder, gate, recorded.release ?? 'newest', recorded.name);
    mkdirSync(path, { recursive: true });
    for (const [name, text] of Object.entries(gated?.files ?? recorded.files)) writeFileSync(join(path, name), text);
    const printed = await command(path);
    return [gated ? { recorded, printed, gated } : { recorded, printed }];
  }

  async function inProcess(path: string): Promise<Printed> {
    return runWeft(['synth', '-o', 'json', path], {
      cwd: folder,
    });
  }

  function byCommand(path: string): Promise<Printed> {
    const options = { maxBuffer: 1 << 28, timeout: 60_000, cwd: folder };
    const args = [join(folder, 'bin/weft.cjs'), 'synth', '-o', 'json', path];
    return new Promise((resolve) => {
      execFile(process.execPath, args, options, (error, stdout, stderr) => {
        const exit = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ exit, stdout, stderr });
      });
    });
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weft-conformance-'));
    await putCommand(folder);
    for (const gate of GATES) {
      const all: Rendered[] = [];
      for (const recorded of cases) all.push(...(await render(recorded, gate, inProcess)));
      rendered[gate] = all;
    }
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('has the recorded cases', () => {
    expect(cases.length).toBeGreaterThan(100);
    expect(cases.filter(({ accepted }) => accepted).length).toBeGreaterThan(70);
    expect(rendered.label.length).toBe(cases.length);
    expect(rendered['ready-file'].length).toBeGreaterThan(50);
  });

  it.each(GATES)('gate %s: every case is equal, but for the wanted differences', (gate) => {
    expect(unequal(rendered[gate].map((one) => outcomeOf(one)))).toEqual([]);
  });

  it.each(RECORDED_RELEASES)('release %s: every case is equal, but for the wanted differences', async (release) => {
    const printed: Rendered[] = [];
    for (const one of released.filter((recorded) => recorded.release === release)) {
      printed.push(...(await render(one, 'label', inProcess)));
    }
    expect(printed.length).toBe(cases.length);
    expect(unequal(printed.map((one) => outcomeOf(one)))).toEqual([]);
  });

  it.each(RECORDED_RELEASES)(
    'release %s: its own images, in the places in which its operator has them',
    async (release) => {
      const printed: Rendered[] = [];
      for (const one of releasedCases(release)) printed.push(...(await render(one, 'label', inProcess)));
      expect(printed.length).toBeGreaterThan(4);
      expect(unequal(printed.map((one) => outcomeOf(one)))).toEqual([]);
    },
  );

  it.each(GATES)('gate %s: the built command prints the same', async (gate) => {
    const some = shareOf(cases, BY_COMMAND);
    const printed: Rendered[] = [];
    for (const recorded of some) printed.push(...(await render(recorded, gate, byCommand)));
    expect(printed.length).toBeGreaterThan(0);
    expect(unequal(printed.map((one) => outcomeOf(one)))).toEqual([]);
  });

  it('the built command says its version', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const output = execFileSync(process.execPath, [join(folder, 'bin/weft.cjs'), '--version'], { encoding: 'utf8' });
    expect(output).toMatch(new RegExp(`^weft ${version.replaceAll('.', '\\.')} \\(releases: .+\\)\n$`));
  });

  describe('each wanted difference is needed: without it a case is not equal', () => {
    const rows = SECTIONS.flatMap(({ rows }) => rows);
    const needed = rows.flatMap(({ cells, allowances = [] }) =>
      allowances
        .filter(({ kind }) => kind !== 'gate')
        .map((allowance) => ({ name: `${allowance.kind}: ${cells.join(' → ').slice(0, 100)}`, allowance })),
    );

    it.each(needed)('$name', ({ allowance }) => {
      const others = ALLOWANCES.filter((one) => one !== allowance);
      const isNeeded = rendered.label.some((one) => outcomeOf(one, others).outcome !== 'equal');
      expect(isNeeded).toBe(true);
    });

    it('the gate', () => {
      const asLabel = rendered['ready-file'].map(({ recorded, printed }) => outcomeOf({ recorded, printed }));
      expect(unequal(asLabel).length).toBeGreaterThan(5);
    });
  });
});
